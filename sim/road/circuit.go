package road

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim/tire"
)

// Piece is a part of a circuit's centre line: a straight if Angle is 0, else a
// bend whose curvature grows evenly over Ramp metres, stays at 1/Radius and
// falls again, so that the steering wheel never has to jump.
type Piece struct {
	Length float64 // of a straight [m]; a guess for a free one
	Free   bool    // a straight whose length closes the circuit; there are two
	Angle  float64 // of a bend [rad], positive to the left
	Radius float64 // of a bend [m]
	Ramp   float64 // of a bend: length of each transition [m]
}

// Point is a place on the centre line.
type Point struct {
	Pos       r3.Vec  // [m, world]
	Heading   float64 // [rad], 0 along x, not wrapped
	Curvature float64 // [1/m], positive to the left
}

// Circuit is a closed, level road round a centre line.
type Circuit struct {
	Flat
	width  float64
	length float64
	step   float64 // between samples [m]
	line   []Point // samples from station 0; one more than there are steps
}

// Width returns the width of the road [m].
func (c *Circuit) Width() float64 { return c.width }

// Length returns the length of the centre line [m].
func (c *Circuit) Length() float64 { return c.length }

// New builds a circuit of the given width [m] that starts at the origin along
// x. The bends must turn by a full circle in all; the two free straights get
// the lengths that close it.
func New(pieces []Piece, width float64, s tire.Surface) (*Circuit, error) {
	closed, err := closeUp(pieces)
	if err != nil {
		return nil, fmt.Errorf("road: circuit: %w", err)
	}
	runs := flatten(closed)
	c := &Circuit{Flat: Flat{s}, width: width}
	for _, r := range runs {
		c.length += r.length
	}
	const sample = 0.5 // [m]
	steps := math.Ceil(c.length / sample)
	c.step = c.length / steps
	c.line = trace(runs, c.step, int(steps))
	return c, nil
}

// At returns the place at a station [m] from the start; it runs on round the
// circuit in either direction.
func (c *Circuit) At(s float64) Point {
	lap := c.wrap(s)
	at := lap / c.step
	i := min(int(at), len(c.line)-2)
	a, b := &c.line[i], &c.line[i+1]
	share := at - float64(i)
	ds := share * c.step
	curvature := a.Curvature + share*(b.Curvature-a.Curvature)
	mid := a.Heading + ds*(3*a.Curvature+curvature)/8 // heading half way
	sin, cos := math.Sincos(mid)
	return Point{
		Pos:       r3.Vec{X: a.Pos.X + ds*cos, Y: a.Pos.Y + ds*sin},
		Heading:   a.Heading + ds*(a.Curvature+curvature)/2,
		Curvature: curvature,
	}
}

// Kerbs tells whether the road has a kerb on its left and on its right at a
// station: on the inside of every bend tighter than 150 m.
func (c *Circuit) Kerbs(s float64) (left, right bool) {
	const tight = 1.0 / 150
	k := c.At(s).Curvature
	return k > tight, k < -tight
}

// Nearest returns the station nearest to a position, and how far the position
// is to the left of the centre line [m]. It searches downhill from a hint, the
// last known station; give NaN to search the whole circuit.
func (c *Circuit) Nearest(pos r3.Vec, hint float64) (s, lateral float64) {
	s = hint
	if math.IsNaN(hint) || math.IsInf(hint, 0) {
		s = c.search(pos)
	}
	const rounds, reach = 6, 20.0 // [m] at most a round
	for range rounds {
		p := c.At(s)
		ahead, left := p.local(pos)
		lateral = left
		stretch := max(1-p.Curvature*left, 0.2)
		s += min(max(ahead/stretch, -reach), reach)
	}
	_, lateral = c.At(s).local(pos)
	return c.wrap(s), lateral
}

// local returns pos as seen from p [m].
func (p Point) local(pos r3.Vec) (ahead, left float64) {
	sin, cos := math.Sincos(p.Heading)
	dx, dy := pos.X-p.Pos.X, pos.Y-p.Pos.Y
	return dx*cos + dy*sin, dy*cos - dx*sin
}

func (c *Circuit) search(pos r3.Vec) float64 {
	best, at := math.Inf(1), 0
	for i := range c.line {
		d := r3.Sub(pos, c.line[i].Pos)
		if far := d.X*d.X + d.Y*d.Y; far < best {
			best, at = far, i
		}
	}
	return float64(at) * c.step
}

func (c *Circuit) wrap(s float64) float64 {
	s -= math.Floor(s/c.length) * c.length
	if s >= 0 && s < c.length {
		return s
	}
	return 0 // rounding at the line, or not a number
}
