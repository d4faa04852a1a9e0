package motion

import (
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// watch is a follow in a time of its own, which is told of every actuator in each step.
type watch struct {
	followMonitor
	now time.Duration
}

func watching(limit, patience, dt float64) *watch {
	cfg := DefaultConfig()
	cfg.MaxFollowError, cfg.MaxFollowTime, cfg.Rate = limit, patience, 1/dt
	return &watch{newFollowMonitor(cfg), time.Second}
}

func (w *watch) see(path, told *wire.Legs) wire.Faults {
	w.now += time.Duration(w.path.dt * float64(time.Second))
	var at [wire.Axes]time.Duration
	for i := range at {
		at[i] = w.now
	}
	return w.step(path, told, &at, w.now)
}

// A motor that lags, as all do, is no fault; one that stands is, also while its
// path passes by it.
func TestFollowingErrorIsAFaultButLagIsNot(t *testing.T) {
	const dt = 0.004
	lag := func(seconds float64) func(at, path float64) float64 {
		return func(at, path float64) float64 { return at + (path-at)*dt/seconds }
	}
	stuck := func(at, _ float64) float64 { return at }
	unknown := func(_, _ float64) float64 { return math.NaN() }
	tests := []struct {
		name  string
		limit float64
		hertz float64
		motor func(at, path float64) float64
		lost  bool
	}{
		{"quick motor", 0.15, 0.5, lag(0.02), false},
		{"slow motor", 0.15, 0.5, lag(0.25), false},
		{"slow motor, fast path", 0.15, 1, lag(0.2), false},
		{"stuck motor", 0.15, 0.1, stuck, true},
		{"stuck motor that is passed by", 0.15, 0.5, stuck, true},
		{"not watched", 0, 0.1, stuck, false},
		{"no feedback", 0.15, 0.1, unknown, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := watching(tt.limit, 0.5, dt)
			at, lost := wire.AllAt(0.5), false
			w.start(&at, w.now)
			for i := range 5000 {
				path := wire.AllAt(0.5 + 0.35*math.Sin(2*math.Pi*tt.hertz*float64(i)*dt))
				at[3] = tt.motor(at[3], path[3])
				told := path
				told[3] = at[3]
				lost = w.see(&path, &told) != 0 || lost
			}
			if lost != tt.lost {
				t.Errorf("found it lost: %v, want %v", lost, tt.lost)
			}
		})
	}
}

// The sign of the error is that of feedback minus path.
func TestFollowingErrorIsTheDistanceFromThePath(t *testing.T) {
	f, path := watching(0.1, 1, 0.004), wire.AllAt(0.5)
	f.start(&path, f.now)
	told := wire.Legs{0.5, 0.45, 0.7, math.NaN(), 0.5, 0.5, 0.5, 0.5}
	f.see(&path, &told)
	if e := f.error; e[0] != 0 || math.Abs(e[1]+0.05) > hair || math.Abs(e[2]-0.2) > hair || !math.IsNaN(e[3]) {
		t.Errorf("got %v, want 0, -0.05, 0.2 and unknown", e[:4])
	}
}
