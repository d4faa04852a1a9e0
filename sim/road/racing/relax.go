package racing

import "math"

// piece is the straight from a place of a way to the next.
type piece struct {
	x, y   float64 // unit vector
	length float64 // [m]
}

// across and along are parts of a place's normal to the left of the piece and along it.
func (p piece) across(x, y float64) float64 { return p.x*y - p.y*x }
func (p piece) along(x, y float64) float64  { return p.x*x + p.y*y }

func (w *way) piecesOf(beside []float64, out []piece) []piece {
	out = out[:0]
	for i := range w.pieces() {
		j := w.next(i)
		x0, y0 := w.place(i, beside[i])
		x1, y1 := w.place(j, beside[j])
		length := math.Hypot(x1-x0, y1-y0)
		out = append(out, piece{(x1 - x0) / length, (y1 - y0) / length, length})
	}
	return out
}

// turning returns by how much the way turns from piece a to b [rad], and over which
// length [m].
func turning(a, b piece) (angle, length float64) {
	return math.Atan2(a.x*b.y-a.y*b.x, a.x*b.x+a.y*b.y), (a.length + b.length) / 2
}

// first is the number of the first piece that has one before it.
func (w *way) first() int {
	if w.closed {
		return 0
	}
	return 1
}

// before is the number of the piece before one.
func (w *way) before(i int) int {
	if i == 0 {
		return len(w.mid) - 1
	}
	return i - 1
}

// cost is what the way is to have least of: curvature squared over its length, and
// length by its weight [1/m].
func (w *way) cost(p []piece) float64 {
	sum := 0.0
	for i := w.first(); i < len(p); i++ {
		angle, length := turning(p[w.before(i)], p[i])
		sum += angle * angle / length
	}
	for i := range p {
		sum += w.short * p[i].length
	}
	return sum
}

// relax moves the places to the least cost, by Gauss and Newton's method: each round the
// residuals are taken as linear, and the bounds as they are.
func (w *way) relax() {
	const rounds, done, shortest = 40, 1e-6, 1e-3
	n := len(w.mid)
	q := newBoxed(n)
	now := w.piecesOf(w.beside, nil)
	trial, moved := []piece(nil), make([]float64, n)
	cost := w.cost(now)
	for range rounds {
		w.linear(now, q)
		for i := range moved {
			q.low[i], q.high[i] = w.low[i]-w.beside[i], w.high[i]-w.beside[i]
		}
		q.solve()
		better := false
		was := cost
		for share := 1.0; share >= shortest && !better; share /= 2 {
			for i := range moved {
				moved[i] = w.beside[i] + share*q.x[i]
			}
			trial = w.piecesOf(moved, trial)
			if c := w.cost(trial); c < cost {
				cost, better = c, true
			}
		}
		if !better {
			return
		}
		w.beside, moved = moved, w.beside
		now, trial = trial, now
		if was-cost < done*was {
			return
		}
	}
}

// linear writes the cost near the present places into q: half of x'Hx and g'x.
func (w *way) linear(p []piece, q *boxed) {
	q.clear()
	for i := w.first(); i < len(p); i++ {
		w.bend(q, p, i)
	}
	for i := range p {
		w.stretch(q, p, i)
	}
}

// bend adds the square of what the way turns before piece i, over its length.
func (w *way) bend(q *boxed, p []piece, i int) {
	a, b := p[w.before(i)], p[i]
	places := [3]int{w.before(i), i, w.next(i)}
	angle, length := turning(a, b)
	root := math.Sqrt(length)
	residual := angle / root
	var slope [3]float64
	for k, at := range places {
		x, y := w.x[at], w.y[at]
		turns, grows := 0.0, 0.0
		switch k {
		case 0:
			turns, grows = a.across(x, y)/a.length, -a.along(x, y)
		case 1:
			turns, grows = -(b.across(x, y)/b.length + a.across(x, y)/a.length), a.along(x, y)-b.along(x, y)
		case 2:
			turns, grows = b.across(x, y)/b.length, b.along(x, y)
		}
		slope[k] = turns/root - residual/length*grows/4
	}
	for k, at := range places {
		q.slope[at] += 2 * residual * slope[k]
		for m := range k + 1 {
			q.add(at, places[m], 2*slope[k]*slope[m])
		}
	}
}

// stretch adds the length of piece i by its weight.
func (w *way) stretch(q *boxed, p []piece, i int) {
	j := w.next(i)
	a := p[i]
	from, to := a.across(w.x[i], w.y[i]), a.across(w.x[j], w.y[j])
	q.slope[i] -= w.short * a.along(w.x[i], w.y[i])
	q.slope[j] += w.short * a.along(w.x[j], w.y[j])
	stiff := w.short / a.length
	q.add(i, i, stiff*from*from)
	q.add(j, j, stiff*to*to)
	q.add(i, j, -stiff*from*to)
}
