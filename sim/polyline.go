package sim

import (
	"fmt"

	"rig.example/rig/internal/valid"
)

// polyline is a function by straight lines between points of rising x, constant
// outside. It has one point at least.
type polyline struct{ x, y []float64 }

// add appends a point.
func (p *polyline) add(x, y float64) {
	p.x, p.y = append(p.x, x), append(p.y, y)
}

// at returns the function's value.
func (p *polyline) at(x float64) float64 {
	last := len(p.x) - 1
	if !(x > p.x[0]) { // also true for NaN
		return p.y[0]
	}
	for i := 1; i <= last; i++ {
		if x < p.x[i] {
			part := (x - p.x[i-1]) / (p.x[i] - p.x[i-1])
			return p.y[i-1] + part*(p.y[i]-p.y[i-1])
		}
	}
	return p.y[last]
}

// pointRange is what the points of a list in a car's file must keep to: x rises from
// least by a gap from point to point, and y stays between low and high.
type pointRange struct {
	list             string
	x                string
	least, most, gap float64
	y                string
	low, high        float64
}

// check reports everything that is out of range in n points.
func (r pointRange) check(n int, at func(i int) (x, y float64)) (errs []error) {
	least := r.least
	for i := range n {
		x, y := at(i)
		errs = append(errs,
			valid.InRange(fmt.Sprintf("%s[%d].%s", r.list, i, r.x), x, least, r.most),
			valid.InRange(fmt.Sprintf("%s[%d].%s", r.list, i, r.y), y, r.low, r.high))
		least = x + r.gap
	}
	return errs
}

// bySpeed are points over a speed in km/h.
func bySpeed(list, y string, low, high float64) pointRange {
	return pointRange{list, "speed_kph", 0, 500, 0.1, y, low, high}
}
