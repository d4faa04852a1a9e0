package curve

// Quadratic is one piece of a piecewise quadratic function: its value, its slope and half its second
// derivative at the start of the piece.
type Quadratic struct{ Value, Slope, HalfSecondDerivative float64 }

// At returns the value and the slope at the distance d from the start of the piece. The slope is exactly the
// derivative of the value.
func (q *Quadratic) At(d float64) (value, slope float64) {
	half := d * q.HalfSecondDerivative
	return q.Value + d*(q.Slope+half), q.Slope + 2*half
}

// TravelPieces is the number of pieces into which a TravelGrid divides the travel of a wheel.
const TravelPieces = 64

// TravelGrid divides the travel of a wheel into TravelPieces pieces of the length Step [m].
type TravelGrid struct{ Step, perStep float64 }

// NewTravelGrid returns the grid for a travel from 0 (full droop) to travel [m].
func NewTravelGrid(travel float64) TravelGrid {
	return TravelGrid{Step: travel / TravelPieces, perStep: TravelPieces / travel}
}

// Find returns the index of the piece in which a travel [m] lies, and the distance from the start of that
// piece [m].
func (g *TravelGrid) Find(travel float64) (piece int, d float64) {
	piece = min(max(int(travel*g.perStep), 0), TravelPieces-1)
	return piece, travel - float64(piece)*g.Step
}

// Integrate returns the pieces of the function with the given slope and with the given value at the travel x0
// [m].
func (g *TravelGrid) Integrate(slope func(travel float64) float64, x0, value float64) []Quadratic {
	out := make([]Quadratic, TravelPieces)
	sum := 0.0
	for i := range out {
		slope0, slope1 := slope(float64(i)*g.Step), slope(float64(i+1)*g.Step)
		out[i] = Quadratic{Value: sum, Slope: slope0, HalfSecondDerivative: (slope1 - slope0) / (2 * g.Step)}
		sum += g.Step * (slope0 + slope1) / 2
	}
	i, d := g.Find(x0)
	valueAtX0, _ := out[i].At(d)
	for i := range out {
		out[i].Value += value - valueAtX0
	}
	return out
}

// Interpolate returns the pieces of a function through the values at the points of the grid; value returns
// that at point i. It is exact for a quadratic function.
func (g *TravelGrid) Interpolate(value func(i int) float64) []Quadratic {
	out := make([]Quadratic, TravelPieces)
	previousValue, value0 := 0.0, value(0)
	for i := range out {
		value1 := value(i + 1)
		slope := (value1 - previousValue) / (2 * g.Step)
		if i == 0 {
			slope = (4*value1 - 3*value0 - value(2)) / (2 * g.Step)
		}
		out[i] = Quadratic{Value: value0, Slope: slope,
			HalfSecondDerivative: ((value1-value0)/g.Step - slope) / g.Step}
		previousValue, value0 = value0, value1
	}
	return out
}
