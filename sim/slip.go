package sim

import "rig.example/rig/sim/tire"

// bestSlip returns the least slip at which the tire brakes about as well as it can.
func (k *wheel) bestSlip() float64 {
	const none, least, enough = 0.1, 0.03, 0.985 // the first for wheels that know no slip
	if _, dry := k.model.(*tire.Coulomb); dry {
		return none
	}
	const step, steps = 0.005, 120
	var force [steps]float64
	var best float64
	for i := range force {
		f := k.model.Forces(tire.Contact{
			Kappa: -step * float64(i+1), Load: max(k.load, 1), Surface: tire.Dry(), Pressure: k.pressure, Speed: 15,
		})
		force[i] = -f.Fx
		best = max(best, force[i])
	}
	for i := range force {
		if force[i] >= enough*best {
			return max(step*float64(i+1), least)
		}
	}
	return none
}

// gripping returns the driving slip from which a tire holds 98 % of its most, on a dry
// road under its load at rest.
func (k *wheel) gripping() float64 {
	const least, most, step, enough = 0.08, 0.6, 0.005, 0.98
	force := func(slip float64) float64 {
		at := tire.Contact{Kappa: slip, Load: k.load, Surface: tire.Dry(), Pressure: k.pressure}
		return k.model.Forces(at).Fx
	}
	top := 0.0
	for slip := least; slip < most; slip += step {
		top = max(top, force(slip))
	}
	slip := least
	for slip < most && force(slip) < enough*top {
		slip += step
	}
	return slip
}
