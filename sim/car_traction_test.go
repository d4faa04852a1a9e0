package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// powered returns the default car with more or less torque, driven in front by a share.
func powered(factor, front float64) Params {
	p := DefaultCar()
	p.Driveline.FrontShare = front
	p.Driveline.ClutchCapacity *= factor
	for i := range p.Driveline.TorqueCurve {
		p.Driveline.TorqueCurve[i].Torque *= factor
	}
	return p
}

// A brush slides with all its grip, so that traction control gains nothing; but it must
// not lose either, dry or on snow.
func TestTractionControlStartsAsWell(t *testing.T) {
	tests := []struct {
		name   string
		params Params
		grip   float64
		time   float64 // [s]
		least  float64 // way with traction control over that without
	}{
		{"dry", powered(1, 0), 1, 2, 0.97},
		{"dry, strong", powered(1.6, 0), 1, 2, 0.97},
		{"dry, front drive", powered(1, 1), 1, 2, 0.97},
		{"dry, all wheels driven", powered(1.6, 0.4), 1, 2, 0.97},
		{"snow", powered(1, 0), 0.3, 4, 0.97},
		{"snow, front drive", powered(1, 1), 0.3, 4, 0.97},
		{"snow, all wheels driven", powered(1, 0.4), 0.3, 4, 0.95},
	}
	for _, tt := range tests {
		c := slippery(t, tt.params, tt.grip)
		none := func(*State) {}
		without, with := driving(c, tt.time, 0, none), driving(c, tt.time, 5, none)
		t.Logf("%s: %.2f m without, %.2f m with", tt.name, without.Pos.X, with.Pos.X)
		if with.Pos.X < tt.least*without.Pos.X {
			t.Errorf("%s: %.2f m in %g s, %.2f m without", tt.name, with.Pos.X, tt.time, without.Pos.X)
		}
	}
}

// Once the start is over slip stays by its target, and swings no more.
func TestTractionControlHoldsItsTarget(t *testing.T) {
	for _, tt := range []struct {
		name  string
		front float64
		level uint8
	}{{"rear drive", 0, 5}, {"front drive", 1, 5}, {"all driven", 0.5, 5}, {"late", 0, 1}, {"early", 0, 9}} {
		c := slippery(t, powered(1, tt.front), 0.3)
		var slips, cuts []float64
		driving(c, 5.5, tt.level, func(s *State) {
			if s.Tick > 3000 {
				slips, cuts = append(slips, s.Assist.Traction.RelativeSlip), append(cuts, s.Assist.Traction.Cut)
			}
		})
		mean, _ := spread(slips)
		_, late := spread(slips[1500:])
		_, swing := spread(cuts[1500:])
		t.Logf("%s: slip over target %.2f, swings by %.3f at last, the torque by %.4f", tt.name, mean, late, swing)
		if mean < 0.7 || mean > 1.3 || late > 0.15 || swing > 0.02 {
			t.Errorf("%s: slip over target %.2f, swings by %.3f at last, the torque by %.4f", tt.name, mean, late, swing)
		}
	}
}

// spread returns the mean of values and their standard deviation.
func spread(v []float64) (mean, deviation float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		deviation += (x - mean) * (x - mean) / float64(len(v))
	}
	return mean, math.Sqrt(deviation)
}

func TestAHigherLevelAllowsLessSlip(t *testing.T) {
	c := slippery(t, powered(1, 0), 0.3)
	last := math.Inf(1)
	for level := range uint8(10) {
		var sum float64
		driving(c, 5, level+1, func(s *State) {
			if s.Tick > 4000 {
				sum += (s.Wheels[tire.RL].Kappa + s.Wheels[tire.RR].Kappa) / 2000
			}
		})
		if sum >= last {
			t.Errorf("level %d: slip %.3f, at the level below %.3f", level+1, sum, last)
		}
		last = sum
	}
}

// halfIce is dry on the right, and nearly without grip on the left.
type halfIce struct{}

func (halfIce) Touch(p r3.Vec) road.Contact {
	at := road.Asphalt().Touch(p)
	if p.Y > 0 {
		at.Surface = tire.Surface{Grip: 0.15, Stiffness: 1, Rolling: 1}
	}
	return at
}

// An open differential gives both wheels what the worse one holds; the brake on that one
// gives the other more.
func TestTheBrakeOnASpinningWheelDrivesTheOther(t *testing.T) {
	for _, front := range []float64{0, 1} {
		c, err := New(powered(1, front), halfIce{}, Dt)
		if err != nil {
			t.Fatal(err)
		}
		end := func(level uint8) (s State, left, right float64) {
			s = c.Rest(r3.Vec{}, 0)
			for range 3000 {
				steer := -8*s.Yaw() - 2*s.Pos.Y - s.Rate.Z
				c.Step(&s, Input{Gear: 1, Throttle: 0.6, Steer: steer, Assists: assist.Switches{AutoClutch: true, Traction: level}})
				b := &s.Assist.Traction.Brake
				left, right = max(left, b[tire.FL], b[tire.RL]), max(right, b[tire.FR], b[tire.RR])
			}
			return s, left, right
		}
		without, _, _ := end(0)
		with, left, right := end(5)
		t.Logf("front share %g: %.1f m/s, without %.1f m/s; asked for %.2f on the ice, %.2f on the road", front, with.Speed, without.Speed, left, right)
		if with.Speed < 1.5*without.Speed || left == 0 || right > 0.02 {
			t.Errorf("front share %g: %.1f m/s, without %.1f m/s; asked for %.2f on the ice, %.2f on the road", front, with.Speed, without.Speed, left, right)
		}
	}
}

// Coming from ice onto a dry road the torque is back within two seconds, and does not jump.
func TestTorqueComesBackSmoothly(t *testing.T) {
	ice, dry := slippery(t, powered(1, 0), 0.2), slippery(t, powered(1, 0), 1)
	s := driving(ice, 4, 5, func(*State) {})
	if s.Assist.Traction.Cut < 0.3 {
		t.Fatalf("on ice the cut is %.2f", s.Assist.Traction.Cut)
	}
	last := s.Assist.Traction.Cut
	for range 2000 {
		dry.Step(&s, Input{Gear: 1, Throttle: 1, Assists: assist.Switches{AutoClutch: true, Traction: 5}})
		if jump := last - s.Assist.Traction.Cut; jump > 0.02 {
			t.Fatalf("%d ms: the cut falls by %.3f in a tick", s.Tick, jump)
		}
		last = s.Assist.Traction.Cut
	}
	if last > 0.1 {
		t.Errorf("after 2 s on the dry road the cut is %.2f", last)
	}
}

func TestTheTargetSlipIsFoundFromTheTire(t *testing.T) {
	brush := newCar(t, DefaultCar(), Dt)
	// Of a brush with theta·sigma = q, 1 - (1 - q)³ of its grip: 98 % at q = 0.7286, and
	// theta = 62e3/(3·1.0·4000); sigma = kappa/(1 + kappa).
	k := &brush.wheels[tire.RL]
	can := k.model.Capacity(tire.Contact{Load: k.load, Surface: tire.Dry(), Pressure: k.pressure})
	sigma := 0.7286 * 3 * can.ForceX / can.StiffnessX
	near.Value(t, "slip", k.peakDrivingSlip(), sigma/(1-sigma), 0.006)
}
