package driveline

import (
	"fmt"
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// electric has a motor of 200 N·m, 100 kW and 12000 rpm, which brakes with 80 N·m and 40 kW.
func electric(p *Params) {
	m := &p.Motor
	m.Enabled, m.Torque, m.Power, m.MaxRPM = true, 200, 100, 12000
	m.Regen, m.RegenPower, m.RegenFade = 80, 40, 300
	m.Efficiency, m.Capacity, m.Charge, m.AuxiliaryPower = 0.9, 40, 0.5, 0
	p.EngineInertia = 0.05
	p.Gears, p.FinalDrive = []float64{1}, 9
}

func TestAMotorKeepsItsLimits(t *testing.T) {
	c := lone(t, electric)
	for _, tt := range []struct{ rpm, drive, brake float64 }{
		{0, 200, 0},
		{150, 200, -40}, // braking fades out below 300 rpm
		{1000, 200, -80},
		{-1000, 200, 80}, // turned backward, braking still brakes
		{3000, 200, -80},
		{6000, 100e3 / (6000 * math.Pi / 30), -40e3 / (6000 * math.Pi / 30)},
		{11880, 100e3 / (11880 * math.Pi / 30) / 2, -40e3 / (11880 * math.Pi / 30)},
		{12000, 0, -40e3 / (12000 * math.Pi / 30)},
		{13000, 0, -40e3 / (13000 * math.Pi / 30)},
	} {
		s := c.Rest(0)
		s.EngineSpeed = tt.rpm * PerRPM
		got, held := c.engineTorque(&s, &orders{Input: Input{Throttle: 1}})
		near.Value(t, fmt.Sprintf("torque at %g rpm", tt.rpm), got, tt.drive, 1e-9)
		near.Value(t, "held", held, 0, 0)
		got, _ = c.engineTorque(&s, &orders{})
		near.Value(t, fmt.Sprintf("released at %g rpm", tt.rpm), got, tt.brake, 1e-9)
		got, _ = c.engineTorque(&s, &orders{Input: Input{Throttle: 1, TorqueCut: 1}})
		near.Value(t, "all cut", got, 0, 1e-12)
	}
	for _, rpm := range []float64{0, 2000, 5000, 9000, 11000} { // the curve that others see
		w := rpm * math.Pi / 30
		near.Value(t, fmt.Sprintf("curve at %g rpm", rpm), c.engine.fullTorque(w), min(200, 100e3/max(w, 1)), 0.2)
	}
}

func TestAMotorsEfficiencyMap(t *testing.T) {
	c := lone(t, func(p *Params) {
		electric(p)
		p.Motor.Map = []EfficiencyPoint{{1000, 0, 0.6}, {1000, 200, 0.8}, {5000, 0, 0.8}, {5000, 200, 0.96}}
	})
	s := c.Rest(0)
	c.engineTorque(&s, &orders{})
	w := 3000 * math.Pi / 30
	near.Value(t, "driving", c.motor.batteryPower(&s, 100, w), 100*w/0.79, 1e-9*100*w)
	near.Value(t, "braking", c.motor.batteryPower(&s, -100, w), -100*w*0.79, 1e-9*100*w)
}
