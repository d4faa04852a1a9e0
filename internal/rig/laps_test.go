package rig

import (
	"encoding/json"
	"strings"
	"testing"

	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/frame"
	"rig.example/rig/sim/road/lap"
)

func TestSummaryTellsOfTheLatestLaps(t *testing.T) {
	r := demo(t)
	if list := r.laps(); list == nil || len(list) != 0 {
		t.Errorf("%v before the first lap", list)
	}
	l := &r.drive.State.Laps
	l.Clock.Count = drive.KeptLaps + 3
	for n := range l.Clock.Count {
		l.Done[n%drive.KeptLaps] = lap.Lap{Number: n + 1, Time: 90, Valid: true}
	}
	list := r.laps()
	if len(list) != drive.KeptLaps || list[0].Number != 4 || list[drive.KeptLaps-1].Number != drive.KeptLaps+3 || len(list[0].Sectors) != r.drive.Sectors() {
		t.Fatalf("%d laps, from %+v on", len(list), list[0])
	}
}

func TestLapsArePrinted(t *testing.T) {
	best := 83.4567
	var b strings.Builder
	printLaps(&b, []LapTime{
		{Number: 1, Time: 90.5, Sectors: []float64{30.25, 60.25}, Off: 1.26, Cuts: 1, Pit: 4},
		{Number: 2, Time: best, Sectors: []float64{30, 53.4567}, Valid: true},
	}, &best)
	const want = "lap 1   1:30.500   30.250  60.250  invalid, 1.3 s off the track, cuts: 1  4.0 s in the pit lane\n" +
		"lap 2   1:23.457   30.000  53.457\nbest lap 1:23.457\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestLineAndScriptTellOfTheLap(t *testing.T) {
	f := &frame.Frame{Flags: frame.LapInvalid | frame.OffTrack | frame.InPit}
	f.Lap = frame.Lap{Number: 3, Count: 2, Time: 61.27, Best: 83.456, Delta: -0.125, Sectors: 3, Sector: 1, Splits: [8]float64{30.5}}
	if got := lapText(f); got != "lap 3 1:01.3! -0.12  best 1:23.456  OFF TRACK  PIT LANE  " {
		t.Errorf("%q", got)
	}
	got, err := json.Marshal(Describe(f).Lap)
	const want = `{"number":3,"count":2,"time_s":61.27,"last_s":null,"best_s":83.456,"delta_s":-0.125,"sectors_s":[30.5],"valid":false,"off_track":true,"wrong_way":false,"in_pit":true}`
	if err != nil || string(got) != want {
		t.Errorf("%s %v, want %s", got, err, want)
	}
	if got := lapText(&frame.Frame{}); got != "" {
		t.Errorf("%q before the first lap", got)
	}
}
