package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// keeps drives at a speed [m/s] as a foot does that corrects it.
func keeps(s *State, speed float64) Input {
	return helped(valid.Clamp(0.15+0.15*(speed-s.Speed), 0, 1), valid.Clamp(0.1*(s.Speed-speed-2), 0, 1))
}

func TestAutomaticShiftingDoesNotHunt(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	step := float64(level.Pick(0, 60, 12)) // [km/h]
	for _, kind := range []string{"synchro", "sequential", "automatic"} {
		for kph := 15.0; kph <= 135; kph += step {
			c := newCar(t, boxed(kind), Dt)
			s := c.Underway(r3.Vec{}, 0, kph/3.6, 0)
			changes, last := 0, int8(0)
			for tick := range 25_000 {
				c.Step(&s, keeps(&s, kph/3.6))
				if s.Driveline.Gear != 0 && s.Driveline.Gear != last {
					if tick > 12_000 {
						changes++
					}
					last = s.Driveline.Gear
				}
			}
			if changes > 1 {
				t.Errorf("%s: %d changes in 13 s at %.0f km/h", kind, changes, kph)
			}
		}
	}
}

// speedOfChange returns the speed at which a car changes into second gear at a throttle [m/s].
func speedOfChange(t *testing.T, front, throttle float64) float64 {
	p := DefaultCar()
	p.Driveline.FrontShare = front
	p.Front.Wheel.Radius = 0.31
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0)
	for range 20_000 {
		c.Step(&s, helped(throttle, 0))
		if s.Driveline.Gearbox.WantedGear == 2 {
			return s.Speed
		}
	}
	return 0
}

// At full throttle gears change at shift_up_rpm, at part throttle earlier, down to 1.35
// times shift_down_rpm; front drive changes by its own wheels.
func TestGearsChangeByThrottle(t *testing.T) {
	at := func(rpm float64) float64 { return rpm * driveline.PerRPM / (3.6 * 3.5) * 0.3 } // on wheels of about 0.30 m
	for _, front := range []float64{0, 1} {
		near.Value(t, "full throttle", speedOfChange(t, front, 1), at(6500), 0.05*at(6500))
		near.Value(t, "half throttle", speedOfChange(t, front, 0.5), at((1.35*2800+6500)/2), 0.05*at(5000))
		near.Value(t, "a third", speedOfChange(t, front, 0.3), at(1.35*2800+0.2/0.8*(6500-1.35*2800)), 0.05*at(4400))
	}
}

func TestKickDownTakesTheLowestGearThatLasts(t *testing.T) {
	c := newCar(t, boxed("automatic"), Dt)
	s := c.Underway(r3.Vec{}, 0, 100/3.6, 0)
	for range 15_000 {
		c.Step(&s, keeps(&s, 100/3.6))
	}
	cruise := s.Driveline.Gear
	run(c, &s, 1, helped(1, 0))
	if cruise < 4 || s.Driveline.Gear != 3 {
		t.Errorf("from gear %d into %d, want from 4 or more into 3", cruise, s.Driveline.Gear)
	}
}

// Wheels that spin on ice ask for no gear: the car's own speed does.
func TestSpinningWheelsDoNotShift(t *testing.T) {
	ice := tire.Dry()
	ice.Grip = 0.1
	c, err := New(DefaultCar(), road.Flat{Surface: ice}, Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 4, helped(1, 0))
	near.Value(t, "gear", float64(s.Driveline.Gear), 1, 0)
	if s.Wheels[tire.RL].Roll.Spin*0.3 < 2*s.Speed {
		t.Errorf("wheels %.1f rad/s at %.1f m/s do not spin", s.Wheels[tire.RL].Roll.Spin, s.Speed)
	}
}
