package tire

import "math"

// exp returns e to the power of x with a relative error up to 1e-15. It replaces math.Exp, which selects
// its instructions by the processor, because a recorded drive must give the same bits on all processors.
// Above 700, x is clamped; below -700, and for NaN, the result is 0.
func exp(x float64) float64 {
	if !(x > -700) { // also true for NaN
		return 0
	}
	x = min(x, 700)
	k := int64(x*(expSteps/math.Ln2) + math.Copysign(0.5, x))
	r := (x - float64(k)*(ln2High/expSteps)) - float64(k)*(ln2Low/expSteps) // its absolute value is below 0.011
	r2 := r * r
	p := 1 + r + r2*(1.0/2+r*(1.0/6)) + r2*r2*(1.0/24+r*(1.0/120)+r2*(1.0/720))
	return p * expNodes[k&(expSteps-1)] * math.Float64frombits(uint64(1023+k>>5)<<52)
}

// ln returns the natural logarithm of x > 0, with an error up to 4e-16 of the result plus 1e-16. It
// replaces math.Log, which is in assembly on some targets.
func ln(x float64) float64 {
	if x < minNormal {
		x = minNormal
	}
	bits := math.Float64bits(x)
	n := &lnNodes[bits>>47&(lnSteps-1)]
	m := math.Float64frombits(bits&(1<<52-1) | one)
	r := (m - n.x) * n.per // its absolute value is below 1/64
	r2 := r * r
	p := (1.0 - r*(1.0/2)) + r2*((1.0/3-r*(1.0/4))+r2*((1.0/5-r*(1.0/6))+r2*(1.0/7)))
	e := float64(int64(bits>>52) - 1023)
	return (e*ln2High + n.ln) + (r*p + e*ln2Low)
}

const (
	expSteps  = 32 // nodes per octave of the result
	lnSteps   = 32 // nodes per octave of x
	minNormal = 0x1p-1022
	one       = 1023 << 52 // the bits of 1.0

	// ln 2 in two parts. The first ends with zero bits, so that its multiples are exact.
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// expNodes are the powers of 2 at even steps from 1 to 2. lnNodes are the midpoints x of even intervals
// from 1 to 2, each with per, which is 1/x, and its logarithm ln.
var (
	expNodes = func() (nodes [expSteps]float64) {
		for i := range nodes {
			nodes[i] = math.Exp2(float64(i) / expSteps)
		}
		return nodes
	}()
	lnNodes = func() (nodes [lnSteps]struct{ x, per, ln float64 }) {
		for i := range nodes {
			x := 1 + (float64(i)+0.5)/lnSteps
			nodes[i].x, nodes[i].per, nodes[i].ln = x, 1/x, math.Log1p(x-1)
		}
		return nodes
	}()
)

// power returns x to the power of y for x > 0, and 0 for any other x.
func power(x, y float64) float64 {
	switch {
	case !(x > 0):
		return 0
	case y == 0, x == 1:
		return 1
	case y == 1:
		return x
	}
	return exp(y * ln(x))
}

// tabulatedPower returns the function v^y for v > 0, and 0 for any other v, with a relative error up to
// 1e-10.
func tabulatedPower(y float64) *tabulated {
	f := func(v float64) float64 { return power(v, y) }
	if !(y >= minPower && y <= maxPower) {
		return &tabulated{exact: f}
	}
	all := tabulate(f, noSymmetry)
	return &tabulated{pieces: all[2:], first: 2, exact: f} // without the pieces next to 0, where it is not smooth
}

// tabulatedExp returns the function e^(a·(v − 1)) for v from 0 to vMax, with a relative error up to 1e-10.
func tabulatedExp(a, vMax float64) *tabulated {
	f := func(v float64) float64 { return exp(a * (v - 1)) }
	if !(math.Abs(a)*vMax <= maxGrowth) {
		return &tabulated{exact: f}
	}
	all := tabulate(f, noSymmetry)
	return &tabulated{pieces: all[:], exact: f}
}

// Exponents beyond these limits are computed without a table, because the pieces are too long for that
// accuracy.
const (
	minPower  = -1
	maxPower  = 3
	maxGrowth = 3
)
