package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// stalled returns a car with a converter that stands on its brakes with the throttle open.
func stalled(t *testing.T) State {
	p := boxed("automatic")
	p.Brakes.Torque = 20e3
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 1, Input{Gear: 1, Brake: 1})
	run(c, &s, 3, Input{Gear: 1, Brake: 1, Throttle: 0.7})
	return s
}

// A stalled converter doubles the engine's torque, by its table, and takes what the engine
// gives at capacity·speed².
func TestAStalledConverterMultipliesTheTorque(t *testing.T) {
	s := stalled(t)
	impeller := 3.8e-3 * s.Driveline.EngineSpeed * s.Driveline.EngineSpeed
	near.Value(t, "speed", s.Speed, 0, 1e-3)
	near.Value(t, "engine's torque", s.Driveline.Engine.Torque, impeller, 0.005*impeller)
	near.Value(t, "torque at the half shafts", s.Driveline.Shafts[tire.RL].Torque+s.Driveline.Shafts[tire.RR].Torque, 2*impeller*3.6*3.5, 0.01*2*impeller*3.6*3.5)
	near.Value(t, "power lost", s.Driveline.Flow.Clutch, impeller*s.Driveline.EngineSpeed, 0.005*impeller*s.Driveline.EngineSpeed)
	if s.RPM() < 1500 || s.RPM() > 3500 {
		t.Errorf("stalls at %.0f rpm", s.RPM())
	}
}

func TestTheLockUpMakesOne(t *testing.T) {
	c := newCar(t, boxed("automatic"), Dt)
	s := c.Underway(r3.Vec{}, 0, 30, 5)
	run(c, &s, 3, helped(0.3, 0))
	near.Value(t, "lock-up", s.Driveline.Gearbox.Lockup, 1, 0)
	near.Value(t, "engine less turbine", s.Driveline.EngineSpeed-s.Driveline.Gearbox.InputSpeed, 0, 1e-9)
	near.Value(t, "power lost", s.Driveline.Flow.Clutch, 0, 1e-6)
	for s.Speed > 1 {
		c.Step(&s, helped(0, 0.5))
		if s.RPM() < 600 {
			t.Fatalf("%.0f rpm at %.1f m/s", s.RPM(), s.Speed)
		}
	}
	near.Value(t, "lock-up at the stop", s.Driveline.Gearbox.Lockup, 0, 0)
}

// The engine that idles pushes the car, and the brake holds it.
func TestAConverterCreeps(t *testing.T) {
	c := newCar(t, boxed("automatic"), Dt)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 20, Input{Gear: 1})
	if kph := s.Speed * 3.6; kph < 3 || kph > 15 {
		t.Errorf("creeps at %.1f km/h", kph)
	}
	run(c, &s, 5, Input{Gear: 1, Brake: 0.2})
	if math.Abs(s.Speed) > 1e-3 {
		t.Errorf("%.4f m/s on the brake", s.Speed)
	}
}
