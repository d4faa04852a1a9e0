package assist

import (
	"testing"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// Which wheel is braked: outside in front against turning in too far, inside behind
// against turning too little.
func TestStabilityControlBrakesTheRightWheel(t *testing.T) {
	e := built(t, func(*Params) {})
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
		s := State{Stability: StabilityState{Yaw: tt.wish, Grip: 10}}
		k, st := &e.stability, &s.Stability
		m := measured{speed: speed, yaw: tt.yaw, ay: speed * tt.yaw, wheels: [4]float64{speed, speed, speed, speed}}
		st.Turn = k.turn(st, &m, 1)
		if st.Turn != 0 {
			e.brakeOneSide(st, &m)
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
	k := built(t, func(*Params) {}).stability
	st := StabilityState{Yaw: 0.3}
	calm := k.turn(&st, &measured{speed: 20, yaw: 0.5, ay: 20 * 0.5}, 1)
	slides := k.turn(&st, &measured{speed: 20, yaw: 0.5, ay: 20 * 0.1}, 1)
	near.Value(t, "moment by the yaw rate alone", calm, -k.Quick*(0.2-k.Over), 1e-12)
	near.Value(t, "and by the sideslip rate", slides-calm, -k.Quick*(0.4-k.Sideslip), 1e-12)
}

// The wish is v·delta/(L + K·v²) while the tires hold far more.
func TestTheWishIsTheSingleTracksYawRate(t *testing.T) {
	e := built(t, func(*Params) {})
	k := e.stability
	var st StabilityState
	m := measured{speed: 20, steer: 0.004}
	for range 3000 {
		k.follow(&st, &m, tick)
	}
	under := (4000.0/53e3 - 4000.0/62e3) / 9.80665
	near.Value(t, "yaw rate", st.Yaw, 20*0.004/(2.66+under*400), 1e-5)
}

// However far the steering wheel is turned, the wish leads no further than a margin beyond
// what the road gave.
func TestTheWishKeepsToTheRoad(t *testing.T) {
	k := built(t, func(*Params) {}).stability
	var st StabilityState
	for range 5000 {
		k.follow(&st, &measured{speed: 20, steer: 0.5, ay: 2.5}, tick)
	}
	near.Value(t, "yaw rate", st.Yaw, (2.5+k.Margin)/20, 1e-9)
}

// Turning in far more than its straight wheels ask for, at 20 m/s: the outer front wheel's
// brake, and torque that is taken away at once and given back within half a second.
func TestStabilityControlGivesOrders(t *testing.T) {
	e := built(t, func(*Params) {})
	const v, yaw = 20.0, 0.8
	in := Sensors{Switches: Switches{Stability: makers}, YawRate: yaw, AccelY: 2, Speed: v}
	for i, side := range []float64{1, -1, 1, -1} {
		in.Spin[i] = (v - side*yaw*1.52/2) / 0.304
	}
	var s State
	o := Orders{Throttle: 1}
	e.Step(&s, inFirst(e, v/0.304), &in, &o)
	if o.Ask[tire.FR] != 1 || o.Ask[tire.FL]+o.Ask[tire.RL]+o.Ask[tire.RR] != 0 || o.Cut != 1 || !s.Stability.Works() {
		t.Errorf("orders %+v", o)
	}
	in.YawRate, in.AccelY, in.Spin = 0, 0, [4]float64{v / 0.304, v / 0.304, v / 0.304, v / 0.304}
	for range 250 {
		o = Orders{Throttle: 1}
		e.Step(&s, inFirst(e, v/0.304), &in, &o)
	}
	near.Value(t, "cut after 0.25 s", o.Cut, 0.5, 1e-9)
	near.Value(t, "brake", o.Ask[tire.FR], 0, 0)
}
