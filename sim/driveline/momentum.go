package driveline

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// crankDirection returns the direction of the crank's angular velocity [body, unit vector]: clockwise seen from the
// front, as SAE J824 has engines turn, or, for one that lies across the car, as the wheels turn forward.
func (d *Params) crankDirection() r3.Vec {
	if d.CrankAxis == "transverse" {
		return r3.Vec{Y: 1}
	}
	return r3.Vec{X: -1}
}

// Momentum returns the angular momentum of all that turns from the crank to the half shafts [N·m·s, body]: engine and
// gearbox input about the crank's axis, differentials and half shafts about that of the wheels.
func (l *System) Momentum(s *State) r3.Vec {
	crank := l.dt * (l.crankPerDt*s.EngineSpeed + l.inputPerDt*s.Gearbox.InputSpeed)
	var wheels float64
	for axle := range l.driven {
		if l.driven[axle] {
			sum := s.Shafts[2*axle+tire.FL].Speed + s.Shafts[2*axle+tire.FR].Speed
			wheels += l.dt * (l.halfShaft.inertiaPerDt + l.carrierPerDt/2) * sum
		}
	}
	return r3.Add(r3.Scale(crank, l.crank), r3.Vec{Y: wheels})
}
