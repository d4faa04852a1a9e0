package testrun_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

func TestACurveOfZeroStiffnessHasNoFriction(t *testing.T) {
	c := built(t, road.Asphalt(), "wheelcollider", append(frictionless(), "drag_area_m2=0", "fuel.idle_l_per_h=0")...)
	s := rolled(c, 20)
	previous := s.Vel
	steps(c, &s, 3000, func(*sim.State) sim.Input { return sim.Input{Steer: 3, Brake: 1} })
	if r3.Norm(r3.Sub(s.Vel, previous)) > 5e-6 || math.Abs(s.Rate.Z) > 1e-3 { // steered wheels that stop turn the car a little
		t.Errorf("steered and braked without friction, the car goes from %v to %v m/s, yaw rate %g rad/s", previous, s.Vel, s.Rate.Z)
	}
}

// oil is a level road whose grip ends 20 m ahead.
type oil struct{}

func (oil) Touch(p r3.Vec) road.Contact {
	grip := 1.0
	if p.X > 20 {
		grip = 0
	}
	return flatAt(p, 0, grip)
}

func TestFrictionChangesAtRunTimeWithTheSurface(t *testing.T) {
	for _, name := range []string{"wheelcollider", "raycast", "hatch"} {
		c := built(t, oil{}, name, "drag_area_m2=0")
		s := c.Rest(r3.Vec{}, 0)
		s.Vel.X = 25
		brake := func(*sim.State) sim.Input { return sim.Input{Brake: 1} }
		for s.Pos.X < 25 {
			steps(c, &s, 1, brake)
		}
		on := s.Vel.X
		steps(c, &s, 2000, brake)
		if on > 24 || math.Abs(s.Vel.X-on) > 1e-3 {
			t.Errorf("%s: the brake leaves %.2f m/s on the road, and of that %.3f m/s on oil", name, on, s.Vel.X)
		}
	}
}

// A locked wheel spends its friction on the way ahead, and has none left to stay on the bend.
func TestTheHandBrakeSlidesTheRearInABend(t *testing.T) {
	for _, name := range []string{"raycast", "coupe"} {
		c := built(t, road.Asphalt(), name)
		s := inTurn(c, 20, 5)
		angle, held, locked := s.Steer, s.Wheels[tire.RL].Fy+s.Wheels[tire.RR].Fy, false
		before := math.Abs(sideslip(&s))
		side := held
		steps(c, &s, 800, func(s *sim.State) sim.Input {
			left, right := &s.Wheels[tire.RL], &s.Wheels[tire.RR]
			if left.Roll.Spin == 0 && right.Roll.Spin == 0 {
				locked, side = true, min(side, left.Fy+right.Fy)
			}
			return sim.Input{Steer: angle, Handbrake: 1}
		})
		after := math.Abs(sideslip(&s))
		t.Logf("%s: sideslip from %.1f° to %.1f°, the rear axle's side force from %.0f to %.0f N", name, before/degree, after/degree, held, side)
		if !locked || side > 0.4*held {
			t.Errorf("%s: the rear wheels lock: %t; they hold %.0f N of %.0f N", name, locked, side, held)
		}
		if before > 3*degree || after < 15*degree || s.Wheels[tire.FL].Roll.Spin < 5 {
			t.Errorf("%s: sideslip goes from %.1f° to %.1f°", name, before/degree, after/degree)
		}
	}
}

func TestACoulombTiresForceIsClampedAsAVector(t *testing.T) {
	const friction = 1.1
	c := built(t, road.Asphalt(), "raycast")
	s := rolled(c, 20)
	saturated := 0
	steps(c, &s, 4000, func(s *sim.State) sim.Input {
		for i := range s.Wheels {
			w := &s.Wheels[i]
			used := math.Hypot(w.Fx, w.Fy)
			if used > friction*w.Load*(1+1e-9) {
				t.Fatalf("wheel %d: %.3f N under %.3f N", i, used, w.Load)
			}
			if used > 0.999*friction*w.Load && math.Abs(w.Fx) > 500 && math.Abs(w.Fy) > 500 {
				saturated++
			}
		}
		return sim.Input{Steer: 2 * math.Sin(3e-3*float64(s.Tick)), Throttle: 1, Gear: 1, Handbrake: float64(s.Tick / 500 % 2)}
	})
	if saturated < 100 {
		t.Errorf("both directions met the limit at %d wheels and ticks only", saturated)
	}
}
