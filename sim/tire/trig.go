package tire

import "math"

// The Magic Formula is made of arc tangents, sines and cosines; these are twice
// as fast as the library's and within 2e-13 of them.

// atanNode is a point of the arc tangent that others are taken from.
type atanNode struct{ x, atan float64 }

// The nodes lie in the middle of 16 steps for each octave from 2^-6 to 2^6.
const (
	atanSteps  = 16
	atanOctave = 6
	atanFirst  = (1023 - atanOctave) * atanSteps // of the upper bits of a float64
)

var atanNodes = func() (nodes [2 * atanOctave * atanSteps]atanNode) {
	for i := range nodes {
		low := math.Float64frombits(uint64(atanFirst+i) << 48)
		high := math.Float64frombits(uint64(atanFirst+i+1) << 48)
		x := (low + high) / 2
		nodes[i] = atanNode{x, math.Atan(x)}
	}
	return nodes
}()

// atan is the arc tangent, by the addition theorem from the nearest node.
func atan(x float64) float64 {
	bits := math.Float64bits(x)
	i := (bits&^signBit)>>48 - atanFirst
	if i < uint64(len(atanNodes)) {
		n, side := &atanNodes[i], math.Float64frombits(bits&signBit|one)
		t := (x - side*n.x) / (1 + side*n.x*x)
		t2 := t * t
		return side*n.atan + (t - t*t2*(1.0/3-t2*(1.0/5)))
	}
	right := 0.0
	if x > 1 || x < -1 {
		right = math.Copysign(math.Pi/2, x)
		x = -1 / x
	}
	x2 := x * x
	return right + (x - x*x2*(1.0/3-x2*(1.0/5-x2*(1.0/7))))
}

const (
	signBit = 1 << 63
	one     = 1023 << 52 // the bits of 1.0
)

// halfWave is the sine within a right angle: the polynomial through the
// Chebyshev nodes, within 8e-14.
func halfWave(x float64) float64 {
	x2 := x * x
	x4 := x2 * x2
	low := (9.99999999999949595875e-01 - 1.66666666664666729414e-01*x2) + x4*(8.33333332035834928320e-03-1.98412666831306722364e-04*x2)
	high := (2.75569529128580469616e-06 - 2.50302681888227907228e-08*x2) + x4*1.54112197466488991008e-10
	return x * (low + x4*x4*high)
}

// sin is the sine, of up to some thousand turns.
func sin(x float64) float64 {
	if x <= math.Pi/2 && x >= -math.Pi/2 {
		return halfWave(x)
	}
	half := int64(x*(1/math.Pi) + math.Copysign(0.5, x)) // half turns to take off
	rest := (x - float64(half)*piHigh) - float64(half)*piLow
	if half&1 != 0 {
		rest = -rest
	}
	return halfWave(rest)
}

// cos is the cosine.
func cos(x float64) float64 { return sin(math.Pi/2 - math.Abs(x)) }

// Pi in two parts, the first with zeros at its end.
const (
	piHigh = 3.14159265160560607910e+00
	piLow  = 1.98418715936108085039e-09
)
