package config

import (
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/display/model"
)

func TestACarsModelIsBesideItsFile(t *testing.T) {
	car := folder(t, map[string]string{"car.toml": "base = 'hatch'\n[model]\nbody = 'my/car.glb'\ncockpit = '/models/seat.gltf'\nscale = 0.01\nahead_m = -0.2\nup_m = 0.1\n"})
	got, err := LoadModel(car)
	want := model.Config{Body: filepath.Join(filepath.Dir(car), "my/car.glb"), Cockpit: "/models/seat.gltf", Scale: 0.01, Ahead: -0.2, Up: 0.1}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	t.Chdir(filepath.Dir(car))
	if got, err = LoadModel("./car.toml"); err != nil || got != want {
		t.Errorf("from its folder: %+v, %v", got, err)
	}
	plain, _ := LoadCar("hatch")
	if p, err := LoadCar(car); err != nil || p.Mass != plain.Mass {
		t.Errorf("the model changes the car: %v", err)
	}
	if got, err = LoadModel("hatch"); err != nil || got != model.DefaultConfig() {
		t.Errorf("a built-in car: %+v, %v", got, err)
	}
}

func TestFaultsOfACarsModelHaveTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"[model]\nscale = 0\n":        "car.toml:2:1: model.scale = 0: must be 0.0001 to 1000",
		"[model]\nbody = 3\n":         "car.toml:2:8: model.body: must not be a TOML integer",
		"[model]\n\nwheels = 'a'\n":   "car.toml:3:1: ",
		"[model]\nahead_m = -11\n":    "car.toml:2:1: model.ahead_m = -11: must be -10 to 10",
		"base = 'x'\n[model]\nup_m=1": "car.toml:1:1: base",
	} {
		car := folder(t, map[string]string{"car.toml": text})
		_, err := LoadModel(car)
		_, same := LoadCar(car)
		if err == nil || !strings.Contains(err.Error(), want) || same == nil || same.Error() != err.Error() {
			t.Errorf("%q: %v and %v, want %q", text, err, same, want)
		}
	}
}
