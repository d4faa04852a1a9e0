package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// overturned puts a car onto a slope, rolled over and with its nose in a direction [rad].
func overturned(t *testing.T, p Params, angle, roll, heading, dt float64) (*Car, State) {
	t.Helper()
	c, err := New(p, slope(angle), dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Rest(r3.Vec{}, heading)
	s.Pos = r3.Add(c.ground.Touch(s.Pos).Point, r3.Scale(1.1, c.ground.Touch(s.Pos).Normal))
	s.Att = quat.Mul(s.Att, turn(roll))
	return c, s
}

// topHeavy is a heavy, high car: on its side, its center of mass is far from most of the corners that it lies on.
func topHeavy() Params {
	p := DefaultCar()
	p.Mass, p.CGHeight, p.Height, p.InertiaXX = 2200, 0.75, 1.8, 900
	return p
}

// stands lets an overturned car come to rest for some seconds, and expects that it does not creep.
func stands(t *testing.T, name string, p Params, angle, roll, heading, dt, rest float64) {
	t.Helper()
	c, s := overturned(t, p, angle*math.Pi/180, roll, heading, dt)
	run(c, &s, rest, Input{Brake: 1})
	from := s.Pos
	run(c, &s, 20, Input{Brake: 1})
	if crept := r3.Norm(r3.Sub(s.Pos, from)); !(crept < 0.05e-3) {
		t.Errorf("%s, rolled by %.2f rad, nose at %.1f rad on a slope of %g°, ticks of %g ms: creeps %.3f mm in 20 s",
			name, roll, heading, angle, 1e3*dt, 1e3*crept)
	}
}

// A hull stands by dry friction of 0.45 where the slope is less steep than that, on its roof and on both sides, in every
// direction, and does not creep. In `make test` the cars take turns: each lies on its roof or on its sides, on the
// steepest slope across and on one slope in another direction.
func TestAnOverturnedCarStands(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for name, p := range map[string]Params{
		"coupe": DefaultCar(), "skewed": skewed(), "all gear": allGear(), "top-heavy": topHeavy(),
	} {
		onRoof := name == "coupe" || name == "all gear"
		for i, roll := range []float64{math.Pi, math.Pi / 2, -math.Pi / 2} {
			if (i == 0) != onRoof && !level.All() {
				continue
			}
			for k, angle := range []float64{5, 10, 20} {
				if k == (i+1)%3 || level.All() {
					stands(t, name, p, angle, roll, float64(i+3*k), Dt, 12)
				}
			}
			for k, heading := range []float64{math.Pi / 2, -math.Pi / 2} {
				if k == i%2 || level.All() {
					stands(t, name, p, 20, roll, heading, Dt, 12)
				}
			}
		}
	}
}

// In long ticks it stands as well.
func TestAnOverturnedCarStandsInLongTicks(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for name, p := range map[string]Params{"coupe": DefaultCar(), "top-heavy": topHeavy()} {
		for _, dt := range []float64{5e-3, 2e-3, 3e-3}[:level.Pick(0, 1, 3)] {
			for k, roll := range []float64{math.Pi, math.Pi / 2, -math.Pi / 2} {
				for i, angle := range []float64{5, 10, 20} {
					if k == i || level.All() {
						stands(t, name, p, angle, roll, float64(i), dt, 20)
					}
				}
				stands(t, name, p, 20, roll, math.Pi/2, dt, 20)
			}
		}
	}
}

// On a steeper slope the hull slides with g·(sin - mu·cos), and gives up energy all the way.
func TestAnOverturnedCarSlidesDownASteepSlope(t *testing.T) {
	const angle, friction = 35 * math.Pi / 180, 0.45
	c, s := overturned(t, DefaultCar(), angle, math.Pi, 0.7, Dt)
	run(c, &s, 2, Input{})
	before := s.Vel
	books := ledger{c: c, totalOnly: true}
	for range 1000 {
		if gain := books.step(&s, Input{}); gain > 5 {
			t.Fatalf("%.1f J from nothing", gain)
		}
	}
	want := gravity * (math.Sin(angle) - friction*math.Cos(angle))
	near.Value(t, "acceleration", r3.Norm(r3.Sub(s.Vel, before)), want, 0.02*want)
}

// A hull that slides on the level and stops springs back by no more than it yields, mu/200 m each way, and with no more
// than the speed of that spring, mu·g/√(200·g).
func TestAHullThatStopsStandsWhereItStopped(t *testing.T) {
	const friction = 0.45
	c, s := overturned(t, DefaultCar(), 0, math.Pi, 0, Dt)
	run(c, &s, 3, Input{Brake: 1})
	s.Vel = r3.Vec{X: 5, Y: 3}
	along := r3.Unit(s.Vel)
	var far, speed float64
	for range 4000 {
		c.Step(&s, Input{Brake: 1})
		far = max(far, r3.Dot(s.Pos, along))
		speed = max(speed, -r3.Dot(s.Vel, along))
	}
	if back := far - r3.Dot(s.Pos, along); back > 2*friction/200 {
		t.Errorf("springs back by %.2f mm", 1e3*back)
	}
	if speed > friction*gravity/math.Sqrt(200*gravity) || speed == 0 {
		t.Errorf("springs back at %.3f m/s", speed)
	}
}
