package motion

import (
	"math"
	"testing"

	"rig.example/rig/devices/motion/wire"
)

// Each axis has its own ends and its own speed.
func TestEveryAxisHasItsOwnLimits(t *testing.T) {
	cfg := quickConfig("/dev/null")
	for i := range wire.Axes {
		cfg.MinPosition[i], cfg.MaxPosition[i] = 0.05*float64(i), 1-0.04*float64(i)
		cfg.MaxSpeed[i] = 0.1 + 0.1*float64(i)
	}
	p := newTrajectory(cfg)
	p.start(wire.AllAt(0.5), false)
	p.state, p.awaitsHome = Ready, false
	p.step(stepInput{})
	for _, target := range []float64{2, -2} {
		var fastest wire.Legs
		last := p.positions()
		for range int(20 / p.dt) {
			l := p.step(stepInput{elapsed: p.dt, target: wire.AllAt(target), hasNewTarget: true})
			for i := range l {
				fastest[i] = max(fastest[i], math.Abs(l[i]-last[i])/p.dt)
			}
			last = l
		}
		for i, at := range last {
			end := cfg.MinPosition[i]
			if target > 0 {
				end = cfg.MaxPosition[i]
			}
			if math.Abs(at-end) > hair || math.Abs(fastest[i]-cfg.MaxSpeed[i]) > 1e-6 {
				t.Errorf("target %g: axis %d at %g with %g strokes/s, want %g with %g", target, i, at, fastest[i], end, cfg.MaxSpeed[i])
			}
		}
	}
}

// A target that runs beyond the end of the stroke is left there in time.
func TestNoTargetLeadsBeyondTheStroke(t *testing.T) {
	for _, side := range []float64{1, -1} {
		l := limiter{dt: 0.004}
		l.reset(0.5)
		target := 0.5
		for range 500 {
			target += side * 0.8 * l.dt
			if target > testLimits.max || target < testLimits.min {
				target -= side * 0.8 * l.dt // it stops there, as late as can be, and still tells its speed
			}
			if l.step(target, side*0.8, testLimits); l.position > testLimits.max+hair || l.position < testLimits.min-hair {
				t.Fatalf("at %g", l.position)
			}
		}
	}
}

// While a belt is open an order to home waits: what holds still must not begin to park,
// and a fault must not be forgotten.
func TestAnOrderToHomeWaitsForTheBelt(t *testing.T) {
	for _, c := range []struct {
		name   string
		before stepInput
		state  State
	}{
		{"halted", stepInput{halt: true}, Halted},
		{"in a fault", stepInput{faults: wire.FaultStop}, Fault},
	} {
		p := readyTrajectory()
		run(p, 0.5, stepInput{target: wire.AllAt(0.7), hasNewTarget: true})
		at := run(p, 2, c.before)
		if got := run(p, 2, stepInput{interlock: true, homeOrders: 1}); p.state != c.state || got != at {
			t.Errorf("%s: %v, from %g to %g", c.name, p.state, at[0], got[0])
		}
		if run(p, 0.1, stepInput{homeOrders: 1}); p.state != Homing {
			t.Errorf("%s: %v once the belt is closed, want the order to be obeyed", c.name, p.state)
		}
	}
}
