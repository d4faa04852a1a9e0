package sim

// Lock returns the steering wheel angle at which the front wheels reach their
// lock, to either side [rad].
func (c *Car) Lock() float64 { return c.steering.gearing.wheel(c.steering.most) }
