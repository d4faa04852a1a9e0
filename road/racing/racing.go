// Package racing computes the racing line along a road and the speed along it.
//
// It takes a road's center line with its edges, the width of the car (Line with Options) and its
// performance (SpeedProfile with Limits). It returns a road.Line of minimum curvature, and the Speeds
// along it. It runs once, before a drive, and knows no car's physics.
package racing

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
)

// Options are the settings for computing a racing line.
type Options struct {
	Width        float64 // of the car [m]
	Margin       float64 // distance between the car and the road's edges [m]
	KerbShare    float64 // fraction of the kerbs' widths that the car may use, 0..1
	LengthWeight float64 // weight of a short line against a smooth one, 0..1: 0 is minimum curvature, 1 minimum length
	Spacing      float64 // between the points at which the line is optimized [m]
}

// DefaultOptions returns the options for a car of a width [m]. Its LengthWeight gives the minimum lap time
// on the built-in circuit: 0.3 % less than minimum curvature alone.
func DefaultOptions(width float64) Options {
	return Options{Width: width, Margin: 0.6, LengthWeight: 0.3, Spacing: 2}
}

// Validate reports every option that is out of range.
func (o Options) Validate() error {
	return errors.Join(
		valid.InRange("car's width [m]", o.Width, 0, 5),
		valid.InRange("margin [m]", o.Margin, 0, 20),
		valid.InRange("fraction of the kerbs", o.KerbShare, 0, 1),
		valid.InRange("weight of the length", o.LengthWeight, 0, 1),
		valid.InRange("spacing [m]", o.Spacing, 0.5, 5),
	)
}

// Line returns the racing line along a road: of all lines that keep the car within the road's edges, the
// one with the minimum integral of squared curvature, plus its length weighted by o.LengthWeight. Heights,
// slopes and banks are the road's.
//
// The problem is that of Heilmeier et al., Minimum curvature trajectory planning and control for an
// autonomous race car, Vehicle System Dynamics 58 (2020), but with the integral over the length of the
// line itself, not over that of the center line. With the latter a circle would be driven at its inner
// edge.
func Line(l *road.Line, o Options) (*road.Line, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("road: racing line: %w", err)
	}
	w, err := newPath(l, o)
	if err != nil {
		return nil, fmt.Errorf("road: racing line: %w", err)
	}
	w.minimize()
	return w.line(l)
}

// path is a polyline with one point on each normal of a center line.
type path struct {
	closed               bool
	lengthWeight         float64      // weight of the length against squared curvature [1/m²]
	center               []road.Point // points of the center line
	normalX              []float64    // x of the unit normals, which point to the left
	normalY              []float64    // y of the unit normals
	minOffset, maxOffset []float64    // bounds of the offsets [m]
	offset               []float64    // distances of the path's points to the left of the center line [m]
}

// newPath returns the path that is in the middle between its bounds.
func newPath(l *road.Line, o Options) (*path, error) {
	n := max(int(math.Ceil(l.Length()/o.Spacing)), 8)
	w := &path{closed: l.Closed()}
	meanSquare := 0.0
	for i := range n + 1 {
		if w.closed && i == n {
			break
		}
		p := l.At(l.Length() * float64(i) / float64(n))
		low, high, err := offsetBounds(&p, o)
		if err != nil {
			return nil, fmt.Errorf("at %.0f m %w", l.Length()*float64(i)/float64(n), err)
		}
		sin, cos := math.Sincos(p.Heading)
		w.center = append(w.center, p)
		w.normalX, w.normalY = append(w.normalX, -sin), append(w.normalY, cos)
		w.minOffset, w.maxOffset, w.offset = append(w.minOffset, low), append(w.maxOffset, high), append(w.offset, (low+high)/2)
		meanSquare += p.Curvature * p.Curvature / float64(n)
	}
	const minWeight = 0.01 // minimum weight of the curvature, which keeps the line smooth
	w.lengthWeight = meanSquare * o.LengthWeight / max(1-o.LengthWeight, minWeight)
	return w, nil
}

// offsetBounds returns the bounds of the offset to the left of the center line at a point [m]. Where the road
// is too narrow for the margin, the car drives in its middle.
func offsetBounds(p *road.Point, o Options) (low, high float64, err error) {
	const minWidth = 0.02         // minimum distance between the bounds [m]
	const maxRadiusFraction = 0.8 // maximum offset to the inside of a bend, as a fraction of its radius
	left, right := p.Left+o.KerbShare*p.KerbLeft, p.Right+o.KerbShare*p.KerbRight
	if !(left+right > o.Width+minWidth) {
		return 0, 0, fmt.Errorf("the road is %.3g m wide, the car %.3g m: widen the road or use a narrower car",
			left+right, o.Width)
	}
	half := min(o.Width/2+o.Margin, (left+right-minWidth)/2)
	low, high = half-right, left-half
	if r := maxRadiusFraction / max(math.Abs(p.Curvature), 1e-9); p.Curvature > 0 {
		high = min(high, r)
	} else {
		low = max(low, -r)
	}
	if !(low < high) {
		return 0, 0, fmt.Errorf("the bend of radius %.3g m is too tight for the width of the road at its inner side: "+
			"make the road narrower there", 1/math.Abs(p.Curvature))
	}
	return low, high, nil
}

// point returns the position on normal i at an offset [m].
func (w *path) point(i int, offset float64) (x, y float64) {
	return w.center[i].Pos.X + offset*w.normalX[i], w.center[i].Pos.Y + offset*w.normalY[i]
}

// next returns the index of the point after i, which may be past the end of an open path.
func (w *path) next(i int) int {
	if w.closed && i+1 == len(w.center) {
		return 0
	}
	return i + 1
}

// chordCount returns the number of chords between points.
func (w *path) chordCount() int {
	if w.closed {
		return len(w.center)
	}
	return len(w.center) - 1
}
