package tire

import "math"

var (
	arcTangent = tabulate(math.Atan, odd)
	tangents   = tabulate(math.Tan, odd) // up to 1
)

// atan is the arc tangent.
func atan(v float64) float64 {
	if i := pieceOf(v); i < pieceCount {
		return arcTangent[i].at(v)
	}
	r := 1 / v // what is left to the right angle
	r2 := r * r
	return math.Copysign(math.Pi/2, v) - r*(1-r2*(1.0/3-r2*(1.0/5-r2*(1.0/7))))
}

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

// tan is the tangent within a right angle, within 1e-10 of its size.
func tan(x float64) float64 {
	if i := pieceOf(x); i < tangentCount {
		return tangents[i].at(x)
	}
	return halfWave(x) / halfWave(math.Pi/2-math.Abs(x))
}

// tangentCount is how many pieces the tangent has up to 1; it grows too fast beyond.
const tangentCount = 2 * (1 + 6<<(52-pieceBits))

// Pi in two parts, the first with zeros at its end.
const (
	piHigh = 3.14159265160560607910e+00
	piLow  = 1.98418715936108085039e-09
)
