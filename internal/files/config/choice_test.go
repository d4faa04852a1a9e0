package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestAChoiceReplacesKeys(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "rig.toml")
	text := "car = \"hatch\"\ntrack = \"skidpad\"\nplatform = \"seat-mover\"\n[tuning]\nroll = 0.5\n[display]\ncamera = \"bonnet\"\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := LoadChosen(path, Choice{Car: "gt", Track: "club", Platform: "hexapod-6", Camera: "cockpit"})
	if err != nil {
		t.Fatal(err)
	}
	if chosen.Car != "gt" || chosen.Track != "club" || chosen.Platform != "hexapod-6" || chosen.Display.Camera != "cockpit" {
		t.Errorf("%s, %s, %s, %s", chosen.Car, chosen.Track, chosen.Platform, chosen.Display.Camera)
	}
	if own.Geometry.Kind == chosen.Geometry.Kind || chosen.Tuning.Roll != 0.5 {
		t.Errorf("geometry %s, tuning of roll %g: the platform must lie below the file's own keys", chosen.Geometry.Kind, chosen.Tuning.Roll)
	}
	one, err := LoadChosen(path, Choice{Camera: "chase"})
	if one.Display.Camera = "bonnet"; err != nil || !reflect.DeepEqual(one, own) {
		t.Errorf("another camera changed more than that: %v", err)
	}
}

func TestAChoiceWithoutAFileLiesOverTheDefaults(t *testing.T) {
	c, err := LoadChosen("", Choice{})
	if want := Default(); err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("no choice, no file: %+v, %v", c, err)
	}
	c, err = LoadChosen("", Choice{Car: "gt", Platform: "hexapod-6"})
	if err != nil || c.Car != "gt" || c.Track != "club" || c.Geometry.Kind != "hexapod" {
		t.Errorf("%s, %s, %s, %v", c.Car, c.Track, c.Geometry.Kind, err)
	}
}

// Paths of a choice are the caller's, not beside the configuration.
func TestPathsOfAChoiceBeginInTheWorkingFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"mine.toml": "base = \"gt\"\nmass_kg = 1400\n", "seat.toml": "[geometry]\nactuator_arm_m = 0.61\n", "etc/rig.toml": "car = \"hatch\"\n"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := LoadChosen("etc/rig.toml", Choice{Car: "mine.toml", Platform: "./seat.toml"})
	if err != nil || c.Car != "mine.toml" {
		t.Fatalf("%q, %v", c.Car, err)
	}
	if car, err := LoadCar(c.Car); err != nil || car.Mass != 1400 || c.Platform != "./seat.toml" {
		t.Errorf("%g kg, %q, %v", car.Mass, c.Platform, err)
	}
}

func TestAWrongChoiceNamesTheFlag(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "car.toml")
	if err := os.WriteFile(broken, []byte("mass_kg = -5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		choice Choice
		want   string
	}{
		{Choice{Car: "spaceship"}, "--car: spaceship: not found; choose coupe, "},
		{Choice{Car: "none.toml"}, "--car: none.toml: cannot be read: no such file or directory"},
		{Choice{Car: broken}, broken + ":1:1: "},
		{Choice{Track: "moon"}, "--track: moon: not found; choose club, "},
		{Choice{Platform: "moon"}, "--platform: moon: not found; choose hexapod-6, "},
		{Choice{Platform: broken}, broken + ":1:1: unknown key"},
		{Choice{Camera: "moon"}, `--camera: "moon": must be chase, cockpit or bonnet`},
	} {
		_, err := LoadChosen("", tt.choice)
		if err == nil || !strings.HasPrefix(OneLine(err), tt.want) {
			t.Errorf("%v: %v, want %s", tt.choice, err, tt.want)
		}
		if text := tt.choice.String(); !strings.HasPrefix(text, "--") || strings.Contains(text, "  ") {
			t.Errorf("%+v is written as %q", tt.choice, text)
		}
	}
}
