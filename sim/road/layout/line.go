package layout

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"

	"rig.example/rig/sim/road"
)

const sample = 0.5 // [m] about, between the points of a layout's line

// Line returns the centre line of the road, for those who need no ground.
func (l Plan) Line() (*road.Line, error) {
	line, err := l.close()
	if err != nil {
		return nil, fmt.Errorf("road: layout: %w", err)
	}
	return line, nil
}

// close makes the free straights as long as they must be, and returns the centre line.
func (l *Plan) close() (line *road.Line, err error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	if l.Pieces, err = closeUp(l.Pieces); err != nil {
		return nil, err
	}
	return l.centre()
}

// centre builds the line with everything that a point of it knows.
func (l *Plan) centre() (*road.Line, error) {
	runs := flatten(l.Pieces)
	length := 0.0
	for _, p := range l.Pieces {
		length += p.length()
	}
	if length > 100e3 {
		return nil, fmt.Errorf("%.0f m long: allowed is 100 km", length)
	}
	steps := max(int(math.Ceil(length/sample)), 2)
	points := trace(runs, length/float64(steps), steps)
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
		l.dress(&points[k], i, s-start)
		if heights != nil {
			points[k].Pos.Z, points[k].Slope = heights.Predict(s), heights.PredictDerivative(s)
		}
	}
	last, first := &points[steps], &points[0]
	last.Pos.Z, last.Slope = first.Pos.Z, first.Slope // but for rounding they are
	return road.NewLine(points, length/float64(steps), true)
}

// heights returns the smoothest curve through the heights of the pieces' ends, and nil
// if none has any. The lap repeats on both sides, so that it closes.
func (l *Plan) heights(length float64) (*interp.NaturalCubic, error) {
	var at, z []float64
	s := 0.0
	for i, p := range l.Pieces {
		s += p.length()
		if p.Height == nil {
			continue
		}
		if len(at) > 0 && s-at[len(at)-1] < 5 {
			return nil, fmt.Errorf("piece[%d]: height_m = %g: less than 5 m behind another height", i, *p.Height)
		}
		at, z = append(at, s), append(z, *p.Height)
	}
	if len(at) == 0 {
		return nil, nil
	}
	const laps = 4 // before and behind; what is further away does not matter
	var xs, ys []float64
	for lap := -laps; lap <= laps; lap++ {
		for i := range at {
			xs, ys = append(xs, at[i]+float64(lap)*length), append(ys, z[i])
		}
	}
	var c interp.NaturalCubic
	if err := c.Fit(xs, ys); err != nil {
		return nil, fmt.Errorf("heights: %w", err)
	}
	return &c, nil
}

// dress gives a point d metres into a piece what that piece says about it.
func (l *Plan) dress(p *road.Point, piece int, d float64) {
	here, n := &l.Pieces[piece], len(l.Pieces)
	was, now := l.Pieces[(piece+n-1)%n].Width, here.Width
	if was == 0 {
		was = l.Width
	}
	if now == 0 {
		now = l.Width
	}
	share, _ := smooth(d / here.length())
	p.Left = (was + share*(now-was)) / 2
	p.Right = p.Left
	if here.Turn == 0 {
		return
	}
	peak := math.Copysign(1/here.Radius, here.Turn)
	lean := -math.Copysign(here.Bank*math.Pi/180, here.Bank*here.Turn)
	rise, slope := smooth(p.Curvature / peak)
	p.Bank = lean * rise
	switch {
	case here.Ramp > 0 && d < here.Ramp:
		p.Twist = lean * slope / here.Ramp
	case here.Ramp > 0 && d > here.length()-here.Ramp:
		p.Twist = -lean * slope / here.Ramp
	}
	inside, outside := here.kerbs(l.KerbWidth)
	inside *= min(rise*3, 1)
	outside *= min(rise*3, 1)
	if p.KerbLeft, p.KerbRight = inside, outside; here.Turn < 0 {
		p.KerbLeft, p.KerbRight = outside, inside
	}
}

// kerbs returns the widths of a bend's kerbs.
func (p *Piece) kerbs(whole float64) (inside, outside float64) {
	const tight = 150.0 // [m]
	switch p.Kerb {
	case "inside":
		return whole, 0
	case "outside":
		return 0, whole
	case "both":
		return whole, whole
	case "none":
		return 0, 0
	}
	if p.Radius < tight {
		return whole, 0
	}
	return 0, 0
}

// smooth goes from 0 to 1 as x does, level at both ends, and returns its slope too.
func smooth(x float64) (y, dy float64) {
	if !(x > 0) {
		return 0, 0
	}
	if x >= 1 {
		return 1, 0
	}
	return x * x * (3 - 2*x), 6 * x * (1 - x)
}
