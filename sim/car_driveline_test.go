package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// What the wheels get the engine gives: how hard a car pulls away does not depend
// on the step, whichever axles are driven.
func TestTheDrivelineTakesNothingForItself(t *testing.T) {
	for _, front := range []float64{0, 0.5, 1} {
		gained := func(dt float64) float64 {
			p := DefaultCar()
			p.Driveline.FrontShare = front
			c := newCar(t, p, dt)
			s := rolling(c, 8, 1)
			run(c, &s, 0.3, Input{Gear: 1, Throttle: 0.6})
			before := s.Speed
			run(c, &s, 1, Input{Gear: 1, Throttle: 0.6})
			return s.Speed - before
		}
		fine := gained(5e-5)
		for _, dt := range []float64{2e-3, 1e-3} {
			near.Value(t, fmt.Sprintf("front share %g, %g ms: speed gained", front, dt*1e3), gained(dt), fine, 5e-4*fine)
		}
	}
}

// Wheels in the air turn up evenly with the engine, in the lowest of gears and
// with any axles driven.
func TestALowGearDoesNotSwing(t *testing.T) {
	for _, final := range []float64{7, 20} {
		for _, front := range []float64{0, 0.5, 1} {
			p := DefaultCar()
			p.Driveline.FrontShare, p.Driveline.FinalDrive = front, final
			c := newCar(t, p, Dt)
			s := rolling(c, 0, 1)
			s.Pos, s.Driveline.EngineSpeed = r3.Vec{Z: 100}, 3000*driveline.PerRPM
			s.Driveline.Gearbox.InputSpeed = s.Driveline.EngineSpeed
			for i := range s.Wheels {
				s.Wheels[i].Roll.Spin = s.Driveline.EngineSpeed / c.driveline.Ratio(1)
				if c.driveline.DrivesAxle(i / 2) {
					s.Driveline.Shafts[i].Speed = s.Wheels[i].Roll.Spin
				}
			}
			for range 1000 {
				was := s.Wheels
				c.Step(&s, Input{Gear: 1, Throttle: 0.3})
				for i := range s.Wheels {
					if jump := math.Abs(s.Wheels[i].Roll.Spin - was[i].Roll.Spin); s.Tick > 500 && jump > 0.05 {
						t.Fatalf("final drive %g, front share %g, %d ms: wheel %d gains %.2f rad/s in a tick", final, front, s.Tick, i, jump)
					}
				}
			}
		}
	}
}

// aloft returns a car whose wheels hang in the air and turn with the engine in a gear.
func aloft(t *testing.T, change func(*Params)) (*Car, State) {
	p := DefaultCar()
	p.Driveline.SpinLoss, p.Driveline.Efficiency = 0, 1
	change(&p)
	c := newCar(t, p, Dt)
	s := c.Underway(r3.Vec{Z: 100}, 0, 20, 3)
	s.Pos.Z = 100
	return c, s
}

// A closed clutch is a rigid shaft: engine, gears and wheels gain speed as one inertia.
func TestAClosedClutchIsARigidShaft(t *testing.T) {
	c, s := aloft(t, func(*Params) {})
	in := Input{Gear: 3, Throttle: 0.3}
	run(c, &s, 0.3, in) // until the shafts have settled
	before := s
	run(c, &s, 0.1, in)
	ratio, d := c.driveline.Ratio(3), &c.p.Driveline
	inertia := (d.EngineInertia+d.Shafts.InputInertia)*ratio*ratio + d.Shafts.CarrierInertia + 2*(d.Shafts.InnerInertia+c.p.Rear.Wheel.Inertia)
	torque := (before.Driveline.Engine.Torque + s.Driveline.Engine.Torque) / 2 * ratio
	gained := (s.Wheels[tire.RL].Roll.Spin - before.Wheels[tire.RL].Roll.Spin) / 0.1
	near.Value(t, "the wheels' acceleration", gained, torque/inertia, 2e-3*gained)
	near.Value(t, "engine over wheel", s.Driveline.EngineSpeed/s.Driveline.Shafts[tire.RL].Speed, ratio, 1e-9)
}

