package tire

import "math"

// The Magic Formula is made of arc tangents, and of sines and cosines of them.
// Here both are polynomials in pieces, without a division: the sine of an arc takes
// a third of the time that the library takes.
//
// The arc tangent is within 1e-11 of the library's, the sine and the cosine of an
// arc within 1e-10, a power and an exponential within 1e-10 of their size. Pieces
// meet in the function's own value, so that a force has no steps where they do.

// piece is a polynomial about x. It fills one line of the processor's cache.
type piece struct {
	x float64
	c [pieceDegree + 1]float64
}

const pieceDegree = 6

// at is the polynomial at v.
func (p *piece) at(v float64) float64 {
	t := v - p.x
	t2 := t * t
	return (p.c[0] + p.c[1]*t) + t2*((p.c[2]+p.c[3]*t)+t2*((p.c[4]+p.c[5]*t)+t2*p.c[6]))
}

// pieces are those of a function between -2^8 and 2^8. The first two are the same,
// about 0 and up to 2^-6; from there on 8 make an octave, and each comes for the
// positive side and then for the negative one.
type pieces [pieceCount]piece

const (
	pieceNear  = 1.0 / (1 << 6)
	pieceBits  = 52 - 3                       // of a float64, that move within a piece
	pieceFirst = (1023-6)<<(52-pieceBits) - 1 // the upper ones of what is just below pieceNear
	pieceCount = 2 * (1 + (6+8)<<(52-pieceBits))
)

// pieceOf returns the number of v's piece, pieceCount or more beyond the last.
func pieceOf(v float64) uint {
	bits := math.Float64bits(v)
	return uint(max(int(bits<<1>>(pieceBits+1))-pieceFirst, 0))<<1 | uint(bits>>63)
}

// tabulated is a function in pieces, and itself where they end. Without pieces
// it is the function throughout.
type tabulated struct {
	pieces []piece
	first  uint // number of the first of them
	exact  func(float64) float64
}

// at is the function of v.
func (t *tabulated) at(v float64) float64 {
	if i := pieceOf(v) - t.first; i < uint(len(t.pieces)) {
		return t.pieces[i].at(v)
	}
	return t.exact(v)
}

// symmetry tells of a function what its negative side is.
type symmetry int

const (
	even   symmetry = iota // that of the cosine
	odd                    // that of the sine
	uneven                 // neither
)

// tabulate returns the pieces of a smooth function. Those of an even or an odd one
// are mirrored to the bit: a tire to the left does what one to the right does.
func tabulate(f func(float64) float64, side symmetry) (all pieces) {
	near := interpolate(f, 0, pieceNear)
	all[0] = near.only(side)
	all[1] = all[0]
	for i := 2; i < pieceCount; i += 2 {
		from := math.Float64frombits(uint64(i/2+pieceFirst) << pieceBits)
		to := math.Float64frombits(uint64(i/2+1+pieceFirst) << pieceBits)
		all[i] = interpolate(f, (from+to)/2, (to-from)/2)
		if side == uneven {
			all[i+1] = interpolate(f, -(from+to)/2, (to-from)/2)
		} else {
			all[i+1] = all[i].mirrored(side)
		}
	}
	return all
}

// only is a piece about 0 without what rounding left of the other symmetry.
func (p piece) only(side symmetry) piece {
	if side != uneven {
		for i := 1 - int(side); i <= pieceDegree; i += 2 {
			p.c[i] = 0
		}
	}
	return p
}

// mirrored is the piece of the other side.
func (p piece) mirrored(side symmetry) piece {
	p.x = -p.x
	for i := 1 - int(side); i <= pieceDegree; i += 2 {
		p.c[i] = -p.c[i]
	}
	return p
}

// interpolate returns the polynomial through f at the Chebyshev nodes of what
// lies within half of x. The outermost are its ends, where pieces meet.
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
	for i := pieceDegree; i >= 0; i-- { // from Newton's form to powers
		for j := pieceDegree; j > 0; j-- {
			c[j] = c[j-1] - node[i]*c[j]
		}
		c[0] = newton[i] - node[i]*c[0]
	}
	return piece{x, c}
}

// Beyond mostArc times the arc tangent a sine has too many waves for the pieces.
const mostArc = 3.3

// sinOfArc returns the function sin(c·atan v).
func sinOfArc(c float64) *tabulated {
	return ofArc(c, func(v float64) float64 { return math.Sin(c * math.Atan(v)) }, odd)
}

// cosOfArc returns the function cos(c·atan v).
func cosOfArc(c float64) *tabulated {
	return ofArc(c, func(v float64) float64 { return math.Cos(c * math.Atan(v)) }, even)
}

func ofArc(c float64, f func(float64) float64, side symmetry) *tabulated {
	if !(math.Abs(c) <= mostArc) {
		return &tabulated{exact: f}
	}
	all := tabulate(f, side)
	return &tabulated{pieces: all[:], exact: f}
}
