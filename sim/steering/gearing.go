package steering

import (
	"math"
)

// RatioPoint is a point of the steering ratio over the steering wheel angle. The inverse of the ratio is
// linear between the points and constant beyond the last one.
type RatioPoint struct {
	SteeringWheelAngle float64 `toml:"wheel_deg" range:"1..3000" valid:"-"` // steering wheel angle, to either side
	// steering wheel's speed over the road wheels' at this angle
	Ratio float64 `toml:"ratio" range:"1..50"`
}

// gearing converts between the steering wheel angle and the mean road wheel angle, to which the rack's travel
// is proportional.
type gearing struct {
	ratio  float64     // steering ratio, if it is constant
	pieces []gearPiece // nil if the ratio is constant
}

// gearPiece is a piece of the gearing that begins at a steering wheel angle.
type gearPiece struct {
	wheel     float64 // steering wheel angle at its start [rad]
	mean      float64 // road wheel angle there [rad]
	gain      float64 // slope of mean over the steering wheel angle: the inverse of the ratio
	gainSlope float64 // slope of gain [1/rad]
}

// newGearing returns the gearing of the ratio table or, without a table, of the constant ratio.
func newGearing(s Params) gearing {
	g := gearing{ratio: s.Ratio}
	if len(s.RatioTable) == 0 {
		return g
	}
	from := gearPiece{gain: 1 / s.Ratio}
	for _, p := range s.RatioTable {
		to := gearPiece{wheel: p.SteeringWheelAngle * degree, gain: 1 / p.Ratio}
		width := to.wheel - from.wheel
		from.gainSlope = (to.gain - from.gain) / width
		to.mean = from.mean + width*(from.gain+to.gain)/2
		g.pieces = append(g.pieces, from)
		from = to
	}
	g.pieces = append(g.pieces, from)
	return g
}

const degree = math.Pi / 180 // [rad]

// roadAngle returns the mean road wheel angle at a steering wheel angle, both [rad], and gain, its slope.
func (g *gearing) roadAngle(wheel float64) (angle, gain float64) {
	if len(g.pieces) == 0 {
		return wheel / g.ratio, 1 / g.ratio
	}
	abs := math.Abs(wheel)
	piece := &g.pieces[0]
	for i := 1; i < len(g.pieces) && abs >= g.pieces[i].wheel; i++ {
		piece = &g.pieces[i]
	}
	pastStart := abs - piece.wheel
	return math.Copysign(piece.mean+pastStart*(piece.gain+pastStart*piece.gainSlope/2),
		wheel), piece.gain + pastStart*piece.gainSlope
}

// wheelAngle returns the steering wheel angle at a mean road wheel angle, both [rad].
func (g *gearing) wheelAngle(mean float64) float64 {
	if len(g.pieces) == 0 {
		return mean * g.ratio
	}
	abs := math.Abs(mean)
	piece := &g.pieces[0]
	for i := 1; i < len(g.pieces) && abs >= g.pieces[i].mean; i++ {
		piece = &g.pieces[i]
	}
	rest := abs - piece.mean
	root := math.Sqrt(max(0, piece.gain*piece.gain+2*piece.gainSlope*rest))
	return math.Copysign(piece.wheel+2*rest/(piece.gain+root), mean)
}
