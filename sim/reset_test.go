package sim

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

func TestResetPutsTheCarBackOnItsWheels(t *testing.T) {
	c := carOn(t, DefaultCar(), pen(t))
	for _, tt := range []struct {
		name    string
		pos     r3.Vec
		roll    float64
		heading float64 // as it was, and as it stays
	}{
		{"on its roof", r3.Vec{X: 3, Y: 2, Z: 0.5}, math.Pi, 0},
		{"on its side", r3.Vec{X: -3, Z: 0.9}, math.Pi / 2, 0},
		{"in the air", r3.Vec{Z: 30}, 0.3, 0},
		{"in the ground", r3.Vec{Z: -3}, -2, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := State{State: chassis.State{Pos: tt.pos, Att: turn(tt.roll), Vel: r3.Vec{X: 9, Z: -3}, Rate: r3.Vec{Y: 3}}, Tick: 1234, Driveline: driveline.State{EngineSpeed: 500, Gear: 4}}
			s.Wheels[tire.RL].Heat = tire.Heat{Surface: 350, Bulk: 340, Gas: 330, Wear: 0.2}
			c.Reset(&s)
			if s.Tick != 1234 || s.Wheels[tire.RL].Heat.Surface != 350 || s.Wheels[tire.RL].Heat.Wear != 0.2 {
				t.Errorf("tick %d, tire %+v", s.Tick, s.Wheels[tire.RL].Heat)
			}
			near.Value(t, "moved by", math.Hypot(s.Pos.X-tt.pos.X, s.Pos.Y-tt.pos.Y), 0, 1e-12)
			near.Value(t, "heading", s.Yaw(), tt.heading, 1e-12)
			near.Value(t, "engine", s.RPM(), 850, 1e-9)
			before := s.Pos
			run(c, &s, 2, Input{Brake: 1})
			near.Value(t, "stands still within", r3.Norm(r3.Sub(s.Pos, before)), 0, 1e-4)
		})
	}
}

func TestResetLeavesTheWall(t *testing.T) {
	c := carOn(t, DefaultCar(), pen(t))
	for _, heading := range []float64{0, 0.6, math.Pi / 2, 2.5} {
		for _, at := range []r3.Vec{{X: 19.5}, {X: 19, Y: 9.3}, {X: -19.8, Y: -9.9}, {X: 20.4, Y: 3}} {
			s := c.Rest(at, heading)
			s.Pos.Z = 0.3
			c.Reset(&s)
			if depth := deepest(c, &s); depth > 0 || math.Abs(s.Pos.X) > 20 || math.Abs(s.Pos.Y) > 10 {
				t.Errorf("heading %.1f, from %v to %v: %.3f m in a wall", heading, at, s.Pos, depth)
			}
		}
	}
}

func TestResetFromNowhere(t *testing.T) {
	c := coupe(t)
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		s := c.Rest(r3.Vec{}, 0)
		s.Pos.Y, s.Att.Kmag, s.Vel.X, s.Wheels[tire.RL].Heat.Gas = v, v, v, v
		c.Reset(&s)
		if !finite(reflect.ValueOf(s)) {
			t.Errorf("from %g: %+v", v, s)
		}
	}
}

func TestResetAllocatesNothing(t *testing.T) {
	c := carOn(t, DefaultCar(), pen(t))
	s := c.Rest(r3.Vec{X: 19.5}, 0.4)
	start := s
	if n := testing.AllocsPerRun(100, func() { s = start; c.Reset(&s) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestResetFillsWhatIsEmpty(t *testing.T) {
	electric := DefaultCar()
	electric.Driveline.Motor.Enabled = true
	electric.Driveline.Motor.Capacity, electric.Driveline.Motor.Charge = 0.01, 0.5 // 18 kJ
	petrol := DefaultCar()
	petrol.Fuel.Level = 20
	for _, tt := range []struct {
		name          string
		p             Params
		fuel, battery float64 // that are left
		want          [2]float64
	}{
		{"an empty tank", petrol, 0, 0, [2]float64{20, 0}},
		{"a drop", petrol, 0.01, 0, [2]float64{0.01, 0}},
		{"a battery that gives no more", electric, 0, 0.7, [2]float64{0, 18e3}},
		{"a battery that does", electric, 0, 900, [2]float64{0, 900}},
	} {
		c := newCar(t, tt.p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		s.Driveline.Fuel, s.Driveline.Battery = tt.fuel, tt.battery
		c.Reset(&s)
		if s.Driveline.Fuel != tt.want[0] || tt.p.Driveline.Motor.Enabled && s.Driveline.Battery != tt.want[1] || !s.Driveline.Engine.Running {
			t.Errorf("%s: %g L, %g J, engine runs: %v", tt.name, s.Driveline.Fuel, s.Driveline.Battery, s.Driveline.Engine.Running)
		}
	}
}
