package driveline

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// 100 N·m at 3000 rpm are 31.4 kW; at 0.25 kg/kWh and 0.7489 kg/L that is 10.5 L/h.
func TestFuelOfASteadyLoadFollowsTheFormula(t *testing.T) {
	f := DefaultFuel()
	f.BSFC = 0.25
	c := burning(t, func(*Params) {}, f)
	s := c.Rest(50)
	start := s.Fuel
	s.Engine.FuelShare = 1
	for range 60_000 {
		c.takeFuel(&s, 100, 3000*PerRPM)
	}
	want := 100 * 3000 * math.Pi / 30 / 1000 * 0.25 / 0.7489 / 60 // of a minute
	near.Value(t, "liters of an hour", want*60, 10.487, 5e-4)
	near.Value(t, "liters of a minute", start-s.Fuel, want, 1e-9*want)
}

// The map's 0.36 and 0.30 at 1000 rpm, 0.28 and 0.24 at 3000 rpm, in their middle.
func TestAConsumptionMapIsBilinear(t *testing.T) {
	f := DefaultFuel()
	f.BSFCMap = []FuelPoint{{1000, 20, 0.36}, {1000, 120, 0.30}, {3000, 20, 0.28}, {3000, 120, 0.24}}
	c := burning(t, func(*Params) {}, f)
	s := c.Rest(50)
	s.Engine.FuelShare = 1
	start := s.Fuel
	for range 10_000 {
		c.takeFuel(&s, 70, 2000*PerRPM)
	}
	want := 70 * 2000 * math.Pi / 30 / 1000 * 0.295 / 0.7489 / 360
	near.Value(t, "liters", start-s.Fuel, want, 1e-9*want)
}

func TestIdleBurnsWhatItIsSaidTo(t *testing.T) {
	c := lone(t, func(*Params) {})
	s := c.Rest(50)
	start := s.Fuel
	standing(c, &s, 60, Input{})
	near.Value(t, "liters of a minute", start-s.Fuel, 0.9/60, 1e-6)
}

// Nothing is burned on the overrun, until the engine is fed again towards idle; and
// whatever happens nothing flows back.
func TestOverrunBurnsNothing(t *testing.T) {
	c := lone(t, func(*Params) {})
	s := c.Rest(50)
	s.EngineSpeed = 4000 * PerRPM
	for range 4000 {
		was, fast := s.Fuel, revs(&s)
		bench(c, &s, Input{}, 0)
		burned := was - s.Fuel
		if fast > 1201 && burned != 0 || fast < 1199 && !(burned > 0) || burned < 0 {
			t.Fatalf("%.3g L burned in a tick at %.0f rpm", burned, fast)
		}
	}
	near.Value(t, "idle", revs(&s), 850, 5)
	s.EngineSpeed = 1300 * PerRPM // not fast enough to cut
	if was := s.Fuel; bench(c, &s, Input{}, 0) > 0 || s.Fuel >= was {
		t.Errorf("no fuel at 1300 rpm: %g L", was-s.Fuel)
	}
}

func TestAnEmptyTankStopsTheEngine(t *testing.T) {
	c := lone(t, func(*Params) {})
	s := c.Rest(0.002)
	near.Value(t, "level", s.Fuel, 0.002, 0)
	standing(c, &s, 20, Input{})
	if s.Engine.Running || s.Fuel != 0 || s.EngineSpeed != 0 {
		t.Errorf("running %v at %.1f rpm with %g L", s.Engine.Running, revs(&s), s.Fuel)
	}
	standing(c, &s, 5, Input{Starter: true})
	if s.Engine.Running || s.Engine.LevelCarry != 0 {
		t.Errorf("running %v without fuel", s.Engine.Running)
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
