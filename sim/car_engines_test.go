package sim

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/test/near"
)

// engineCar returns a car with an engine of its own, on level asphalt.
func engineCar(t testing.TB, edit func(p *Params)) *Car {
	t.Helper()
	p := DefaultCar()
	edit(&p)
	c, err := New(p, road.Asphalt(), Dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An idle that nothing loads is where it was to the bit of its torque.
func TestIdleStandsStill(t *testing.T) {
	c := engineCar(t, func(*Params) {})
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 60, Input{})
	near.Value(t, "idle speed", s.RPM(), 850, 1e-9)
	near.Value(t, "integrator", s.Driveline.Engine.IdleIntegral, 0, 1e-9)
}

// An engine that stands holds the car in gear on a slope, without creeping.
func TestAStoppedEngineHoldsTheCarInGear(t *testing.T) {
	c, err := New(DefaultCar(), slope(0.05), Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Rest(r3.Vec{}, 0)
	s.Driveline.EngineSpeed, s.Driveline.Gearbox.InputSpeed = 0, 0
	in := Input{Gear: 1, IgnitionOff: true}
	run(c, &s, 20, in)
	start := s.Pos
	run(c, &s, 60, in)
	if moved := r3.Norm(r3.Sub(s.Pos, start)); moved > 1e-6 || s.Driveline.EngineSpeed != 0 {
		t.Errorf("moved %.3g m in 60 s, crank at %.3g rad/s", moved, s.Driveline.EngineSpeed)
	}
}

func TestEnginesStayFinite(t *testing.T) {
	for name, edit := range engineKinds() {
		c := engineCar(t, edit)
		s := c.Rest(r3.Vec{}, 0)
		for i, v := range []float64{math.Inf(1), math.NaN(), math.Inf(-1), 1e300, 0.5, -1} {
			for _, gear := range []int8{-1, 0, 1, 3, 127} {
				run(c, &s, 0.2, Input{
					Throttle: v, Brake: -v, Clutch: v / 2, Gear: gear, Starter: i%2 == 0, IgnitionOff: i%3 == 2, Steer: v,
				})
			}
		}
		if !finite(reflect.ValueOf(s)) {
			t.Errorf("%s: not finite: %.300v", name, s)
		}
	}
}

func engineKinds() map[string]func(p *Params) {
	return map[string]func(p *Params){
		"plain": func(*Params) {},
		"mapped": func(p *Params) {
			p.Driveline.Engine.Map = []driveline.EnginePoint{
				{Throttle: 0, RPM: 1000, Torque: -20}, {Throttle: 0, RPM: 3000, Torque: -30}, {Throttle: 0, RPM: 6000, Torque: -50}, {Throttle: 1, RPM: 1000, Torque: 150}, {Throttle: 1, RPM: 3000, Torque: 200}, {Throttle: 1, RPM: 6000, Torque: 160},
			}
		},
		"turbo and soft": func(p *Params) {
			p.Driveline.Turbo.BoostShare, p.Driveline.Engine.Limiter = 0.5, "soft"
		},
		"nearly empty": func(p *Params) { p.Fuel.Level = 0.1 },
		"motor":        func(p *Params) { p.Driveline.Motor.Enabled = true },
		"free motor": func(p *Params) {
			p.Driveline.Motor = driveline.Motor{
				Enabled: true, Torque: 5e3, Power: 3e3, MaxRPM: 30e3, Regen: 5e3, RegenPower: 3e3, RegenFade: 1,
				Efficiency: 0.3, Capacity: 0.01, Charge: 1,
			}
			p.Driveline.EngineInertia = 0.01
		},
		"wild": func(p *Params) {
			p.Driveline.EngineInertia, p.Driveline.EngineDrag, p.Driveline.EngineFriction = 0.05, 10, 1e3
		},
	}
}

func TestEnginesAllocateNothing(t *testing.T) {
	for name, edit := range engineKinds() {
		c := engineCar(t, edit)
		s := c.Rest(r3.Vec{}, 0)
		tick := 0
		if n := testing.AllocsPerRun(300, func() { c.Step(&s, drive(tick%16_000)); tick++ }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

// A clutch that is let in at idle, without throttle, stalls the engine; with the pedal
// down it starts again in gear.
func TestLettingInTheClutchStalls(t *testing.T) {
	c := engineCar(t, func(*Params) {})
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 0.5, Input{Gear: 1, Brake: 0.3, Clutch: 1})
	run(c, &s, 3, Input{Gear: 1, Brake: 0.3})
	if s.Driveline.Engine.Running || s.Driveline.EngineSpeed != 0 {
		t.Fatalf("running %v at %.0f rpm", s.Driveline.Engine.Running, s.RPM())
	}
	run(c, &s, 1, Input{Gear: 1, Brake: 0.3, Clutch: 1, Starter: true})
	run(c, &s, 3, Input{Gear: 1, Brake: 0.3, Clutch: 1})
	near.Value(t, "idle", s.RPM(), 850, 1)
}
