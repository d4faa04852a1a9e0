package packets

import (
	"math"
	"strconv"
)

// Motion is what a packet says of a car, converted from the axes and signs of its format. A name is the positive
// direction. What the format does not have is NaN, or "".
type Motion struct {
	Gear  string  // R, N or a number
	Speed float64 // as the format has it [m/s]

	// World: x ahead of a car of heading 0, y to its left, z up.
	Pos [3]float64 // [m]
	Vel [3]float64 // [m/s]

	Forward, Left float64 // velocity along the car [m/s]

	AccForward, AccLeft, AccUp float64 // acceleration along the car, without gravity [m/s²]

	Heading   float64 // anticlockwise seen from above [rad]
	NoseUp    float64 // [rad]
	RightDown float64 // [rad]

	RightDownRate, NoseUpRate, LeftRate float64 // angular velocity about the car's axes [rad/s]

	SteerLeft float64 // of the steering wheel or the road wheels, in the format's own unit

	Wheels [4]Wheel // front left, front right, rear left, rear right
}

// Wheel is one wheel of a Motion.
type Wheel struct {
	Slip        float64 // size of the slip, in the format's own measure
	Load        float64 // [N]
	Compression float64 // of the suspension [m]
	Spin        float64 // positive forward, in the format's own unit
}

// RearFirst lists the indices of Motion.Wheels in the order of the formats that begin with the rear left wheel.
var RearFirst = [4]int{2, 3, 0, 1}

var wheelNames = [4]string{"front left", "front right", "rear left", "rear right"}

// unknown returns a Motion of a packet that has nothing.
func unknown() Motion {
	nan := math.NaN()
	none, w := [3]float64{nan, nan, nan}, unknownWheel()
	return Motion{
		Speed: nan, Pos: none, Vel: none, Forward: nan, Left: nan, AccForward: nan, AccLeft: nan, AccUp: nan,
		Heading: nan, NoseUp: nan, RightDown: nan, RightDownRate: nan, NoseUpRate: nan, LeftRate: nan, SteerLeft: nan,
		Wheels: [4]Wheel{w, w, w, w},
	}
}

func unknownWheel() Wheel {
	nan := math.NaN()
	return Wheel{nan, nan, nan, nan}
}

// gearAboveReverse returns the name of a gear of which reverse is 0 and neutral 1.
func gearAboveReverse(gear int) string { return gearName(gear - 1) }

// gearName returns the name of a gear of which neutral is 0 and reverse is below.
func gearName(gear int) string {
	if gear > 0 {
		return strconv.Itoa(gear)
	}
	return [...]string{"R", "N"}[max(gear, -1)+1]
}
