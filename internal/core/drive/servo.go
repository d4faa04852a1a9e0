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
)

// servo turns a real rim to the angle that the driver model steers to. It is a spring and a damper.
type servo struct {
	target float64 // angle that the rim is turned to [rad], positive left
	angle  float64 // measured [rad]
	speed  float64 // measured, filtered [rad/s]
}

// turn steps the servo and returns its torque before the gate [N·m]. Until torque may flow it only
// follows the rim, so that it always begins without torque.
func (v *servo) turn(w *Wheel, in *rimInputs, limit, dt float64) float64 {
	if !w.Present || !torqueMayFlow(in.state) {
		*v = servo{target: w.Angle, angle: w.Angle}
		return 0
	}
	wanted := v.target
	if in.state.Moves() {
		wanted = in.hands
	}
	v.step(wanted, w.Angle, dt)
	return v.torque(limit)
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
func (r *Rim) servoLimit(s *RimState, w *Wheel, maxTorque float64) float64 {
	own := max(w.OwnEffectsMax, 0)
	return max(min(w.Rated, min(ServoMaxTorque, r.chain(s).Limit(), maxTorque)-own), 0)
}
