// Package steering is the steering of a car: gearing, linkage, kingpins, rack and power
// assist, and how two keys move a steering wheel (Keyboard).
//
// A tick has two steps: WheelAngles computes the wheels' angles, and Step, after the road has acted on
// the wheels, moves the rack and returns the torque at the steering wheel.
//
// Inputs are the steering wheel's angle, the car's speed, and the moments on the front wheels about
// their kingpins. Outputs are the angle of each wheel and the torque at the steering wheel. The package
// never looks at tires or suspension, reads no clock, and allocates nothing after New. Angles and
// torques are positive to the left, speeds positive forward.
package steering
