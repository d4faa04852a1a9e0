package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// 100 N·m at 3000 rpm are 31.4 kW; at 0.25 kg/kWh and 0.7489 kg/L that is 10.5 L/h.
func TestFuelOfASteadyLoadFollowsTheFormula(t *testing.T) {
	c := engineCar(t, func(p *Params) { p.Fuel.Constant = 0.25 })
	s := c.Rest(r3.Vec{}, 0)
	start := s.Driveline.Fuel
	s.Driveline.Power.Fed = 1
	for range 60_000 {
		c.burn(&s, 100, 3000*perRPM)
	}
	want := 100 * 3000 * math.Pi / 30 / 1000 * 0.25 / 0.7489 / 60 // of a minute
	near.Value(t, "liters of an hour", want*60, 10.487, 5e-4)
	near.Value(t, "liters of a minute", start-s.Driveline.Fuel, want, 1e-9*want)
}

// The map's 0.36 and 0.30 at 1000 rpm, 0.28 and 0.24 at 3000 rpm, in their middle.
func TestAConsumptionMapIsBilinear(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		p.Fuel.Map = []FuelPoint{{1000, 20, 0.36}, {1000, 120, 0.30}, {3000, 20, 0.28}, {3000, 120, 0.24}}
	})
	s := c.Rest(r3.Vec{}, 0)
	s.Driveline.Power.Fed = 1
	start := s.Driveline.Fuel
	for range 10_000 {
		c.burn(&s, 70, 2000*perRPM)
	}
	want := 70 * 2000 * math.Pi / 30 / 1000 * 0.295 / 0.7489 / 360
	near.Value(t, "liters", start-s.Driveline.Fuel, want, 1e-9*want)
}

func TestIdleBurnsWhatItIsSaidTo(t *testing.T) {
	c := engineCar(t, func(*Params) {})
	s := c.Rest(r3.Vec{}, 0)
	start := s.Driveline.Fuel
	run(c, &s, 60, Input{})
	near.Value(t, "liters of a minute", start-s.Driveline.Fuel, 0.9/60, 1e-6)
}

// Nothing is burned on the overrun, until the engine is fed again towards idle; and
// whatever happens nothing flows back.
func TestOverrunBurnsNothing(t *testing.T) {
	c := engineCar(t, func(*Params) {})
	s := c.Rest(r3.Vec{}, 0)
	s.Driveline.Engine = 4000 * perRPM
	for range 4000 {
		was, fast := s.Driveline.Fuel, s.RPM()
		bench(c, &s, orders{}, 0)
		burned := was - s.Driveline.Fuel
		if fast > 1201 && burned != 0 || fast < 1199 && !(burned > 0) || burned < 0 {
			t.Fatalf("%.3g L burned in a tick at %.0f rpm", burned, fast)
		}
	}
	near.Value(t, "idle", s.RPM(), 850, 5)
	s.Driveline.Engine = 1300 * perRPM // not fast enough to cut
	if was := s.Driveline.Fuel; bench(c, &s, orders{}, 0) > 0 || s.Driveline.Fuel >= was {
		t.Errorf("no fuel at 1300 rpm: %g L", was-s.Driveline.Fuel)
	}
}

func TestAnEmptyTankStopsTheEngine(t *testing.T) {
	c := engineCar(t, func(p *Params) { p.Fuel.Level = 0.1 })
	s := c.Rest(r3.Vec{}, 0)
	near.Value(t, "level", s.Driveline.Fuel, 0.1, 0)
	s.Driveline.Fuel = 0.002
	run(c, &s, 20, Input{})
	if s.Driveline.Power.Running || s.Driveline.Fuel != 0 || s.Driveline.Engine != 0 {
		t.Errorf("running %v at %.1f rpm with %g L", s.Driveline.Power.Running, s.RPM(), s.Driveline.Fuel)
	}
	run(c, &s, 5, Input{Start: true})
	if s.Driveline.Power.Running || s.Driveline.Power.Due != 0 {
		t.Errorf("running %v without fuel", s.Driveline.Power.Running)
	}
}

// What rounding keeps back is taken later: a level of 1000 falls by as much as one of 1.
func TestDrainLosesNothing(t *testing.T) {
	for _, level := range []float64{1, 1000} {
		at, due := level, 0.0
		for range 1_000_000 {
			drain(&at, &due, 1e-7/3)
		}
		near.Value(t, "drained", level-at+due, 1e-1/3, 1e-12)
	}
	at, due := 1e-9, 0.0
	drain(&at, &due, 1)
	if at != 0 || due != 0 {
		t.Errorf("level %g, due %g", at, due)
	}
}
