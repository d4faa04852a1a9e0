package sim

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// electric is a car with a motor of 200 N·m, 100 kW and 12000 rpm, which brakes with 80 N·m
// and 40 kW.
func electric(p *Params) {
	m := &p.Driveline.Motor
	m.Enabled, m.Torque, m.Power, m.MaxRPM = true, 200, 100, 12000
	m.Regen, m.RegenPower, m.RegenFade = 80, 40, 300
	m.Efficiency, m.Capacity, m.Charge, m.Auxiliary = 0.9, 40, 0.5, 0
	p.Driveline.Inertia = 0.05
	p.Driveline.Gears, p.Driveline.Final = []float64{1}, 9
}

func TestAMotorKeepsItsLimits(t *testing.T) {
	c := engineCar(t, electric)
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
		s := c.Rest(r3.Vec{}, 0)
		s.Driveline.Engine = tt.rpm * perRPM
		got, held := c.give(&s, &orders{throttle: 1})
		near.Value(t, fmt.Sprintf("torque at %g rpm", tt.rpm), got, tt.drive, 1e-9)
		near.Value(t, "held", held, 0, 0)
		got, _ = c.give(&s, &orders{})
		near.Value(t, fmt.Sprintf("released at %g rpm", tt.rpm), got, tt.brake, 1e-9)
		got, _ = c.give(&s, &orders{throttle: 1, cut: 1})
		near.Value(t, "all cut", got, 0, 1e-12)
	}
	for _, rpm := range []float64{0, 2000, 5000, 9000, 11000} { // the curve that others see
		w := rpm * math.Pi / 30
		near.Value(t, fmt.Sprintf("curve at %g rpm", rpm), c.engine.full(w), min(200, 100e3/max(w, 1)), 0.2)
	}
}

// All that the battery gives is what the motor does over its efficiency, and what it
// gets is what the motor brakes, times that.
func TestTheBatteryPaysForEverything(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		electric(p)
		p.Driveline.Motor.Auxiliary = 300
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
	torque, _ := c.give(&s, &orders{throttle: 1})
	if s.Driveline.Power.Running || torque != 0 {
		t.Errorf("running %v, %g N·m with %g J", s.Driveline.Power.Running, torque, s.Driveline.Battery)
	}
}

func TestAFullBatteryIsNotCharged(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		electric(p)
		p.Driveline.Motor.Charge = 1
	})
	s := rolling(c, 30, 1)
	s.Driveline.Battery -= 5e3
	for range 20_000 {
		c.Step(&s, Input{Gear: 1})
		if s.Driveline.Battery > c.motor.capacity {
			t.Fatalf("%g J of %g J", s.Driveline.Battery, c.motor.capacity)
		}
	}
	near.Value(t, "battery", s.Driveline.Battery, c.motor.capacity, 1)
	if torque, _ := c.give(&s, &orders{}); math.Abs(torque) > 0.1 || s.Speed < 10 {
		t.Errorf("brakes with %g N·m into a full battery at %.1f m/s", torque, s.Speed)
	}
}

func TestAMotorsEfficiencyMap(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		electric(p)
		p.Driveline.Motor.Map = []EfficiencyPoint{{1000, 0, 0.6}, {1000, 200, 0.8}, {5000, 0, 0.8}, {5000, 200, 0.96}}
	})
	s := c.Rest(r3.Vec{}, 0)
	c.give(&s, &orders{})
	w := 3000 * math.Pi / 30
	near.Value(t, "driving", c.motor.draws(&s, 100, w), 100*w/0.79, 1e-9*100*w)
	near.Value(t, "braking", c.motor.draws(&s, -100, w), -100*w*0.79, 1e-9*100*w)
}

// A motor spins the wheels of a car that starts at full throttle; traction control holds
// them near their target, with launch control and without.
func TestTractionControlHoldsAMotor(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		electric(p)
		p.Driveline.Motor.Torque = 400
	})
	for name, help := range map[string]Assists{
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
