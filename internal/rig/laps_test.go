package rig

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/internal/config"
	"rig/internal/frame"
	"rig/sim"
	"rig/sim/road"
)

// lapping is a clock and a car whose wheels are all in one place, at an even speed.
type lapping struct {
	laps
	circuit *road.Circuit
	car     sim.State
	far     float64 // driven [m]
	dt      float64 // of a tick [s]
}

func newLapping(t *testing.T, dt float64) *lapping {
	t.Helper()
	club := *circuitOf(t, config.Default())
	club.Start, club.Sectors = 20, []float64{500, 1200}
	clock, err := newLaps(&club)
	if err != nil {
		t.Fatal(err)
	}
	return &lapping{laps: clock, circuit: &club, dt: dt}
}

// drive goes on by a way [m], so far to the left of the centre line.
func (l *lapping) drive(way, speed, left float64) {
	for end := l.far + way; l.far < end; l.far += speed * l.dt {
		p := l.circuit.At(l.far)
		for i := range l.car.Wheels {
			l.car.Wheels[i].Hub = p.Beside(left)
		}
		l.car.Tick++
		l.step(&l.car, l.dt)
	}
}

func TestFrameShowsTheClock(t *testing.T) {
	l := newLapping(t, 5e-3)
	length := l.circuit.Length()
	var f frame.Frame
	l.drive(15, 50, 0)
	l.show(&f)
	if f.Lap.Number != 0 || f.Lap.Sectors != 3 || !math.IsNaN(f.Lap.Delta) || l.flags() != 0 {
		t.Errorf("before the line: %+v", f.Lap)
	}
	l.drive(length+10, 50, 0)
	l.drive(600, 40, 0)
	l.show(&f)
	if f.Lap.Number != 2 || f.Lap.Count != 1 || f.Lap.Sector != 1 || f.Lap.Splits[1] != 0 || f.Lap.LastSplits[2] == 0 {
		t.Errorf("in the second lap: %+v", f.Lap)
	}
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"last", f.Lap.Last, length / 50}, {"best", f.Lap.Best, length / 50},
		{"first sector", f.Lap.LastSplits[0], 480.0 / 50}, {"best third one", f.Lap.BestSectors[2], (length - 1180) / 50},
		{"delta", f.Lap.Delta, 600.0/40 - 600.0/50}, {"time", f.Lap.Time, 5.0/50 + 600.0/40},
	} {
		if math.Abs(v.got-v.want) > 0.01 {
			t.Errorf("%s %.4f s, want %.4f s", v.name, v.got, v.want)
		}
	}
	l.drive(10, 40, 7)
	if got := l.flags(); got != frame.OffTrack|frame.LapInvalid {
		t.Errorf("beside the road: flags %#x", got)
	}
	l.drive(length, 40, 0)
	if got := l.flags(); got != frame.LastInvalid {
		t.Errorf("a lap later: flags %#x", got)
	}
}

func TestSummaryTellsOfTheLatestLaps(t *testing.T) {
	l := newLapping(t, 0.02)
	if list := l.list(); list == nil || len(list) != 0 {
		t.Errorf("%v before the first lap", list)
	}
	const speed = 99.0
	l.drive((keptLaps+3.5)*l.circuit.Length(), speed, 0)
	list := l.list()
	if len(list) != keptLaps || list[0].Number != 4 || list[keptLaps-1].Number != keptLaps+3 {
		t.Fatalf("%d laps, from %+v on", len(list), list[0])
	}
	for _, lap := range list {
		sum := 0.0
		for _, s := range lap.Sectors {
			sum += s
		}
		if !lap.Valid || len(lap.Sectors) != 3 || math.Abs(sum-lap.Time) > 1e-9 || math.Abs(lap.Time-l.circuit.Length()/speed) > 1e-4 {
			t.Errorf("%+v", lap)
		}
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

func TestCarThatIsPutBackVoidsItsLap(t *testing.T) {
	for name, put := range map[string]func(*Rig){
		"by the key":      func(r *Rig) { r.fresh = frame.KeyReset; r.stand() },
		"after the fault": func(r *Rig) { r.state.Pos = r3.Vec{X: math.NaN()}; r.restart() },
	} {
		r := demo(t)
		run(t, r, 2000)
		r.laps.state.Lap.Valid = true
		station := r.station
		put(r)
		if r.laps.state.Lap.Valid || math.Abs(r.station-station) > 1e-9 {
			t.Errorf("%s: lap valid %v, at %g m, was at %g m", name, r.laps.state.Lap.Valid, r.station, station)
		}
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
