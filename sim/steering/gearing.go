package steering

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// RatioPoint is the steering ratio at a steering wheel angle. Between points the
// ratio's inverse is a straight line, outside the last it is constant.
type RatioPoint struct {
	Wheel float64 `toml:"wheel_deg"` // to either side
	Ratio float64 `toml:"ratio"`     // steering wheel's speed over the road wheels' there
}

func validRatios(points []RatioPoint) error {
	errs := []error{valid.InRange("number of ratio_table points", float64(len(points)), 0, curve.MostPoints)}
	steps := curve.LineRange{List: "ratio_table", X: "wheel_deg", Least: 1, Most: 3000, Gap: 1, Y: "ratio", Low: 1, High: 50}
	return errors.Join(append(errs, steps.Check(len(points),
		func(i int) (x, y float64) { return points[i].Wheel, points[i].Ratio })...)...)
}

// gearing turns the steering wheel angle into the mean road wheel angle, as it
// is as long as the rack's travel and that angle are proportional.
type gearing struct {
	ratio float64
	steps []gearStep // none where the ratio is constant
}

// gearStep is a piece of the gearing that begins at a steering wheel angle.
type gearStep struct {
	wheel float64 // [rad]
	mean  float64 // road wheel angle there [rad]
	gain  float64 // its slope over the steering wheel angle, the ratio's inverse
	bend  float64 // growth of the gain [1/rad]
}

func newGearing(s Params) gearing {
	g := gearing{ratio: s.Ratio}
	if len(s.RatioTable) == 0 {
		return g
	}
	from := gearStep{gain: 1 / s.Ratio}
	for _, p := range s.RatioTable {
		to := gearStep{wheel: p.Wheel * degree, gain: 1 / p.Ratio}
		width := to.wheel - from.wheel
		from.bend = (to.gain - from.gain) / width
		to.mean = from.mean + width*(from.gain+to.gain)/2
		g.steps = append(g.steps, from)
		from = to
	}
	g.steps = append(g.steps, from)
	return g
}

const degree = math.Pi / 180 // [rad]

// mean returns the mean road wheel angle of a steering wheel angle, both [rad],
// and its slope.
func (g *gearing) mean(wheel float64) (angle, gain float64) {
	if len(g.steps) == 0 {
		return wheel / g.ratio, 1 / g.ratio
	}
	size := math.Abs(wheel)
	k := &g.steps[0]
	for i := 1; i < len(g.steps) && size >= g.steps[i].wheel; i++ {
		k = &g.steps[i]
	}
	on := size - k.wheel
	return math.Copysign(k.mean+on*(k.gain+on*k.bend/2), wheel), k.gain + on*k.bend
}

// wheel returns the steering wheel angle of a mean road wheel angle, both [rad].
func (g *gearing) wheel(mean float64) float64 {
	if len(g.steps) == 0 {
		return mean * g.ratio
	}
	size := math.Abs(mean)
	k := &g.steps[0]
	for i := 1; i < len(g.steps) && size >= g.steps[i].mean; i++ {
		k = &g.steps[i]
	}
	rest := size - k.mean
	root := math.Sqrt(max(0, k.gain*k.gain+2*k.bend*rest))
	return math.Copysign(k.wheel+2*rest/(k.gain+root), mean)
}
