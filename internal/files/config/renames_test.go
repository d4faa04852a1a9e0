package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Each rename leads from a key that is not known to one that is.
func TestRenamesLeadToKeys(t *testing.T) {
	for _, known := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[carFile](), reflect.TypeFor[platformFile]()} {
		for _, r := range renamesIn(known) {
			if isKeyOf(known, strings.Split(r.from, ".")) || !isKeyOf(known, strings.Split(r.to, ".")) {
				t.Errorf("%v: %s must not be a key, and %s must be one", known, r.from, r.to)
			}
		}
	}
}

func TestAnOldKeyNamesTheNewOne(t *testing.T) {
	c := Default()
	for text, says := range map[string]string{
		"[wheel]\nshift_up_button = \"a\"\n":      "f.toml:2:1: key \"wheel.shift_up_button\" was renamed to \"buttons.shift_up\"; move its value there",
		"[seat]\nstroke_m = 0.1\n":                "f.toml:1:2: key \"seat\" was renamed to the table [geometry]; rename it",
		"[ffb]\ndamping_nms_per_rad = 0.1\n":      "f.toml:2:1: key \"ffb.damping_nms_per_rad\" was renamed to \"ffb.rim.damping\", a fraction of the wheel's torque; move it there and convert",
		"[cueing]\nroll_gain = 1\npitch_gain=1\n": "f.toml:3:1: key \"cueing.pitch_gain\" was renamed to \"cueing.direct.pitch_gain\"",
	} {
		if err := Decode("f.toml", []byte(text), &c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	path := filepath.Join(t.TempDir(), "car.toml")
	if err := os.WriteFile(path, []byte("[front.tire]\nfriction = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	platform := filepath.Join(t.TempDir(), "p.toml")
	if err := os.WriteFile(platform, []byte("[cueing]\nroll_gain = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.applyBases("", nil, platform); err == nil || !strings.Contains(err.Error(), "was renamed to \"cueing.direct.roll_gain\"") {
		t.Error(err)
	}
	if _, err := LoadCar(path); err == nil || !strings.Contains(err.Error(), "was renamed to \"front.tire.brush.friction\"") {
		t.Error(err)
	}
}
