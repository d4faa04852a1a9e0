package maneuver

import (
	"fmt"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// Without friction in the engine nothing brakes the car when the throttle is let go but
// the tires' side forces: it nearly keeps the bend.
func TestACarThatIsHardlyBrakedNearlyKeepsItsBend(t *testing.T) {
	level.SkipIfQuick(t)
	p := frictionless()
	d := &p.Driveline
	d.EngineFriction, d.EngineDrag, d.SpinLoss = 0, 0, 0
	free := do(t, "throttle-lift", p, Options{Dt: 2e-3})
	near.Value(t, "yaw rate after 1 s", figure(t, free, "yaw_ratio_1s"), 1, 0.12)
	near.Value(t, "way aside after 1 s", figure(t, free, "aside_1s_m"), 0, 0.3)
	d.EngineFriction, d.EngineDrag = 60, 0.2
	braked := do(t, "throttle-lift", p, Options{Dt: 2e-3})
	if a, b := figure(t, free, "decel_mps2"), figure(t, braked, "decel_mps2"); b < a+0.3 {
		t.Errorf("slows by %.2f m/s² without friction in the engine, by %.2f with much", a, b)
	}
	if a, b := figure(t, free, "yaw_ratio_1s"), figure(t, braked, "yaw_ratio_1s"); b < a+0.01 {
		t.Errorf("yaw ratio %.3f without friction in the engine, %.3f with much", a, b)
	}
}

func TestTheBendIsAsWideAsTheStandardSays(t *testing.T) {
	level.SkipIfQuick(t)
	r := do(t, "throttle-lift", sim.DefaultCar(), Options{Dt: 2e-3})
	near.Value(t, "radius", figure(t, r, "radius_m"), 100, 1e-9)
	ay, v := figure(t, r, "ay_mps2"), r.Speed
	near.Value(t, "v²/r", v*v/100, ay, 1e-9)
	first := r.Rows[0]
	near.Value(t, "lateral acceleration at first", first.Ay, ay, 0.1*ay)
	near.Value(t, "speed at first", first.Vx, v, 0.05*v)
	wide := do(t, "throttle-lift", sim.DefaultCar(), Options{Dt: 2e-3, Speed: 120 * kph})
	near.Value(t, "radius at 120 km/h", figure(t, wide, "radius_m"), 120*120/3.6/3.6/figure(t, wide, "ay_mps2"), 1e-6)
}

func TestALowGearBrakesMore(t *testing.T) {
	r := do(t, "throttle-lift", sim.DefaultCar(), Options{Dt: 2e-3})
	low := figure(t, r, "gear")
	if figure(t, r, "yaw_ratio_1s") != figure(t, r, fmt.Sprintf("yaw_ratio_1s_gear_%.0f", low)) {
		t.Error("the figures are another gear's")
	}
	for gear := int(low) + 1; gear <= 6; gear++ {
		a, b := figure(t, r, fmt.Sprintf("yaw_ratio_1s_gear_%d", gear-1)), figure(t, r, fmt.Sprintf("yaw_ratio_1s_gear_%d", gear))
		if b > a {
			t.Errorf("gear %d turns in more (%.4f) than the one below (%.4f)", gear, b, a)
		}
	}
}
