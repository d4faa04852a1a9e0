package display

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/display/model"
	"rig.example/rig/display/model/modeltest"
)

// ownCar returns a configuration that shows the car of modeltest as the body and as the cockpit.
func ownCar(t *testing.T, body, cockpit bool) model.Config {
	t.Helper()
	path, c := filepath.Join(t.TempDir(), "car.glb"), model.DefaultConfig()
	if err := os.WriteFile(path, modeltest.Car(), 0o600); err != nil {
		t.Fatal(err)
	}
	if body {
		c.Body = path
	}
	if cockpit {
		c.Cockpit = path
	}
	return c
}

func TestOwnModelIsReadFromItsFolder(t *testing.T) {
	c := ownCar(t, true, true)
	folder := filepath.Dir(c.Body)
	text := strings.Replace(modeltest.Document, `{"byteLength":132}`, `{"byteLength":132,"uri":"car.bin"}`, 1)
	for name, data := range map[string][]byte{"car.gltf": []byte(text), "car.bin": modeltest.Buffer()} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.Cockpit = filepath.Join(folder, "car.gltf")
	own, err := loadModel(c)
	if err != nil || len(own.Body.Body.Indices) != 72 || len(own.Cockpit.Body.Indices) != 72 {
		t.Errorf("%+v, %v", own, err)
	}
	if own, err = loadModel(model.Config{}); err != nil || own.Body != nil || own.Cockpit != nil {
		t.Errorf("without files: %+v, %v", own, err)
	}
}

func TestFaultsOfAnOwnModelNameFileAndRemedy(t *testing.T) {
	c := ownCar(t, true, false)
	folder := filepath.Dir(c.Body)
	if err := os.WriteFile(c.Body, modeltest.Car()[:200], 0o600); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(folder, "large.glb")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, model.MaxBytes+1)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ body, want string }{
		{c.Body, "car.glb: 200 bytes of "},
		{filepath.Join(folder, "none.glb"), "none.glb: no such file"},
		{large, "large.glb: "},
		{folder, ": "},
	} {
		c.Body = tt.body
		err := CheckModel(c)
		if err == nil || !strings.HasPrefix(err.Error(), "display: model.body: "+folder) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}
