// Package omct measures how much of a vehicle's motion a platform reproduces, versus frequency, after
// the Objective Motion Cueing Test: the frequency response from the specific force and rotation at
// the driver's head in the vehicle to those at the driver's head on the platform.
//
// It runs the cueing and the geometry that a drive runs, and no hardware: gain and phase of
// actuators and of the line come on top. The same configuration gives the same bits.
//
// The test is that of ICAO Doc 9625, 4th edition, part II, attachment F, as users of it
// describe it (Seehof, Durak, Duda: AIAA Modeling and Simulation Technologies Conference
// 2014; Hosman, Advani: Aeronautical Journal 2016). The document itself was not at hand:
// frequencies, channels and amplitudes are those known by the field and could not be checked
// with it, and its limits are left out.
package omct

import "math"

// gravity is the specific force on a vehicle at rest [m/s²].
const gravity = 9.80665

// Axes of inputs and of outputs: specific force along x, y, z, and rotation about them.
const (
	surge = iota
	sway
	heave
	roll
	pitch
	yaw
	axes
)

// axisNames are the names of the axes in results.
var axisNames = [axes]string{"surge", "sway", "heave", "roll", "pitch", "yaw"}

// isRotation reports whether an axis is one of rotation.
func isRotation(axis int) bool { return axis >= roll }

// channel is one test: the axis of the vehicle's motion (from), and the axis of the platform's motion that
// is measured (to).
type channel struct{ from, to int }

// channels are the standard's tests 1 to 10, in its order.
var channels = [...]channel{
	{pitch, pitch}, {pitch, surge}, {roll, roll}, {roll, sway}, {yaw, yaw},
	{surge, surge}, {surge, pitch}, {sway, sway}, {sway, roll}, {heave, heave},
}

// unit returns the unit of a channel's gain: rotations are in degrees, specific forces in m/s².
func (c channel) unit() string {
	switch from, to := isRotation(c.from), isRotation(c.to); {
	case from && !to:
		return "m/s² per deg"
	case !from && to:
		return "deg per m/s²"
	}
	return "1"
}

// Count is the number of frequencies of the test.
const Count = 12

// Frequencies returns the frequencies of the test [rad/s]: 0.1 to 15.849, five in each decade.
func Frequencies() (list [Count]float64) {
	for i := range list {
		list[i] = math.Pow(10, float64(i-5)/5)
	}
	return list
}

// Amplitudes of the vehicle's motion: a specific force of 1 m/s², or a rotation rate of 1 °/s, but at most
// an angle of 6°.
const (
	forceAmplitude = 1.0               // [m/s²]
	rateAmplitude  = 1 * math.Pi / 180 // [rad/s]
	maxRotation    = 6 * math.Pi / 180 // [rad]
)

// amplitude returns the amplitude of the vehicle's motion [m/s² or rad] at a frequency omega [rad/s].
func amplitude(axis int, omega float64) float64 {
	if isRotation(axis) {
		return math.Min(rateAmplitude/omega, maxRotation)
	}
	return forceAmplitude
}
