package ffb

import (
	"math"

	"rig.example/rig/sim"
)

// strength scales the column's torque to the rim's. It has no delay.
type strength struct {
	cfg  Config
	dt   float64
	peak peakLearner
}

type strengthState struct {
	gain        float64   // present gain, as configured or adjusted by the driver
	peak        peakState // learned peak of the column's torque
	adaptedPeak float64   // with Auto: the column's torque that peak_nm stands for now [N·m]
}

func newStrength(cfg Config, dt float64) strength {
	return strength{cfg: cfg, dt: dt, peak: newPeak(cfg.FullScale, dt)}
}

// start returns the configured gain and the peak torque that is assumed at first.
func (g *strength) start() strengthState {
	return strengthState{gain: g.cfg.Gain, peak: peakState{value: g.cfg.FullScale}, adaptedPeak: g.cfg.FullScale}
}

// scale returns the torque at the rim per torque at the column. limit is the highest torque that the rim
// may get [N·m].
func (g *strength) scale(s *strengthState, limit float64) float64 {
	top := limit
	if g.cfg.Peak > 0 {
		top = g.cfg.Peak
	}
	switch g.cfg.Strength {
	case Share:
		return s.gain * g.cfg.Share
	case Auto:
		return s.gain * top * (1 - g.cfg.Headroom) / s.adaptedPeak
	}
	return s.gain / g.cfg.FullScale * top
}

// step learns from a tick in which the car moved.
func (g *strength) step(s *strengthState, car *sim.State, moved bool) {
	if !moved {
		return
	}
	g.peak.step(&s.peak, car)
	g.adaptPeak(s, math.Abs(car.ColumnTorque-car.Steering.Stop)/s.adaptedPeak)
}

// adaptPeak moves the peak in use towards the learned one; load is the present torque as a fraction of
// it. The rim gets stronger only while there is little torque, so that no bend gets heavier on the
// way, and weaker at any time, but slowly while there is much torque.
func (g *strength) adaptPeak(s *strengthState, load float64) {
	const up, down, quiet = 0.05, 0.01, 0.25 // rates [1/s]; fraction of the peak in use
	quietness := max(0, 1-load/quiet)
	step := s.adaptedPeak * g.dt
	s.adaptedPeak += min(max(s.peak.value-s.adaptedPeak, -up*quietness*step), max(down, up*quietness)*step)
}

// peakLearner learns the torque that the column exceeds in 2 % of the time in bends. It follows that
// quantile
// by the method of Robbins and Monro: up while the torque is above it, down by 1/49 of that while it is
// below. An impact counts by its duration and not by its size: 50 ms change the peak by at most 5 % in the
// first seconds, and by 0.15 % later.
type peakLearner struct {
	dt        float64
	low, high float64 // range of the learned peak [N·m]
}

type peakState struct {
	value       float64 // learned peak [N·m]
	timeInBends float64 // time in bends so far [s]
}

func newPeak(first, dt float64) peakLearner {
	const span = 5 // the learned peak stays within 1/5 to 5 times the first value
	return peakLearner{dt: dt, low: first / span, high: first * span}
}

// step learns from one tick. Only driving forward in bends counts, because other driving contains no peak
// torques.
func (p *peakLearner) step(s *peakState, car *sim.State) {
	const minSpeed, minLateral = 5, 2 // [m/s], lateral acceleration [m/s²]
	if !(car.Speed > minSpeed && math.Abs(car.Speed*car.Rate.Z) > minLateral) {
		return
	}
	const (
		shareAbove  = 0.02 // fraction of the time in bends in which the torque exceeds the peak
		initialRate = 1.0  // learning rate in the beginning [1/s]
		finalRate   = 0.03 // learning rate after a long time [1/s]
		halfTime    = 20.0 // time in bends after which the learning rate is half of initialRate [s]
	)
	s.timeInBends += p.dt
	step := max(finalRate, initialRate*halfTime/(halfTime+s.timeInBends)) * p.dt * s.value
	if math.Abs(car.ColumnTorque-car.Steering.Stop) > s.value {
		s.value += (1 - shareAbove) * step
	} else {
		s.value -= shareAbove * step
	}
	s.value = min(max(s.value, p.low), p.high)
}
