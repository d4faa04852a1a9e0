package sim

import "rig.example/rig/sim/tire"

// peakBrakingSlip returns the smallest slip, 0.03 or more, at which the tire brakes with 98.5 % of its largest
// force, on a dry road under its load at rest.
func (k *wheel) peakBrakingSlip() float64 {
	const withoutSlip, minSlip, nearPeak = 0.1, 0.03, 0.985 // withoutSlip is for models that have no slip curve
	if _, dry := k.model.(*tire.Coulomb); dry {
		return withoutSlip
	}
	const step, steps = 0.005, 120
	var force [steps]float64
	var peak float64
	for i := range force {
		f := k.model.Forces(tire.Contact{
			Kappa: -step * float64(i+1), Load: max(k.load,
				1), Surface: tire.Dry(), Pressure: k.pressure, Speed: 15,
		})
		force[i] = -f.Fx
		peak = max(peak, force[i])
	}
	for i := range force {
		if force[i] >= nearPeak*peak {
			return max(step*float64(i+1), minSlip)
		}
	}
	return withoutSlip
}

// peakDrivingSlip returns the smallest driving slip, 0.08 to 0.6, at which the tire has 98 % of its largest
// force, on a dry road under its load at rest.
func (k *wheel) peakDrivingSlip() float64 {
	const minSlip, maxSlip, step, nearPeak = 0.08, 0.6, 0.005, 0.98
	force := func(slip float64) float64 {
		at := tire.Contact{Kappa: slip, Load: k.load, Surface: tire.Dry(), Pressure: k.pressure}
		return k.model.Forces(at).Fx
	}
	peak := 0.0
	for slip := minSlip; slip < maxSlip; slip += step {
		peak = max(peak, force(slip))
	}
	slip := minSlip
	for slip < maxSlip && force(slip) < nearPeak*peak {
		slip += step
	}
	return slip
}
