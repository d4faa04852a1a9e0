package tire

import "math"

var (
	arcTangent = tabulate(math.Atan, odd) // pieces of atan
	tangents   = tabulate(math.Tan, odd)  // pieces of tan; only those up to 1 are used
)

// atan returns the arc tangent.
func atan(v float64) float64 {
	if i := pieceOf(v); i < pieceCount {
		return arcTangent[i].at(v)
	}
	r := 1 / v // atan v = ±π/2 − atan(1/v)
	r2 := r * r
	return math.Copysign(math.Pi/2, v) - r*(1-r2*(1.0/3-r2*(1.0/5-r2*(1.0/7))))
}

// halfWave returns the sine for x within ±π/2: the polynomial through the Chebyshev nodes, accurate to
// 8e-14.
func halfWave(x float64) float64 {
	x2 := x * x
	x4 := x2 * x2
	low := (9.99999999999949595875e-01 - 1.66666666664666729414e-01*x2) + x4*(8.33333332035834928320e-03-1.98412666831306722364e-04*x2)
	high := (2.75569529128580469616e-06 - 2.50302681888227907228e-08*x2) + x4*1.54112197466488991008e-10
	return x * (low + x4*x4*high)
}

// sin returns the sine of up to some thousand turns.
func sin(x float64) float64 {
	if x <= math.Pi/2 && x >= -math.Pi/2 {
		return halfWave(x)
	}
	half := int64(x*(1/math.Pi) + math.Copysign(0.5, x)) // half turns to subtract
	rest := (x - float64(half)*piHigh) - float64(half)*piLow
	if half&1 != 0 {
		rest = -rest
	}
	return halfWave(rest)
}

// cos returns the cosine.
func cos(x float64) float64 { return sin(math.Pi/2 - math.Abs(x)) }

// tan returns the tangent of x within ±π/2, accurate to a relative 1e-10.
func tan(x float64) float64 {
	if i := pieceOf(x); i < tangentCount {
		return tangents[i].at(x)
	}
	return halfWave(x) / halfWave(math.Pi/2-math.Abs(x))
}

// tangentCount is the number of pieces of the tangent, up to 1. Beyond, it grows too fast for them.
const tangentCount = 2 * (1 + 6<<(52-pieceBits))

// Pi in two parts. The first ends with zero bits, so that its multiples are exact.
const (
	piHigh = 3.14159265160560607910e+00
	piLow  = 1.98418715936108085039e-09
)
