package drive

import "math"

// ServoMaxTorque is the highest torque at a real rim that a driver model turns [N·m], all effects of the
// wheel included.
const ServoMaxTorque = 2

const (
	servoStiffness   = 4.0   // torque per distance to the target [N·m/rad]
	servoDamping     = 0.4   // torque against the rim's speed [N·m·s/rad]
	servoSpeedFilter = 0.008 // time constant of the filter of the rim's speed [s]
	servoTargetSpeed = 6.0   // highest speed of the target [rad/s]
	servoLead        = 0.75  // farthest that the target may be from the rim [rad], which bounds the speed of a free rim

	runawaySpeed     = 15   // speed that the servo gives no rim, unless its force pushes the wrong way [rad/s]
	runawayTime      = 0.1  // time at that speed after which the rim does not follow [s]
	stuckError       = 0.5  // distance to the target from which the rim does not follow [rad]
	stuckTorqueShare = 0.95 // share of the limit from which the torque is at its limit
	stuckTime        = 1.0  // time at that distance and torque after which the rim is stuck [s]
)

// servo turns a real rim to the angle that the driver model steers to. It is a spring and a damper.
type servo struct {
	target      float64 // angle that the rim is turned to [rad], positive left
	angle       float64 // measured [rad]
	speed       float64 // measured, filtered [rad/s]
	stuckTime   float64 // time for which the rim has not followed [s]
	runawayTime float64 // time for which the rim has turned faster than the servo turns it [s]
}

// UseRimServo makes the torque turn a real rim to the driver model's angle, instead of the car's forces,
// and lets the model steer the car whatever the rim does. Call it after UseDriverModel, before the first
// tick.
func (d *Drive) UseRimServo() { d.Setup.rimServo = true }

// HasRimServo reports whether the torque turns a real rim to the driver model's angle.
func (d *Drive) HasRimServo() bool { return d.Setup.rimServo }

// servoTorque steps the servo and returns its torque before the gate [N·m]. Until torque may flow it only
// follows the rim, so that it always begins without torque.
func (d *Drive) servoTorque(in *Inputs) float64 {
	s := &d.State
	v, state := &s.servo, s.Guard.State()
	if !in.Wheel.Present || !torqueMayFlow(state) {
		*v = servo{target: in.Wheel.Angle, angle: in.Wheel.Angle}
		return 0
	}
	wanted := v.target
	if state.Moves() {
		wanted = s.Cockpit.hands(s.model.Input.Steer).Angle
	}
	v.step(wanted, in.Wheel.Angle, d.Setup.Dt)
	return v.torque(d.servoLimit(in))
}

// step moves the target towards the wanted angle and measures the rim's speed.
func (v *servo) step(wanted, angle, dt float64) {
	v.target = approach(v.target, wanted, servoTargetSpeed*dt)
	v.target = approach(angle, v.target, servoLead)
	v.speed += dt / (servoSpeedFilter + dt) * ((angle-v.angle)/dt - v.speed)
	v.angle = angle
}

// torque returns the torque that turns the rim to the target [N·m].
func (v *servo) torque(limit float64) float64 {
	torque := servoStiffness*(v.target-v.angle) - servoDamping*v.speed
	return math.Max(-limit, math.Min(limit, torque))
}

// servoLimit returns the highest torque of the servo [N·m]: the wheel's own effects count towards
// ServoMaxTorque.
func (d *Drive) servoLimit(in *Inputs) float64 {
	own := max(in.Wheel.OwnEffectsMax, 0)
	return max(min(in.Wheel.Rated, min(ServoMaxTorque, d.forceChain().Limit(), d.State.Guard.MaxTorque())-own), 0)
}

// watchRim measures for how long the rim has not followed, by the torque that passed the gate [N·m]: one
// that fades in, or is off, may leave the rim behind.
func (d *Drive) watchRim(in *Inputs, passed float64) {
	v, limit := &d.State.servo, d.servoLimit(in)
	left := limit > 0 && math.Abs(v.target-v.angle) > stuckError && math.Abs(passed) >= stuckTorqueShare*limit
	v.stuckTime = timeWhile(left, v.stuckTime, d.Setup.Dt)
	v.runawayTime = timeWhile(math.Abs(v.speed) > runawaySpeed, v.runawayTime, d.Setup.Dt)
}

// timeWhile returns a time that grows by dt while on is true, and is 0 otherwise [s].
func timeWhile(on bool, time, dt float64) float64 {
	if !on {
		return 0
	}
	return time + dt
}

// isStuck reports whether the rim does not follow: somebody holds or turns it, it is blocked, or its force pushes
// the wrong way.
func (v *servo) isStuck() bool { return v.runawayTime >= runawayTime || v.stuckTime >= stuckTime }

// handsOn returns the estimate of hands on the rim for the guard, 0..1. A rim that turns by itself needs none, nor does one that
// belongs to another simulator.
func (d *Drive) handsOn() float64 {
	if d.Setup.rimServo || d.follows() {
		return 1
	}
	return d.State.Force.Trace().HandsOn
}
