package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// The extra torque turns the car towards where the wheels point, on ice as well, and
// brings it straight again.
func TestExtraYawTurnsTowardsTheWheels(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.1)
	turned := func(yaw float64) (rate, after float64) {
		s := rolling(c, 20, 0)
		run(c, &s, 1, Input{Steer: 1, Assists: assist.Switches{YawAid: yaw}})
		rate = s.Rate.Z
		run(c, &s, 1, Input{Assists: assist.Switches{YawAid: yaw}})
		return rate, s.Rate.Z
	}
	without, _ := turned(0)
	with, after := turned(1)
	if with < 2*without || math.Abs(after) > 0.05 {
		t.Errorf("yaw rate %.2f rad/s, without %.2f rad/s, straightened %.2f rad/s", with, without, after)
	}
}

func TestExtraYawIsBounded(t *testing.T) {
	c := coupe(t)
	whole := c.p.Assists.YawAidAccel * c.p.InertiaZZ
	for _, rate := range []float64{-5, 0, 5} {
		s := rolling(c, 30, 0)
		s.Rate.Z = rate
		for _, steer := range []float64{-8, 0, 8} {
			in := Input{Steer: steer, Assists: assist.Switches{YawAid: 3}}
			var o assist.Orders
			c.stepAssist(&s, &in, &o)
			if math.Abs(o.YawMoment) > whole {
				t.Errorf("%g rad/s, steered %g rad: %.0f N·m, want %.0f at most", rate, steer, o.YawMoment, whole)
			}
		}
	}
}

// In the air nothing helps.
func TestNothingTurnsACarInTheAir(t *testing.T) {
	c := coupe(t)
	s := rolling(c, 20, 0)
	s.Pos.Z += 20
	free := s
	run(c, &s, 1, Input{Steer: 2, Assists: assist.Switches{YawAid: 1, LowSpeedAid: 1}})
	run(c, &free, 1, Input{Steer: 2})
	near.Value(t, "yaw rate", s.Rate.Z, free.Rate.Z, 0)
}

// The drag at walking speed takes a slide away; it leaves a rolling car alone, does
// nothing from 3 m/s on, and moves no car that stands.
func TestLowSpeedDragStopsSliding(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.02)
	slid := func(speed, help float64) float64 {
		s := c.Rest(r3.Vec{}, 0)
		s.Vel.Y = speed
		run(c, &s, 1, Input{Assists: assist.Switches{LowSpeedAid: help}})
		return s.Pos.Y
	}
	if with, without := slid(1, 1), slid(1, 0); with > 0.6*without {
		t.Errorf("slid %.2f m, without %.2f m", with, without)
	}
	near.Value(t, "slid at 3.5 m/s", slid(3.5, 1), slid(3.5, 0), 0)
}

func TestLowSpeedDragMovesNoCarThatStands(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	flat := coupe(t)
	hill, err := New(DefaultCar(), slope(8*degree), Dt)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Car{flat, hill} {
		with, without := c.Rest(r3.Vec{}, 0.8), c.Rest(r3.Vec{}, 0.8)
		run(c, &with, 20, Input{Brake: 1, Assists: assist.Switches{LowSpeedAid: 1}})
		run(c, &without, 20, Input{Brake: 1})
		start := with.Pos
		near.Value(t, "stands beside where it stood without", r3.Norm(r3.Sub(start, without.Pos)), 0, 0.02)
		run(c, &with, 30, Input{Brake: 1, Assists: assist.Switches{LowSpeedAid: 1}})
		near.Value(t, "moved", r3.Norm(r3.Sub(with.Pos, start)), 0, 1e-6)
	}
}

// It only ever takes energy.
func TestLowSpeedDragGivesNoEnergy(t *testing.T) {
	c := coupe(t)
	for _, v := range []r3.Vec{{Y: 1}, {X: 1, Y: -2}, {X: -2}} {
		for _, rate := range []float64{-1, 0, 2} {
			s := c.Rest(r3.Vec{}, 0)
			s.Vel, s.Rate.Z = v, rate
			in := Input{Assists: assist.Switches{LowSpeedAid: 1}}
			var o assist.Orders
			c.stepAssist(&s, &in, &o)
			b := chassis.AxesOf(s.Att)
			sum := chassis.Wrench{Force: r3.Vec{Z: 1}}
			c.addArcadeAids(&sum, &s, &b, &o)
			sum.Force.Z--
			if power := r3.Dot(sum.Force, s.Vel) + sum.Moment.Z*s.Rate.Z; power > 0 {
				t.Errorf("%v, %g rad/s: %.0f W", v, rate, power)
			}
		}
	}
}
