package config

import (
	"errors"
	"strings"
	"testing"

	"rig.example/rig/sim"
)

func TestArgumentsChangeACar(t *testing.T) {
	tests := []struct {
		name string
		set  []string
		want func(p *sim.Params)
	}{
		{"nothing", nil, func(*sim.Params) {}},
		{"a number", []string{"mass_kg=1350"}, func(p *sim.Params) { p.Mass = 1350 }},
		{"an exponent and blanks", []string{" front.spring_rate_n_per_m = 34e3 "}, func(p *sim.Params) { p.Front.SpringRate = 34e3 }},
		{"a text without quotes", []string{"rear.tire.model=dugoff"}, func(p *sim.Params) { p.Rear.Tire.Model, p.Rear.Tire.File = "dugoff", nil }},
		{"a text with quotes", []string{`rear.tire.model="dugoff"`}, func(p *sim.Params) { p.Rear.Tire.Model, p.Rear.Tire.File = "dugoff", nil }},
		{"a switch", []string{"front.tire.heat.enabled=true"}, func(p *sim.Params) { p.Front.Tire.Heat.Enabled = true }},
		{"a list", []string{"driveline.gears=[3, 2, 1]"}, func(p *sim.Params) { p.Driveline.Gears = []float64{3, 2, 1} }},
		{"two that hold only together", []string{"driveline.shift_down_rpm=7000", "driveline.shift_up_rpm=7300"},
			func(p *sim.Params) { p.Driveline.ShiftDownRPM, p.Driveline.ShiftUpRPM = 7000, 7300 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := LoadCar("coupe", tt.set...)
			want, bad := LoadCar("coupe")
			tt.want(&want)
			if err != nil || bad != nil || !alike(got, want) {
				t.Errorf("%v, %v\ngot  %+v\nwant %+v", err, bad, got, want)
			}
		})
	}
}

func TestArgumentsReplaceATiresFile(t *testing.T) {
	car := folder(t, map[string]string{
		"car.toml": "[front.tire]\nmodel = 'a.tir'\n[rear.tire]\nmodel = 'a.tir'\n",
		"a.tir":    wholeTire,
	})
	p, err := LoadCar(car, "front.tire.model=brush")
	if err != nil || p.Front.Tire.File != nil || p.Front.Tire.Model != "brush" || p.Rear.Tire.File == nil {
		t.Errorf("%v, front %+v, rear %+v", err, p.Front.Tire, p.Rear.Tire)
	}
	p, err = LoadCar("coupe", "front.tire.model="+strings.TrimSuffix(car, "car.toml")+"a.tir")
	if err != nil || p.Front.Tire.File == nil || p.Front.Tire.File.Radius != 0.325 {
		t.Errorf("%v, front %+v", err, p.Front.Tire)
	}
}

func TestFaultsOfArgumentsNameThem(t *testing.T) {
	tests := []struct {
		name string
		set  []string
		want string
	}{
		{"unknown key", []string{"mass_kg=1300", "mass=3"}, `--set "mass=3": unknown key "mass"; did you mean "mass_kg"?`},
		{"a text for a number", []string{"mass_kg=much"}, `--set "mass_kg=much": mass_kg: `},
		{"a decimal comma", []string{"mass_kg=12,5"}, `--set "mass_kg=12,5": mass_kg: `},
		{"out of range", []string{"mass_kg=-3"}, `--set "mass_kg=-3": mass_kg = -3: must be `},
		{"no value", []string{"mass_kg"}, `--set "mass_kg": give a key of the car's file and its value`},
		{"empty value", []string{"mass_kg="}, `--set "mass_kg=": mass_kg: `},
		{"no key", []string{"=3"}, `--set "=3": give a key`},
		{"two lines", []string{"mass_kg=3\nwidth_m=2"}, `--set "mass_kg=3\nwidth_m=2": give a key`},
		{"a table", []string{"[front]=3"}, `--set "[front]=3": give a key`},
		{"an entry of a list", []string{"driveline.torque[1].nm=3"}, `--set "driveline.torque[1].nm=3": one entry of a list cannot be set`},
		{"twice", []string{"mass_kg=1300", "mass_kg=1400"}, `--set "mass_kg=1400": `},
		{"another base", []string{"base=coupe"}, `--set "base=coupe": unknown key "base"`},
		{"no such tire", []string{"front.tire.model=none.tir"}, `--set "front.tire.model=none.tir": front.tire.model = "none.tir": `},
		{"a key with blanks", []string{"mass kg=3"}, `--set "mass kg=3": `},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := LoadCar("coupe", tt.set...)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if p := (*Problem)(nil); !errors.As(err, &p) {
				t.Error("not a *Problem")
			}
		})
	}
}

func FuzzSet(f *testing.F) {
	f.Add("mass_kg=1350")
	f.Add("front.tire.model=dugoff")
	f.Add(`rear={tire={model="brush"}}`)
	f.Add("driveline.gears=[3,2,1]")
	f.Add("a\"b=1")
	f.Add("=")
	f.Fuzz(func(t *testing.T, argument string) {
		p, err := LoadCar("coupe", argument)
		if err == nil {
			if err := p.Validate(); err != nil {
				t.Fatalf("%q was taken: %v", argument, err)
			}
			return
		}
		for _, e := range Faults(err) {
			if strings.Contains(e.Error(), "\n") || !strings.HasPrefix(e.Error(), "--set ") {
				t.Fatalf("%q: %q", argument, e)
			}
		}
	})
}