// The half shafts swing between engine and wheels at the frequency of two inertias on a
// spring.
func TestTheDrivelineShunts(t *testing.T) {
	c, s := aloft(t, func(p *Params) { p.Driveline.Shafts.Damping = 0 })
	ratio, d := c.driveline.Ratio(3), &c.p.Driveline
	one := (d.EngineInertia+d.Shafts.InputInertia)*ratio*ratio + d.Shafts.CarrierInertia + 2*d.Shafts.InnerInertia
	two := 2 * c.p.Rear.Wheel.Inertia
	want := math.Sqrt(2*d.Shafts.Stiffness*(1/one+1/two)) / (2 * math.Pi)
	s.Driveline.Shafts[tire.RL].Twist, s.Driveline.Shafts[tire.RR].Twist = 0.02, 0.02
	in := Input{Gear: 3, Throttle: 0.1}
	crossed, first, last := 0, uint64(0), uint64(0)
	mean := 0.0
	for range 2000 {
		was := s.Driveline.Shafts[tire.RL].Twist - mean
		c.Step(&s, in)
		mean += (s.Driveline.Shafts[tire.RL].Twist - mean) * 0.002
		if now := s.Driveline.Shafts[tire.RL].Twist - mean; was < 0 && now >= 0 {
			if crossed++; crossed == 1 {
				first = s.Tick
			}
			last = s.Tick
		}
	}
	got := float64(crossed-1) / (float64(last-first) * c.dt)
	near.Value(t, "frequency [Hz]", got, want, 0.01*want)
}

func TestAShaftTooStiffForItsWheelIsRefused(t *testing.T) {
	p := DefaultCar()
	p.Driveline.Shafts.Stiffness, p.Rear.Wheel.Inertia = 200e3, 0.1
	_, err := New(p, road.Asphalt(), Dt)
	if err == nil || !strings.Contains(err.Error(), "lower stiffness_nm_per_rad") {
		t.Errorf("error %v", err)
	}
}

// inBendWith returns a car that drives through a bend at 10 m/s under power.
func inBendWith(t *testing.T, front float64, change func(*driveline.Params)) State {
	p := DefaultCar()
	p.Driveline.FrontShare = front
	change(&p.Driveline)
	c := newCar(t, p, Dt)
	s := rolling(c, 10, 2)
	run(c, &s, 2, Input{Steer: 2, Throttle: 0.4, Gear: 2})
	return s
}

func TestDifferentialsOnTheRoad(t *testing.T) {
	open := inBendWith(t, 0, func(*driveline.Params) {})
	near.Value(t, "torque of an open one's sides", open.Driveline.Shafts[tire.RL].Torque, open.Driveline.Shafts[tire.RR].Torque, 0.5)
	if open.Driveline.Shafts[tire.RR].Speed < 1.03*open.Driveline.Shafts[tire.RL].Speed {
		t.Errorf("the outer wheel turns at %.2f rad/s, the inner at %.2f", open.Driveline.Shafts[tire.RR].Speed, open.Driveline.Shafts[tire.RL].Speed)
	}
	locked := inBendWith(t, 0, func(d *driveline.Params) { d.RearDifferential.Kind = "locked" })
	near.Value(t, "speed of a locked one's sides", locked.Driveline.Shafts[tire.RL].Speed, locked.Driveline.Shafts[tire.RR].Speed, 0)
	if locked.Driveline.Shafts[tire.RL].Torque < locked.Driveline.Shafts[tire.RR].Torque+100 {
		t.Errorf("a locked one gives the inner wheel %.0f N·m, the outer %.0f", locked.Driveline.Shafts[tire.RL].Torque, locked.Driveline.Shafts[tire.RR].Torque)
	}
	near.Value(t, "yaw rate, which a locked one holds back, less that of an open one", min(locked.Rate.Z-open.Rate.Z, -0.01), locked.Rate.Z-open.Rate.Z, 0)
	four := inBendWith(t, 0.4, func(*driveline.Params) {})
	axle := func(s *State, left int) float64 {
		return s.Driveline.Shafts[left].Torque + s.Driveline.Shafts[left+1].Torque
	}
	near.Value(t, "front share of four driven wheels", axle(&four, tire.FL)/(axle(&four, tire.FL)+axle(&four, tire.RL)), 0.4, 2e-3)
	hangOn := inBendWith(t, 0, func(d *driveline.Params) { d.CenterDifferential.Kind = "active" })
	if axle(&hangOn, tire.FL) == 0 {
		t.Error("an active center differential drives no front wheel")
	}
	if idle := open.Driveline.Shafts[tire.FL]; idle != (driveline.ShaftState{}) {
		t.Errorf("a wheel that nothing drives has a shaft %+v", idle)
	}
}
