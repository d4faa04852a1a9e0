package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
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
	c.clampInput(&in)
	b := chassis.AxesOf(s.Att)
	var o assist.Orders
	c.stepAssist(s, &in, &o)
	done(1)
	var steer steering.Angles
	c.steering.WheelAngles(&steer, in.Steer, s.Speed)
	done(2)
	var poses [4]suspension.Pose
	var contacts [4]suspension.Contact
	c.findContacts(s, &b, &steer, &poses, &contacts)
	c.applyMaterials(s, &in, &contacts)
	done(3)
	var slides [4]chassis.Wheel
	ws := s.suspensionWheels(&poses, &contacts, &slides)
	var bars [2]suspension.Coupling
	c.stepSuspension(s, &b, &ws, &bars)
	done(4)
	var drive [4]driveline.Shaft
	momentumBefore := c.driveline.Momentum(&s.Driveline)
	c.stepDriveline(s, &o, &drive)
	momentum := c.driveline.Momentum(&s.Driveline)
	done(5)
	c.stepBrakes(s, &in, &o)
	done(6)
	var sum chassis.Wrench
	var grips [4]tireForces
	c.stepTires(s, &b, &ws, &drive, &grips, &sum)
	done(7)
	c.addDrivelineReaction(&sum, &b, momentumBefore, momentum)
	c.twistShafts(s, &drive)
	c.brakes.HeatDiscs(&s.Brakes, s.Speed)
	done(8)
	c.suspension.AddBarForces(&sum, s.Pos, &b, &poses, &bars)
	c.chassis.AddContact(&sum, &s.State, &b, &slides, &in.Slick)
	aloft := sum.Force == (r3.Vec{})
	c.addArcadeAids(&sum, s, &b, &o)
	done(9)
	c.chassis.AddAir(&sum, &s.State, &b, s.Tick, in.Slipstream)
	c.chassis.AddPush(&sum, &b, in.PushForce)
	c.chassis.AddBurnedFuel(&sum, &s.State, &b, c.tank.burned(s))
	done(10)
	c.integrate(s, &b, &sum, &ws, &grips, &slides, momentum, aloft)
	done(11)
	c.reportSteering(s, &in, &steer, &poses, &contacts, &grips)
	c.reportBars(s, &bars)
	s.Tick++
	done(12)
}

// stood is what the stages of a tick find of the wheels up to their loads.
type stood struct {
	poses    [4]suspension.Pose
	contacts [4]suspension.Contact
	slides   [4]chassis.Wheel
	bars     [2]suspension.Coupling
}

// stands finds how the wheels of a car are held and where they stand.
func (c *Car) stands(s *State, steer *steering.Angles) (f stood) {
	b := chassis.AxesOf(s.Att)
	c.findContacts(s, &b, steer, &f.poses, &f.contacts)
	return f
}

// carries moves them along their travel.
func (c *Car) carries(s *State, f *stood) {
	b, ws := chassis.AxesOf(s.Att), s.suspensionWheels(&f.poses, &f.contacts, &f.slides)
	c.stepSuspension(s, &b, &ws, &f.bars)
}

// pushes returns what bars beside the springs do to the body.
func (c *Car) pushes(s *State, f *stood) (on chassis.Wrench) {
	b := chassis.AxesOf(s.Att)
	c.suspension.AddBarForces(&on, s.Pos, &b, &f.poses, &f.bars)
	return on
}
