package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A packed car is the car that LoadCar returns, on a machine without its files.
func TestAPackedCarNeedsNoFile(t *testing.T) {
	path := folder(t, map[string]string{
		"car.toml": "base = 'hatch'\nmass_kg = 1111\n[rear.tire]\nmodel = 'rear.tir'\n",
		"rear.tir": wholeTire,
	})
	other := filepath.Join(t.TempDir(), "rear.tir") // of the same name
	if err := os.WriteFile(other, []byte(strings.Replace(wholeTire, "4300", "4400", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		set  []string
	}{
		{"coupe", nil},
		{"coupe", []string{"mass_kg=1300", "front.tire.model=" + other}},
		{path, []string{"front.tire.model=" + other}},
	} {
		want, err := LoadCar(tt.name, tt.set...)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := PackCar(tt.name, tt.set...)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(packed)
		if err != nil {
			t.Fatal(err)
		}
		var there CarFiles
		if err := json.Unmarshal(text, &there); err != nil {
			t.Fatal(err)
		}
		got, err := there.Unpack(tt.set...)
		for _, tire := range []*string{&want.Front.Tire.Model, &want.Rear.Tire.Model, &got.Front.Tire.Model, &got.Rear.Tire.Model} {
			*tire = filepath.Base(*tire)
		}
		if err != nil || got.Mass != want.Mass || (got.Front.Tire.File == nil) != (want.Front.Tire.File == nil) {
			t.Fatalf("%s %q: %v", tt.name, tt.set, err)
		}
		if f := got.Front.Tire.File; f != nil && !reflect.DeepEqual(f.NominalLoad, want.Front.Tire.File.NominalLoad) {
			t.Errorf("%s %q: a load of %g, want %g", tt.name, tt.set, f.NominalLoad, want.Front.Tire.File.NominalLoad)
		}
	}
}

func TestAPackedCarReadsNoFileOfThisMachine(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.tir")
	if err := os.WriteFile(secret, []byte(wholeTire), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []CarFiles{{Name: "coupe"}, {Name: "a.toml", Text: "[front.tire]\nmodel = '" + secret + "'\n"}} {
		if _, err := f.Unpack("rear.tire.model=" + secret); err == nil || !strings.Contains(err.Error(), "not among the car's files") {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if _, err := PackCar("spaceship"); err == nil || !strings.Contains(err.Error(), "spaceship: not found") {
		t.Errorf("%v", err)
	}
}

func TestKeysOfCarsAreKnown(t *testing.T) {
	for key, want := range map[string]string{
		"mass_kg": "", "front.tire.brush.slip_stiffness_n": "", "front.spring_rate_n_per_m": "",
		"mass": `did you mean "mass_kg"?`, "mass_kg.x": "unknown key", "": "unknown key", "front.": "unknown key",
	} {
		if err := CheckCarKey(key); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", key, err, want)
		}
	}
}
