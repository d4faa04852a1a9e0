package motion

import (
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// followMonitor checks that the actuators follow their path.
//
// An actuator should be where its path was within its delay, or where a first-order filter of
// the path with the actuator's time constant is: some lag like a delay, some like a filter.
// Both lags are measured for each actuator (see lagMeter). The following error is the distance
// from all these positions. Time with an error beyond the limit adds up, and time within takes
// a quarter of it back, so that an actuator that is stuck is found even if its path passes it
// again and again. One that stands still is found once its path has been beyond the limit for
// its lag, lagSlack and the allowed time.
type followMonitor struct {
	limit       float64   // of the following error, fraction of the stroke; 0 switches the check off
	allowedTime float64   // beyond the limit before it is a fault [s]
	maxSpeed    wire.Legs // that an actuator can have [strokes/s]
	path        pathHistory
	actuators   [wire.Axes]actuatorMonitor
	error       wire.Legs // following error, fraction of the stroke, positive above the path; NaN where unknown
}

// actuatorMonitor is what is known of one actuator.
type actuatorMonitor struct {
	lagMeter
	positionCheck
	timeOff float64 // time beyond the limit, less a quarter of the time within [s]
}

const (
	lagSlack = 0.05 // by how much a delay may vary [s]
	// fraction of Config.MaxFollowError: a filter whose output is this close to the path counts as having reached
	// it, because it approaches its end ever more slowly
	arrivedFraction = 1.0 / 3
)

// newFollowMonitor returns the monitor for cfg. start must be called before step.
func newFollowMonitor(cfg Config) followMonitor {
	f := followMonitor{limit: cfg.MaxFollowError, allowedTime: cfg.MaxFollowTime}
	f.path.dt = cfg.period().Seconds()
	for i := range f.actuators {
		f.actuators[i].lag, f.actuators[i].filterLag = maxLag, lagSteps
		f.maxSpeed[i] = 2 * max(cfg.MaxSpeed[i], 1) // motors catch up faster than their path moves
	}
	return f
}

// start begins to monitor actuators that stand at a position now.
func (f *followMonitor) start(at *wire.Legs, now time.Duration) {
	f.path.reset(at)
	f.error = wire.AllAt(math.NaN())
	f.resetTimers()
	for i := range f.actuators {
		f.actuators[i].lagMeter.reset(at[i])
		f.actuators[i].positionCheck = positionCheck{answeredAt: now, acceptedAt: now, acceptedPosition: at[i]}
	}
}

// resetTimers forgets for how long actuators have been off their path.
func (f *followMonitor) resetTimers() {
	for i := range f.actuators {
		f.actuators[i].timeOff = 0
	}
}

// step takes the path of now and the reported positions, NaN where unknown, with the times at
// which they were reported. It returns FaultJump and FaultFollow where they are detected.
func (f *followMonitor) step(path, reported *wire.Legs, reportedAt *[wire.Axes]time.Duration, now time.Duration) (faults wire.Faults) {
	f.path.add(path)
	for i := range f.actuators {
		a := &f.actuators[i]
		at, interval := reported[i], (reportedAt[i] - a.answeredAt).Seconds()
		if f.limit > 0 && interval > 0 && a.positionCheck.update(at, reportedAt[i], f.limit, f.maxSpeed[i]) {
			faults |= wire.FaultJump
		}
		if a.isImplausible() {
			at = math.NaN()
		}
		age := (now - reportedAt[i]).Seconds()
		filtered, arrived := a.advanceFilters(path[i], f.path.dt), arrivedFraction*f.limit
		low, high := f.path.extremes(i, age+a.lag+lagSlack)
		f.error[i] = distanceOutside(at, min(low, filtered+arrived), max(high, filtered-arrived))
		if interval > 0 && math.Abs(f.error[i]) <= f.limit/2 {
			a.learn(&f.path, i, at, age, interval)
		}
		if math.Abs(f.error[i]) > f.limit {
			a.timeOff += f.path.dt
		} else { // also where the error is NaN
			a.timeOff = max(0, a.timeOff-f.path.dt/4)
		}
		if f.limit > 0 && a.timeOff >= f.allowedTime {
			faults |= wire.FaultFollow
		}
	}
	return faults
}

// hasImplausiblePosition reports whether an actuator's newest reported position is one that it can
// hardly have reached.
func (f *followMonitor) hasImplausiblePosition() bool {
	for i := range f.actuators {
		if f.actuators[i].isImplausible() {
			return true
		}
	}
	return false
}

// distanceOutside returns how far v is from the range low..high: 0 inside, negative below it,
// NaN if v is NaN.
func distanceOutside(v, low, high float64) float64 {
	return v - min(max(v, low), high)
}
