package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// stalled returns a car with a converter that stands on its brakes with the throttle open.
func stalled(t *testing.T) (*Car, State) {
	p := boxed("automatic")
	p.Brakes.Torque = 20e3
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 1, Input{Gear: 1, Brake: 1})
	run(c, &s, 3, Input{Gear: 1, Brake: 1, Throttle: 0.7})
	return c, s
}

// A stalled converter doubles the engine's torque, by its table, and takes what the engine
// gives at capacity·speed².
func TestAStalledConverterMultipliesTheTorque(t *testing.T) {
	c, s := stalled(t)
	impeller := 3.8e-3 * s.Driveline.Engine * s.Driveline.Engine
	near.Value(t, "speed", s.Speed, 0, 1e-3)
	near.Value(t, "engine's torque", s.Driveline.Power.Torque, impeller, 0.005*impeller)
	near.Value(t, "torque at the half shafts", s.Driveline.Shafts[tire.RL].Torque+s.Driveline.Shafts[tire.RR].Torque, 2*impeller*3.6*3.5, 0.01*2*impeller*3.6*3.5)
	near.Value(t, "power lost", s.Driveline.Flow.Clutch, impeller*s.Driveline.Engine, 0.005*impeller*s.Driveline.Engine)
	if c.box.fluid != true || s.RPM() < 1500 || s.RPM() > 3500 {
		t.Errorf("stalls at %.0f rpm", s.RPM())
	}
}

// Of the power that enters it a converter loses 1 - torque ratio · speed ratio.
func TestAConverterLosesWhatItsTableSays(t *testing.T) {
	for _, tt := range []struct{ speed, ratio, capacity float64 }{
		{0, 2.0, 3.8e-3}, {0.1, 1.88, 3.825e-3}, {0.5, 1.395, 3.7e-3}, {0.8, 1.04, 3e-3}, {0.95, 1, 1.15e-3}, {1, 1, 0},
	} {
		c := newCar(t, boxed("automatic"), Dt)
		const engine = 250.0
		k := c.fluid(engine, tt.speed*engine)
		near.Value(t, "impeller", k.impeller, tt.capacity*engine*engine, 1e-9)
		lost := k.impeller*engine - k.turbine*tt.speed*engine
		near.Value(t, "lost", lost, (1-tt.speed*tt.ratio)*k.impeller*engine, 1e-6)
		if lost < 0 {
			t.Errorf("at %g it gives %.1f W", tt.speed, -lost)
		}
	}
}

// A turbine that is the faster one drives the engine, and loses power too; so does one that
// the car rolls backward.
func TestAConverterNeverGives(t *testing.T) {
	c := newCar(t, boxed("automatic"), Dt)
	for engine := 0.0; engine < 700; engine += 7 {
		for turbine := -300.0; turbine < 900; turbine += 11 {
			k := c.fluid(engine, turbine)
			if lost := k.impeller*engine - k.turbine*turbine; lost < -1e-9 {
				t.Fatalf("engine %g, turbine %g rad/s: %.3g W from nothing", engine, turbine, -lost)
			}
			if (turbine > engine) != (k.turbine < 0) && turbine != engine {
				t.Fatalf("engine %g, turbine %g rad/s: %+v", engine, turbine, k)
			}
		}
	}
}

func TestTheLockUpMakesOne(t *testing.T) {
	c := newCar(t, boxed("automatic"), Dt)
	s := c.Underway(r3.Vec{}, 0, 30, 5)
	run(c, &s, 3, helped(0.3, 0))
	near.Value(t, "lock-up", s.Driveline.Box.Lock, 1, 0)
	near.Value(t, "engine less turbine", s.Driveline.Engine-s.Driveline.Box.Shaft, 0, 1e-9)
	near.Value(t, "power lost", s.Driveline.Flow.Clutch, 0, 1e-6)
	for s.Speed > 1 {
		c.Step(&s, helped(0, 0.5))
		if s.RPM() < 600 {
			t.Fatalf("%.0f rpm at %.1f m/s", s.RPM(), s.Speed)
		}
	}
	near.Value(t, "lock-up at the stop", s.Driveline.Box.Lock, 0, 0)
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
