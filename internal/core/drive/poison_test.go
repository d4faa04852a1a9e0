package drive

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// badValues are what a float may hold after a fault of memory or arithmetic.
var badValues = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300}

// A bad value in any float of the state, planted in mid-drive, passes nothing beyond the limits in any tick. In what
// decides about torque and motion, the guard, the force and the wheel's own effects, it is a fault or gone at once.
func TestABadValueAnywherePassesNothing(t *testing.T) {
	level.SkipIfQuick(t)
	r := demo(t)
	r.EnableOwnEffects(ffb.NewVibration(r.Setup.Dt, nil))
	r.in.Wheel.OwnEffectsMax, r.in.Wheel.VibrationMax = 1, 0.5
	r.run(4000)
	driving, limit := r.State, r.State.Guard.MaxTorque()
	n, laps := 0, 0
	eachFloat(t, &r.State, func(path string, at *float64) {
		if strings.HasPrefix(path, "Trip.Laps.") { // times and traces, which nothing that moves depends on
			if laps++; laps%100 != 0 {
				return
			}
		}
		for _, bad := range badValues {
			r.State = driving
			r.run(1)
			*at = bad
			n++
			for range level.Pick(20, 20, 200) {
				r.run(1)
				r.wantHarmless(t, path, bad, limit)
			}
			decides := strings.HasPrefix(path, "Guard.") || strings.HasPrefix(path, "Rim.Force.") || strings.HasPrefix(path, "Rim.vibration.")
			if s := r.out.State; decides && s != guard.Fault && *at-*at != 0 {
				t.Errorf("%s = %g: %v, and it still is %g", path, bad, s, *at)
			}
		}
	})
	t.Logf("%d values planted", n)
}

// wantHarmless fails the test if anything that a device gets is beyond its limits.
func (r *tester) wantHarmless(t *testing.T, path string, bad, limit float64) {
	o := r.out
	if !(math.Abs(o.Torque) <= limit) || !(o.OwnEffects >= 0 && o.OwnEffects <= limit) || !(o.Vibration.Peak >= 0 && o.Vibration.Peak <= limit) || !(math.Abs(o.Vibration.Hz) <= 1000) {
		t.Fatalf("%s = %g: %g N·m, own effects %g N·m, vibration %+v", path, bad, o.Torque, o.OwnEffects, o.Vibration)
	}
	for _, leg := range o.Platform.Legs {
		if !(leg >= 0 && leg <= 1) {
			t.Fatalf("%s = %g: leg at %g", path, bad, leg)
		}
	}
}
