package road

import (
	"fmt"
	"math"

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

// Circuit is a closed, level road round a centre line.
type Circuit struct {
	Flat
	*Line
}

// New builds a circuit of the given width [m] that starts at the origin along
// x. The bends must turn by a full circle in all; the two free straights get
// the lengths that close it.
func New(pieces []Piece, width float64, s tire.Surface) (*Circuit, error) {
	closed, err := closeUp(pieces)
	if err != nil {
		return nil, fmt.Errorf("road: circuit: %w", err)
	}
	runs := flatten(closed)
	length := 0.0
	for _, r := range runs {
		length += r.length
	}
	const sample = 0.5 // [m]
	steps := math.Ceil(length / sample)
	points := trace(runs, length/steps, int(steps))
	for i := range points {
		points[i].Left, points[i].Right = width/2, width/2
	}
	line, err := NewLine(points, length/steps, true)
	if err != nil {
		return nil, err
	}
	return &Circuit{Flat{s}, line}, nil
}

// Kerbs tells whether the road has a kerb on its left and on its right at a
// station: on the inside of every bend tighter than 150 m.
func (c *Circuit) Kerbs(s float64) (left, right bool) {
	const tight = 1.0 / 150
	k := c.At(s).Curvature
	return k > tight, k < -tight
}
