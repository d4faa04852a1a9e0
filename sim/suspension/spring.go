package suspension

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Spring describes the springs of an axle beyond their rate. Travel and force are those of the spring itself,
// with the travel from full droop; the motion ratio of the kinematics gives those at the wheel.
type Spring struct {
	// relative increase of the rate for each metre of the spring's travel: at 4, 100 mm raise it by 40 %
	Progression float64 `toml:"progression_per_m" range:"0..200"`
	// points `[travel, force]` of the spring, rising, instead of rate and progression: linear between them and
	// on beyond the last. Still give `spring_rate_n_per_m`: bars in mode `stiffness` and the room below the
	// body take it for the axle's
	Table   [][]float64 `toml:"table_m_n" count:"0 or 2..64"`
	Preload float64     `toml:"preload_n" range:"0..50000"` // force of the spring at full droop
	// position at which the spring without preload has no force: 1 at full droop, 0 at full bump. Below 1 the
	// spring pulls the wheel in from full droop; 0.5 is the middle
	RestPosition float64 `toml:"target_position" range:"0..1"`
}

// Validate reports every parameter that is out of range.
func (s Spring) Validate() error {
	errs := []error{valid.Struct(s)}
	for i, at := range s.Table {
		if len(at) != 2 {
			errs = append(errs, fmt.Errorf("table_m_n[%d] has %d values: give two, [travel, force]", i, len(at)))
			continue
		}
		minTravel, minForce := -1.0, -100e3
		if i > 0 && len(s.Table[i-1]) == 2 {
			minTravel, minForce = s.Table[i-1][0]+1e-4, s.Table[i-1][1]
		}
		errs = append(errs,
			valid.InRange(fmt.Sprintf("table_m_n[%d] travel", i), at[0], minTravel, 2),
			valid.InRange(fmt.Sprintf("table_m_n[%d] force", i), at[1], minForce, 500e3))
	}
	return errors.Join(errs...)
}

// forceAt returns the force of the spring alone [N] at its own travel [m]; rate is its linear rate [N/m].
func (s *Spring) forceAt(rate, travel float64) float64 {
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

// springLaw is the force of spring and bump stop at the wheel, as a function of the wheel's travel.
type springLaw struct {
	rate       float64           // rate of a linear spring [N/m]
	droopForce float64           // force at full droop [N]
	stopTravel float64           // travel at which the bump stop begins [m]
	stopRate   float64           // rate of the bump stop [N/m]
	pieces     []curve.Quadratic // force of the spring, instead of rate and droopForce, if it is not linear
	grid       curve.TravelGrid
}

// newSpringLaw returns the spring of an axle. ratio returns the motion ratio at a wheel's travel from full
// droop [m]; nil means a ratio of 1.
func newSpringLaw(a *Params, ratio func(travel float64) float64) springLaw {
	s := &a.Spring
	l := springLaw{rate: a.SpringRate, stopTravel: a.BumpStopTravel, stopRate: a.BumpStopRate,
		grid: curve.NewTravelGrid(a.Travel)}
	l.droopForce = s.Preload - a.SpringRate*(1-s.RestPosition)*a.Travel
	if ratio == nil && s.Progression == 0 && len(s.Table) == 0 {
		return l
	}
	if ratio == nil {
		ratio = func(float64) float64 { return 1 }
	}
	springTravel := integrateRatio(l.grid.Step, ratio) // travel of the spring at each point of the grid
	l.pieces = l.grid.Interpolate(func(i int) float64 {
		return ratio(float64(i)*l.grid.Step) * (s.forceAt(a.SpringRate, springTravel[i]) + l.droopForce)
	})
	return l
}

// integrateRatio returns the spring's travel at the points of the grid [m]: the integral of the motion ratio.
// step is the distance of the points [m].
func integrateRatio(step float64, ratio func(float64) float64) []float64 {
	out := make([]float64, curve.TravelPieces+1)
	before := ratio(0)
	for i := 1; i < len(out); i++ {
		now := ratio(float64(i) * step)
		out[i] = out[i-1] + step*(before+now)/2
		before = now
	}
	return out
}

// at returns the force [N] and the rate [N/m] at a travel of the wheel from full droop [m].
func (l *springLaw) at(travel float64) (force, rate float64) {
	if l.pieces != nil {
		i, d := l.grid.Find(travel)
		force, rate = l.pieces[i].At(d)
	} else {
		force, rate = l.droopForce+l.rate*travel, l.rate
	}
	if travel > l.stopTravel {
		force += l.stopRate * (travel - l.stopTravel)
		rate += l.stopRate
	}
	return force, rate
}

// travelUnder returns the travel at which the spring carries a load [N] [m]. It is 0 if the spring carries
// more at full droop.
func (l *springLaw) travelUnder(load float64) float64 {
	if l.pieces == nil {
		return max(0, (load-l.droopForce)/l.rate)
	}
	low, high := 0.0, l.grid.Step*curve.TravelPieces
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

// Damper describes how the dampers of an axle differ at high damper speeds.
type Damper struct {
	// damper speed above which the fast slopes count; 0 for a linear damper
	KneeSpeed float64 `toml:"knee_mps" range:"0..5"`
	// slope above knee_mps in bump; needed with a knee, 10 at least
	FastBump float64 `toml:"bump_fast_ns_per_m" range:"0..50000" valid:"-"`
	// slope above knee_mps in rebound; needed with a knee, 10 at least
	FastRebound float64 `toml:"rebound_fast_ns_per_m" range:"0..50000" valid:"-"`
}

// Validate reports every parameter that is out of range.
func (d Damper) Validate() error {
	minRate := 0.0
	if d.KneeSpeed > 0 {
		minRate = 10
	}
	return errors.Join(
		valid.Struct(d),
		valid.AtLeast(d, "bump_fast_ns_per_m", minRate),
		valid.AtLeast(d, "rebound_fast_ns_per_m", minRate),
	)
}

// damperLaw is the damper's force at the wheel, at a motion ratio of 1.
type damperLaw struct {
	slow, fast [2]float64 // damping rates in bump and rebound [N·s/m]
	knee       float64    // damper speed above which fast counts [m/s]; Inf for a linear damper
}

func newDamperLaw(a *Params) damperLaw {
	l := damperLaw{slow: [2]float64{a.BumpDamping, a.ReboundDamping},
		fast: [2]float64{a.BumpDamping, a.ReboundDamping}, knee: math.Inf(1)}
	if a.Damper.KneeSpeed > 0 {
		l.fast, l.knee = [2]float64{a.Damper.FastBump, a.Damper.FastRebound}, a.Damper.KneeSpeed
	}
	return l
}

// linearize returns the damper's force in a tick as slope·speed + offset [N·s/m, N], both at the wheel. force
// [N] is the force that moves the strut, impedance [N·s/m] the strut's impedance without the damper, and ratio the
// motion ratio.
func (l *damperLaw) linearize(force, impedance, ratio float64) (slope, offset float64) {
	direction := 0
	if force < 0 {
		direction = 1
	}
	square := ratio * ratio
	slope = square * l.slow[direction]
	if ratio*math.Abs(force) <= l.knee*(impedance+slope) {
		return slope, 0
	}
	fast := square * l.fast[direction]
	return fast, math.Copysign(l.knee/ratio, force) * (slope - fast)
}
