package driveline

import (
	"testing"

	"rig.example/rig/test/near"
)

// Of the power that enters it a converter loses 1 - torque ratio · speed ratio.
func TestAConverterLosesWhatItsTableSays(t *testing.T) {
	for _, tt := range []struct{ speed, ratio, capacity float64 }{
		{0, 2.0, 3.8e-3}, {0.1, 1.88, 3.825e-3}, {0.5, 1.395, 3.7e-3}, {0.8, 1.04, 3e-3}, {0.95, 1, 1.15e-3}, {1, 1, 0},
	} {
		c := lone(t, boxed("automatic"))
		const engine = 250.0
		k := c.converterTorques(engine, tt.speed*engine)
		near.Value(t, "impeller", k.impeller, tt.capacity*engine*engine, 1e-9)
		lost := k.impeller*engine - k.turbine*tt.speed*engine
		near.Value(t, "lost", lost, (1-tt.speed*tt.ratio)*k.impeller*engine, 1e-6)
		if lost < 0 {
			t.Errorf("at %g it gives %.1f W", tt.speed, -lost)
		}
	}
}

// A turbine that is the faster one drives the engine, and loses power too; so does one that
// the car rolls backward.
func TestAConverterNeverGives(t *testing.T) {
	c := lone(t, boxed("automatic"))
	for engine := 0.0; engine < 700; engine += 7 {
		for turbine := -300.0; turbine < 900; turbine += 11 {
			k := c.converterTorques(engine, turbine)
			if lost := k.impeller*engine - k.turbine*turbine; lost < -1e-9 {
				t.Fatalf("engine %g, turbine %g rad/s: %.3g W from nothing", engine, turbine, -lost)
			}
			if (turbine > engine) != (k.turbine < 0) && turbine != engine {
				t.Fatalf("engine %g, turbine %g rad/s: %+v", engine, turbine, k)
			}
		}
	}
}
