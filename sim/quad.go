package sim

// quad is a curve over an even grid by pieces of second order: its slope is a
// line between the grid's points, so that value and slope belong together.
type quad struct{ value, slope, bend float64 }

// at returns value and slope, d beyond the piece's start.
func (q *quad) at(d float64) (value, slope float64) {
	turned := d * q.bend
	return q.value + d*(q.slope+turned), q.slope + 2*turned
}

// gridSteps is how many pieces a curve over the travel of a wheel has.
const gridSteps = 64

// grid finds the piece of a travel.
type grid struct{ step, perStep float64 }

func newGrid(travel float64) grid {
	return grid{step: travel / gridSteps, perStep: gridSteps / travel}
}

// find returns the piece for a travel and how far into it that is [m].
func (g *grid) find(travel float64) (piece int, d float64) {
	piece = min(max(int(travel*g.perStep), 0), gridSteps-1)
	return piece, travel - float64(piece)*g.step
}

// quads returns the pieces of a curve with the given slope, which has a value at one place.
func (g *grid) quads(slope func(travel float64) float64, place, value float64) []quad {
	out := make([]quad, gridSteps)
	sum := 0.0
	for i := range out {
		from, to := slope(float64(i)*g.step), slope(float64(i+1)*g.step)
		out[i] = quad{value: sum, slope: from, bend: (to - from) / (2 * g.step)}
		sum += g.step * (from + to) / 2
	}
	i, d := g.find(place)
	there, _ := out[i].at(d)
	for i := range out {
		out[i].value += value - there
	}
	return out
}

// through returns the pieces of a curve with its values at the grid's points,
// exact for a curve of second order.
func (g *grid) through(value func(i int) float64) []quad {
	out := make([]quad, gridSteps)
	before, from := 0.0, value(0)
	for i := range out {
		to := value(i + 1)
		slope := (to - before) / (2 * g.step)
		if i == 0 {
			slope = (4*to - 3*from - value(2)) / (2 * g.step)
		}
		out[i] = quad{value: from, slope: slope, bend: ((to-from)/g.step - slope) / g.step}
		before, from = from, to
	}
	return out
}
