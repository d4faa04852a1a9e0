package motion

import "rig.example/rig/devices/motion/wire"

// Path computes the positions that a running platform sends to its actuators for given targets,
// within the limits of position, speed, acceleration and jerk of Config. It needs no line, no
// controller and no clock.
type Path struct{ trajectory *trajectory }

// NewPath returns the path of a platform that follows targets and rests at its center. Next
// must be called every dt [s].
func NewPath(cfg Config, dt float64) *Path {
	p := newTrajectory(cfg)
	p.dt = dt
	for i := range p.limiters {
		p.limiters[i].dt = dt
	}
	p.target = p.center
	p.startFollowing()
	p.activeTime = engageTime
	return &Path{p}
}

// Next returns where the actuators are sent for a target, dt after the previous call.
func (p *Path) Next(target wire.Legs) wire.Legs {
	return p.trajectory.step(stepInput{elapsed: p.trajectory.dt, target: target, hasNewTarget: true})
}
