package tirerig

import (
	"fmt"
	"math"
	"strings"
)

// tally notes what a tire is asked for, and where that leaves its ranges.
type tally struct {
	bench *Bench
	rows  int

	load, kappa, alpha, gamma, pressure span // that the model keeps to
	measured                            span // loads that the tire was measured at, where the model goes on
}

func (b *Bench) tally() *tally {
	l, t := b.Tire.Limits, b.Tire
	n := &tally{
		bench:    b,
		load:     newSpan("load", " N", 1, 0, l.LoadMax),
		kappa:    newSpan("slip ratio", "", 1, l.KappaMin, l.KappaMax),
		alpha:    newSpan("slip angle", "°", perDegree, l.AlphaMin, l.AlphaMax),
		gamma:    newSpan("camber", "°", perDegree, l.GammaMin, l.GammaMax),
		pressure: newSpan("pressure", " kPa", perKPa, l.PressureMin, l.PressureMax),
		measured: newSpan("load", " N", 1, t.LoadMin, t.LoadMax),
	}
	if n.load.high <= n.measured.high {
		n.measured.high = math.Inf(1)
	}
	return n
}

// see notes a point that the tire answers; without a load it does not.
func (n *tally) see(p Point) {
	n.rows++
	if !(p.Load > 0) {
		return
	}
	n.load.see(p.Load)
	n.measured.see(p.Load)
	n.kappa.see(p.Kappa)
	n.alpha.see(p.Alpha)
	n.gamma.see(p.Gamma)
	if c := n.bench.contact(p); c.Pressure > 0 {
		n.pressure.see(c.Pressure)
	}
}

// notices tells of each range that was left.
func (n *tally) notices() (list []string) {
	for _, s := range []*span{&n.load, &n.kappa, &n.alpha, &n.gamma, &n.pressure} {
		if s.below+s.above > 0 {
			list = append(list, s.asked(n.rows)+": "+s.sides(" answered as at ", s.shown))
		}
	}
	if n.measured.below+n.measured.above > 0 {
		never := func(float64) string { return " the tire was not measured" }
		list = append(list, n.measured.asked(n.rows)+": "+n.measured.sides("", never))
	}
	return list
}

// span is a quantity with its limits and what was asked of it, in SI.
type span struct {
	name, unit   string
	scale        float64 // of the unit that people read
	low, high    float64 // infinite where there is none
	least, most  float64 // asked for
	below, above int     // rows beyond the limits
}

// newSpan returns a quantity with its limits; both 0 are none.
func newSpan(name, unit string, scale, low, high float64) span {
	s := span{name: name, unit: unit, scale: scale, low: low, high: high, least: math.Inf(1), most: math.Inf(-1)}
	if low == 0 && high == 0 {
		s.low, s.high = math.Inf(-1), math.Inf(1)
	}
	return s
}

// see notes a value. What is over a limit by the noise of its unit is at it.
func (s *span) see(v float64) {
	const noise = 1e-9
	s.least, s.most = min(s.least, v), max(s.most, v)
	switch {
	case v < s.low-noise*math.Abs(s.low):
		s.below++
	case v > s.high+noise*math.Abs(s.high):
		s.above++
	}
}

// asked tells how far beyond the limits it went, as "camber up to 10° (8 of 9
// rows)". Of a single row there is nothing to count.
func (s *span) asked(rows int) string {
	text := s.name + " up to " + s.shown(s.most)
	switch {
	case s.above == 0:
		text = s.name + " down to " + s.shown(s.least)
	case s.below > 0:
		text = s.name + " from " + s.shown(s.least) + " to " + s.shown(s.most)
	}
	if rows > 1 {
		text += fmt.Sprintf(" (%d of %d rows)", s.below+s.above, rows)
	}
	return text
}

// sides tells for each limit that was left what happens beyond it.
func (s *span) sides(what string, at func(limit float64) string) string {
	var sides []string
	if s.below > 0 {
		sides = append(sides, "below "+s.shown(s.low)+what+at(s.low))
	}
	if s.above > 0 {
		sides = append(sides, "above "+s.shown(s.high)+what+at(s.high))
	}
	return strings.Join(sides, ", ")
}

func (s *span) shown(v float64) string { return label(v/s.scale) + s.unit }

// notices are what to know before anything is asked: what the tire's file left
// out, and what the bench was told in vain.
func (b *Bench) notices() []string {
	list := append([]string{}, b.Tire.Notices...)
	if b.Pressure > 0 && b.Tire.Pressure == 0 {
		list = append(list, fmt.Sprintf("--pressure changes nothing: the model %s does not ask for it", b.Tire.Kind))
	}
	if b.Speed > 0 && b.Tire.Speed == 0 {
		list = append(list, fmt.Sprintf("--speed changes nothing: the model %s does not ask for it", b.Tire.Kind))
	}
	return list
}
