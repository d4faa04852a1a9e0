package road

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"
)

// Waypoint is a position that LineThrough lays a line through.
type Waypoint struct {
	Pos         r3.Vec  // [m, world]
	Left, Right float64 // distances to the road's edges [m]
	Bank        float64 // [rad], positive where the left side is higher
}

// LineThrough returns a smooth line through waypoints in driving order. It consists of cubic splines over
// the chord length, so that its curvature has no jumps. A closed line continues from the last waypoint to
// the first.
func LineThrough(waypoints []Waypoint, closed bool) (*Line, error) {
	t, err := newWaypointSpline(waypoints, closed)
	if err != nil {
		return nil, fmt.Errorf("road: line: %w", err)
	}
	const spacing = 1.0 // approximate distance between the line's points [m]
	length := t.arcLengths[len(t.arcLengths)-1]
	steps := max(int(math.Ceil(length/spacing)), 2)
	step := length / float64(steps)
	if steps >= maxLinePoints || !(step >= minLineStep) {
		return nil, fmt.Errorf("road: line: %.3g m long: must be %g m to %g km",
			length, 2*minLineStep, maxLinePoints*spacing/1e3)
	}
	points := make([]Point, steps+1)
	for i := range points {
		points[i] = t.point(float64(i) * step)
		if i > 0 { // continue the heading without jumps of 2π
			points[i].Heading = points[i-1].Heading + math.Remainder(points[i].Heading-points[i-1].Heading, 2*math.Pi)
		}
	}
	if closed {
		first, last := points[0], &points[steps]
		heading := first.Heading + 2*math.Pi*math.Round((last.Heading-first.Heading)/(2*math.Pi))
		*last = first
		last.Heading = heading
	}
	return NewLine(points, step, closed)
}

// waypointSpline holds the cubic splines through waypoints, with the chord length as their parameter.
type waypointSpline struct {
	curves     [6]interp.NaturalCubic // x, y, z, left, right and bank over the parameter
	knots      []float64              // spline parameter (chord length) at the waypoints of one lap [m]
	params     []float64              // parameters at which arcLengths is tabulated [m]
	arcLengths []float64              // arc length from the first waypoint to each of params [m]
}

// nodesPerWaypoint is the number of intervals between two waypoints in which the arc length is measured.
const nodesPerWaypoint = 4

// newWaypointSpline fits splines through waypoints and measures their arc length.
func newWaypointSpline(waypoints []Waypoint, closed bool) (*waypointSpline, error) {
	n := len(waypoints)
	if n < 2 || closed && n < 4 || n > maxLinePoints {
		return nil, fmt.Errorf("%d waypoints: must be 2 to %d, and at least 4 for a closed line", n, maxLinePoints)
	}
	if closed && r3.Norm(r3.Sub(waypoints[0].Pos, waypoints[n-1].Pos)) < 1e-3 {
		waypoints = waypoints[:n-1] // the last repeats the first
		n--
	}
	all, first := waypoints, 0
	if closed {
		all, first = repeatLap(waypoints)
	}
	chords, err := chordLengths(all, first, n)
	if err != nil {
		return nil, err
	}
	t := &waypointSpline{knots: chords[first:]}
	if closed {
		t.knots = chords[first : first+n+1]
	}
	for k := range t.curves {
		values := make([]float64, len(all))
		for i := range all {
			p := &all[i]
			values[i] = [...]float64{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Left, p.Right, p.Bank}[k]
		}
		if err := t.curves[k].Fit(chords, values); err != nil {
			return nil, err
		}
	}
	t.measure()
	return t, nil
}

// repeatLap returns the waypoints of a closed line with up to 40 of them repeated before and after the lap,
// and the index where the lap begins. Waypoints further away hardly change a spline.
func repeatLap(waypoints []Waypoint) ([]Waypoint, int) {
	const limit = 40
	n := len(waypoints)
	m := min(n, limit)
	all := append([]Waypoint{}, waypoints[n-m:]...)
	all = append(all, waypoints...)
	return append(all, waypoints[:m]...), m
}

