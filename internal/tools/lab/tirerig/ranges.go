package tirerig

import (
	"fmt"
	"math"
	"strings"
)

// rangeCheck records the values at which a tire was evaluated, and counts those outside of its ranges.
type rangeCheck struct {
	bench *Bench
	rows  int

	load, kappa, alpha, gamma, pressure rangeUse // ranges to which the model clamps
	measuredLoad                        rangeUse // measured range of the load, which the model extrapolates
}

// newRangeCheck returns a check of the bench's tire without values.
func (b *Bench) newRangeCheck() *rangeCheck {
	l, t := b.Tire.Limits, b.Tire
	n := &rangeCheck{
		bench:        b,
		load:         newRangeUse("load", " N", 1, 0, l.LoadMax),
		kappa:        newRangeUse("slip ratio", "", 1, l.KappaMin, l.KappaMax),
		alpha:        newRangeUse("slip angle", "°", perDegree, l.AlphaMin, l.AlphaMax),
		gamma:        newRangeUse("camber", "°", perDegree, l.GammaMin, l.GammaMax),
		pressure:     newRangeUse("pressure", " kPa", perKPa, l.PressureMin, l.PressureMax),
		measuredLoad: newRangeUse("load", " N", 1, t.LoadMin, t.LoadMax),
	}
	if n.load.high <= n.measuredLoad.high {
		n.measuredLoad.high = math.Inf(1)
	}
	return n
}

// add takes in a point. Points without load are only counted.
func (n *rangeCheck) add(p Point) {
	n.rows++
	if !(p.Load > 0) {
		return
	}
	n.load.add(p.Load)
	n.measuredLoad.add(p.Load)
	n.kappa.add(p.Kappa)
	n.alpha.add(p.Alpha)
	n.gamma.add(p.Gamma)
	if c := n.bench.contact(p); c.Pressure > 0 {
		n.pressure.add(c.Pressure)
	}
}

// notices returns a notice for each range that was exceeded.
func (n *rangeCheck) notices() (list []string) {
	for _, s := range []*rangeUse{&n.load, &n.kappa, &n.alpha, &n.gamma, &n.pressure} {
		if s.below+s.above > 0 {
			list = append(list, s.describeExcess(n.rows)+": "+s.sides(" answered as at ", s.format))
		}
	}
	if n.measuredLoad.below+n.measuredLoad.above > 0 {
		never := func(float64) string { return " the tire was not measured" }
		list = append(list, n.measuredLoad.describeExcess(n.rows)+": "+n.measuredLoad.sides("", never))
	}
	return list
}

// rangeUse is a quantity with its limits and the values that it took, in SI.
type rangeUse struct {
	name, unit        string
	unitSize          float64 // size of the printed unit in SI
	low, high         float64 // limits; infinite if there is none
	smallest, largest float64 // smallest and largest value
	below, above      int     // number of rows outside of the limits
}

// newRangeUse returns a quantity with its limits; both 0 means no limits.
func newRangeUse(name, unit string, unitSize, low, high float64) rangeUse {
	s := rangeUse{name: name, unit: unit, unitSize: unitSize, low: low, high: high, smallest: math.Inf(1), largest: math.Inf(-1)}
	if low == 0 && high == 0 {
		s.low, s.high = math.Inf(-1), math.Inf(1)
	}
	return s
}

// add takes in a value. A value beyond a limit by rounding of its unit counts as inside.
func (s *rangeUse) add(v float64) {
	const noise = 1e-9
	s.smallest, s.largest = min(s.smallest, v), max(s.largest, v)
	switch {
	case v < s.low-noise*math.Abs(s.low):
		s.below++
	case v > s.high+noise*math.Abs(s.high):
		s.above++
	}
}

// describeExcess returns a text that tells how far the values exceed the limits, for example "camber up
// to 10° (8 of 9 rows)". For a single row it gives no count.
func (s *rangeUse) describeExcess(rows int) string {
	text := s.name + " up to " + s.format(s.largest)
	switch {
	case s.above == 0:
		text = s.name + " down to " + s.format(s.smallest)
	case s.below > 0:
		text = s.name + " from " + s.format(s.smallest) + " to " + s.format(s.largest)
	}
	if rows > 1 {
		text += fmt.Sprintf(" (%d of %d rows)", s.below+s.above, rows)
	}
	return text
}

// sides returns a text for each limit that was exceeded: the limit, what, and the text that at returns
// for the limit.
func (s *rangeUse) sides(what string, at func(limit float64) string) string {
	var sides []string
	if s.below > 0 {
		sides = append(sides, "below "+s.format(s.low)+what+at(s.low))
	}
	if s.above > 0 {
		sides = append(sides, "above "+s.format(s.high)+what+at(s.high))
	}
	return strings.Join(sides, ", ")
}

// format formats a value in SI in the unit of the quantity.
func (s *rangeUse) format(v float64) string { return shortNumber(v/s.unitSize) + s.unit }

// tireNotices returns the notices that do not depend on points: what the tire's file lacks, and which
// settings of the bench have no effect.
func (b *Bench) tireNotices() []string {
	list := append([]string{}, b.Tire.Notices...)
	if b.Pressure > 0 && b.Tire.Pressure == 0 {
		list = append(list, fmt.Sprintf("--pressure has no effect: the model %s does not depend on it", b.Tire.Kind))
	}
	if b.Speed > 0 && b.Tire.MeasuredSpeed == 0 {
		list = append(list, fmt.Sprintf("--speed has no effect: the model %s does not depend on it", b.Tire.Kind))
	}
	return list
}
