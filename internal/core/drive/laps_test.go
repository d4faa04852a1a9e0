package drive

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/core/frame"
)

// lapping is a clock and a car whose wheels are all in one place, at an even speed.
type lapping struct {
	*tester
	far float64 // driven [m]
}

func newLapping(t *testing.T, dt float64) *lapping {
	t.Helper()
	return &lapping{tester: seated(t, func(s *Setup) {
		club := *s.Circuit
		club.Start, club.Sectors = 20, []float64{500, 1200}
		s.Circuit, s.Dt = &club, dt
	})}
}

// drive goes on by a way [m], so far to the left of the center line.
func (l *lapping) drive(way, speed, left float64) {
	for end := l.far + way; l.far < end; l.far += speed * l.Setup.Dt {
		p := l.Setup.Circuit.At(l.far)
		for i := range l.State.Car.Wheels {
			l.State.Car.Wheels[i].Hub = p.Offset(left)
		}
		l.State.Car.Tick++
		l.State.Trip.stepLap(l.timing, &l.State.Car, l.Setup.Dt)
	}
}

func TestFrameShowsTheClock(t *testing.T) {
	l := newLapping(t, 5e-3)
	length := l.Setup.Circuit.Length()
	var f frame.Frame
	l.drive(15, 50, 0)
	l.State.Laps.show(&f, l.timing)
	if f.Lap.Number != 0 || f.Lap.Sectors != 3 || !math.IsNaN(f.Lap.Delta) || l.State.Laps.flags() != 0 {
		t.Errorf("before the line: %+v", f.Lap)
	}
	l.drive(length+10, 50, 0)
	l.drive(600, 40, 0)
	l.State.Laps.show(&f, l.timing)
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
	if got := l.State.Laps.flags(); got != frame.OffTrack|frame.LapInvalid {
		t.Errorf("beside the road: flags %#x", got)
	}
	l.drive(length, 40, 0)
	if got := l.State.Laps.flags(); got != frame.LastLapInvalid {
		t.Errorf("a lap later: flags %#x", got)
	}
}

func TestTheLatestLapsAreKept(t *testing.T) {
	l := newLapping(t, 0.02)
	const speed = 99.0
	l.drive((StoredLaps+3.5)*l.Setup.Circuit.Length(), speed, 0)
	laps := &l.State.Laps
	if laps.Clock.Count != StoredLaps+3 {
		t.Fatalf("%d laps", laps.Clock.Count)
	}
	for n := laps.Clock.Count - StoredLaps; n < laps.Clock.Count; n++ {
		lap, sum := &laps.Done[n%StoredLaps], 0.0
		for _, s := range lap.Sectors {
			sum += s
		}
		if lap.Number != n+1 || !lap.Valid || math.Abs(sum-lap.Time) > 1e-9 || math.Abs(lap.Time-l.Setup.Circuit.Length()/speed) > 1e-4 {
			t.Errorf("%+v", lap)
		}
	}
}

func TestCarThatIsPutBackVoidsItsLap(t *testing.T) {
	for name, put := range map[string]func(*tester){
		"by the key":      func(r *tester) { r.State.Cockpit.keys.justPressed = frame.KeyReset; r.resetCar() },
		"after the fault": func(r *tester) { r.State.Car.Pos = r3.Vec{X: math.NaN()}; r.restartCar() },
	} {
		r := demo(t)
		r.run(2000)
		r.State.Laps.Clock.Lap.Valid = true
		station := r.State.Station
		put(r)
		if r.State.Laps.Clock.Lap.Valid || math.Abs(r.State.Station-station) > 1e-9 {
			t.Errorf("%s: lap valid %v, at %g m, was at %g m", name, r.State.Laps.Clock.Lap.Valid, r.State.Station, station)
		}
	}
}
