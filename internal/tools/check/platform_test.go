package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
)

func TestCheckTellsWhatDoesNotSuit(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*config.Config)
		want string // "" for nothing
	}{
		{"no platform", func(*config.Config) {}, ""},
		{"a platform without a controller", func(c *config.Config) { c.Platform = "hexapod-6"; c.Motion.Protocol = "" }, "no controller: nothing moves"},
		{"suits", func(c *config.Config) { moving(c) }, ""},
		{"out of reach", func(c *config.Config) { moving(c); c.Cueing.MaxRoll = 25 }, "max_roll_deg = 25, but the actuators reach 13.1 within motion.min_share and motion.max_share"},
		{"out of reach twice", func(c *config.Config) { moving(c); c.Cueing.MaxRoll, c.Cueing.MaxPitch = 25, 25 }, "max_roll_deg = 25, but the actuators reach 13.1; max_pitch_deg = 25, but the actuators reach 5.44 within"},
		{"slow line", func(c *config.Config) { moving(c); c.Motion.Baud, c.Motion.Rate = 9600, 0 }, "targets per second fit the line of 9600"},
		{"no spike filter", func(c *config.Config) { moving(c); c.Motion.MaxTargetJump = 0 }, "spike_share is 0"},
	} {
		cfg, said := config.Default(), ""
		c.edit(&cfg)
		checkMotion(cfg, func(_, _, what, _ string) { said += what + "\n" })
		if (said == "") != (c.want == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

// moving names a controller that suits the default seat.
func moving(c *config.Config) {
	c.Motion.Protocol, c.Motion.Port = "smc3", "/dev/null"
}

func TestCheckMissesABelt(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*config.Config)
		want string
	}{
		{"no platform", func(*config.Config) {}, ""},
		{"a platform", moving, "no belt or door"},
		{"a button", func(c *config.Config) { moving(c); c.Buttons.Interlock = "BTN_TOP" }, ""},
		{"a line that is not there", func(c *config.Config) { c.Estop.Interlock = "nowhere:7" }, "estop: "},
	} {
		cfg, said := config.Default(), ""
		c.edit(&cfg)
		checkInterlock(cfg, func(_, _, what, _ string) { said += what })
		if (said == "") != (c.want == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

// A blind platform is taken to stand somewhere: check says where.
func TestCheckTellsWhereABlindPlatformStands(t *testing.T) {
	cfg := config.Default()
	cfg.Motion.Protocol, cfg.Motion.Port, cfg.Motion.Baud = "thanos", "/dev/null", 250_000
	for _, tt := range []struct {
		start wire.Legs
		want  string
	}{
		{wire.Legs{-1, -1, -1, -1}, "; at the start its actuators are assumed to be at 50 % of the stroke"},
		{wire.Legs{0.1, 0.1, 0.125, 0.1}, "; at the start its actuators are assumed to be at 10, 10, 12.5, 10 % of the stroke"},
	} {
		cfg.Motion.StartPosition = tt.start
		if text := MotionResolved(cfg); !strings.HasSuffix(text, tt.want) {
			t.Errorf("%q, want %q at its end", text, tt.want)
		}
	}
}

func TestTheResolvedPlatformTellsOfTractionLoss(t *testing.T) {
	cfg := config.Default()
	if text := MotionResolved(cfg); strings.Contains(text, "traction loss") {
		t.Errorf("%q", text)
	}
	cfg.Geometry.TractionLossStroke = 0.2
	if text := MotionResolved(cfg); !strings.Contains(text, ", traction loss 76 mm; no controller") {
		t.Errorf("%q", text)
	}
}

func TestTheResolvedPlatformInALine(t *testing.T) {
	cfg := config.Default()
	moving(&cfg)
	for _, want := range []string{"seat, direct: left, right", "roll 13.1,", "smc3 on /dev/null moves 3 actuators"} {
		if text := MotionResolved(cfg); !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}

// No built-in platform is warned of, and none asks for more than its actuators reach.
func TestTheDefaultsAreNotWarnedOf(t *testing.T) {
	for _, name := range append([]string{""}, config.Platforms()...) {
		path := filepath.Join(t.TempDir(), "rig.toml")
		if err := os.WriteFile(path, []byte("platform = \""+name+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Motion.Protocol, cfg.Motion.Port, cfg.Motion.Baud = motion.ProtocolMotion4Sim, "/dev/null", 250_000
		form, err := drivesetup.Platform(cfg)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Motion.Motion4Sim.Actuators = form.Axes()
		checkMotion(cfg, func(level, where, what, remedy string) {
			t.Errorf("platform %q: %s: %s: %s; %s", name, level, where, what, remedy)
		})
	}
}
