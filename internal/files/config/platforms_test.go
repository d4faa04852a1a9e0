package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
)

// loaded reads a configuration that a test writes.
func loaded(t *testing.T, text string) (Config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rig.toml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Load(path, AllSections...)
}

// Each platform stands alone, and reaches what its cueing asks for.
func TestPlatformsSuitThemselves(t *testing.T) {
	legs := map[string]int{"hexapod-6": 6, "rotary-6": 6, "seat-mover": 2, "sfx100-4": 4, "traction-loss-seat": 3}
	if len(Platforms()) != len(legs) {
		t.Errorf("platforms %v", Platforms())
	}
	for _, name := range Platforms() {
		cfg, err := loaded(t, "platform = \""+name+"\"\n")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		mover, err := cueing.NewPlatform(cfg.Geometry, cueing.Span{Low: cueing.Legs(cfg.Motion.MinPosition), High: cueing.Legs(cfg.Motion.MaxPosition)})
		if err != nil || mover.Axes() != legs[name] {
			t.Errorf("%s: %v, want %d actuators", name, err, legs[name])
			continue
		}
		const deg = 57.3
		r, c := mover.Workspace(), cfg.Cueing
		for _, f := range []struct {
			key         string
			most, reach float64
		}{
			{"surge", c.MaxSurge, r.Surge}, {"sway", c.MaxSway, r.Sway}, {"heave", c.MaxHeave, r.Heave},
			{"roll", c.MaxRoll / deg, r.Roll}, {"pitch", c.MaxPitch / deg, r.Pitch}, {"yaw", c.MaxYaw / deg, r.Yaw}, {"slide", c.MaxSlide, r.Slide},
		} {
			if f.reach > 0 && f.most > f.reach && f.key != "heave" {
				t.Errorf("%s: asks for %g of %s, reaches %g", name, f.most, f.key, f.reach)
			}
		}
	}
}

func TestThePlatformLiesBelowTheUsersKeys(t *testing.T) {
	cfg, err := loaded(t, "platform = \"sfx100-4\"\n[geometry]\ntrack_m = 0.7\n[cueing.direct]\nroll_gain = 1\n[motion]\nmax_speed_strokes_per_s = [1]\n")
	if err != nil {
		t.Fatal(err)
	}
	if g := cfg.Geometry; g.Kind != "corners" || g.Stroke != 0.1 || g.Track != 0.7 || g.Wheelbase != 1.2 {
		t.Errorf("geometry %+v", g)
	}
	if d := cfg.Cueing.Direct; d.RollGain != 1 || d.PitchGain != 0.4 || cfg.Cueing.Extra.RoadGain != 1 {
		t.Errorf("cueing %+v", d)
	}
	if m := cfg.Motion; m.MaxSpeed != (wire.Legs{1, 2, 2, 2, 0.8, 0.8, 0.8, 0.8}) || m.ParkPosition[0] != 0.5 || m.Protocol != "" {
		t.Errorf("motion %+v", m)
	}
	if cfg.Platform != "sfx100-4" || cfg.Car != Default().Car {
		t.Errorf("platform %q, car %q", cfg.Platform, cfg.Car)
	}
}

// A set of washout's parameters lies below keys of the platform, and those below the user's.
func TestSetsOfWashoutLieBelowTheirKeys(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		gain, knee float64 // of surge
	}{
		{"the user's set", "[cueing.washout]\nset = \"open6dofsim\"\n", 0.8, 1},
		{"with a key", "[cueing.washout]\nset = \"open6dofsim\"\nknee = 0.9\n", 0.8, 0.9},
		{"a platform's key", "platform = \"rotary-6\"\n", 0.2, 0.7},
		{"a platform's key on the user's set", "platform = \"rotary-6\"\n[cueing.washout]\nset = \"shoarai\"\n", 0.2, 1},
		{"all three", "platform = \"rotary-6\"\n[cueing.washout]\nset = \"shoarai\"\nforce_gain = [0.1, 0.1, 0.1]\n", 0.1, 1},
	} {
		cfg, err := loaded(t, tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if w := cfg.Cueing.Washout; w.ForceGain[0] != tt.gain || w.Knee != tt.knee {
			t.Errorf("%s: gain %g, knee %g; want %g and %g", tt.name, w.ForceGain[0], w.Knee, tt.gain, tt.knee)
		}
	}
}

