package layout

import (
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
)

// span is a stretch of the road, in stations of the center line.
type span struct {
	from, length float64 // station of its start, and its length [m]
	right, left  float64 // lateral positions of its sides, positive left of the center line [m]
	wholeWidth   bool    // it has the whole width of the road; right and left are unused
}

// distanceInto returns the distance from the span's start to a station [m], larger than its length outside
// the span. lap is the length of the line [m].
func (s *span) distanceInto(station, lap float64) float64 {
	d := station - s.from
	if d < 0 {
		d += lap
	}
	return d
}

// contains reports whether a position is in the span. onRoad is whether it is between the road's edges.
func (s *span) contains(station, lateral, lap float64, onRoad bool) bool {
	if d := s.distanceInto(station, lap); !(d >= 0 && d <= s.length) {
		return false
	}
	if s.wholeWidth {
		return onRoad
	}
	return lateral >= s.right && lateral <= s.left
}

// span returns a stretch of the plan in stations of the center line.
func (l *Plan) span(s *Stretch, line *road.Line) (span, error) {
	start, err := l.start(s.On)
	if err != nil {
		return span{}, err
	}
	if !(s.To > s.From) || !(s.To-s.From <= line.Length()) || !(math.Abs(s.From) <= line.Length()) {
		return span{}, fmt.Errorf("from_m = %g, to_m = %g: from_m must be less than to_m, both within a lap of %.0f m",
			s.From, s.To, line.Length())
	}
	whole := s.Right == 0 && s.Left == 0
	if !whole && !(s.Left > s.Right && s.Left-s.Right < 1e4) {
		return span{}, fmt.Errorf("right_m = %g, left_m = %g: left_m must be greater than right_m", s.Right, s.Left)
	}
	return span{line.Wrap(start + s.From), s.To - s.From, s.Right, s.Left, whole}, nil
}

// start returns the station at which a named piece starts [m]; 0 if the name is empty.
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
		return 0, fmt.Errorf("on = %q not found: no piece has a name; add one with the key name", name)
	}
	return 0, valid.OneOf("on", name, names...)
}

// spanIndex finds the items near a station of a closed line. It divides the line into cells of equal length.
type spanIndex[T any] struct {
	lap   float64 // length of the line [m]
	cells [][]T   // items of each cell, in the order in which they were added
}

// cellLength is the length of a cell [m].
const cellLength = 10.0

// newSpanIndex returns an empty index for a line of length lap [m].
func newSpanIndex[T any](lap float64) spanIndex[T] {
	return spanIndex[T]{lap, make([][]T, max(int(lap/cellLength), 1))}
}

// add puts an item into every cell that its span touches, with a margin of a metre.
func (l *spanIndex[T]) add(at span, item T) {
	n := len(l.cells)
	first := int(math.Floor((at.from - 1) / l.lap * float64(n)))
	last := int(math.Floor((at.from + at.length + 1) / l.lap * float64(n)))
	for i := first; i <= min(last, first+n-1); i++ {
		cell := &l.cells[((i%n)+n)%n]
		*cell = append(*cell, item)
	}
}

// maxPerCell is the maximum number of items in a cell: Touch looks at all of them.
const maxPerCell = 64

// checkCount returns an error if a cell has more than maxPerCell items. kind names the items in the message.
func (l *spanIndex[T]) checkCount(kind string) error {
	for i, cell := range l.cells {
		if len(cell) > maxPerCell {
			return fmt.Errorf("%s: %d of them near %.0f m from the start: must be at most %d; remove some",
				kind, len(cell), float64(i)/float64(len(l.cells))*l.lap, maxPerCell)
		}
	}
	return nil
}

// at returns the items whose spans may contain a station [m].
func (l *spanIndex[T]) at(station float64) []T {
	i := int(station / l.lap * float64(len(l.cells)))
	return l.cells[min(max(i, 0), len(l.cells)-1)]
}
