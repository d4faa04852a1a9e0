package layout

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"

	"rig.example/rig/road"
)

// lineStep is the approximate distance between the points of a plan's line [m].
const lineStep = 0.5

// Line returns the center line of the road, without building a ground.
func (l Plan) Line() (*road.Line, error) {
	line, err := l.closedLine()
	if err != nil {
		return nil, fmt.Errorf("road: layout: %w", err)
	}
	return line, nil
}

// closedLine sets the lengths of the free straights so that the road closes, and returns the center line.
func (l *Plan) closedLine() (line *road.Line, err error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	if l.Pieces, err = closeLoop(l.Pieces); err != nil {
		return nil, err
	}
	return l.centerLine()
}

// centerLine returns the center line with heights, widths, bank angles and kerbs.
func (l *Plan) centerLine() (*road.Line, error) {
	segments := allSegments(l.Pieces)
	length := 0.0
	for _, p := range l.Pieces {
		length += p.length()
	}
	if length > 100e3 {
		return nil, fmt.Errorf("%.0f m long: must be at most 100 km", length)
	}
	steps := max(int(math.Ceil(length/lineStep)), 2)
	points := trace(segments, length/float64(steps), steps)
	heights, err := l.heights(length)
	if err != nil {
		return nil, err
	}
	i, start := 0, 0.0
	for k := range points {
		s := length * float64(k) / float64(steps)
		for i < len(l.Pieces)-1 && s >= start+l.Pieces[i].length() {
			start += l.Pieces[i].length()
			i++
		}
		l.setCrossSection(&points[k], i, s-start)
		if heights != nil {
			points[k].Pos.Z, points[k].Slope = heights.Predict(s), heights.PredictDerivative(s)
		}
	}
	last, first := &points[steps], &points[0]
	last.Pos.Z, last.Slope = first.Pos.Z, first.Slope // equal except for rounding
	return road.NewLine(points, length/float64(steps), true)
}

// heights returns the cubic spline through the heights given at the ends of pieces, by station; nil if none
// is given. The points are repeated for laps before and after, so that the curve closes.
func (l *Plan) heights(length float64) (*interp.NaturalCubic, error) {
	var stations, z []float64
	s := 0.0
	for i, p := range l.Pieces {
		s += p.length()
		if p.Height == nil {
			continue
		}
		if len(stations) > 0 && s-stations[len(stations)-1] < 5 {
			return nil, fmt.Errorf("piece[%d]: height_m = %g: must be at least 5 m after the previous height", i, *p.Height)
		}
		stations, z = append(stations, s), append(z, *p.Height)
	}
	if len(stations) == 0 {
		return nil, nil
	}
	const laps = 4 // number of laps before and after; laps further away have no effect
	var xs, ys []float64
	for lap := -laps; lap <= laps; lap++ {
		for i := range stations {
			xs, ys = append(xs, stations[i]+float64(lap)*length), append(ys, z[i])
		}
	}
	var c interp.NaturalCubic
	if err := c.Fit(xs, ys); err != nil {
		return nil, fmt.Errorf("heights: %w", err)
	}
	return &c, nil
}

// setCrossSection sets widths, bank and kerbs of a point at the distance d from the start of a piece [m].
// piece is the index of the piece. p must have its curvature.
func (l *Plan) setCrossSection(p *road.Point, piece int, d float64) {
	here, n := &l.Pieces[piece], len(l.Pieces)
	widthBefore, widthAfter := l.Pieces[(piece+n-1)%n].Width, here.Width
	if widthBefore == 0 {
		widthBefore = l.Width
	}
	if widthAfter == 0 {
		widthAfter = l.Width
	}
	fraction, _ := smoothstep(d / here.length())
	p.Left = (widthBefore + fraction*(widthAfter-widthBefore)) / 2
	p.Right = p.Left
	if here.Turn == 0 {
		return
	}
	maxCurvature := math.Copysign(1/here.Radius, here.Turn)
	fullBank := -math.Copysign(here.Bank*math.Pi/180, here.Bank*here.Turn)
	curveFraction, curveSlope := smoothstep(p.Curvature / maxCurvature)
	p.Bank = fullBank * curveFraction
	switch {
	case here.Ramp > 0 && d < here.Ramp:
		p.Twist = fullBank * curveSlope / here.Ramp
	case here.Ramp > 0 && d > here.length()-here.Ramp:
		p.Twist = -fullBank * curveSlope / here.Ramp
	}
	insideKerb, outsideKerb := here.kerbs(l.KerbWidth)
	insideKerb *= min(curveFraction*3, 1)
	outsideKerb *= min(curveFraction*3, 1)
	if p.KerbLeft, p.KerbRight = insideKerb, outsideKerb; here.Turn < 0 {
		p.KerbLeft, p.KerbRight = outsideKerb, insideKerb
	}
}

// kerbs returns the widths of a bend's kerbs at its inside and outside [m]; fullWidth is the width of a kerb.
func (p *Piece) kerbs(fullWidth float64) (inside, outside float64) {
	const maxRadius = 150.0 // bends below this radius have a kerb inside by default [m]
	switch p.Kerb {
	case "inside":
		return fullWidth, 0
	case "outside":
		return 0, fullWidth
	case "both":
		return fullWidth, fullWidth
	case "none":
		return 0, 0
	}
	if p.Radius < maxRadius {
		return fullWidth, 0
	}
	return 0, 0
}

// smoothstep returns the value y and the slope dy of a curve that is 0 for x <= 0 and 1 for x >= 1, and
// between them a cubic with zero slope at both ends.
func smoothstep(x float64) (y, dy float64) {
	if !(x > 0) {
		return 0, 0
	}
	if x >= 1 {
		return 1, 0
	}
	return x * x * (3 - 2*x), 6 * x * (1 - x)
}
