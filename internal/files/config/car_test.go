package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder holds a car's file and what lies beside it.
func folder(t *testing.T, files map[string]string) (car string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "car.toml")
}

// wholeTire is a tire's file that holds all that one needs.
const wholeTire = "[MODEL]\nPROPERTY_FILE_FORMAT = 'MF_05'\nFITTYP = 61\nLONGVL = 16\n[DIMENSION]\nUNLOADED_RADIUS = 0.325\n" +
	"[VERTICAL]\nFNOMIN = 4300\nVERTICAL_STIFFNESS = 2.2e5\n[FORCES]\nPCX1 = 1.65\nPDX1 = 1.3\nPKX1 = 20\n" +
	"PCY1 = 1.3\nPDY1 = 1.1\nPKY1 = -20\nPKY2 = 1\nQBZ1 = 10\nQCZ1 = 1.1\nQDZ1 = 0.12\n[END]\nOF_FILE = 1\n"

func TestACarChoosesItsTires(t *testing.T) {
	car := folder(t, map[string]string{
		"car.toml": "[front.tire]\nmodel = 'dugoff'\npressure_kpa = 240\n[front.tire.dugoff]\nfriction = 0.9\n" +
			"[rear.tire]\nmodel = 'rear.tir'\n[rear.tire.heat]\nenabled = true\n",
		"rear.tir": wholeTire,
	})
	p, err := LoadCar(car)
	if err != nil {
		t.Fatal(err)
	}
	if f := p.Front.Tire; f.Model != "dugoff" || f.Pressure != 240 || f.Dugoff.Friction != 0.9 || f.Heat.Enabled {
		t.Errorf("front %+v", f)
	}
	if r := p.Rear.Tire; r.File == nil || r.File.Radius != 0.325 || r.File.NominalLoad != 4300 || !r.Heat.Enabled {
		t.Errorf("rear %+v, file %+v", r, r.File)
	}
	if p.Front.Tire.File != nil {
		t.Error("the front has a file that was not named")
	}
}

func TestFaultsOfACarsTiresHaveTheirPlace(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string // after the folder's path
	}{
		{"no such model", map[string]string{"car.toml": "[front.tire]\nmodel = 'slik'\n"},
			`car.toml:2:1: front.tire.model = "slik": must be brush, `},
		{"no such file", map[string]string{"car.toml": "[front]\n[rear.tire]\n\nmodel = 'none.tir'\n"},
			`car.toml:4:1: rear.tire.model = "none.tir": `},
		{"a parameter of a model", map[string]string{"car.toml": "[rear.tire.curve.sideways]\nextremum_slip = -1\n"},
			`car.toml:2:1: rear.tire.curve.sideways.extremum_slip = -1: must be `},
		{"where the brush's keys were before", map[string]string{"car.toml": "[rear.tire]\nfriction = 0.8\n"},
			`car.toml:2:1: key "rear.tire.friction" was renamed to "rear.tire.brush.friction"; `},
		{"a line of the tire's file", map[string]string{"car.toml": "[front.tire]\nmodel = 'x.tir'\n", "x.tir": "[MODEL]\nFITTYP = 99\n"},
			`x.tir:2:10: FITTYP = 99 is not a supported version`},
		{"a tire without a force", map[string]string{"car.toml": "[rear.tire]\nmodel = 'x.tir'\n", "x.tir": strings.Replace(wholeTire, "PDX1 = 1.3", "PDX1 = 0", 1)},
			`car.toml:2:1: rear.tire.model = "x.tir": the tire has no longitudinal force, and a car needs both`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			car := folder(t, tt.files)
			_, err := LoadCar(car)
			if err == nil || !strings.HasPrefix(err.Error(), filepath.Join(filepath.Dir(car), tt.want)) {
				t.Errorf("got  %v\nwant .../%s", err, tt.want)
			}
			var p *Problem
			if !errors.As(err, &p) {
				t.Error("not a *Problem")
			}
		})
	}
}

func TestTheCircuitsSurface(t *testing.T) {
	c := Default()
	for name, ok := range map[string]bool{"dry": true, "wet": true, "ice": true, "mud": false, "": false} {
		c.Surface = name
		if err := c.Validate(); (err == nil) != ok {
			t.Errorf("surface %q: %v", name, err)
		}
	}
	err := Decode("rig.toml", []byte("car = 'coupe'\nsurface = 'mud'\n"), &c)
	if want := `rig.toml:2:1: surface = "mud": must be dry, `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
