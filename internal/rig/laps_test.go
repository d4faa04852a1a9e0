package rig

import (
	"strings"
	"testing"

	"rig.example/rig/internal/drive"
	"rig.example/rig/sim/road/lap"
)

func TestSummaryTellsOfTheLatestLaps(t *testing.T) {
	r := demo(t)
	if list := r.laps(); list == nil || len(list) != 0 {
		t.Errorf("%v before the first lap", list)
	}
	l := &r.drive.State.Laps
	l.Clock.Count = drive.StoredLaps + 3
	for n := range l.Clock.Count {
		l.Done[n%drive.StoredLaps] = lap.Lap{Number: n + 1, Time: 90, Valid: true}
	}
	list := r.laps()
	if len(list) != drive.StoredLaps || list[0].Number != 4 || list[drive.StoredLaps-1].Number != drive.StoredLaps+3 || len(list[0].Sectors) != r.drive.Sectors() {
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
