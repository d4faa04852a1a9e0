package sim

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// What the wheels get the engine gives: how hard a car pulls away does not depend
// on the step, whichever axles are driven.
func TestTheDrivelineTakesNothingForItself(t *testing.T) {
	for _, front := range []float64{0, 0.5, 1} {
		gained := func(dt float64) float64 {
			p := DefaultCar()
			p.Driveline.FrontShare = front
			c := newCar(t, p, dt)
			s := rolling(c, 8, 1)
			run(c, &s, 0.3, Input{Gear: 1, Throttle: 0.6})
			before := s.Speed
			run(c, &s, 1, Input{Gear: 1, Throttle: 0.6})
			return s.Speed - before
		}
		fine := gained(5e-5)
		for _, dt := range []float64{2e-3, 1e-3} {
			near(t, fmt.Sprintf("front share %g, %g ms: speed gained", front, dt*1e3), gained(dt), fine, 5e-4*fine)
		}
	}
}

// Wheels in the air turn up evenly with the engine, in the lowest of gears and
// with any axles driven.
func TestALowGearDoesNotSwing(t *testing.T) {
	for _, final := range []float64{7, 20} {
		for _, front := range []float64{0, 0.5, 1} {
			p := DefaultCar()
			p.Driveline.FrontShare, p.Driveline.Final = front, final
			c := newCar(t, p, Dt)
			s := rolling(c, 0, 1)
			s.Pos, s.Engine = r3.Vec{Z: 100}, 3000*perRPM
			for i := range s.Wheels {
				s.Wheels[i].Roll.Spin = s.Engine / c.ratio(1)
			}
			for range 1000 {
				was := s.Wheels
				c.Step(&s, Input{Gear: 1, Throttle: 0.3})
				for i := range s.Wheels {
					if jump := math.Abs(s.Wheels[i].Roll.Spin - was[i].Roll.Spin); s.Tick > 500 && jump > 0.05 {
						t.Fatalf("final drive %g, front share %g, %d ms: wheel %d gains %.2f rad/s in a tick", final, front, s.Tick, i, jump)
					}
				}
			}
		}
	}
}
