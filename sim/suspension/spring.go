package suspension

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Spring is what makes an axle's springs more than one rate. Travel and force are
// those of the spring, from full droop; the kinematics' motion ratio joins it to the wheel.
type Spring struct {
	Progression float64     `toml:"progression_per_m"`   // the rate grows by this share for each metre
	Table       [][]float64 `toml:"table_m_n" most:"64"` // [travel, force] points in place of rate and progression, rising
	Preload     float64     `toml:"preload_n"`           // force at full droop
	Target      float64     `toml:"target_position"`     // where the spring rests: 1 full droop, 0 full compression
}

// Validate reports every parameter that is out of range.
func (s Spring) Validate() error {
	errs := []error{
		valid.InRange("progression_per_m", s.Progression, 0, 200),
		valid.InRange("preload_n", s.Preload, 0, 50e3),
		valid.InRange("target_position", s.Target, 0, 1),
	}
	if n := len(s.Table); n == 1 || n > 64 {
		errs = append(errs, fmt.Errorf("table_m_n has %d points: give 2 to 64, or none", n))
	}
	for i, at := range s.Table {
		if len(at) != 2 {
			errs = append(errs, fmt.Errorf("table_m_n[%d] has %d values: give two, [travel, force]", i, len(at)))
			continue
		}
		least, weakest := -1.0, -100e3
		if i > 0 && len(s.Table[i-1]) == 2 {
			least, weakest = s.Table[i-1][0]+1e-4, s.Table[i-1][1]
		}
		errs = append(errs,
			valid.InRange(fmt.Sprintf("table_m_n[%d] travel", i), at[0], least, 2),
			valid.InRange(fmt.Sprintf("table_m_n[%d] force", i), at[1], weakest, 500e3))
	}
	return errors.Join(errs...)
}

// law returns the force of the spring alone at its travel [m].
func (s *Spring) law(rate, travel float64) float64 {
	if len(s.Table) == 0 {
		return rate * travel * (1 + s.Progression*travel/2)
	}
	last := len(s.Table) - 2
	for i := 0; ; i++ {
		a, b := s.Table[i], s.Table[i+1]
		if travel < b[0] || i == last {
			return a[1] + (b[1]-a[1])*(travel-a[0])/(b[0]-a[0])
		}
	}
}

// springLaw is a spring with its bump stop, as the wheel feels it.
type springLaw struct {
	rate    float64           // [N/m]
	start   float64           // force at full droop [N]
	stop    float64           // travel at which the bump stop is met [m]
	stiffer float64           // rate of the bump stop [N/m]
	curved  []curve.Quadratic // the spring in place of rate and start, if it is no line
	grid    curve.Grid
}

// newSpringLaw returns the spring of an axle; ratio is the spring's travel for
// that of the wheel, at a wheel's travel from full droop; nil is 1.
func newSpringLaw(a *Params, ratio func(travel float64) float64) springLaw {
	s := &a.Spring
	l := springLaw{rate: a.SpringRate, stop: a.StopStart, stiffer: a.StopRate, grid: curve.NewGrid(a.Travel)}
	l.start = s.Preload - a.SpringRate*(1-s.Target)*a.Travel
	if ratio == nil && s.Progression == 0 && len(s.Table) == 0 {
		return l
	}
	if ratio == nil {
		ratio = func(float64) float64 { return 1 }
	}
	gone := spent(l.grid.Step, ratio) // travel of the spring at each point of the grid
	l.curved = l.grid.Through(func(i int) float64 {
		return ratio(float64(i)*l.grid.Step) * (s.law(a.SpringRate, gone[i]) + l.start)
	})
	return l
}

// spent integrates the ratio over the grid's points.
func spent(step float64, ratio func(float64) float64) []float64 {
	out := make([]float64, curve.Pieces+1)
	before := ratio(0)
	for i := 1; i < len(out); i++ {
		now := ratio(float64(i) * step)
		out[i] = out[i-1] + step*(before+now)/2
		before = now
	}
	return out
}

// at returns force [N] and rate [N/m] at a travel of the wheel from full droop [m].
func (l *springLaw) at(travel float64) (force, rate float64) {
	if l.curved != nil {
		i, d := l.grid.Find(travel)
		force, rate = l.curved[i].At(d)
	} else {
		force, rate = l.start+l.rate*travel, l.rate
	}
	if travel > l.stop {
		force += l.stiffer * (travel - l.stop)
		rate += l.stiffer
	}
	return force, rate
}

// under returns the travel at which the spring carries a load [m], 0 where
// full droop already carries more.
func (l *springLaw) under(load float64) float64 {
	if l.curved == nil {
		return max(0, (load-l.start)/l.rate)
	}
	low, high := 0.0, l.grid.Step*curve.Pieces
	for range 60 {
		mid := (low + high) / 2
		if force, _ := l.at(mid); force < load {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// Damper makes an axle's dampers softer or harder where they move fast.
type Damper struct {
	Knee        float64 `toml:"knee_mps"`              // speed of the damper above which it is fast; 0 never
	FastBump    float64 `toml:"bump_fast_ns_per_m"`    // slope from there on, on the way in
	FastRebound float64 `toml:"rebound_fast_ns_per_m"` // and on the way out
}

// Validate reports every parameter that is out of range.
func (d Damper) Validate() error {
	least := 0.0
	if d.Knee > 0 {
		least = 10
	}
	return errors.Join(
		valid.InRange("knee_mps", d.Knee, 0, 5),
		valid.InRange("bump_fast_ns_per_m", d.FastBump, least, 50e3),
		valid.InRange("rebound_fast_ns_per_m", d.FastRebound, least, 50e3),
	)
}

// damperLaw is a damper as the wheel feels it at a motion ratio of 1.
type damperLaw struct {
	slow, fast [2]float64 // slopes on the way in and out [N·s/m]
	knee       float64    // [m/s]; infinite where nothing changes
}

func newDamperLaw(a *Params) damperLaw {
	l := damperLaw{slow: [2]float64{a.Bump, a.Rebound}, fast: [2]float64{a.Bump, a.Rebound}, knee: math.Inf(1)}
	if a.Damper.Knee > 0 {
		l.fast, l.knee = [2]float64{a.Damper.FastBump, a.Damper.FastRebound}, a.Damper.Knee
	}
	return l
}

// against returns what a damper adds to a strut that a force [N] drives
// against a resistance [N·s/m]: its slope [N·s/m], and the force [N] that the
// slope has too much when the strut moves fast. ratio is the motion ratio.
func (l *damperLaw) against(force, resist, ratio float64) (slope, offset float64) {
	way := 0
	if force < 0 {
		way = 1
	}
	square := ratio * ratio
	slope = square * l.slow[way]
	if ratio*math.Abs(force) <= l.knee*(resist+slope) {
		return slope, 0
	}
	fast := square * l.fast[way]
	return fast, math.Copysign(l.knee/ratio, force) * (slope - fast)
}
