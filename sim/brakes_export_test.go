package sim

import "rig.example/rig/sim/tire"

// IdealBraking returns the deceleration over gravity of brakes that use each tire's peak
// at the load that it then has.
func (c *Car) IdealBraking() float64 {
	p := &c.p
	weight := p.Mass * p.Gravity
	z := 1.0
	for range 50 {
		front := weight * (p.Wheelbase - p.CGToFront + z*p.CGHeight) / p.Wheelbase
		z = 2 * (c.wheels[tire.FL].peak(front/2) + c.wheels[tire.RL].peak((weight-front)/2)) / weight
	}
	return z
}

// peak returns the largest braking force of a tire under a load [N].
func (k *wheel) peak(load float64) (best float64) {
	for slip := 0.002; slip < 1; slip += 0.002 {
		f := k.model.Forces(tire.Contact{Kappa: -slip, Load: load, Surface: tire.Dry(), Pressure: k.pressure, Speed: 15})
		best = max(best, -f.Fx)
	}
	return best
}
