package ffb

import (
	"math"

	"rig.example/rig/sim"
)

// strength is how many N·m at the rim one at the column makes. It has no delay.
type strength struct {
	cfg  Config
	dt   float64
	peak peak
}

type strengthState struct {
	gain float64 // in force, which the driver may have changed
	peak peakState
	held float64 // with Auto: the column's torque that peak_nm stands for now [N·m]
}

func newStrength(cfg Config, dt float64) strength {
	return strength{cfg: cfg, dt: dt, peak: newPeak(cfg.FullScale, dt)}
}

// start is the configuration's gain, and the torque that is believed before any was felt.
func (g *strength) start() strengthState {
	return strengthState{gain: g.cfg.Gain, peak: peakState{value: g.cfg.FullScale}, held: g.cfg.FullScale}
}

// scale returns the rim's torque for each N·m at the column, where the rim may give
// most N·m.
func (g *strength) scale(s *strengthState, most float64) float64 {
	top := most
	if g.cfg.Peak > 0 {
		top = g.cfg.Peak
	}
	switch g.cfg.Strength {
	case Share:
		return s.gain * g.cfg.Share
	case Auto:
		return s.gain * top * (1 - g.cfg.Headroom) / s.held
	}
	return s.gain / g.cfg.FullScale * top
}

// step learns from a tick in which the car moved.
func (g *strength) step(s *strengthState, car *sim.State, moved bool) {
	if !moved {
		return
	}
	g.peak.step(&s.peak, car)
	g.follow(s, math.Abs(car.ColumnTorque)/s.held)
}

// follow leads the held peak towards the learned one, by its share in use, load. It
// makes the rim stronger only while there is little torque, so that no bend gets
// heavier on the way, and weaker at any time, but slowly where there is much.
func (g *strength) follow(s *strengthState, load float64) {
	const quick, slow, quiet = 0.05, 0.01, 0.25 // [1/s], [1/s], share of the held peak
	calm := max(0, 1-load/quiet)
	most := s.held * g.dt
	s.held += min(max(s.peak.value-s.held, -quick*calm*most), max(slow, quick*calm)*most)
}

// peak learns the torque that the column passes in a fiftieth of the time in bends
// only. It follows a quantile as Robbins and Monro do: up while the torque is above
// it, down by a 49th of that while it is below. A jolt counts by its time and not by
// its size: 50 ms of it make at most 5 % in the first seconds, and 0.15 % later.
type peak struct {
	dt        float64
	low, high float64 // where it may go [N·m]
}

type peakState struct {
	value      float64 // [N·m]
	experience float64 // time in bends so far [s]
}

func newPeak(first, dt float64) peak {
	const reach = 5
	return peak{dt: dt, low: first / reach, high: first * reach}
}

// step takes a tick. Only bends count: standing, reversing and going straight tell
// nothing of the peak.
func (p *peak) step(s *peakState, car *sim.State) {
	const slowest, bend = 5, 2 // [m/s], [m/s²]
	if !(car.Speed > slowest && math.Abs(car.Speed*car.Rate.Z) > bend) {
		return
	}
	const (
		above = 0.02 // share of the time in bends in which there is more
		first = 1.0  // pace in the beginning [1/s]
		end   = 0.03 // and after a long time
		halve = 20.0 // time in bends after which the pace is half of the first [s]
	)
	s.experience += p.dt
	by := max(end, first*halve/(halve+s.experience)) * p.dt * s.value
	if math.Abs(car.ColumnTorque) > s.value {
		s.value += (1 - above) * by
	} else {
		s.value -= above * by
	}
	s.value = min(max(s.value, p.low), p.high)
}
