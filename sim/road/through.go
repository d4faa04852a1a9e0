package road

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"
)

// Via is a place that a line is laid through.
type Via struct {
	Pos         r3.Vec  // [m, world]
	Left, Right float64 // to the road's edges [m]
	Bank        float64 // [rad], positive where the left side is higher
}

// Through lays a line through places in driving order: cubic splines over the way from
// place to place, so that its curvature has no jumps. A closed one goes on from the
// last place to the first.
func Through(places []Via, closed bool) (*Line, error) {
	t, err := newThread(places, closed)
	if err != nil {
		return nil, fmt.Errorf("road: line: %w", err)
	}
	const every = 1.0 // [m] about
	length := t.at[len(t.at)-1]
	steps := max(int(math.Ceil(length/every)), 2)
	step := length / float64(steps)
	if steps >= mostLine || !(step >= leastStep) {
		return nil, fmt.Errorf("road: line: %.3g m long: allowed is %g m to %g km", length, 2*leastStep, mostLine*every/1e3)
	}
	points := make([]Point, steps+1)
	for i := range points {
		points[i] = t.point(float64(i) * step)
		if i > 0 { // turns without a jump
			points[i].Heading = points[i-1].Heading + math.Remainder(points[i].Heading-points[i-1].Heading, 2*math.Pi)
		}
	}
	if closed {
		first, last := points[0], &points[steps]
		turned := first.Heading + 2*math.Pi*math.Round((last.Heading-first.Heading)/(2*math.Pi))
		*last = first
		last.Heading = turned
	}
	return NewLine(points, step, closed)
}

// thread is the splines through places.
type thread struct {
	curves [6]interp.NaturalCubic // x, y, z, left, right and bank over the way between the places
	knots  []float64              // that way at the places of one lap [m]
	pieces []float64              // the same, finer
	at     []float64              // length of the curve until each piece [m]
}

const finer = 4 // pieces from place to place

func newThread(places []Via, closed bool) (*thread, error) {
	n := len(places)
	if n < 2 || closed && n < 4 || n > mostLine {
		return nil, fmt.Errorf("%d places: give 2 to %d, and 4 at least for a closed one", n, mostLine)
	}
	if closed && r3.Norm(r3.Sub(places[0].Pos, places[n-1].Pos)) < 1e-3 {
		places = places[:n-1] // it names the first again
		n--
	}
	all, first := places, 0
	if closed {
		all, first = around(places)
	}
	way, err := ways(all, first, n)
	if err != nil {
		return nil, err
	}
	t := &thread{knots: way[first:]}
	if closed {
		t.knots = way[first : first+n+1]
	}
	for k := range t.curves {
		values := make([]float64, len(all))
		for i := range all {
			p := &all[i]
			values[i] = [...]float64{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Left, p.Right, p.Bank}[k]
		}
		if err := t.curves[k].Fit(way, values); err != nil {
			return nil, err
		}
	}
	t.measure()
	return t, nil
}

// around returns the places with some of the laps before and behind, and where the lap
// begins in them. What is further away does not matter to a spline.
func around(places []Via) ([]Via, int) {
	const most = 40
	n := len(places)
	m := min(n, most)
	all := append([]Via{}, places[n-m:]...)
	all = append(all, places...)
	return append(all, places[:m]...), m
}

// ways returns the way from place to place as the crow flies.
func ways(all []Via, first, n int) ([]float64, error) {
	way := make([]float64, len(all))
	for i := range all {
		p := &all[i]
		for _, v := range [...]float64{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Left, p.Right, p.Bank} {
			if !(math.Abs(v) < 1e6) {
				return nil, fmt.Errorf("place %d: %g is no number below 1e6", (i-first+n)%n+1, v)
			}
		}
		if i == 0 {
			continue
		}
		before := all[i-1].Pos
		by := math.Hypot(p.Pos.X-before.X, p.Pos.Y-before.Y)
		if by < 1e-3 {
			return nil, fmt.Errorf("place %d is where the one before it is: leave it out", (i-first+n)%n+1)
		}
		way[i] = way[i-1] + by
	}
	if way[len(way)-1] > 1e6 {
		return nil, errors.New("longer than 1000 km")
	}
	return way, nil
}

// measure finds the length of the curve until each piece.
func (t *thread) measure() {
	t.at = []float64{0}
	t.pieces = t.knots[:1:1]
	for i := 1; i < len(t.knots); i++ {
		from, by := t.knots[i-1], (t.knots[i]-t.knots[i-1])/finer
		for k := range finer {
			a := from + float64(k)*by
			t.pieces = append(t.pieces, a+by)
			t.at = append(t.at, t.at[len(t.at)-1]+t.long(a, a+by))
		}
	}
}

// speed returns the way along the curve for each metre as the crow flies.
func (t *thread) speed(u float64) float64 {
	return math.Hypot(t.curves[0].PredictDerivative(u), t.curves[1].PredictDerivative(u))
}

// long is the length of a piece after Gauss.
func (t *thread) long(a, b float64) float64 {
	const node = 0.7745966692414834 // √(3/5)
	m, h := (a+b)/2, (b-a)/2
	return h * (5*t.speed(m-node*h) + 8*t.speed(m) + 5*t.speed(m+node*h)) / 9
}

// parameter returns where on the splines a station is.
func (t *thread) parameter(s float64) float64 {
	low, high := 0, len(t.at)-1
	for high-low > 1 {
		if mid := (low + high) / 2; t.at[mid] <= s {
			low = mid
		} else {
			high = mid
		}
	}
	a, b := t.pieces[low], t.pieces[high]
	u := a + (b-a)*(s-t.at[low])/(t.at[high]-t.at[low])
	for range 4 { // Newton
		u += (s - t.at[low] - t.long(a, u)) / max(t.speed(u), 1e-3)
		u = min(max(u, a), b)
	}
	return u
}

// point returns the place at a station.
func (t *thread) point(s float64) Point {
	const h = 1e-3 // [m], of the second derivatives
	u := t.parameter(s)
	u0, u1 := max(u-h, t.knots[0]), min(u+h, t.knots[len(t.knots)-1])
	c := &t.curves
	dx, dy := c[0].PredictDerivative(u), c[1].PredictDerivative(u)
	ddx := (c[0].PredictDerivative(u1) - c[0].PredictDerivative(u0)) / (u1 - u0)
	ddy := (c[1].PredictDerivative(u1) - c[1].PredictDerivative(u0)) / (u1 - u0)
	speed := max(math.Hypot(dx, dy), 1e-6)
	return Point{
		Pos:     r3.Vec{X: c[0].Predict(u), Y: c[1].Predict(u), Z: c[2].Predict(u)},
		Heading: math.Atan2(dy, dx), Curvature: (dx*ddy - dy*ddx) / (speed * speed * speed),
		Slope: c[2].PredictDerivative(u) / speed,
		Left:  max(c[3].Predict(u), 0), Right: max(c[4].Predict(u), 0),
		Bank: c[5].Predict(u), Twist: c[5].PredictDerivative(u) / speed,
	}
}
