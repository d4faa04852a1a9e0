package config

import (
	"strings"
	"testing"
)

func TestACarOfParts(t *testing.T) {
	load := func(text string) error {
		p, err := LoadCar(folder(t, map[string]string{"car.toml": text}))
		if err == nil && (len(p.Parts) != 2 || p.Parts[1].Name != "driver" || p.Parts[1].Y != 0.37 || p.ComOffset[2] != -0.1 || p.Gravity != 9.81) {
			t.Errorf("%+v, offset %v, gravity %g", p.Parts, p.ComOffset, p.Gravity)
		}
		return err
	}
	const good = `gravity_mps2 = 9.81
com_offset_m = [0, 0, -0.1]

[[part]]
name = "body"
mass_kg = 1150
x_m = -1.35
z_m = 0.55
length_m = 4.0
width_m = 1.6
height_m = 0.6

[[part]]
name = "driver"
mass_kg = 80
x_m = -1.5
y_m = 0.37
z_m = 0.55
`
	if err := load(good); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct{ name, old, new, want string }{
		{"negative mass", "mass_kg = 80", "mass_kg = -80", "part[1].mass_kg = -80: must be 0.01 to 20000"},
		{"unknown key", "y_m = 0.37", "y_mm = 370", `car.toml:17:1: unknown key "part.y_mm"; did you mean "y_m"?`},
		{"two values", "[0, 0, -0.1]", "[0, 0]", "car.toml:2:1: com_offset_m has 2 entries: must be 0 or 3"},
		{"below everything", "[0, 0, -0.1]", "[0, 0, -3]", "car.toml:2:1: com_offset_m makes cg_height_m"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := load(strings.Replace(good, tt.old, tt.new, 1)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
