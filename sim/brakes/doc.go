// Package brakes are the brakes of a car, from the pedal by way of booster, valves and anti-lock
// brakes to the discs.
//
// In: the pedal, the hand brake, pressures that other electronics ask for, and what the anti-lock
// brakes' sensors read. Out: the most that each brake can hold, and its disc's temperature by the
// work that the wheel says it did. It never turns a wheel, knows of a tire only the slip at which
// it brakes best, reads no clock, and allocates nothing after New.
package brakes
