package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

func TestEveryBuiltInCarIsReadAndBuilt(t *testing.T) {
	if !slices.Contains(Cars(), "coupe") {
		t.Errorf("no coupe among %q", Cars())
	}
	for _, name := range Cars() {
		p, err := LoadCar(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := sim.New(p, road.Asphalt(), sim.Dt); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnUnknownCarListsTheBuiltInOnes(t *testing.T) {
	_, err := LoadCar("spaceship")
	for _, want := range append(Cars(), "spaceship: not found; choose ", ", or name a file that ends with .toml") {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
}

// alike compares two cars, their tires' files by what they hold.
func alike(a, b sim.Params) bool {
	for _, p := range []*sim.Params{&a, &b} {
		for _, axle := range []*suspension.Params{&p.Front, &p.Rear} {
			if f := axle.Tire.File; f != nil {
				axle.Tire.File = &tire.Tire{Name: f.Name, NominalLoad: f.NominalLoad, Radius: f.Radius}
			}
		}
	}
	return reflect.DeepEqual(a, b)
}

func TestACarStartsFromItsBase(t *testing.T) {
	const changes = "mass_kg = 1234\n[driveline]\ntorque = [{ rpm = 1000, nm = 99 }]\n"
	p, err := LoadCar(folder(t, map[string]string{"car.toml": "base = 'coupe'\n" + changes}))
	if err != nil {
		t.Fatal(err)
	}
	want, err := LoadCar("coupe")
	if err != nil {
		t.Fatal(err)
	}
	want.Mass, want.Driveline.TorqueCurve = 1234, []driveline.TorquePoint{{RPM: 1000, Torque: 99}}
	if !alike(p, want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
	plain := sim.DefaultCar()
	plain.Mass, plain.Driveline.TorqueCurve = want.Mass, want.Driveline.TorqueCurve
	without, err := LoadCar(folder(t, map[string]string{"car.toml": changes}))
	if err != nil || !alike(without, plain) {
		t.Errorf("without base: %v, %+v", err, without)
	}
}

// A copy of a built-in car's file gives the same car.
func TestACopyOfABuiltInCarIsTheSame(t *testing.T) {
	for _, name := range Cars() {
		files := map[string]string{}
		for _, file := range []string{name + ".toml", "coupe.tir", "reference_front.tir", "reference_rear.tir"} {
			data, err := carFiles.ReadFile("cars/" + file)
			if err != nil {
				t.Fatal(err)
			}
			files[file] = string(data)
		}
		files["car.toml"] = files[name+".toml"]
		own, err := LoadCar(name)
		copied, bad := LoadCar(folder(t, files))
		for _, p := range []*sim.Params{&own, &copied} { // named after their paths
			p.Front.Tire.File, p.Rear.Tire.File = nil, nil
		}
		if err != nil || bad != nil || !alike(own, copied) {
			t.Errorf("%s: %v, %v", name, err, bad)
		}
	}
}

func TestListsOfABaseAreReplaced(t *testing.T) {
	for name, text := range map[string]string{
		"as tables": "[[driveline.torque]]\nrpm = 1000\nnm = 99\n[[driveline.torque]]\nrpm = 2000\n",
		"inline":    "[driveline]\ntorque = [{ rpm = 1000, nm = 99 }, { rpm = 2000 }]\n",
	} {
		p, err := LoadCar(folder(t, map[string]string{"car.toml": text}))
		want := []driveline.TorquePoint{{RPM: 1000, Torque: 99}, {RPM: 2000}}
		if err != nil || !slices.Equal(p.Driveline.TorqueCurve, want) {
			t.Errorf("%s: %v, %v, want %v", name, err, p.Driveline.TorqueCurve, want)
		}
	}
}

func TestFaultsOfABaseHaveTheirPlace(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no such car", "# mine\nbase = 'hatc'\n", `car.toml:2:1: base = "hatc": must be coupe, formula`},
		{"a file", "base = 'other.toml'\n", `car.toml:1:1: base = "other.toml": must be coupe`},
		{"a number", "base = 3\n", "car.toml:1:8: base: "},
		{"in a table", "[front]\nbase = 'coupe'\n", `car.toml:2:1: unknown key "front.base"`},
		{"twice", "base = 'coupe'\nbase = 'coupe'\n", "car.toml:2:1: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := LoadCar(folder(t, map[string]string{"car.toml": tt.text}))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// A built-in car is not checked again as the base of another, and is the same car.
func TestABaseIsTheBuiltInCar(t *testing.T) {
	for _, name := range Cars() {
		want, err := LoadCar(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeCar("own.toml", []byte("base = \""+name+"\"\n"), readBeside)
		for _, axle := range [][2]*suspension.Params{{&got.Front, &want.Front}, {&got.Rear, &want.Rear}} {
			if a, b := axle[0].Tire.File, axle[1].Tire.File; (a == nil) != (b == nil) || a != nil && a.Name != b.Name {
				t.Errorf("%s: another tire", name)
			}
			axle[0].Tire.File, axle[1].Tire.File = nil, nil // has NaN where a coefficient is missing
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: another car as a base, or %v", name, err)
		}
	}
}
