package sim

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim/driveline"
)

func TestTheDefaultCarIsValid(t *testing.T) {
	if err := DefaultCar().Validate(); err != nil {
		t.Error(err)
	}
}

func TestValidateNamesEveryBadField(t *testing.T) {
	p := DefaultCar()
	p.Mass = math.NaN()
	p.Front.SpringRate = 0
	p.Rear.Tire.Brush.Friction = -1
	p.Driveline.Gears = []float64{3, 0}
	p.Driveline.TorqueCurve = []driveline.TorquePoint{{RPM: 2000, Torque: 100}, {RPM: 1000, Torque: 100}}
	err := p.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"mass_kg = NaN: must be 100 to 20000",
		"front.spring_rate_n_per_m = 0: must be 5000 to 500000",
		"rear.tire.brush.friction = -1: must be 0.01 to 3",
		"driveline.gears[1] = 0: must be 0.2 to 20",
		"driveline.torque[1].rpm = 1000: must be 2001 to 30000",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in:\n%v", want, err)
		}
	}
	if lines := strings.Count(err.Error(), "\n") + 1; lines != 5 {
		t.Errorf("%d lines, want 5:\n%v", lines, err)
	}
}

func TestNewRefusesWhatCannotDrive(t *testing.T) {
	soft := DefaultCar()
	soft.Rear.SpringRate = 10e3
	tests := []struct {
		name string
		make func() (*Car, error)
		want string
	}{
		{"no ground", func() (*Car, error) { return New(DefaultCar(), nil, Dt) }, "no ground"},
		{"time step", func() (*Car, error) { return New(DefaultCar(), road.Asphalt(), 0.1) }, "dt = 0.1"},
		{"soft springs", func() (*Car, error) { return New(soft, road.Asphalt(), Dt) }, "rests on its bump stops"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := tt.make(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestACarKeepsItsOwnParams(t *testing.T) {
	p := DefaultCar()
	c := newCar(t, p, Dt)
	p.Driveline.Gears[0], p.Driveline.TorqueCurve[0].Torque = 1, 1
	c.Params().Driveline.Gears[1] = 1
	if got := c.Params().Driveline; got.Gears[0] != 3.6 || got.Gears[1] != 2.2 || got.TorqueCurve[0].Torque != 180 {
		t.Errorf("changed from outside: %+v", got)
	}
}
