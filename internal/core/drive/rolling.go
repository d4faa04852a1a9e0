package drive

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
)

// StartRolling lets the car begin at a speed [m/s] where it stands, in the gear that fits. It keeps that speed, as in a
// pause, until the drive engages. A place on the grid and a driver model begin from rest: call it before StartOnGrid,
// UseDriverModel and the first tick. It returns an error if the car cannot have that speed.
func (d *Drive) StartRolling(speed float64) error {
	s, car, p := &d.State, d.Setup.Car, d.Setup.Car.Params()
	gear := p.GearFor(speed)
	limit := p.Driveline.TorqueCurve[len(p.Driveline.TorqueCurve)-1].RPM
	if fastest := maxSpeed(car, gear, limit); speed > fastest {
		return fmt.Errorf("start_speed_kmh = %.4g: the engine of this car turns too fast; at most %.0f", speed*3.6, math.Floor(fastest*3.6))
	}
	at := d.Setup.Circuit.At(s.Station)
	s.Car = car.Underway(at.Pos, at.Heading, speed, gear)
	s.Cockpit.lever = inDrive
	return nil
}

// maxSpeed returns the speed [m/s] at which the engine turns at a speed [1/min] in a gear.
func maxSpeed(car *sim.Car, gear int8, rpm float64) float64 {
	perSpeed := math.Abs(car.Underway(r3.Vec{}, 0, 1, gear).Driveline.EngineSpeed)
	if perSpeed == 0 { // nothing joins engine and wheels
		return math.Inf(1)
	}
	return rpm * math.Pi / 30 / perSpeed
}
