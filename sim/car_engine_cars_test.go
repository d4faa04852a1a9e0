package sim_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

// Every built-in car idles, stops, and starts again within a second and a half.
func TestBuiltInCarsIdleAndStart(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, name := range []string{"coupe", "hatch", "gt", "formula", "pickup", "raycast", "wheelcollider"} {
		c := builtin(t, sim.Dt, name)
		idle := c.Params().Driveline.IdleRPM
		s := c.Rest(r3.Vec{}, 0)
		step := func(seconds float64, in sim.Input) {
			for range int(seconds / sim.Dt) {
				c.Step(&s, in)
			}
		}
		step(5, sim.Input{})
		if math.Abs(s.RPM()-idle) > 1e-3 {
			t.Errorf("%s: idles at %.3f rpm, want %g rpm", name, s.RPM(), idle)
		}
		step(5, sim.Input{IgnitionOff: true})
		if s.Driveline.Engine.Running || s.Driveline.EngineSpeed != 0 {
			t.Errorf("%s: running %v at %.1f rpm with the ignition off", name, s.Driveline.Engine.Running, s.RPM())
		}
		took := 0
		for ; !s.Driveline.Engine.Running && took < 1500; took++ {
			c.Step(&s, sim.Input{Starter: true})
		}
		step(3, sim.Input{})
		if took == 1500 || math.Abs(s.RPM()-idle) > 1 {
			t.Errorf("%s: %.1f rpm after %d ms of starting, want %g rpm", name, s.RPM(), took, idle)
		}
		s = c.Rest(r3.Vec{}, 0)
		step(2, sim.Input{Throttle: 1})
		if s.RPM() > c.Params().Driveline.TorqueCurve[len(c.Params().Driveline.TorqueCurve)-1].RPM {
			t.Errorf("%s: revs to %.0f rpm", name, s.RPM())
		}
	}
}