func TestAControllersPresetLiesBelowTheUsersKeys(t *testing.T) {
	for _, name := range motion.Presets() {
		kind, of := "seat", "template.actuators = 2\n"
		if name == "knaufinator" {
			kind, of = "pose", ""
		}
		if cfg, err := loaded(t, "[geometry]\nkind = \""+kind+"\"\n[motion]\npreset = \""+name+"\"\nport = \"/dev/null\"\n"+of); err != nil || cfg.Motion.Protocol == "" || cfg.Motion.Preset != name {
			t.Errorf("%s: %v, protocol %q", name, err, cfg.Motion.Protocol)
		}
	}
	cfg, err := loaded(t, "platform = \"sfx100-4\"\n[motion]\npreset = \"eh-msc\"\nport = \"/dev/null\"\nboot_wait_s = 5\n")
	if m := cfg.Motion; err != nil || m.BootWait != 5 || m.Baud != 115200 || m.MaxSpeed[0] != 2 {
		t.Errorf("%v: waits %g s, %d baud, %g strokes/s", err, m.BootWait, m.Baud, m.MaxSpeed[0])
	}
}

func TestPlatformsOfFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rig.toml":    "platform = \"mine.toml\"\n[motion]\npreset = \"board.toml\"\nport = \"/dev/null\"\n",
		"mine.toml":   "[geometry]\nkind = \"roll-pitch\"\nstroke_m = 0.2\n",
		"board.toml":  "protocol = \"smc3\"\nbaud = 115200\n",
		"wrong.toml":  "platform = \"bad.toml\"\n",
		"bad.toml":    "car = \"coupe\"\n",
		"broken.toml": "platform = \"worse.toml\"\n",
		"worse.toml":  "\n[geometry]\nstroke_m = 99\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := Load(filepath.Join(dir, "rig.toml"))
	if err != nil || cfg.Geometry.Kind != "roll-pitch" || cfg.Motion.Protocol != "smc3" || cfg.Motion.Baud != 115200 {
		t.Errorf("%v: %q, %q, %d", err, cfg.Geometry.Kind, cfg.Motion.Protocol, cfg.Motion.Baud)
	}
	for file, want := range map[string]string{"wrong.toml": "bad.toml:1:1: unknown key \"car\"", "broken.toml": "worse.toml:3:1: geometry.stroke_m = 99"} {
		if _, err := Load(filepath.Join(dir, file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}

func TestPlatformsThatAreNot(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no such platform", "\nplatform = \"sofa\"\n", ":2:1: platform: sofa: not found; choose hexapod-6, "},
		{"no such file", "platform = \"sofa.toml\"\n", "sofa.toml: cannot be read"},
		{"no such preset", "[motion]\npreset = \"sofa\"\n", ":2:1: motion.preset: sofa: not found; choose eh-msc, "},
		{"the old table", "[seat]\nstroke_m = 0.2\n", `key "seat" was renamed to the table [geometry]`},
		{"an old key", "[cueing]\nroll_gain = 2\n", `key "cueing.roll_gain" was renamed to "cueing.direct.roll_gain"`},
		{"a controller of poses on legs", "platform = \"hexapod-6\"\n[motion]\npreset = \"knaufinator\"\nport = \"/dev/null\"\n",
			`:3:1: geometry.kind = "hexapod", but the controller of motion.preset or motion.template expects poses; set geometry.kind = "pose"`},
		{"and on its own kind", "[geometry]\nkind = \"rotary\"\n[motion]\npreset = \"knaufinator\"\nport = \"/dev/null\"\n",
			`:2:1: geometry.kind = "rotary", but the controller of`},
		{"poses for a controller of legs", "[geometry]\nkind = \"pose\"\n[motion]\nprotocol = \"smc3\"\nport = \"/dev/null\"\n",
			`:2:1: geometry.kind = "pose", but the controller of motion.protocol expects leg lengths`},
		{"parked where the controller does not begin", "[motion]\npreset = \"eh-msc\"\nport = \"/dev/null\"\npark_share = [0.5, 0.5, 0.1, 0.1]\n",
			`:4:1: motion.park_share[2]: 0.1, but the controller takes the place where it stands at power-on for start_share = 0.5; set park_share to that`},
		{"tuned too far", "[tuning]\nroll = 3.5\n", ":2:1: tuning.roll = 3.5: must be 0 to 3"},
		{"tuned by NaN", "[tuning]\ngain = nan\n", ":2:1: tuning.gain = NaN: must be 0 to 3"},
	} {
		if _, err := loaded(t, tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestPlainTuningChangesNothing(t *testing.T) {
	if cfg, err := loaded(t, "[tuning]\nbelt = 0.5\n"); err != nil || cfg.Tuning.Belt != 0.5 || cfg.Tuning.Gain != 1 {
		t.Errorf("%v: %+v", err, cfg.Tuning)
	}
}

// A controller moves as many actuators as the platform has; only the board that always has
// three motors may have more.
func TestAControllerMovesTheActuatorsOfThePlatform(t *testing.T) {
	const template = "[motion]\nprotocol = \"template\"\nbaud = 115200\nport = \"/dev/null\"\n[motion.template]\n"
	with := func(platform, protocol, rest string) string {
		return "platform = \"" + platform + "\"\n[motion]\nprotocol = \"" + protocol + "\"\nbaud = 250000\nport = \"/dev/null\"\n" + rest
	}
	for _, tt := range []struct{ name, text, want string }{
		{"an axis too many", template + "output = [\"<Axis1a><Axis2a><Axis3a>\"]\n",
			`:6:1: motion.template.output: moves 3 axes and the geometry has 2 actuators (left, right); name one axis for each`},
		{"that moves nothing", template + "output = [\"<Axis1a><Axis2a><Axis3a>\"]\nactuators = 2\n", ""},
		{"said to move", template + "output = [\"<Axis1a><Axis2a><Axis3a>\"]\nactuators = 3\n", `:7:1: motion.template.actuators: moves 3 axes`},
		{"more than there are", template + "output = [\"<Axis1a><Axis2a>\"]\nactuators = 3\n", `:7:1: motion.template.actuators = 3: must be 0 to 2`},
		{"an axis too few", template + "output = [\"<Axis1a>\"]\n", `:6:1: motion.template.output: moves 1 axes and the geometry has 2 actuators`},
		{"as many", template + "output = [\"<Axis1a><Axis2a>\"]\n", ""},
		{"a preset too large", "[motion]\npreset = \"eh-msc\"\nport = \"/dev/null\"\n", `motion.template.output: moves 4 axes and the geometry has 2 actuators`},
		{"its filler", "platform = \"hexapod-6\"\n[motion]\npreset = \"thanos-template\"\nport = \"/dev/null\"\n[motion.template]\nactuators = 6\n", ""},
		{"smc3 with a motor to spare", with("seat-mover", "smc3", ""), ""},
		{"smc3 on a hexapod", with("hexapod-6", "smc3", ""), `:3:1: motion.protocol: moves 3 axes and the geometry has 6 actuators (front left, middle left, `},
		{"thanos as many", with("sfx100-4", "thanos", ""), ""},
		{"thanos with more", with("seat-mover", "thanos", "thanos.actuators = 4\n"), `:6:1: motion.thanos.actuators: moves 4 axes and the geometry has 2 actuators (left, right); set it`},
		{"thanos with fewer", with("hexapod-6", "thanos", "thanos.actuators = 4\n"), `:6:1: motion.thanos.actuators: moves 4 axes and the geometry has 6`},
		{"motion4sim as many", with("hexapod-6", "motion4sim", ""), ""},
		{"motion4sim with more", with("sfx100-4", "motion4sim", ""), `motion.motion4sim.actuators: moves 6 axes and the geometry has 4`},
		{"motion4sim with poses", with("seat-mover", "motion4sim", "motion4sim.frames = \"pose\"\n"), ""},
		{"poses without yaw", "[geometry]\nkind = \"pose\"\npose.yaw_deg = 0\n" + template + "takes = \"pose\"\noutput = [\"<Axis1a><Axis2a><Axis3a><Axis4a><Axis5a>\"]\n", ""},
		{"poses without their yaw", "[geometry]\nkind = \"pose\"\n" + template + "takes = \"pose\"\noutput = [\"<Axis1a><Axis2a><Axis3a><Axis4a><Axis5a>\"]\n", "moves 5 axes and the geometry has 6 actuators"},
	} {
		if _, err := loaded(t, tt.text); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// Where a controller takes its actuators to stand is its own matter: no platform says it.
func TestPlatformsLeaveTheStartToTheController(t *testing.T) {
	for platform, n := range map[string]int{"hexapod-6": 6, "rotary-6": 6, "seat-mover": 2, "sfx100-4": 4, "traction-loss-seat": 3} {
		for _, controller := range []string{"preset = \"eh-msc\"\ntemplate", "preset = \"thanos-template\"\ntemplate", "protocol = \"thanos\"\nthanos", "protocol = \"motion4sim\"\nmotion4sim"} {
			if strings.Contains(controller, "eh-msc") && n > 4 {
				continue // it has four
			}
			cfg, err := loaded(t, fmt.Sprintf("platform = %q\n[motion]\n%s.actuators = %d\nbaud = 250000\nport = \"/dev/null\"\n", platform, controller, n))
			if err != nil {
				t.Errorf("%s, %s: %v", platform, controller, err)
				continue
			}
			if plan, err := cfg.Motion.Plan(); err != nil || !plan.NoFeedback || plan.Start[0] != 0.5 || plan.Start[1] != 0.5 {
				t.Errorf("%s, %s: %v, blind %t at %v; want the middle", platform, controller, err, plan.NoFeedback, plan.Start)
			}
		}
	}
}

// A controller that brings its own geometry takes poses with any.
func TestAControllerThatKnowsItsGeometryTakesPoses(t *testing.T) {
	if _, err := loaded(t, "platform = \"hexapod-6\"\n[motion]\nprotocol = \"motion4sim\"\nbaud = 250000\nport = \"/dev/null\"\n[motion.motion4sim]\nframes = \"pose\"\n"); err != nil {
		t.Error(err)
	}
}
