package tire

import "math"

// exp is e to the power of x. math.Exp picks its instructions by the processor,
// and a drive must repeat on every one; this one is within 1e-15 of its size. Beyond
// ±700 it stays at the greatest, or at 0.
func exp(x float64) float64 {
	if !(x > -700) { // also for what is not a number
		return 0
	}
	x = min(x, 700)
	k := int64(x*(expSteps/math.Ln2) + math.Copysign(0.5, x))
	r := (x - float64(k)*(ln2High/expSteps)) - float64(k)*(ln2Low/expSteps) // below 0.011
	r2 := r * r
	p := 1 + r + r2*(1.0/2+r*(1.0/6)) + r2*r2*(1.0/24+r*(1.0/120)+r2*(1.0/720))
	return p * expNodes[k&(expSteps-1)] * math.Float64frombits(uint64(1023+k>>5)<<52)
}

// ln is the natural logarithm of x > 0, within 4e-16 of its size and 1e-16. It is
// here for power alone, beside exp: the library's is assembly on some targets.
func ln(x float64) float64 {
	if x < leastNormal {
		x = leastNormal
	}
	bits := math.Float64bits(x)
	n := &lnNodes[bits>>47&(lnSteps-1)]
	m := math.Float64frombits(bits&(1<<52-1) | one)
	r := (m - n.x) * n.per // below 1/64
	r2 := r * r
	p := (1.0 - r*(1.0/2)) + r2*((1.0/3-r*(1.0/4))+r2*((1.0/5-r*(1.0/6))+r2*(1.0/7)))
	e := float64(int64(bits>>52) - 1023)
	return (e*ln2High + n.ln) + (r*p + e*ln2Low)
}

const (
	expSteps    = 32 // for each octave of the result
	lnSteps     = 32 // for each octave of x
	leastNormal = 0x1p-1022
	one         = 1023 << 52 // the bits of 1.0

	// ln 2 in two parts, the first with zeros at its end: its multiples are exact.
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// Powers of 2 between 1 and 2, and the middle of each step there with its logarithm.
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

// power is x to the power of y for x > 0; 0 for what is not.
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

// powerOf returns the function v^y of v > 0, 0 elsewhere, within 1e-10 of its size.
func powerOf(y float64) *tabulated {
	f := func(v float64) float64 { return power(v, y) }
	if !(y >= leastPower && y <= mostPower) {
		return &tabulated{exact: f}
	}
	all := tabulate(f, uneven)
	return &tabulated{pieces: all[2:], first: 2, exact: f} // about 0 it is not smooth
}

// exponential returns the function e^(a·(v − 1)) of v from 0 to most, within 1e-10
// of its size.
func exponential(a, most float64) *tabulated {
	f := func(v float64) float64 { return exp(a * (v - 1)) }
	if !(math.Abs(a)*most <= mostGrowth) {
		return &tabulated{exact: f}
	}
	all := tabulate(f, uneven)
	return &tabulated{pieces: all[:], exact: f}
}

// Beyond these the pieces are too long for what they stand for.
const (
	leastPower = -1
	mostPower  = 3
	mostGrowth = 3
)
