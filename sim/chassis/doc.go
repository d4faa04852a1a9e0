// Package chassis is the body of a car: a rigid body on which wheels slide up and down, with an
// outside that meets the ground and walls, and surfaces on which the air pushes.
//
// In goes what Params say of mass and measures, and each tick the forces of the tires and how far
// the suspension moves the wheels while the body stands; out comes its motion, in State.
// It never looks at a tire, a spring, a clock or a global: equal values give equal bits.
package chassis
