package motion

import (
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

const (
	targetTimeout = 0.05 // age of the newest target above which the platform parks [s]
	engageTime    = 1.0  // duration of the rise of the speed limit from the home speed to full speed when targets are first followed [s]
	faultHold     = 0.25 // standstill after a fault, before it parks [s]
	jumpHold      = 0.2  // time for which targets that jumped are ignored; if they persist, they are followed afterwards [s]
)

// stepInput is all that the trajectory depends on in one step.
type stepInput struct {
	elapsed      float64     // time since the previous step, by the clock [s]
	target       wire.Legs   // newest target, if fresh
	hasNewTarget bool        // a new target came since the previous step
	age          float64     // age of a fresh target [s]
	faults       wire.Faults // present now
	halt         bool        // stop and stay stopped, whatever else is ordered
	park         bool        // park and stay parked, whatever targets come
	interlock    bool        // a belt, door or dead-man switch was opened: park, and stay parked until ordered to home
	unresponsive bool        // it is unknown whether the controller follows: stop until it is known
	homeOrders   uint64      // number of orders to home given so far
}

// trajectory decides where the actuators go next: it holds the platform's state and steps one
// limiter for each axis. It reads no clock and no line: the same inputs give the same positions.
type trajectory struct {
	cfg    Config
	center wire.Legs
	dt     float64 // [s]

	state         State
	limiters      [wire.Axes]limiter
	interpolation [wire.Axes]interpolation // of the targets
	target        wire.Legs                // newest that was accepted
	targetAge     float64                  // of the newest target, by the clock [s]
	activeTime    float64                  // since it began to follow targets [s]
	faultTime     float64                  // since the fault [s]
	wasUnattended bool                     // rig itself did not run for a while, and the platform must be located again
	jumpTime      float64                  // for how long targets have been too far from the accepted one [s]
	faultCause    wire.Faults              // of the state Fault
	unresponsive  bool                     // as in the input of the previous step
	homesHandled  uint64                   // orders to home carried out
	heldInPlace   bool                     // found with its belt or door open: staysWhereFound, and an order to park does not move it either
	targetJumps   uint64                   // times that a target jumped

	awaitsHome      bool // found, and follows no targets until it is ordered to home
	staysWhereFound bool // found elsewhere than where it rested, or at an unknown place: neither a fault nor a halt parks it, only an order moves it
}

func newTrajectory(cfg Config) *trajectory {
	t := &trajectory{cfg: cfg, center: wire.AllAt(0.5), dt: cfg.period().Seconds()}
	for i := range t.limiters {
		t.limiters[i].dt = t.dt
		t.limiters[i].reset(0.5)
	}
	return t
}

// start begins the trajectory where the platform was found. It waits there for an order:
// somebody may be climbing on or off. What was under way persists when the line is lost and
// opened again: a fault, a halt, and parking, but none of them moves a platform that had come to
// rest before. One that is found while its belt or door is open stays where it is, unless it had
// parked there. A platform that rig itself left unattended for a moment goes on.
func (t *trajectory) start(at wire.Legs, interlock bool) {
	rested := t.state != Absent && t.isAtRest()
	for i := range t.limiters {
		t.limiters[i].reset(at[i])
	}
	t.awaitsHome = !t.wasUnattended || t.awaitsHome
	parks := t.state == Parking || t.state == Parked
	t.heldInPlace = interlock && !(parks && t.isNearPark())
	switch {
	case t.state == Fault || t.state == Halted:
		t.staysWhereFound = t.heldInPlace || rested && !t.isNearPark()
	case t.heldInPlace:
		t.state, t.staysWhereFound = Halted, true
	case t.state == Parking, t.state == Parked && t.isNearPark():
		t.state = Parking
	case t.wasUnattended && (t.state == Homing || t.state == Ready):
		t.state = Homing
	default:
		t.state, t.staysWhereFound = Waiting, true
	}
	t.targetAge, t.activeTime, t.faultTime, t.jumpTime, t.unresponsive, t.wasUnattended = 0, 0, 0, 0, false, false
}

// dropHomeOrders makes the orders to home that were given so far count as handled.
func (t *trajectory) dropHomeOrders(given uint64) { t.homesHandled = given }

// positions returns where the actuators were sent last, as fractions of the stroke.
func (t *trajectory) positions() (l wire.Legs) {
	for i := range t.limiters {
		l[i] = t.limiters[i].position
	}
	return l
}

// step advances by one dt and returns where the actuators must be then.
func (t *trajectory) step(in stepInput) wire.Legs {
	t.acceptInput(&in)
	t.nextState(&in)
	if t.unresponsive = in.unresponsive; in.unresponsive {
		return t.brake()
	}
	switch t.state {
	case Active:
		return t.stepToTarget(t.activeSpeed())
	case Parking, Parked:
		return t.stepTo(t.cfg.ParkPosition, t.cfg.ParkSpeed)
	case Fault:
		if t.faultTime += t.dt; t.faultTime < faultHold || t.mustStay() {
			return t.brake()
		}
		return t.stepTo(t.cfg.ParkPosition, t.cfg.ParkSpeed)
	case Halted:
		if !t.parksOnHalt() || t.mustStay() {
			return t.brake()
		}
		return t.stepTo(t.cfg.ParkPosition, t.cfg.ParkSpeed)
	case Waiting:
		return t.brake()
	}
	return t.stepTo(t.center, t.cfg.HomeSpeed)
}

// acceptInput takes over the newest target and its age, orders and faults. A fault does not
// move a platform that is halted, and an order to home waits until halt and interlock end.
func (t *trajectory) acceptInput(in *stepInput) {
	t.wasUnattended = false
	if in.elapsed > targetTimeout+t.dt {
		t.resumeAfterGap(in)
	}
	t.targetAge += in.elapsed
	for i := range t.interpolation {
		t.interpolation[i].advance(in.elapsed)
	}
	if in.hasNewTarget {
		t.targetAge = in.age
		t.acceptTarget(in)
	}
	switch {
	case in.halt:
		t.state = Halted
	case in.homeOrders != t.homesHandled && !in.interlock:
		t.homesHandled = in.homeOrders
		t.state, t.faultCause, t.heldInPlace, t.staysWhereFound, t.awaitsHome = Homing, 0, false, false, false
	}
	latching := in.faults & wire.Latching
	t.faultCause |= latching
	if latching != 0 && t.state != Halted && t.state != Fault {
		t.state, t.faultTime = Fault, 0
	}
	if t.unresponsive && !in.unresponsive && t.state == Active {
		t.startFollowing()
	}
}

// parkAfterGap parks a platform after a gap in which rig itself did not run: no target came
// meanwhile. A gap of more than a second ends the drive until somebody confirms it, so that a
// platform that homes or waits at its center parks as well.
func (t *trajectory) parkAfterGap(gap time.Duration) {
	const driveEnds = time.Second
	t.wasUnattended = true
	if t.state == Active || gap > driveEnds && (t.state == Ready || t.state == Homing) {
		t.state = Parking
	}
}

// resumeAfterGap starts again after a time in which nothing was sent: the actuators came to
// rest where they were sent last. Targets are followed as at the start, wherever they went
// meanwhile.
func (t *trajectory) resumeAfterGap(in *stepInput) {
	for i := range t.limiters {
		t.limiters[i].reset(t.limiters[i].position)
	}
	if t.state != Active {
		return
	}
	if t.jumpTime = 0; in.hasNewTarget {
		t.target = in.target
	}
	t.startFollowing()
}

// acceptTarget takes over a fresh target, unless it is too far from the one before: such a jump is
// an error. If it persists, it is accepted and approached from the home speed on.
func (t *trajectory) acceptTarget(in *stepInput) {
	if t.state != Active || !t.isJump(&in.target) {
		t.target, t.jumpTime = in.target, 0
		for i := range t.interpolation {
			t.interpolation[i].update(t.target[i], in.age, t.cfg.MaxSpeed[i])
		}
		return
	}
	if t.jumpTime == 0 {
		t.targetJumps++
		t.resetInterpolation()
	}
	if t.jumpTime += max(in.elapsed, t.dt); t.jumpTime > jumpHold {
		t.target, t.jumpTime = in.target, 0
		t.startFollowing()
	}
}

// isJump reports whether an actuator's target, within its limits, is farther from the accepted
// one than Config.MaxTargetJump.
func (t *trajectory) isJump(target *wire.Legs) bool {
	if t.cfg.MaxTargetJump == 0 {
		return false
	}
	for i, v := range target {
		v = min(max(v, t.cfg.MinPosition[i]), t.cfg.MaxPosition[i])
		before := min(max(t.target[i], t.cfg.MinPosition[i]), t.cfg.MaxPosition[i])
		if v-before > t.cfg.MaxTargetJump || before-v > t.cfg.MaxTargetJump {
			return true
		}
	}
	return false
}

// nextState makes the transitions that follow from targets and positions:
// homing → ready → active → parking → parked, and back to homing when targets return. A platform
// that waits does not leave its place for targets.
func (t *trajectory) nextState(in *stepInput) {
	mustPark := in.park || in.interlock
	hasTargets := in.hasNewTarget && t.targetAge <= targetTimeout && !mustPark && !t.awaitsHome
	switch t.state {
	case Homing, Ready, Active:
		switch {
		case mustPark || t.state == Active && t.targetAge > targetTimeout:
			t.state = Parking
		case t.state == Homing && t.isAt(t.center):
			t.state = Ready
		case t.state == Ready && hasTargets:
			t.startFollowing()
		case t.state == Active:
			t.activeTime += t.dt
		}
	case Parking:
		if hasTargets {
			t.startFollowing()
		} else if t.isAt(t.cfg.ParkPosition) {
			t.state = Parked
		}
	case Parked:
		if hasTargets {
			t.state = Homing
		}
	case Halted:
		if in.park && !in.halt && !t.heldInPlace {
			t.state, t.staysWhereFound = Parking, false
		}
	case Waiting:
		switch {
		case in.interlock:
			t.state, t.heldInPlace = Halted, true
		case in.park:
			t.state, t.staysWhereFound = Parking, false
		}
	}
}

// startFollowing begins to follow targets, at the home speed first.
func (t *trajectory) startFollowing() {
	t.state, t.activeTime = Active, 0
	t.resetInterpolation()
}

// resetInterpolation treats the accepted target as one that stands still.
func (t *trajectory) resetInterpolation() {
	for i := range t.interpolation {
		t.interpolation[i].reset(t.target[i])
	}
}

// mustStay reports whether neither a fault nor a halt may park the platform: it was found with
// its belt or door open, elsewhere than where it rested, or at an unknown place, its controller lost its reference, or the
// controller's own emergency stop was pressed. When that is released, the actuators would run to the path at full speed.
func (t *trajectory) mustStay() bool {
	return t.staysWhereFound || t.faultCause&(wire.FaultStop|wire.FaultReference) != 0
}

func (t *trajectory) parksOnHalt() bool { return t.cfg.StopAction == StopPark }

// activeSpeed returns the speed limit while targets are followed [strokes/s]. It rises from the
// home speed within engageTime, so that the first targets, however far, are approached gently;
// after that only each axis' own limit applies.
func (t *trajectory) activeSpeed() float64 {
	const unlimited = 1e3
	if t.activeTime >= engageTime {
		return unlimited
	}
	fastest := t.cfg.HomeSpeed
	for i := range wire.Axes {
		fastest = max(fastest, t.cfg.MaxSpeed[i])
	}
	return t.cfg.HomeSpeed + (fastest-t.cfg.HomeSpeed)*t.activeTime/engageTime
}

// stepToTarget moves each axis towards the interpolated targets, no faster than speed [strokes/s].
func (t *trajectory) stepToTarget(speed float64) (l wire.Legs) {
	for i, c := range t.interpolation {
		l[i] = t.limiters[i].step(c.position, c.speed, t.limits(i, speed))
	}
	return l
}

// stepTo moves each axis towards a position that stands still, no faster than speed [strokes/s].
func (t *trajectory) stepTo(target wire.Legs, speed float64) (l wire.Legs) {
	for i := range t.limiters {
		l[i] = t.limiters[i].step(target[i], 0, t.limits(i, speed))
	}
	return l
}

// brake brings each axis to rest by its own limits, and keeps it there.
func (t *trajectory) brake() (l wire.Legs) {
	for i := range t.limiters {
		l[i] = t.limiters[i].brake(t.limits(i, t.cfg.MaxSpeed[i]))
	}
	return l
}

// limits returns an axis' limits where none may be faster than speed [strokes/s].
func (t *trajectory) limits(axis int, speed float64) limits {
	c := &t.cfg
	return limits{c.MinPosition[axis], c.MaxPosition[axis], min(speed, c.MaxSpeed[axis]), c.MaxAccel[axis], c.MaxJerk[axis]}
}

// isNearPark reports whether every axis is within maxDisplacement of its park position.
func (t *trajectory) isNearPark() bool {
	for i := range t.limiters {
		if math.Abs(t.limiters[i].position-t.cfg.ParkPosition[i]) > maxDisplacement {
			return false
		}
	}
	return true
}

// isAt reports whether every axis rests at its position in at, as far as that is within its limits.
func (t *trajectory) isAt(at wire.Legs) bool {
	for i := range t.limiters {
		if !t.limiters[i].isAt(at[i], t.limits(i, t.cfg.MaxSpeed[i])) {
			return false
		}
	}
	return true
}

// isAtRest reports whether no axis moves.
func (t *trajectory) isAtRest() bool {
	for i := range t.limiters {
		if !t.limiters[i].isAtRest() {
			return false
		}
	}
	return true
}

// isHeld reports whether the platform rests where a halt, or a fault after which it must stay,
// has stopped it.
func (t *trajectory) isHeld() bool {
	haltHolds := t.state == Halted && !t.parksOnHalt()
	faultHolds := t.mustStay() && (t.state == Halted || t.state == Fault)
	return (haltHolds || faultHolds) && t.isAtRest()
}

// isParked reports whether the platform rests at its park position, also in a fault, and when
// a halt parks it.
func (t *trajectory) isParked() bool {
	switch t.state {
	case Parked, Fault:
		return t.isAt(t.cfg.ParkPosition)
	case Halted:
		return t.parksOnHalt() && t.isAt(t.cfg.ParkPosition)
	}
	return false
}
