package testrun

import (
	"testing"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/test/level"
)

// Stability control turns what spins and what rolls over into what UN R140 lets pass. The
// pickup still lifts two wheels, by 7 cm, of which that regulation says nothing.
func TestStabilityControlPassesTheSineWithDwell(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, tt := range []struct {
		car     string
		upright bool
	}{{"hatch", true}, {"pickup", false}} {
		t.Run(tt.car, func(t *testing.T) {
			p, err := config.LoadCar(tt.car)
			if err != nil {
				t.Fatal(err)
			}
			on := dwelt(t, p, 5)
			if !on["pass_yaw_1_0s"] || !on["pass_yaw_1_75s"] || !on["pass_lateral"] || on["rolled_over"] || on["pass_upright"] != tt.upright {
				t.Errorf("with it: %v", on)
			}
			if tt.car != "hatch" && !level.All() {
				return // that it is needed, the hatch shows
			}
			off := dwelt(t, p, 0)
			if spins := !off["pass_yaw_1_0s"]; off["pass"] || !spins && !off["rolled_over"] {
				t.Errorf("without it: %v", off)
			}
		})
	}
}

// dwelt returns the verdicts at a level of stability control.
func dwelt(t *testing.T, p sim.Params, stability uint8) map[string]bool {
	t.Helper()
	dt := float64(level.Pick(0, 2, 1)) * sim.Dt
	r, err := maneuver.Do("sine-dwell", p, maneuver.Options{Dt: dt, Assists: assist.Switches{Stability: stability}})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, m := range r.Metrics {
		if v, ok := m.Value.(bool); ok {
			said[m.Name] = v
		}
	}
	return said
}
