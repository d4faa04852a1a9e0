package curve

import "math"

// SinCos returns the sine and the cosine of an angle [rad]. For small angles, such as camber and toe, it uses
// five terms of the series, which are faster than math.Sincos and exact within 1e-12.
func SinCos(angle float64) (sin, cos float64) {
	const small = 0.4
	x := angle * angle
	if !(x < small*small) {
		return math.Sincos(angle)
	}
	sin = angle * (1 - x*(1.0/6-x*(1.0/120-x*(1.0/5040-x*(1.0/362880)))))
	cos = 1 - x*(1.0/2-x*(1.0/24-x*(1.0/720-x*(1.0/40320-x*(1.0/3628800)))))
	return sin, cos
}
