package exercise

import (
	"strings"
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/tools/lab/omct"
	"rig.example/rig/test/level"
)

// What a configuration says between the car's motion and the actuators counts in the test:
// each change makes another sentence.
func TestTheCueingTestIsThatOfTheConfiguration(t *testing.T) {
	level.SkipIfQuick(t)
	said := map[string]string{}
	o := omct.DefaultOptions()
	o.Dt = 4e-3 // a quarter of the work, and as often as targets are sent
	cases := []struct {
		name string
		edit func(*config.Config)
	}{
		{"as delivered", func(*config.Config) {}},
		{"tuned", func(c *config.Config) { c.Tuning.Gain, c.Tuning.Roll = 3, 0.9 }},
		{"slow actuators", func(c *config.Config) {
			for i := range c.Motion.MaxSpeed {
				c.Motion.MaxSpeed[i] = 0.02
			}
		}},
		{"poses", func(c *config.Config) {
			c.Motion.Protocol, c.Motion.Motion4Sim.Frames = motion.ProtocolMotion4Sim, motion4sim.Pose
			c.Motion.Motion4Sim.Roll = 1
		}},
	}
	for _, tt := range cases[:level.Pick(1, 2, len(cases))] {
		cfg := config.Default()
		tt.edit(&cfg)
		r, err := OMCT(cfg, o)
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := said[r.Summary]; ok || !strings.HasPrefix(r.Summary, "You feel ") {
			t.Errorf("%s: %s, as %q", tt.name, r.Summary, before)
		}
		if said[r.Summary] = tt.name; (r.Tuned == "gain 3, roll 0.9") != (tt.name == "tuned") {
			t.Errorf("%s: tuned %q", tt.name, r.Tuned)
		}
	}
}
