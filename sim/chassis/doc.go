// Package chassis is the body of a car: a rigid body on which wheels slide up and down, with an
// outside that meets the ground and walls, and surfaces on which the air pushes.
//
// In goes what Params say of mass and measures, and each tick the forces of the tires and how far
// the suspension moves the wheels while the body stands; out comes its motion, in State.
// It never looks at a tire, a spring, a clock or a global: equal values give equal bits.
//
// Four unsprung masses slide along the body's z, and it answers to pushes by an inverse mass matrix for each set of
// wheels at an end of their travel (mass.go), so that ends are exact and momentum is kept. Rotation is the implicit
// midpoint rule with Cayley's map, places are trapezoidal in the air (body.go): a free car keeps momentum, angular
// momentum and energy to rounding. contact.go, hull.go and edge.go are the outside, aero.go and wind.go the air.
package chassis
