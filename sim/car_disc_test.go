package sim

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// adiabatic is a car whose discs hold 3000 and 2000 J/K and lose nothing.
func adiabatic() Params {
	p := DefaultCar()
	p.DragArea = 0
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.Tire.Brush.RollingResistance = 0
	}
	p.Brakes.FrontDisc.HeatCapacity, p.Brakes.RearDisc.HeatCapacity = 3000, 2000
	for _, d := range []*brakes.Disc{&p.Brakes.FrontDisc, &p.Brakes.RearDisc} {
		d.StillCooling, d.AirflowCooling = 1e-6, 1e-6
	}
	return p
}

// stop brings the car from a speed to rest [m/s] with a pedal, and returns the way [m].
func stop(c *Car, s *State, speed, pedal float64) float64 {
	temperatures := *s
	*s = rolling(c, speed, 0)
	for i := range s.Brakes.Wheels {
		s.Brakes.Wheels[i].Temperature = temperatures.Brakes.Wheels[i].Temperature
	}
	start := s.Pos
	for s.Speed > 0.01 {
		c.Step(s, Input{Brake: pedal})
	}
	return r3.Norm(r3.Sub(s.Pos, start))
}

// m·v²/2 and the wheels' spin, by each axle's share of the braking: at 0.15 g hardly
// anything goes into the tires' slip.
func TestAStopHeatsTheDiscsByItsEnergy(t *testing.T) {
	c := newCar(t, adiabatic(), Dt)
	s := c.Rest(r3.Vec{}, 0)
	stop(c, &s, 30, 0.12)
	spin := 30 / 0.3042 // rolling radius
	energy := 1500*30*30/2 + 4*1.1*spin*spin/2
	near.Value(t, "front disc", s.Brakes.Wheels[tire.FL].Temperature-15, energy*0.74/2/3000, 0.03*energy*0.74/2/3000)
	near.Value(t, "rear disc", s.Brakes.Wheels[tire.RL].Temperature-15, energy*0.26/2/2000, 0.03*energy*0.26/2/2000)
}

// What the car had ends in the discs, in the tires' slip and, to less than a hundredth, in
// the dampers; locked wheels leave it all to the tires.
func TestBrakeWorkGoesToDiscsAndTires(t *testing.T) {
	for _, tt := range []struct {
		name  string
		pedal float64
		least float64 // share of the discs
		most  float64
	}{{"gentle", 0.2, 0.97, 1}, {"firm", 0.45, 0.9, 1}, {"locked", 1, 0.01, 0.15}} {
		c := newCar(t, adiabatic(), Dt)
		s := rolling(c, 30, 0)
		energy := func() float64 {
			e := c.kineticEnergy(&s)
			for i := range s.Wheels {
				e += c.wheels[i].inertia * s.Wheels[i].Roll.Spin * s.Wheels[i].Roll.Spin / 2
			}
			return e
		}
		before, work := energy(), 0.0
		for s.Speed > 0.01 {
			c.Step(&s, Input{Brake: tt.pedal})
			for i := range s.Brakes.Wheels {
				work += s.Brakes.Wheels[i].Power * Dt
			}
		}
		lost, skid := before-energy(), 0.0
		for i := range s.Wheels {
			skid += s.Wheels[i].Roll.SlipEnergy
		}
		near.Value(t, tt.name+": discs and tires", (c.brakes.DiscEnergy(&s.Brakes)+skid)/lost, 1, 0.01)
		near.Value(t, tt.name+": discs", c.brakes.DiscEnergy(&s.Brakes)/work, 1, 1e-6)
		if share := work / lost; share < tt.least || share > tt.most {
			t.Errorf("%s: %.3f of the energy in the discs, want %g to %g", tt.name, share, tt.least, tt.most)
		}
	}
}

// Ten stops in a row from 180 km/h at a pedal that does not lock a cold car's wheels.
func TestStopsInARowGetLongerAndRepeat(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	c := newCar(t, adiabatic(), Dt)
	row := func(stops int) (ways [10]float64) {
		s := c.Rest(r3.Vec{}, 0)
		for i := range stops {
			ways[i] = stop(c, &s, 50, 0.45)
		}
		return ways
	}
	again := level.Pick(0, 2, 10) // stops
	first, second := row(10), row(again)
	if !slices.Equal(first[:again], second[:again]) {
		t.Errorf("%v, then %v", first, second)
	}
	if first[1] < 0.98*first[0] || first[9] < 1.2*first[0] {
		t.Errorf("stops in a row: %.1f m", first)
	}
}
