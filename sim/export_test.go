package sim

import "gonum.org/v1/gonum/spatial/r3"

// Stages names the parts of a tick in the order in which StepInStages ends them;
// the first one is nothing at all, which costs what looking at a clock does.
func Stages() []string {
	return []string{"nothing", "steer", "touch", "suspension", "driveline", "tires", "outside", "air", "integrate", "report"}
}

// StepInStages does what Step does, and tells after each stage that it is done.
func (c *Car) StepInStages(s *State, in Input, done func(stage int)) {
	done(0)
	done(0)
	in = c.sane(in)
	b := axesOf(s.Att)
	o := c.assist(s, &in)
	steer := c.steer(s, in)
	done(1)
	var patches [4]patch
	c.touch(s, &b, &steer, &patches)
	done(2)
	var joins [2]joined
	c.suspension(s, &b, &patches, &joins)
	done(3)
	drive := c.driveline(s, &o)
	c.brake(s, &in, &o)
	done(4)
	var sum wrench
	c.tires(s, &patches, &drive, &sum)
	c.twist(s, &drive)
	c.warmDiscs(s)
	done(5)
	c.barsOnBody(&sum, s, &b, &patches)
	sum = c.scrape(sum, s, b)
	aloft := sum.force == (r3.Vec{})
	c.helped(&sum, s, &b, &o)
	done(6)
	c.air(&sum, s, &b, in.Shelter)
	c.pushed(&sum, &b, in.Push)
	c.weigh(&sum, s, &b)
	done(7)
	c.integrate(s, &b, &sum, &patches, aloft)
	done(8)
	c.report(s, in, &steer, &patches)
	c.reportBars(s, &joins)
	s.Tick++
	done(9)
}
