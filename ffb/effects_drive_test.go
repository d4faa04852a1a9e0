package ffb_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
)

// road1 has the effect of the road alone.
func road1() ffb.EffectsConfig { return ffb.EffectsConfig{Road: 1, Cylinders: 4} }

// The force takes the lock and the cylinders of a car. A motor has none.
func TestWhatTheForceKnowsOfACar(t *testing.T) {
	for _, electric := range []bool{false, true} {
		p := sim.DefaultCar()
		p.Driveline.Engine.Cylinders, p.Driveline.Motor.Enabled = 5, electric
		if electric {
			p.Driveline.Gears, p.Driveline.Gearbox.Kind = []float64{9}, "single"
		}
		c, err := sim.New(p, road.Asphalt(), sim.Dt)
		if err != nil {
			t.Fatal(err)
		}
		want := ffb.Car{Lock: c.Lock(), Cylinders: 5}
		if electric {
			want.Cylinders = 0
		}
		if got := ffb.CarOf(c); got != want || got.Lock <= 0 {
			t.Errorf("electric %v: got %+v, want %+v", electric, got, want)
		}
	}
}

// orderGain drives the built-in coupe straight on for a while from a state, and returns the most of
// the road's effect [N·m].
func orderGain(t *testing.T, c *sim.Car, s sim.State, seconds float64) (most float64) {
	t.Helper()
	e := ffb.NewEffects(road1(), sim.Dt)
	var out [ffb.EffectCount]float64
	for range int(seconds / sim.Dt) {
		c.Step(&s, sim.Input{Throttle: 0.1, Gear: 3, Assists: assist.Switches{AutoClutch: true}})
		e.Step(&s, &out)
		most = max(most, math.Abs(out[ffb.Road]))
	}
	return most
}

func coupeOn(t *testing.T, g road.Ground) *sim.Car {
	t.Helper()
	c, err := sim.New(sim.DefaultCar(), g, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAKerbIsFeltAndAPlaneIsNot(t *testing.T) {
	plane := coupeOn(t, road.Asphalt())
	if most := orderGain(t, plane, plane.Underway(r3.Vec{}, 0.3, 20, 3), 2); most != 0 {
		t.Errorf("%g N·m on a plane", most)
	}
	club, _, err := circuit.Load("club", circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := kerb(t, club)
	c := coupeOn(t, club)
	beside := func(left, turn float64) float64 { // of the center line
		s := c.Underway(at.Offset(left), at.Heading+turn, 12, 3)
		return orderGain(t, c, s, 0.5)
	}
	edge := at.Left - 0.95 // both left wheels are a little inside of the edge
	kerb, smooth := beside(edge, 0.15), beside(edge-3, 0)
	t.Logf("kerb %.3f, road %.3f N·m", kerb, smooth)
	if !(kerb > 0.2 && kerb > 3*smooth) {
		t.Errorf("%.3f N·m on the kerb, %.3f on the road beside it", kerb, smooth)
	}
}

// kerb returns a place of the line with a whole kerb on the left.
func kerb(t *testing.T, c *road.Circuit) road.Point {
	t.Helper()
	for s := 0.0; s < c.Length(); s++ {
		if p, ahead := c.At(s), c.At(s+6); p.KerbLeft > 0.9 && ahead.KerbLeft > 0.9 {
			return p
		}
	}
	t.Fatal("no kerb")
	return road.Point{}
}
