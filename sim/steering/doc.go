// Package steering is the steering of a car: gearing, linkage, kingpins, rack and power
// assist, and how two keys move a steering wheel.
//
// A tick is two steps: Point turns the wheels, and once the road has acted on them, Torque moves the rack
// and says what is felt.
//
// In: the steering wheel's angle, the car's speed, and what turns the front wheels about their
// kingpins. Out: the angle of each wheel, and the torque at the steering wheel. It never looks
// at tires or suspension, reads a clock, or allocates after New. Angles and torques are positive
// to the left, speeds positive ahead.
package steering
