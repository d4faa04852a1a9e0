// Package suspension simulates the suspension of a car: springs, dampers, anti-roll bars, links, solid axles
// on joints, and how a wheel finds the ground (footing).
//
// Inputs of a tick are the travel and travel speed of the wheels, the steering angles, the body's motion and
// the ground. Outputs are the pose of each wheel (Place), its contact (Touch), its load and the bars' forces
// (Step). The body does not move during these steps: chassis.Body moves it later, and the wheels by the
// chassis.Wheel that Step fills in. This package never spins a wheel, knows no engine and no driver, and
// allocates nothing in a tick.
//
// Both sides of an axle are solved together with their bar by a linearly implicit step. Spring forces, link
// curves (kinematics.go) and the motion ratio are piecewise quadratic functions of the travel, so that force
// and rate are consistent, and position and slope too. The links' forces on the travel follow from virtual
// work. joint.go has solid axles, which a lateral spring holds.
package suspension
