package curve

// Quadratic is a curve over an even grid by pieces of second order: its slope is a
// line between the grid's points, so that value and slope belong together.
type Quadratic struct{ Value, Slope, Bend float64 }

// At returns value and slope, d beyond the piece's start.
func (q *Quadratic) At(d float64) (value, slope float64) {
	turned := d * q.Bend
	return q.Value + d*(q.Slope+turned), q.Slope + 2*turned
}

// Pieces is how many pieces a curve over the travel of a wheel has.
const Pieces = 64

// Grid finds the piece of a travel.
type Grid struct{ Step, perStep float64 }

// NewGrid returns the grid over a travel [m] from full droop.
func NewGrid(travel float64) Grid {
	return Grid{Step: travel / Pieces, perStep: Pieces / travel}
}

// Find returns the piece for a travel and how far into it that is [m].
func (g *Grid) Find(travel float64) (piece int, d float64) {
	piece = min(max(int(travel*g.perStep), 0), Pieces-1)
	return piece, travel - float64(piece)*g.Step
}

// Integrate returns the pieces of a curve with the given slope, which has a value at one place.
func (g *Grid) Integrate(slope func(travel float64) float64, place, value float64) []Quadratic {
	out := make([]Quadratic, Pieces)
	sum := 0.0
	for i := range out {
		from, to := slope(float64(i)*g.Step), slope(float64(i+1)*g.Step)
		out[i] = Quadratic{Value: sum, Slope: from, Bend: (to - from) / (2 * g.Step)}
		sum += g.Step * (from + to) / 2
	}
	i, d := g.Find(place)
	there, _ := out[i].At(d)
	for i := range out {
		out[i].Value += value - there
	}
	return out
}

// Through returns the pieces of a curve with its values at the grid's points,
// exact for a curve of second order.
func (g *Grid) Through(value func(i int) float64) []Quadratic {
	out := make([]Quadratic, Pieces)
	before, from := 0.0, value(0)
	for i := range out {
		to := value(i + 1)
		slope := (to - before) / (2 * g.Step)
		if i == 0 {
			slope = (4*to - 3*from - value(2)) / (2 * g.Step)
		}
		out[i] = Quadratic{Value: from, Slope: slope, Bend: ((to-from)/g.Step - slope) / g.Step}
		before, from = from, to
	}
	return out
}
