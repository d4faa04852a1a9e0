package maneuver

import (
	"reflect"
	"slices"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

func TestAStartLosesEnergyInTheClutch(t *testing.T) {
	r := do(t, "launch", sim.DefaultCar(), Options{Dt: 2e-3})
	for _, suffix := range []string{"", "_off"} {
		t30, t60, t100 := figure(t, r, "t_0_30"+suffix+"_s"), figure(t, r, "t_0_60"+suffix+"_s"), figure(t, r, "t_0_100"+suffix+"_s")
		if !(0.5 < t30 && t30 < t60 && t60 < t100 && t100 < 12) {
			t.Errorf("30, 60, 100 km/h in %.2f, %.2f, %.2f s", t30, t60, t100)
		}
		// The engine gives up half of m·v² at most until the wheels have caught up.
		if heat := figure(t, r, "clutch_heat"+suffix+"_kj"); heat < 1 || heat > 150 {
			t.Errorf("%g kJ", heat)
		}
	}
}

// longitudinal are the manoeuvres along a straight road, and off the throttle.
func longitudinal() []string {
	return []string{"launch", "stall-start", "throttle-lift", "brake", "accelerate", "top-speed", "fuel"}
}

func TestTheSameCarGivesTheSameBits(t *testing.T) {
	for _, name := range longitudinal()[:level.Pick(1, 3, 7)] {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := do(t, name, sim.DefaultCar(), Options{Dt: milliseconds(4, 2)})
			b := do(t, name, sim.DefaultCar(), Options{Dt: milliseconds(4, 2)})
			if !slices.Equal(a.Metrics, b.Metrics) || !slices.Equal(a.Notes, b.Notes) {
				t.Errorf("%v\n%v", a.Metrics, b.Metrics)
			}
			if !reflect.DeepEqual(a.Rows, b.Rows) {
				t.Error("other rows")
			}
		})
	}
}
