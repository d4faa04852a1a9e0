package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
)

// Stages names the parts of a tick in the order in which StepInStages ends them;
// the first one is nothing at all, which costs what looking at a clock does.
func Stages() []string {
	return []string{"nothing", "assist", "steer", "touch", "suspension", "driveline", "brakes", "tires", "twist", "outside", "air", "integrate", "report"}
}

// StepInStages does what Step does, and tells after each stage that it is done.
func (c *Car) StepInStages(s *State, in Input, done func(stage int)) {
	done(0)
	done(0)
	c.sane(&in)
	b := chassis.AxesOf(s.Att)
	var o assist.Orders
	c.assist(s, &in, &o)
	done(1)
	var steer steering.Angles
	c.steering.Point(&steer, in.Steer, s.Speed)
	done(2)
	var patches [4]patch
	c.touch(s, &b, &steer, &patches)
	c.grip(s, &in, &patches)
	done(3)
	var joins [2]joined
	var wheels [4]chassis.Wheel
	c.suspension(s, &b, &patches, &wheels, &joins)
	done(4)
	var drive [4]driveline.Shaft
	c.drive(s, &o, &drive)
	done(5)
	c.brake(s, &in, &o)
	done(6)
	var sum chassis.Wrench
	c.tires(s, &patches, &drive, &sum)
	done(7)
	c.twist(s, &drive)
	c.brakes.Warm(&s.Brakes, s.Speed)
	done(8)
	c.barsOnBody(&sum, s, &b, &patches)
	c.body.Contact(&sum, &s.State, &b, &wheels, &in.Slick)
	aloft := sum.Force == (r3.Vec{})
	c.helped(&sum, s, &b, &o)
	done(9)
	c.body.Air(&sum, &s.State, &b, s.Tick, in.Shelter)
	c.body.PushAlong(&sum, &b, in.Push)
	c.body.Weigh(&sum, &s.State, &b, c.tank.gone(s))
	done(10)
	c.integrate(s, &b, &sum, &patches, &wheels, aloft)
	done(11)
	c.report(s, &in, &steer, &patches)
	c.reportBars(s, &joins)
	s.Tick++
	done(12)
}
