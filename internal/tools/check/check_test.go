package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
)

func TestCheckTellsOfConsents(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*config.Config)
		want string
	}{
		{"default", func(*config.Config) {}, ""},
		{"no button", func(c *config.Config) { c.Guard.DeadMan = true }, "has no button"},
		{"a button", func(c *config.Config) { c.Guard.DeadMan, c.Buttons.DeadMan = true, "BTN_TOP" }, ""},
		{"one limit is low", func(c *config.Config) { c.Guard.MaxTorque, c.FFB.MaxTorque = 20, 20 }, ""},
		{"strong", func(c *config.Config) { c.Wheel.MaxTorque, c.Guard.MaxTorque, c.FFB.MaxTorque = 20, 15, 20 }, "15 N·m are allowed"},
	} {
		cfg, said := config.Default(), ""
		c.edit(&cfg)
		checkTorque(cfg, func(_, _, what, _ string) { said += what })
		if (said == "") != (c.want == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

func TestCheckTellsOfWhatIsFeltTwice(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		vibration, abs, limiter float64
		told                    bool
	}{
		{"effects alone", 0, 0.2, 0.3, false}, {"the wheel alone", 0.5, 0, 0, false},
		{"both for the brakes", 0.5, 0.2, 0, true}, {"both for the limiter", 0.5, 0, 0.3, true},
	} {
		cfg, told := config.Default(), false
		cfg.Wheel.Vibration, cfg.FFB.Effects.ABS, cfg.FFB.Effects.Limiter = tt.vibration, tt.abs, tt.limiter
		checkDoubleEffects(cfg, func(_, _, _, _ string) { told = true })
		if told != tt.told {
			t.Errorf("%s: told %v", tt.name, told)
		}
	}
}

func TestCheckTellsOfAModelThatCannotBeShown(t *testing.T) {
	cfg, said := config.Default(), ""
	cfg.Car = filepath.Join(t.TempDir(), "car.toml")
	add := func(check, _, what, _ string) { said += string(catalogEntry(check).Level) + " " + what }
	for _, tt := range []struct {
		text   string
		window bool
		want   string
	}{
		{"", true, ""}, {"[model]\nbody = 'none.glb'\n", false, ""}, {"[model]\nbody = 'none.glb'\n", true, "none.glb: no such file"},
	} {
		if err := os.WriteFile(cfg.Car, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg.Display.Window, said = tt.window, ""
		checkModel(cfg, add)
		if (said == "") != (tt.want == "") || !strings.Contains(said, tt.want) || said != "" && !strings.HasPrefix(said, "error ") {
			t.Errorf("%q: %q, want %q", tt.text, said, tt.want)
		}
	}
}

func TestFeaturesAreChecked(t *testing.T) {
	s := g29Scene(t)
	s.options.Features = []Feature{{Part: "other programs", Checks: []FeatureCheck{
		func(cfg *config.Config, add func(check, where, what, remedy string)) {
			add("web", "web", "car "+cfg.Car, "")
		},
		func(_ *config.Config, add func(check, where, what, remedy string)) {
			add("session", "session", "closed", "")
		},
	}}}
	var parts []string
	s.options.Progress = func(part string) { parts = append(parts, part) }
	r := s.examine()
	if text := s.text(t); text != "session error session: closed → \nweb warning web: car coupe → \n" || r.Summary[0].Problems != 2 {
		t.Errorf("%+v, found\n%s", r.Summary[0], text)
	}
	if n := len(parts); strings.Join(parts[n-3:], ", ") != "recordings, other programs, window" {
		t.Errorf("checked: %q", parts)
	}
}
