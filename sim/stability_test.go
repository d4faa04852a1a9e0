package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// Which wheel is braked: outside in front against turning in too far, inside behind
// against turning too little.
func TestStabilityControlBrakesTheRightWheel(t *testing.T) {
	c := coupe(t)
	tests := []struct {
		name      string
		yaw, wish float64 // [rad/s]
		wheel     int     // -1 none
	}{
		{"as wished", 0.3, 0.3, -1},
		{"within the band", 0.3, 0.2, -1},
		{"oversteer, left", 0.6, 0.2, tire.FR},
		{"oversteer, right", -0.6, -0.2, tire.FL},
		{"still turning left", 0.4, -0.2, tire.FR},
		{"understeer, left", 0.1, 0.4, tire.RL},
		{"understeer, right", -0.1, -0.4, tire.RR},
	}
	for _, tt := range tests {
		const speed = 20
		s := AssistState{Stability: StabilityState{Yaw: tt.wish, Grip: 10}}
		k, st := &c.electronics.stability, &s.Stability
		m := measured{speed: speed, yaw: tt.yaw, ay: speed * tt.yaw, wheels: [4]float64{speed, speed, speed, speed}}
		st.Turn = k.turn(st, &m, 1)
		if st.Turn != 0 {
			c.brakeOneSide(st, &m)
		}
		for i, pressure := range st.Brake {
			if (pressure > 0) != (i == tt.wheel) {
				t.Errorf("%s: wheel %d at %.2f", tt.name, i, pressure)
			}
		}
	}
}

// A turn out of the path at the wished yaw rate plus a little counts as the tail coming out.
func TestSideslipRateCountsBesideTheYawRate(t *testing.T) {
	k := coupe(t).electronics.stability
	st := StabilityState{Yaw: 0.3}
	calm := k.turn(&st, &measured{speed: 20, yaw: 0.5, ay: 20 * 0.5}, 1)
	slides := k.turn(&st, &measured{speed: 20, yaw: 0.5, ay: 20 * 0.1}, 1)
	near.Value(t, "moment by the yaw rate alone", calm, -k.Quick*(0.2-k.Over), 1e-12)
	near.Value(t, "and by the sideslip rate", slides-calm, -k.Quick*(0.4-k.Sideslip), 1e-12)
}

// The wish is v·delta/(L + K·v²) while the tires hold far more.
func TestTheWishIsTheSingleTracksYawRate(t *testing.T) {
	c := coupe(t)
	k := c.electronics.stability
	var st StabilityState
	m := measured{speed: 20, steer: 0.004}
	for range 3000 {
		k.follow(&st, &m, Dt)
	}
	under := (4000.0/53e3 - 4000.0/62e3) / gravity
	near.Value(t, "yaw rate", st.Yaw, 20*0.004/(2.66+under*400), 1e-5)
}

// However far the steering wheel is turned, the wish leads no further than a margin beyond
// what the road gave.
func TestTheWishKeepsToTheRoad(t *testing.T) {
	k := coupe(t).electronics.stability
	var st StabilityState
	for range 5000 {
		k.follow(&st, &measured{speed: 20, steer: 0.5, ay: 2.5}, Dt)
	}
	near.Value(t, "yaw rate", st.Yaw, (2.5+k.Margin)/20, 1e-9)
}

// On snow with too much steering the nose is pulled in, and the car slowed.
func TestStabilityControlTurnsAPloughingCar(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.3)
	end := func(level uint8) State {
		s := rolling(c, 18, 3)
		for i := range 3000 {
			c.Step(&s, Input{Gear: 3, Throttle: 0.2, Steer: min(float64(i)*0.005, 2.5), Assists: Assists{Stability: level}})
		}
		return s
	}
	without, with := end(0), end(5)
	t.Logf("heading %.2f rad at %.1f m/s, without %.2f rad at %.1f m/s", with.Yaw(), with.Speed, without.Yaw(), without.Speed)
	if with.Yaw() < 1.1*without.Yaw() || with.Speed > without.Speed-0.5 {
		t.Errorf("heading %.2f rad at %.1f m/s, without %.2f rad at %.1f m/s", with.Yaw(), with.Speed, without.Yaw(), without.Speed)
	}
}

// Thrown round in a bend the car is caught, and torque that was taken comes back.
func TestStabilityControlCatchesATail(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.6)
	slide := func(level uint8) (most float64, end State) {
		s := rolling(c, 22, 3)
		for i := range 4000 {
			in := Input{Gear: 3, Throttle: 0.2, Assists: Assists{Stability: level}}
			if i < 500 {
				in.Steer = 1
			}
			if i >= 300 && i < 450 {
				in.Handbrake = 1
			}
			c.Step(&s, in)
			b := chassis.AxesOf(s.Att)
			most = max(most, math.Abs(math.Atan2(r3.Dot(s.Vel, b.Y), r3.Dot(s.Vel, b.X))))
		}
		return most, s
	}
	without, _ := slide(0)
	with, s := slide(5)
	t.Logf("sideslip %.0f°, without %.0f°", with/degree, without/degree)
	if with > 0.5*without || s.Help.Stability.Works() {
		t.Errorf("sideslip %.0f°, without %.0f°; at the end %+v", with/degree, without/degree, s.Help.Stability)
	}
}

func TestStabilityControlSleepsWhileParking(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.1)
	s := rolling(c, 3, 1)
	for range 3000 {
		c.Step(&s, Input{Gear: 1, Steer: 6, Handbrake: 1, Assists: Assists{Stability: 10}})
		if s.Help.Stability.Works() {
			t.Fatalf("works at %.1f m/s", s.Speed)
		}
	}
}
