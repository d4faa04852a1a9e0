package tire

import "math"

// The Magic Formula consists of arc tangents, and of sines and cosines of them. This
// file computes both by piecewise polynomials without a division, so that the sine of an
// arc tangent takes a third of the standard library's time.
//
// The error is up to 1e-11 for the arc tangent, 1e-10 for the sine and the cosine of an arc
// tangent, and 1e-10 of the result for a power and an exponential. Where two pieces meet,
// both have the exact value of the function, so that forces have no steps there.

// piece is a polynomial in v − x. It fills one cache line.
type piece struct {
	x float64
	c [pieceDegree + 1]float64
}

// pieceDegree is the degree of the polynomial of a piece.
const pieceDegree = 6

// at returns the value of the polynomial at v.
func (p *piece) at(v float64) float64 {
	t := v - p.x
	t2 := t * t
	return (p.c[0] + p.c[1]*t) + t2*((p.c[2]+p.c[3]*t)+t2*((p.c[4]+p.c[5]*t)+t2*p.c[6]))
}

// pieces approximate a function between -2^8 and 2^8. The first two are equal and cover ±2^-6. From
// there on 8 pieces make an octave; each piece of the positive side is followed by its counterpart on
// the negative side.
type pieces [pieceCount]piece

const (
	pieceNear  = 1.0 / (1 << 6)               // half the width of the pieces about 0
	pieceBits  = 52 - 3                       // bits of a float64 that vary within a piece
	pieceFirst = (1023-6)<<(52-pieceBits) - 1 // bits above pieceBits of the largest number below pieceNear
	pieceCount = 2 * (1 + (6+8)<<(52-pieceBits))
)

// pieceOf returns the index of the piece that contains v. It is pieceCount or more for v outside of all
// pieces.
func pieceOf(v float64) uint {
	bits := math.Float64bits(v)
	return uint(max(int(bits<<1>>(pieceBits+1))-pieceFirst, 0))<<1 | uint(bits>>63)
}

// tabulated is a function as pieces, and its exact form outside of them. Without pieces the exact form
// is used throughout.
type tabulated struct {
	pieces []piece
	first  uint // index of the first piece
	exact  func(float64) float64
}

// at returns the function at v.
func (t *tabulated) at(v float64) float64 {
	if i := pieceOf(v) - t.first; i < uint(len(t.pieces)) {
		return t.pieces[i].at(v)
	}
	return t.exact(v)
}

// symmetry is how a function's negative side relates to its positive one.
type symmetry int

const (
	even       symmetry = iota // f(-v) = f(v), as the cosine
	odd                        // f(-v) = -f(v), as the sine
	noSymmetry                 // neither
)

// tabulate returns the pieces of a smooth function. For an even or odd function the negative side is the
// exact mirror image, so that left and right forces are equal to the last bit.
func tabulate(f func(float64) float64, sym symmetry) (all pieces) {
	near := interpolate(f, 0, pieceNear)
	all[0] = near.symmetrized(sym)
	all[1] = all[0]
	for i := 2; i < pieceCount; i += 2 {
		start := math.Float64frombits(uint64(i/2+pieceFirst) << pieceBits)
		end := math.Float64frombits(uint64(i/2+1+pieceFirst) << pieceBits)
		all[i] = interpolate(f, (start+end)/2, (end-start)/2)
		if sym == noSymmetry {
			all[i+1] = interpolate(f, -(start+end)/2, (end-start)/2)
		} else {
			all[i+1] = all[i].mirrored(sym)
		}
	}
	return all
}

// symmetrized returns a piece about 0 without the rounding errors that violate the symmetry.
func (p piece) symmetrized(sym symmetry) piece {
	if sym != noSymmetry {
		for i := 1 - int(sym); i <= pieceDegree; i += 2 {
			p.c[i] = 0
		}
	}
	return p
}

// mirrored returns the counterpart of a piece on the other side of 0.
func (p piece) mirrored(sym symmetry) piece {
	p.x = -p.x
	for i := 1 - int(sym); i <= pieceDegree; i += 2 {
		p.c[i] = -p.c[i]
	}
	return p
}

// interpolate returns the polynomial through f at the Chebyshev nodes of the interval from x-half to
// x+half. The outermost nodes are its ends, where pieces meet.
func interpolate(f func(float64) float64, x, half float64) piece {
	const n = pieceDegree + 1
	var node, newton, c [n]float64
	for i := range n {
		node[i] = half * math.Sin(math.Pi/2*(2*float64(i)/pieceDegree-1))
		newton[i] = f(x + node[i])
	}
	for order := 1; order < n; order++ { // divided differences
		for i := pieceDegree; i >= order; i-- {
			newton[i] = (newton[i] - newton[i-1]) / (node[i] - node[i-order])
		}
	}
	for i := pieceDegree; i >= 0; i-- { // convert Newton's form to powers
		for j := pieceDegree; j > 0; j-- {
			c[j] = c[j-1] - node[i]*c[j]
		}
		c[0] = newton[i] - node[i]*c[0]
	}
	return piece{x, c}
}

// maxAtanFactor is the largest C for which sin(C·atan v) has few enough waves for the pieces.
const maxAtanFactor = 3.3

// sinOfAtan returns the function sin(c·atan v).
func sinOfAtan(c float64) *tabulated {
	return tabulateOfAtan(c, func(v float64) float64 { return math.Sin(c * math.Atan(v)) }, odd)
}

// cosOfAtan returns the function cos(c·atan v).
func cosOfAtan(c float64) *tabulated {
	return tabulateOfAtan(c, func(v float64) float64 { return math.Cos(c * math.Atan(v)) }, even)
}

// tabulateOfAtan tabulates f, a function of c·atan v, unless c is too large.
func tabulateOfAtan(c float64, f func(float64) float64, sym symmetry) *tabulated {
	if !(math.Abs(c) <= maxAtanFactor) {
		return &tabulated{exact: f}
	}
	all := tabulate(f, sym)
	return &tabulated{pieces: all[:], exact: f}
}
