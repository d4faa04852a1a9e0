package racing

import "math"

// chord is the straight line from a point of a path to the next.
type chord struct {
	x, y   float64 // unit vector
	length float64 // [m]
}

// across and along return the components of a vector x, y to the left of the chord and along it.
func (p chord) across(x, y float64) float64 { return p.x*y - p.y*x }
func (p chord) along(x, y float64) float64  { return p.x*x + p.y*y }

// chords appends the chords between points with these offsets to out.
func (w *path) chords(offset []float64, out []chord) []chord {
	out = out[:0]
	for i := range w.chordCount() {
		j := w.next(i)
		x0, y0 := w.point(i, offset[i])
		x1, y1 := w.point(j, offset[j])
		length := math.Hypot(x1-x0, y1-y0)
		out = append(out, chord{(x1 - x0) / length, (y1 - y0) / length, length})
	}
	return out
}

// turn returns the angle from chord a to chord b [rad], positive to the left, and the length of path over
// which it counts: the mean length of the two chords [m].
func turn(a, b chord) (angle, length float64) {
	return math.Atan2(a.x*b.y-a.y*b.x, a.x*b.x+a.y*b.y), (a.length + b.length) / 2
}

// firstTurn returns the index of the first chord that has a predecessor.
func (w *path) firstTurn() int {
	if w.closed {
		return 0
	}
	return 1
}

// previous returns the index of the chord before i.
func (w *path) previous(i int) int {
	if i == 0 {
		return len(w.center) - 1
	}
	return i - 1
}

// cost returns the cost of the path with these chords, which minimize reduces: the integral of squared
// curvature plus the weighted length [1/m].
func (w *path) cost(p []chord) float64 {
	sum := 0.0
	for i := w.firstTurn(); i < len(p); i++ {
		angle, length := turn(p[w.previous(i)], p[i])
		sum += angle * angle / length
	}
	for i := range p {
		sum += w.lengthWeight * p[i].length
	}
	return sum
}

// minimize moves the points to minimum cost by the Gauss-Newton method with bounds: in each round it
// linearizes the residuals, solves a bounded quadratic program and halves the step until the cost falls.
func (w *path) minimize() {
	const rounds, tolerance, minFraction = 40, 1e-6, 1e-3
	n := len(w.center)
	q := newBoundedQP(n)
	chords := w.chords(w.offset, nil)
	trial, moved := []chord(nil), make([]float64, n)
	cost := w.cost(chords)
	for range rounds {
		w.linearize(chords, q)
		for i := range moved {
			q.low[i], q.high[i] = w.minOffset[i]-w.offset[i], w.maxOffset[i]-w.offset[i]
		}
		q.solve()
		better := false
		costBefore := cost
		for stepFraction := 1.0; stepFraction >= minFraction && !better; stepFraction /= 2 {
			for i := range moved {
				moved[i] = w.offset[i] + stepFraction*q.x[i]
			}
			trial = w.chords(moved, trial)
			if c := w.cost(trial); c < cost {
				cost, better = c, true
			}
		}
		if !better {
			return
		}
		w.offset, moved = moved, w.offset
		chords, trial = trial, chords
		if costBefore-cost < tolerance*costBefore {
			return
		}
	}
}

// linearize sets the matrix H and the gradient g of q so that x'Hx/2 + g'x approximates the change of the
// cost when the points move by x.
func (w *path) linearize(p []chord, q *boundedQP) {
	q.clear()
	for i := w.firstTurn(); i < len(p); i++ {
		w.addCurvature(q, p, i)
	}
	for i := range p {
		w.addLength(q, p, i)
	}
}

// addCurvature adds the term of the angle before chord i to q: the squared angle over its length.
func (w *path) addCurvature(q *boundedQP, p []chord, i int) {
	a, b := p[w.previous(i)], p[i]
	indices := [3]int{w.previous(i), i, w.next(i)}
	angle, length := turn(a, b)
	sqrtLength := math.Sqrt(length)
	residual := angle / sqrtLength
	var dResidual [3]float64
	for k, at := range indices {
		x, y := w.normalX[at], w.normalY[at]
		dTurn, dLength := 0.0, 0.0
		switch k {
		case 0:
			dTurn, dLength = a.across(x, y)/a.length, -a.along(x, y)
		case 1:
			dTurn, dLength = -(b.across(x, y)/b.length + a.across(x, y)/a.length), a.along(x, y)-b.along(x, y)
		case 2:
			dTurn, dLength = b.across(x, y)/b.length, b.along(x, y)
		}
		dResidual[k] = dTurn/sqrtLength - residual/length*dLength/4
	}
	for k, at := range indices {
		q.gradient[at] += 2 * residual * dResidual[k]
		for m := range k + 1 {
			q.add(at, indices[m], 2*dResidual[k]*dResidual[m])
		}
	}
}

// addLength adds the term of the weighted length of chord i to q.
func (w *path) addLength(q *boundedQP, p []chord, i int) {
	j := w.next(i)
	a := p[i]
	acrossFrom, acrossTo := a.across(w.normalX[i], w.normalY[i]), a.across(w.normalX[j], w.normalY[j])
	q.gradient[i] -= w.lengthWeight * a.along(w.normalX[i], w.normalY[i])
	q.gradient[j] += w.lengthWeight * a.along(w.normalX[j], w.normalY[j])
	stiffness := w.lengthWeight / a.length
	q.add(i, i, stiffness*acrossFrom*acrossFrom)
	q.add(j, j, stiffness*acrossTo*acrossTo)
	q.add(i, j, -stiffness*acrossFrom*acrossTo)
}
