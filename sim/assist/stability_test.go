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
		name        string
		yaw, target float64 // [rad/s]
		wheel       int     // -1 none
	}{
		{"at the target", 0.3, 0.3, -1},
		{"within the band", 0.3, 0.2, -1},
		{"oversteer, left", 0.6, 0.2, tire.FR},
		{"oversteer, right", -0.6, -0.2, tire.FL},
		{"still turning left", 0.4, -0.2, tire.FR},
		{"understeer, left", 0.1, 0.4, tire.RL},
		{"understeer, right", -0.1, -0.4, tire.RR},
	}
	for _, tt := range tests {
		const speed = 20
		s := State{Stability: StabilityState{TargetYawRate: tt.target, RecentLateral: 10}}
		k, st := &e.stability, &s.Stability
		m := measurement{speed: speed, yawRate: tt.yaw, lateralAccel: speed * tt.yaw, wheels: [4]float64{speed, speed, speed, speed}}
		st.YawAccel = k.yawDemand(st, &m, 1)
		if st.YawAccel != 0 {
			e.brakeOneWheel(st, &m)
		}
		for i, pressure := range st.Brake {
			if (pressure > 0) != (i == tt.wheel) {
				t.Errorf("%s: wheel %d at %.2f", tt.name, i, pressure)
			}
		}
	}
}

// A turn out of the path at the target yaw rate plus a little counts as the tail coming out.
func TestSideslipRateCountsBesideTheYawRate(t *testing.T) {
	k := built(t, func(*Params) {}).stability
	st := StabilityState{TargetYawRate: 0.3}
	calm := k.yawDemand(&st, &measurement{speed: 20, yawRate: 0.5, lateralAccel: 20 * 0.5}, 1)
	slides := k.yawDemand(&st, &measurement{speed: 20, yawRate: 0.5, lateralAccel: 20 * 0.1}, 1)
	near.Value(t, "moment by the yaw rate alone", calm, -k.ResponseRate*(0.2-k.OversteerBand), 1e-12)
	near.Value(t, "and by the sideslip rate", slides-calm, -k.ResponseRate*(0.4-k.SideslipRateBand), 1e-12)
}

// The target is v·delta/(L + K·v²) while the tires hold far more.
func TestTheTargetIsTheSingleTracksYawRate(t *testing.T) {
	e := built(t, func(*Params) {})
	k := e.stability
	var st StabilityState
	m := measurement{speed: 20, tanSteer: 0.004}
	for range 3000 {
		k.trackTarget(&st, &m, tick)
	}
	under := (4000.0/53e3 - 4000.0/62e3) / 9.80665
	near.Value(t, "yaw rate", st.TargetYawRate, 20*0.004/(2.66+under*400), 1e-5)
}

// However far the steering wheel is turned, the target exceeds by no more than a margin
// what the road gave.
func TestTheTargetIsLimitedByTheRoad(t *testing.T) {
	k := built(t, func(*Params) {}).stability
	var st StabilityState
	for range 5000 {
		k.trackTarget(&st, &measurement{speed: 20, tanSteer: 0.5, lateralAccel: 2.5}, tick)
	}
	near.Value(t, "yaw rate", st.TargetYawRate, (2.5+k.LateralMargin)/20, 1e-9)
}

// Turning in far more than its straight wheels ask for, at 20 m/s: the outer front wheel's
// brake, and torque that is taken away at once and given back within half a second.
func TestStabilityControlGivesOrders(t *testing.T) {
	e := built(t, func(*Params) {})
	const v, yaw = 20.0, 0.8
	in := Sensors{Switches: Switches{Stability: neutralLevel}, YawRate: yaw, AccelY: 2, Speed: v}
	for i, side := range []float64{1, -1, 1, -1} {
		in.Spin[i] = (v - side*yaw*1.52/2) / 0.304
	}
	var s State
	o := Orders{Throttle: 1}
	e.Step(&s, inFirst(e, v/0.304), &in, &o)
	if o.BrakeRequest[tire.FR] != 1 || o.BrakeRequest[tire.FL]+o.BrakeRequest[tire.RL]+o.BrakeRequest[tire.RR] != 0 || o.TorqueCut != 1 || !s.Stability.IsActive() {
		t.Errorf("orders %+v", o)
	}
	in.YawRate, in.AccelY, in.Spin = 0, 0, [4]float64{v / 0.304, v / 0.304, v / 0.304, v / 0.304}
	for range 250 {
		o = Orders{Throttle: 1}
		e.Step(&s, inFirst(e, v/0.304), &in, &o)
	}
	near.Value(t, "cut after 0.25 s", o.TorqueCut, 0.5, 1e-9)
	near.Value(t, "brake", o.BrakeRequest[tire.FR], 0, 0)
}
