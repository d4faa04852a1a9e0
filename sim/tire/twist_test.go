package tire

import (
	"math"
	"math/rand/v2"
	"testing"

	"rig.example/rig/test/near"
)

// parked steps a standing wheel that turns at a rate [rad/s] for a while [s].
func parked(t *testing.T, s *WheelState, yaw, seconds float64) Forces {
	t.Helper()
	d := WheelInput{Load: 4000, Surface: Dry(), BrakeTorque: 1000, YawRate: yaw, Pressure: 220e3}
	return steps(newWheel(t), s, int(math.Round(seconds/dt)), d)
}

func TestTwistOfAStandingContactIsASpring(t *testing.T) {
	var s WheelState
	f := parked(t, &s, 0.1, 0.5) // 0.05 rad to the left
	near.Value(t, "moment", f.Mz, -0.05*53e3*0.085/3, 1e-6)
	held := parked(t, &s, 0, 60)
	near.Value(t, "moment a minute later", held.Mz, f.Mz, 0)
	near.Value(t, "turned back", parked(t, &s, -0.1, 0.5).Mz, 0, 1e-9)
}

func TestParkingTorqueEndsAtTheFriction(t *testing.T) {
	// 4 kN at 220 kPa on 2·85 mm are 53.5 mm wide on either side.
	limit := 4000 * math.Hypot(3.0/8*0.085, 4000/(4*0.085*220e3)/2)
	for _, distance := range []float64{1, -1} {
		var s WheelState
		near.Value(t, "moment", parked(t, &s, distance, 2).Mz, -distance*limit, 1e-9)
		near.Value(t, "turned back a little", parked(t, &s, -distance, 0.01).Mz, -distance*(limit-0.01*53e3*0.085/3), 1e-6)
	}
	gough := math.Pow(4000, 1.5) / (3 * math.Sqrt(220e3)) // mu·W^1.5/(3·√p), mu = 1
	near.Value(t, "against Gough's formula", limit, gough, 0.1*gough)
}

// The mean distance that a sliding contact's friction acts at, summed over a
// fine grid, is what parkingLimit2 claims it to be at the least.
func TestParkingLimitIsJustBelowTheIntegral(t *testing.T) {
	const a, b, n = 0.085, 0.0535, 400
	sum, all := 0.0, 0.0
	for i := range n {
		for j := range n {
			x, y := a*(2*(float64(i)+0.5)/n-1), b*(2*(float64(j)+0.5)/n-1)
			p := 1 - x*x/(a*a)
			sum += p * math.Hypot(x, y)
			all += p
		}
	}
	got := math.Sqrt(parkingMoment2(&Capacity{ForceX: 4000, ForceY: 4000, HalfLength: a}, &WheelInput{Load: 4000, Pressure: 220e3}))
	if want := 4000 * sum / all; !(got < want && got > 0.9*want) {
		t.Errorf("%.1f N·m, the integral is %.1f N·m", got, want)
	}
}

func TestRollingRenewsTheContact(t *testing.T) {
	w := newWheel(t)
	s := WheelState{Spin: 1 / 0.3, Twist: 0.05}
	steps(w, &s, 85, WheelInput{Vx: 1, Load: 4000, Surface: Dry()}) // half the contact's length
	near.Value(t, "twist left", s.Twist/0.05, math.Exp(-1), 0.01)
}

func TestSlidingContactHasNoTwistMoment(t *testing.T) {
	var s WheelState
	w := newWheel(t)
	f := steps(w, &s, 500, WheelInput{Vx: 5, Load: 4000, Surface: Dry(), BrakeTorque: 1e5, YawRate: 0.5})
	near.Value(t, "moment of a locked wheel", f.Mz, 0, 1)
}

// However it is turned, rolled and slid, the contact never gives back more work than
// went into it, and at the end has no more than its spring holds.
func TestTwistCreatesNoEnergy(t *testing.T) {
	capacity := Capacity{StiffnessY: 53e3, ForceX: 4000, ForceY: 4000, HalfLength: 0.085}
	stiffness := 53e3 * 0.085 / 3
	random := rand.New(rand.NewPCG(1, 2))
	var s WheelState
	work, yaw := 0.0, 0.0
	for tick := range 200_000 {
		if tick%50 == 0 {
			yaw, s.Spin = random.NormFloat64(), max(random.NormFloat64(), 0)
		}
		d := WheelInput{Load: 4000, Radius: 0.3, YawRate: yaw, Pressure: 220e3}
		moment := s.twist(dt, &d, &capacity, random.Float64())
		work -= moment * yaw * dt
		if held := stiffness * s.Twist * s.Twist / 2; held > work+1e-9 {
			t.Fatalf("tick %d: %g J in the contact, %g J of work", tick, held, work)
		}
	}
}

// A steady turn of a rolling contact, the turn slip phi, keeps it twisted by phi·a: its
// moment is the brush's c·a³·phi·2/3, small against that of a standing one.
func TestTurnSlipOfARollingContact(t *testing.T) {
	w := newWheel(t)
	for _, speed := range []float64{1, 5, 20} {
		const phi = 0.1 // [1/m], a bend of 10 m radius
		s := WheelState{Spin: speed / 0.3}
		steps(w, &s, 2000, WheelInput{Vx: speed, YawRate: phi * speed, Load: 4000, Surface: Dry()})
		near.Value(t, "twist", s.Twist, phi*0.085, 0.02*phi*0.085)
	}
}
