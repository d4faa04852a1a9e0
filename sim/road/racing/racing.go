// Package racing finds the line that a fast car takes along a road, and the speed along it.
//
// In go a road's centre line with its edges, what the car needs of room (Line with Options) and
// what it can do (SpeedProfile with Limits). Out come a road.Line of least curvature and the
// Speeds along it. It is planning: it runs once, before a drive, and knows no car's physics.
package racing

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/road"
)

// Options say what a racing line is for.
type Options struct {
	Width  float64 // of the car [m]
	Margin float64 // kept between the car and the road's edges [m]
	Kerbs  float64 // share of the kerbs' widths that the car may use beyond the edges, 0..1
	Short  float64 // how much a short way counts beside an even one: 0 least curvature, 1 least length
	Grid   float64 // between the places at which the line is sought [m]
}

// DefaultOptions returns the options for a car of a width [m]. Short gives the least lap
// time on the built-in circuit: 0.3 % less than least curvature alone.
func DefaultOptions(width float64) Options {
	return Options{Width: width, Margin: 0.6, Short: 0.3, Grid: 2}
}

// Validate reports every option that is out of range.
func (o Options) Validate() error {
	return errors.Join(
		valid.InRange("car's width [m]", o.Width, 0, 5),
		valid.InRange("margin [m]", o.Margin, 0, 20),
		valid.InRange("share of the kerbs", o.Kerbs, 0, 1),
		valid.InRange("share of the shortest way", o.Short, 0, 1),
		valid.InRange("grid [m]", o.Grid, 0.5, 5),
	)
}

// Line returns the line along a road that bends least: of all lines that keep the car
// within the road's edges the one with the least sum of squared curvature, to which its
// length is added with the weight of o.Short. Heights, slopes and banks are the road's.
//
// The problem is that of Heilmeier et al., Minimum curvature trajectory planning and
// control for an autonomous race car, Vehicle System Dynamics 58 (2020), but with the
// curvature of the line itself, not one over the centre line's length, by which a circle
// would be driven at its inner edge.
func Line(l *road.Line, o Options) (*road.Line, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("road: racing line: %w", err)
	}
	w, err := newWay(l, o)
	if err != nil {
		return nil, fmt.Errorf("road: racing line: %w", err)
	}
	w.relax()
	return w.line(l)
}

// way is a line through places beside a road's centre line, one on each of its normals.
type way struct {
	closed    bool
	short     float64      // weight of the length [1/m²]
	mid       []road.Point // of the centre line
	x, y      []float64    // unit normals to the left
	low, high []float64    // bounds of the places to the left of the centre line [m]
	beside    []float64    // the places [m]
}

// newWay returns the way in the middle of what the car may use.
func newWay(l *road.Line, o Options) (*way, error) {
	n := max(int(math.Ceil(l.Length()/o.Grid)), 8)
	w := &way{closed: l.Closed()}
	bent := 0.0
	for i := range n + 1 {
		if w.closed && i == n {
			break
		}
		p := l.At(l.Length() * float64(i) / float64(n))
		low, high, err := room(&p, o)
		if err != nil {
			return nil, fmt.Errorf("at %.0f m %w", l.Length()*float64(i)/float64(n), err)
		}
		sin, cos := math.Sincos(p.Heading)
		w.mid, w.x, w.y = append(w.mid, p), append(w.x, -sin), append(w.y, cos)
		w.low, w.high, w.beside = append(w.low, low), append(w.high, high), append(w.beside, (low+high)/2)
		bent += p.Curvature * p.Curvature / float64(n)
	}
	const least = 0.01 // of the curvature, which keeps the line smooth
	w.short = bent * o.Short / max(1-o.Short, least)
	return w, nil
}

// room returns the bounds of the line at a place, to the left of the centre line [m].
// Where the road is too narrow for the margin, the car drives in its middle.
func room(p *road.Point, o Options) (low, high float64, err error) {
	const least, inner = 0.02, 0.8 // [m], share of a bend's radius
	left, right := p.Left+o.Kerbs*p.KerbLeft, p.Right+o.Kerbs*p.KerbRight
	if !(left+right > o.Width+least) {
		return 0, 0, fmt.Errorf("the road is %.3g m wide, and the car %.3g m: give a wider road or a narrower car", left+right, o.Width)
	}
	half := min(o.Width/2+o.Margin, (left+right-least)/2)
	low, high = half-right, left-half
	if r := inner / max(math.Abs(p.Curvature), 1e-9); p.Curvature > 0 {
		high = min(high, r)
	} else {
		low = max(low, -r)
	}
	if !(low < high) {
		return 0, 0, fmt.Errorf("the bend of radius %.3g m is too tight for a road beside its inner edge", 1/math.Abs(p.Curvature))
	}
	return low, high, nil
}

// place returns where the way passes normal i, with its offset [m].
func (w *way) place(i int, beside float64) (x, y float64) {
	return w.mid[i].Pos.X + beside*w.x[i], w.mid[i].Pos.Y + beside*w.y[i]
}

// next returns the number of the place after i, which may be beyond the end of an open way.
func (w *way) next(i int) int {
	if w.closed && i+1 == len(w.mid) {
		return 0
	}
	return i + 1
}

// pieces is how many pieces from place to place there are.
func (w *way) pieces() int {
	if w.closed {
		return len(w.mid)
	}
	return len(w.mid) - 1
}
