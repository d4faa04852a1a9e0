package cueing

import "math"

// knee is v held below most without an edge: what is beyond a share of it is bent,
//
//	b + (most-b)·e/(e + most-b), b = share·most, e = |v|-b
//
// whose slope is 1 at b and which most is the limit of. A share of 1 cuts.
func knee(v, most, share float64) float64 {
	bend := share * most
	over := math.Abs(v) - bend
	if over <= 0 {
		return v
	}
	room := most - bend
	return math.Copysign(bend+room*(over/(over+room)), v)
}
