package layout

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/sim/road"
)

// span is a stretch in stations of its line.
type span struct {
	from, length float64 // [m]
	right, left  float64 // sides beside the centre line, positive to the left [m]
	whole        bool    // the road from edge to edge
}

// into returns how far a station is into the span [m]; more than its length if it is
// outside. lap is the line's length [m].
func (s *span) into(station, lap float64) float64 {
	d := station - s.from
	if d < 0 {
		d += lap
	}
	return d
}

// holds tells whether a place of the road is in the span.
func (s *span) holds(station, lateral, lap float64, road bool) bool {
	if d := s.into(station, lap); !(d >= 0 && d <= s.length) {
		return false
	}
	if s.whole {
		return road
	}
	return lateral >= s.right && lateral <= s.left
}

// span finds a stretch on the line.
func (l *Plan) span(s *Stretch, line *road.Line) (span, error) {
	start, err := l.start(s.On)
	if err != nil {
		return span{}, err
	}
	if !(s.To > s.From) || !(s.To-s.From <= line.Length()) || !(math.Abs(s.From) <= line.Length()) {
		return span{}, fmt.Errorf("from_m = %g, to_m = %g: must follow each other within a lap of %.0f m", s.From, s.To, line.Length())
	}
	whole := s.Right == 0 && s.Left == 0
	if !whole && !(s.Left > s.Right && s.Left-s.Right < 1e4) {
		return span{}, fmt.Errorf("right_m = %g, left_m = %g: the left side must be greater", s.Right, s.Left)
	}
	return span{line.Wrap(start + s.From), s.To - s.From, s.Right, s.Left, whole}, nil
}

// start returns the station at which a named piece starts [m].
func (l *Plan) start(name string) (float64, error) {
	s := 0.0
	var names []string
	for _, p := range l.Pieces {
		if name == "" || p.Name == name {
			return s, nil
		}
		if p.Name != "" {
			names = append(names, p.Name)
		}
		s += p.length()
	}
	if len(names) == 0 {
		return 0, fmt.Errorf("on = %q is no piece: none has a name; give one with name", name)
	}
	return 0, fmt.Errorf("on = %q is no piece; there are %s", name, strings.Join(names, ", "))
}

// lots finds what lies about a station among things that lie along a closed line.
type lots[T any] struct {
	lap   float64
	cells [][]T // by even steps of the line
}

const lot = 10.0 // [m]

func newLots[T any](lap float64) lots[T] {
	return lots[T]{lap, make([][]T, max(int(lap/lot), 1))}
}

// add puts a thing into every cell that its span touches, with a metre to spare.
func (l *lots[T]) add(at span, thing T) {
	n := len(l.cells)
	first := int(math.Floor((at.from - 1) / l.lap * float64(n)))
	last := int(math.Floor((at.from + at.length + 1) / l.lap * float64(n)))
	for i := first; i <= min(last, first+n-1); i++ {
		cell := &l.cells[((i%n)+n)%n]
		*cell = append(*cell, thing)
	}
}

// lotMost is the most things that lie about one place: a tick looks at all of them.
const lotMost = 64

// crowded reports a place with more things than may lie there.
func (l *lots[T]) crowded(what string) error {
	for i, cell := range l.cells {
		if len(cell) > lotMost {
			return fmt.Errorf("%s: %d lie about %.0f m from the start: at most %d may; leave some out", what, len(cell), float64(i)/float64(len(l.cells))*l.lap, lotMost)
		}
	}
	return nil
}

// near returns what may lie at a station.
func (l *lots[T]) near(station float64) []T {
	i := int(station / l.lap * float64(len(l.cells)))
	return l.cells[min(max(i, 0), len(l.cells)-1)]
}
