package motion

import "rig.example/rig/devices/motion/wire"

// Path is where a running platform sends its actuators for what is demanded of it: within
// the limits of position, speed, acceleration and jerk of [motion]. It knows no line, no
// controller and no clock.
type Path struct{ trajectory *trajectory }

// NewPath returns the path of a platform that follows and rests at its centre. It is asked
// every dt [s].
func NewPath(cfg Config, dt float64) *Path {
	p := newTrajectory(cfg)
	p.dt = dt
	for i := range p.axis {
		p.axis[i].dt = dt
	}
	p.demand = p.centre
	p.engage()
	p.active = engage
	return &Path{p}
}

// Next returns where the actuators are sent for a demand, a dt after the last.
func (p *Path) Next(demand wire.Legs) wire.Legs {
	return p.trajectory.step(orders{elapsed: p.trajectory.dt, demand: demand, fresh: true})
}

// Warnings is how many demands jumped farther than is believed.
func (p *Path) Warnings() uint64 { return p.trajectory.warnings }
