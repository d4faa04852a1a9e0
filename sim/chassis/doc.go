// Package chassis is the body of a car: a rigid body on which wheels move up and down, with an outside (hull)
// that touches the ground and walls, and surfaces on which the air acts.
//
// Inputs are Params with masses and dimensions, and in each tick the forces of the tires and the wheels'
// motion with the body held, from the suspension. The output is the body's motion, in State. It never looks
// at a tire, a spring, a clock or a global variable: equal inputs give equal bits.
//
// Four unsprung masses move along the body's z. The body responds to impulses by an inverse mass matrix for
// each set of wheels that are at an end of their travel (mass.go), so that the ends are exact and momentum is
// kept. Rotation is integrated by the implicit midpoint rule with Cayley's map, position in the air by the
// trapezoidal rule (body.go): a free car keeps momentum, angular momentum and energy up to rounding.
// contact.go, hull.go and edge.go are the outside, aero.go and wind.go the air.
package chassis
