// Package brakes simulates the brakes of a car, from the pedal through booster, valves and anti-lock brakes
// (ABS) to the discs.
//
// Inputs are the pedal, the handbrake, pressures that other electronics demand, and the sensors of the ABS.
// Outputs are the largest torque that each brake can hold, and the temperature of its disc, which follows
// from the power that the caller reports. The package never turns a wheel. All it knows of a tire is the slip
// at which it brakes best. It reads no clock and allocates nothing after New.
package brakes
