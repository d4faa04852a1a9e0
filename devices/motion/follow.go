package motion

import (
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// follow watches whether the actuators go where they are sent.
//
// An actuator should be where its path was within its delay, or where a filter of the first
// order with its time constant is: some lag like a delay, some like a filter. Both are
// measured for each (see lagMeter). How far it is from all these places is the following
// error. Time beyond the limit adds up, time within takes a quarter of it back: an actuator
// that is stuck while its path passes by it again and again is found all the same. One that
// stands still is found when its path has been farther away than the limit for its lag,
// lagSlack and patience.
type follow struct {
	limit, patience float64   // [share of the stroke], [s]
	fastest         wire.Legs // that an actuator may be [strokes/s]
	path            history
	axis            [wire.Axes]followed
	error           wire.Legs // share of the stroke, positive above the path; NaN where unknown
}

// followed is what is known of one actuator.
type followed struct {
	lagMeter
	sensor
	beyond float64 // [s]
}

const (
	lagSlack = 0.05    // by how much a delay may vary [s]
	tail     = 1.0 / 3 // share of the limit: a filter that is nearer to the path counts as there, for it takes long to arrive
)

// newFollow returns what watches a platform with such limits.
func newFollow(cfg Config) follow {
	f := follow{limit: cfg.FollowError, patience: cfg.FollowTime}
	f.path.dt = cfg.period().Seconds()
	for i := range f.axis {
		f.axis[i].lag, f.axis[i].constant = longestLag, lagSteps
		f.fastest[i] = 2 * max(cfg.MaxSpeed[i], 1) // motors catch up faster than their path goes
	}
	return f
}

// start begins to watch actuators that stand at a place now.
func (f *follow) start(at *wire.Legs, now time.Duration) {
	f.path.begin(at)
	f.error = wire.All(math.NaN())
	f.forgive()
	for i := range f.axis {
		f.axis[i].begin(at[i])
		f.axis[i].sensor = sensor{at: now, heard: now, place: at[i]}
	}
}

// forgive forgets how long actuators have been elsewhere.
func (f *follow) forgive() {
	for i := range f.axis {
		f.axis[i].beyond = 0
	}
}

// step takes the path and what was told of the actuators: where they were, NaN where that
// is not known, and when. It returns what is wrong.
func (f *follow) step(path, told *wire.Legs, toldAt *[wire.Axes]time.Duration, now time.Duration) (wrong wire.Faults) {
	f.path.add(path)
	for i := range f.axis {
		a := &f.axis[i]
		at, since := told[i], (toldAt[i] - a.sensor.at).Seconds()
		if f.limit > 0 && since > 0 && a.jumps(at, toldAt[i], f.limit, f.fastest[i]) {
			wrong |= wire.FaultJump
		}
		if a.doubtful() {
			at = math.NaN()
		}
		age := (now - toldAt[i]).Seconds()
		late, near := a.follow(path[i], f.path.dt), tail*f.limit
		low, high := f.path.span(i, age+a.lag+lagSlack)
		f.error[i] = outside(at, min(low, late+near), max(high, late-near))
		if since > 0 && math.Abs(f.error[i]) <= f.limit/2 {
			a.learn(&f.path, i, at, age, since)
		}
		if f.limit > 0 && a.wait(f.error[i], f.limit, f.path.dt) >= f.patience {
			wrong |= wire.FaultFollow
		}
	}
	return wrong
}

// wait adds up for how long the error has been beyond the limit [s].
func (a *followed) wait(off, limit, dt float64) float64 {
	if math.Abs(off) > limit {
		a.beyond += dt
	} else { // also where nothing is known
		a.beyond = max(0, a.beyond-dt/4)
	}
	return a.beyond
}

// doubtful reports that an actuator told a place that it can hardly have reached.
func (f *follow) doubtful() bool {
	for i := range f.axis {
		if f.axis[i].doubtful() {
			return true
		}
	}
	return false
}

// outside returns how far v is from low..high: negative below, NaN if v is.
func outside(v, low, high float64) float64 {
	return v - min(max(v, low), high)
}
