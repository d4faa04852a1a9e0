package sim

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
)

// A motor has no idle speed: traction control works for it from standstill on, both ways.
func TestTractionControlKnowsMotors(t *testing.T) {
	for _, gear := range []int8{1, -1} {
		c := slippery(t, boxed("electric"), 0.2)
		s := c.Rest(r3.Vec{}, 0)
		fastest, worked := 0.0, false
		for range 4000 {
			c.Step(&s, Input{Gear: gear, Throttle: 1, Assists: assist.Switches{Traction: 5}})
			fastest = max(fastest, math.Abs(s.Wheels[tire.RL].Roll.Spin)*c.wheels[tire.RL].radius()-math.Abs(s.Speed))
			worked = worked || s.Assist.Traction.IsActive()
		}
		if !finite(reflect.ValueOf(s.Assist)) || !worked || fastest > 3 {
			t.Errorf("gear %d: slips by up to %.1f m/s, works %v, %+v", gear, fastest, worked, s.Assist.Traction)
		}
	}
}

// What brakes a rotor does not hold off a gear: a car that rolls engages it at any speed.
func TestAMotorEngagesWhileItRolls(t *testing.T) {
	for _, speed := range []float64{-20, 5, 20, 40} {
		c := newCar(t, boxed("electric"), Dt)
		s := rolling(c, speed, 0)
		run(c, &s, 0.5, Input{})
		took := 0.0
		for ; took < 10 && s.Driveline.Gear != 1; took += Dt {
			c.Step(&s, Input{Gear: 1})
		}
		ratio, d := c.driveline.Ratio(1), &c.p.Driveline // cones of 60 N·m turn up rotor and input shaft
		want := (d.EngineInertia + d.Shafts.InputInertia) * ratio * math.Abs(speed) / c.wheels[tire.RL].radius() / d.Gearbox.SynchroTorque
		if took < 0.6*want || took > want+d.Gearbox.LeverTime { // the car loses speed meanwhile
			t.Errorf("%g m/s: the gear is in after %.2f s, want %.2f s or a little less", speed, took, want)
		}
	}
}
