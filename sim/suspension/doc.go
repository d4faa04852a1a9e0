// Package suspension holds the wheels of a car: springs, dampers, anti-roll bars, links, axles on joints,
// and how a wheel finds the ground (footing).
//
// Into a tick come travel and speed of the wheels, how steering and body stand, and the ground; out come
// the pose of each wheel (Place), its contact (Touch), its load and what the bars do (Step), each written by
// that one stage. The body is held during the tick: chassis.Body moves it, and the wheels with it, by what
// Step leaves in chassis.Wheel. Nothing here turns a wheel, knows an engine or a driver, or allocates in a tick.
//
// Both sides of an axle are solved at once with their bar, linearly implicitly. A spring's law, the links'
// curves (kinematics.go) and the motion ratio are pieces of second order over the travel, so that force and rate, way
// and slope belong together; the links work on the travel by virtual work in both directions. joint.go hangs a
// solid axle on a lateral spring.
package suspension
