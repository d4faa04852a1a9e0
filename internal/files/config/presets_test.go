package config

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/ffb"
	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
)

func TestEveryPresetIsWhole(t *testing.T) {
	for _, name := range Presets() {
		c, err := LoadPreset(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Preset != name {
			t.Errorf("%s calls itself %q", name, c.Preset)
		}
	}
	for _, name := range []string{wheel.GearDriven, wheel.BeltDriven, wheel.DirectDrive} {
		if _, err := LoadPreset(name); err != nil {
			t.Errorf("the table of wheels names it: %v", err)
		}
	}
}

func TestNaturalIsTheDefault(t *testing.T) {
	got, err := LoadPreset("natural")
	if want := ffb.DefaultConfig(); err != nil || got.Preset != "natural" || !sameForce(got, want) {
		t.Errorf("%+v, want %+v (%v)", got, want, err)
	}
}

func sameForce(a, b ffb.Config) bool {
	a.Preset, b.Preset = "", ""
	return a == b
}

// No preset is stronger than what rig does without any.
func TestNoPresetIsStrongerThanTheDefault(t *testing.T) {
	d := ffb.DefaultConfig()
	for _, name := range Presets() {
		c, err := LoadPreset(name)
		if err != nil {
			t.Fatal(err)
		}
		if c.Strength != ffb.Peak || c.Gain/c.FullScale > d.Gain/d.FullScale || c.MaxTorque > d.MaxTorque || c.Peak != 0 {
			t.Errorf("%s: gain %g over %g N·m, at most %g N·m", name, c.Gain, c.FullScale, c.MaxTorque)
		}
	}
}

// written is a file of a text in a folder of its own.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOwnKeysLieOverThePreset(t *testing.T) {
	tests := []struct {
		name, text, ofWheel string
		preset              string
		gain, knee          float64
	}{
		{"nothing known", "", "", "natural", 1, 0},
		{"the wheel's", "", "gentle", "gentle", 0.5, 0.1},
		{"an own key on the wheel's", "[ffb]\ngain = 0.7\n", "gentle", "gentle", 0.7, 0.1},
		{"named, so that the wheel's does not count", "[ffb]\npreset = \"belt\"\n", "gentle", "belt", 1, 0.1},
		{"an own key on a named one", "[ffb]\npreset = \"gentle\"\nknee = 0.2\n", "belt", "gentle", 0.5, 0.2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Load(written(t, "rig.toml", tt.text))
			if err != nil {
				t.Fatal(err)
			}
			f, err := c.Force(tt.ofWheel)
			if err != nil || f.Preset != tt.preset || f.Gain != tt.gain || f.Knee != tt.knee {
				t.Errorf("preset %s, gain %g, knee %g (%v), want %s, %g, %g", f.Preset, f.Gain, f.Knee, err, tt.preset, tt.gain, tt.knee)
			}
		})
	}
}

func TestPresetOfOnesOwn(t *testing.T) {
	path := written(t, "rig.toml", "[ffb]\npreset = \"mine.toml\"\ngain = 0.9\n")
	mine := filepath.Join(filepath.Dir(path), "mine.toml")
	if err := os.WriteFile(mine, []byte("knee = 0.4\ngain = 0.2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil || c.FFB.Preset != mine || c.FFB.Knee != 0.4 || c.FFB.Gain != 0.9 {
		t.Errorf("preset %s, knee %g, gain %g: %v", c.FFB.Preset, c.FFB.Knee, c.FFB.Gain, err)
	}
}

func TestFaultsOfPresetsHaveTheirPlace(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	put("wide.toml", "gain = 1\nknee = 3\n")
	put("slip.toml", "\ngian = 1\n")
	put("chain.toml", "preset = \"belt\"\n")
	for _, tt := range []struct{ preset, want string }{
		{"bold", `rig.toml:2:1: ffb.preset: bold: not found; choose belt, direct-drive, gear-driven, gentle, natural, or name a file`},
		{"none.toml", "rig.toml:2:1: ffb.preset: " + filepath.Join(dir, "none.toml") + ": cannot be read"},
		{"wide.toml", filepath.Join(dir, "wide.toml") + ":2:1: knee = 3: must be 0 to 0.5"},
		{"slip.toml", filepath.Join(dir, "slip.toml") + `:2:1: unknown key "gian"; did you mean "gain"?`},
		{"chain.toml", filepath.Join(dir, "chain.toml") + `:1:1: preset = "belt": a preset cannot start from another`},
	} {
		_, err := Load(put("rig.toml", "[ffb]\npreset = \""+tt.preset+"\"\n"))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.preset, err, tt.want)
		}
	}
}

func FuzzPreset(f *testing.F) {
	for _, name := range Presets() {
		text, _, err := readPreset(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("[rim]\n[rim.deep]\nx = nan"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := presetFile{ffb.DefaultConfig()}
		if Decode("f.toml", text, &p) == nil && (math.IsNaN(p.Gain) || p.Knee > 0.5) {
			t.Errorf("accepted a gain of %g and a knee of %g", p.Gain, p.Knee)
		}
	})
}

// BenchmarkPresets is a tick of the force by each preset, on a slow and on a quick wheel.
func BenchmarkPresets(b *testing.B) {
	for _, name := range Presets() {
		for _, rate := range []float64{333, 1000} {
			b.Run(fmt.Sprintf("%s/%g", name, rate), func(b *testing.B) {
				c, err := LoadPreset(name)
				if err != nil {
					b.Fatal(err)
				}
				feel, err := ffb.New(c, ffb.Car{Lock: 8}, sim.Dt)
				if err != nil {
					b.Fatal(err)
				}
				force, s := feel.Start(), sim.State{State: chassis.State{Speed: 30}}
				w := ffb.Wheel{Present: true, Rated: 8, Rate: rate, Delay: 8e-3}
				b.ReportAllocs()
				for b.Loop() {
					s.Tick++
					x := float64(s.Tick) * sim.Dt
					s.ColumnTorque, w.Angle = 9*math.Sin(6*x), math.Cos(6*x)
					feel.Torque(&force, &s, w)
				}
			})
		}
	}
}