// chordLengths returns the sum of the straight distances up to each waypoint [m]. first is the index at
// which the lap of n waypoints begins; errors count waypoints from there.
func chordLengths(all []Waypoint, first, n int) ([]float64, error) {
	chords := make([]float64, len(all))
	for i := range all {
		p := &all[i]
		for _, v := range [...]float64{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Left, p.Right, p.Bank} {
			if !(math.Abs(v) < 1e6) {
				return nil, fmt.Errorf("waypoint %d: %g: must be a number from -1e6 to 1e6", (i-first+n)%n+1, v)
			}
		}
		if i == 0 {
			continue
		}
		before := all[i-1].Pos
		chord := math.Hypot(p.Pos.X-before.X, p.Pos.Y-before.Y)
		if chord < 1e-3 {
			return nil, fmt.Errorf("waypoint %d is at the same position as the one before: remove it", (i-first+n)%n+1)
		}
		chords[i] = chords[i-1] + chord
	}
	if chords[len(chords)-1] > 1e6 {
		return nil, errors.New("longer than 1000 km: split it")
	}
	return chords, nil
}

// measure sets params and arcLengths.
func (t *waypointSpline) measure() {
	t.arcLengths = []float64{0}
	t.params = t.knots[:1:1]
	for i := 1; i < len(t.knots); i++ {
		from, width := t.knots[i-1], (t.knots[i]-t.knots[i-1])/nodesPerWaypoint
		for k := range nodesPerWaypoint {
			a := from + float64(k)*width
			t.params = append(t.params, a+width)
			t.arcLengths = append(t.arcLengths, t.arcLengths[len(t.arcLengths)-1]+t.arcLength(a, a+width))
		}
	}
}

// derivative returns the arc length per unit of the parameter u.
func (t *waypointSpline) derivative(u float64) float64 {
	return math.Hypot(t.curves[0].PredictDerivative(u), t.curves[1].PredictDerivative(u))
}

// arcLength returns the length of the curve from parameter a to b [m], by Gauss-Legendre quadrature with
// three points.
func (t *waypointSpline) arcLength(a, b float64) float64 {
	const node = 0.7745966692414834 // √(3/5)
	m, h := (a+b)/2, (b-a)/2
	return h * (5*t.derivative(m-node*h) + 8*t.derivative(m) + 5*t.derivative(m+node*h)) / 9
}

// parameter returns the parameter u at a station [m].
func (t *waypointSpline) parameter(s float64) float64 {
	low, high := 0, len(t.arcLengths)-1
	for high-low > 1 {
		if mid := (low + high) / 2; t.arcLengths[mid] <= s {
			low = mid
		} else {
			high = mid
		}
	}
	a, b := t.params[low], t.params[high]
	u := a + (b-a)*(s-t.arcLengths[low])/(t.arcLengths[high]-t.arcLengths[low])
	for range 4 { // Newton
		u += (s - t.arcLengths[low] - t.arcLength(a, u)) / max(t.derivative(u), 1e-3)
		u = min(max(u, a), b)
	}
	return u
}

// point returns the position at a station [m].
func (t *waypointSpline) point(s float64) Point {
	const h = 1e-3 // step of the parameter for the second derivatives [m]
	u := t.parameter(s)
	u0, u1 := max(u-h, t.knots[0]), min(u+h, t.knots[len(t.knots)-1])
	c := &t.curves
	dx, dy := c[0].PredictDerivative(u), c[1].PredictDerivative(u)
	ddx := (c[0].PredictDerivative(u1) - c[0].PredictDerivative(u0)) / (u1 - u0)
	ddy := (c[1].PredictDerivative(u1) - c[1].PredictDerivative(u0)) / (u1 - u0)
	dsdu := max(math.Hypot(dx, dy), 1e-6)
	return Point{
		Pos:     r3.Vec{X: c[0].Predict(u), Y: c[1].Predict(u), Z: c[2].Predict(u)},
		Heading: math.Atan2(dy, dx), Curvature: (dx*ddy - dy*ddx) / (dsdu * dsdu * dsdu),
		Slope: c[2].PredictDerivative(u) / dsdu,
		Left:  max(c[3].Predict(u), 0), Right: max(c[4].Predict(u), 0),
		Bank: c[5].Predict(u), Twist: c[5].PredictDerivative(u) / dsdu,
	}
}
