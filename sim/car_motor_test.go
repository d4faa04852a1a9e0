package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/test/near"
)

// electric is a car with a motor of 200 N·m, 100 kW and 12000 rpm, which brakes with 80 N·m
// and 40 kW.
func electric(p *Params) {
	m := &p.Driveline.Motor
	m.Enabled, m.Torque, m.Power, m.MaxRPM = true, 200, 100, 12000
	m.Regen, m.RegenPower, m.RegenFade = 80, 40, 300
	m.Efficiency, m.Capacity, m.Charge, m.AuxiliaryPower = 0.9, 40, 0.5, 0
	p.Driveline.EngineInertia = 0.05
	p.Driveline.Gears, p.Driveline.FinalDrive = []float64{1}, 9
}

// All that the battery gives is what the motor does over its efficiency, and what it
// gets is what the motor brakes, times that.
func TestTheBatteryPaysForEverything(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		electric(p)
		p.Driveline.Motor.AuxiliaryPower = 300
	})
	s := c.Rest(r3.Vec{}, 0)
	near.Value(t, "start [kWh]", s.Driveline.Battery/3.6e6, 20, 1e-12)
	start, paid, got := s.Driveline.Battery, 0.0, 0.0
	for tick := range 30_000 {
		in := Input{Gear: 1, Throttle: 1}
		if tick > 10_000 {
			in.Throttle = 0
		}
		c.Step(&s, in)
		if p := s.Driveline.Flow.Engine; p > 0 {
			paid += p / 0.9 * Dt
		} else {
			got -= p * 0.9 * Dt
		}
	}
	near.Value(t, "battery", start-s.Driveline.Battery, paid-got+300*30, 1e-9*paid)
	if s.Speed > 1 || s.Speed < -1e-3 || got < 0.3*paid {
		t.Errorf("%.3f m/s at the end, %.0f kJ paid, %.0f kJ back", s.Speed, paid/1e3, got/1e3)
	}
}

// A motor in gear stands still without clutch, pulls away at once, brakes the car down to
// a roll that ends without going backward, and drives backward in reverse.
func TestAnElectricCarNeedsNoClutch(t *testing.T) {
	c := engineCar(t, electric)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 5, Input{Gear: 1})
	near.Value(t, "moved at rest", s.Pos.X, 0, 1e-6)
	run(c, &s, 4, Input{Gear: 1, Throttle: 1})
	if s.Speed < 12 {
		t.Errorf("%.1f m/s after 4 s", s.Speed)
	}
	far := s.Pos.X
	for range 60_000 {
		c.Step(&s, Input{Gear: 1})
		far = max(far, s.Pos.X)
	}
	near.Value(t, "rolled back", far-s.Pos.X, 0, 1e-3) // tires and shafts swing back
	near.Value(t, "speed at the end", s.Speed, 0, 1e-4)
	run(c, &s, 2, Input{Gear: -1, Throttle: 0.5})
	if s.Speed > -1 {
		t.Errorf("%.2f m/s in reverse", s.Speed)
	}
}

func TestAnEmptyBatteryDrivesNoMore(t *testing.T) {
	c := engineCar(t, electric)
	s := c.Rest(r3.Vec{}, 0)
	s.Driveline.Battery = 20e3
	for range 20_000 {
		c.Step(&s, Input{Gear: 1, Throttle: 1})
		if s.Driveline.Battery < 0 {
			t.Fatalf("%g J", s.Driveline.Battery)
		}
	}
	if torque := s.Driveline.Engine.Torque; s.Driveline.Engine.Running || math.Abs(torque) > 1e-9 {
		t.Errorf("running %v, %g N·m with %g J", s.Driveline.Engine.Running, torque, s.Driveline.Battery)
	}
}

func TestAFullBatteryIsNotCharged(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		electric(p)
		p.Driveline.Motor.Charge = 1
	})
	s := rolling(c, 30, 1)
	const full = 40 * 3.6e6 // [J]
	s.Driveline.Battery -= 5e3
	for range 20_000 {
		c.Step(&s, Input{Gear: 1})
		if s.Driveline.Battery > full {
			t.Fatalf("%g J of %g J", s.Driveline.Battery, float64(full))
		}
	}
	near.Value(t, "battery", s.Driveline.Battery, full, 1)
	if torque := s.Driveline.Engine.Torque; math.Abs(torque) > 0.1 || s.Speed < 10 {
		t.Errorf("brakes with %g N·m into a full battery at %.1f m/s", torque, s.Speed)
	}
}

// A motor spins the wheels of a car that starts at full throttle; traction control holds
// them near their target, with launch control and without.
func TestTractionControlHoldsAMotor(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		electric(p)
		p.Driveline.Motor.Torque = 400
	})
	for name, help := range map[string]assist.Switches{
		"traction control": {Traction: 5}, "launch control": {Launch: true}, "both": {Traction: 5, Launch: true},
	} {
		s := c.Rest(r3.Vec{}, 0)
		for i := range 3000 {
			in := Input{Gear: 1, Throttle: 1, Assists: help}
			if i < 1000 {
				in.Brake, in.Clutch = 1, 1
			} else if i < 1200 { // a foot takes its time
				in.Brake, in.Clutch = 1-float64(i-1000)/200, 1-float64(i-1000)/200
			}
			c.Step(&s, in)
			if slip := c.DrivenSlip(&s); i > 2000 && !(slip < 0.3) {
				t.Fatalf("%s: slip %.2f after %d ms", name, slip, i)
			}
		}
		if !(s.Speed > 9) {
			t.Errorf("%s: %.2f m/s after 2 s", name, s.Speed)
		}
	}
}
