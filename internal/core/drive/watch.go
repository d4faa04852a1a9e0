package drive

import (
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
)

// Watch is what watches a drive: for NaN and Inf, for a rim that does not follow, and for its end.
type Watch struct {
	badValueLatched  bool     // NaN or Inf was found, and the operator has not confirmed yet
	releaseOrdered   bool     // the end of the drive was ordered
	platformFollowed bool     // the platform has followed targets, so that its position is unknown
	sinceRelease     float64  // time since the order to end the drive [s]
	waitTime         float64  // time that counts towards Setup.WaitTimeout [s]
	rim              rimWatch // of a rim that the servo turns
}

// check returns and latches a bad value of the car, of force feedback, of the wheel's own effects or of cueing.
func (w *Watch) check(car *sim.State, force *ffb.State, vibration *ffb.VibrationState, motion *cueing.State) BadValue {
	switch bad := findBadValue(car); {
	case w.badValueLatched:
	case bad.index != 0:
		return w.latch(bad)
	case force.Fault() || !forceFloats.allFinite(wordsOf(force)):
		return w.latch(BadValue{index: forceBadValue})
	case vibration.Fault():
		return w.latch(BadValue{index: effectBadValue})
	case motion.Fault():
		return w.latch(BadValue{index: cueingBadValue})
	}
	return BadValue{}
}

// latch latches a bad value until the operator confirms, and returns it for the log.
func (w *Watch) latch(bad BadValue) BadValue {
	w.badValueLatched = true
	return bad
}

// parked reports whether the platform is parked, not configured, or has never followed targets. A
// platform that is absent or at fault does not prevent driving, but it counts as parked only if it
// reports so or never moved.
func (w *Watch) parked(p *Platform) bool {
	return !p.Configured || p.Parked || !w.platformFollowed
}

// countWait counts how long a drive waits, and reports whether it waits too long and gives up. Without a limit of laps it
// waits while the car does not move. A pause does not count: the driver who paused may be climbing off. With a limit of laps
// all time since the last one counts.
func (w *Watch) countWait(waits bool, timeout, dt float64) (gaveUp bool) {
	if timeout == 0 || !waits || w.releaseOrdered {
		w.waitTime = 0
		return false
	}
	w.waitTime += dt
	w.releaseOrdered = w.waitTime >= timeout
	return w.releaseOrdered
}

// minLeaveTime is the shortest time from the order to end the drive to its end while not parked [s]. By
// then the wheel has received a torque of 0, and the guard has processed the order.
const minLeaveTime = 0.05

// isDone reports whether the drive ends after a release: when the rig is parked, or when no torque flows and the
// platform can move no further.
func (w *Watch) isDone(g *guard.Guard, p *Platform, leaveTimeout, dt float64) bool {
	if !w.releaseOrdered {
		return false
	}
	w.sinceRelease += dt
	ended := !p.Configured || p.ParkDone
	switch g.State() {
	case guard.Parked:
	case guard.Fault, guard.Stopped:
		ended = ended && w.sinceRelease > minLeaveTime
	case guard.Ready: // a tick later it is parked, if the platform is
		ended = ended && w.sinceRelease > minLeaveTime && !w.parked(p) && !awaitsParkOrder(p, g)
	default:
		ended = false
	}
	return ended || w.sinceRelease > leaveTimeout
}

// awaitsParkOrder reports whether the platform is still halted by a stop that has just been lifted; it is
// about to be ordered to park.
func awaitsParkOrder(p *Platform, g *guard.Guard) bool {
	return p.Configured && p.Halted && g.LatchedCause() != guard.InterlockOpen
}

const (
	runawaySpeed     = 15   // speed that the servo gives no rim, unless its force pushes the wrong way [rad/s]
	runawayTime      = 0.1  // time at that speed after which the rim does not follow [s]
	stuckError       = 0.5  // distance to the target from which the rim does not follow [rad]
	stuckTorqueShare = 0.95 // share of the limit from which the torque is at its limit
	stuckTime        = 1.0  // time at that distance and torque after which the rim is stuck [s]
)

// rimWatch measures for how long a rim that the servo turns has not followed.
type rimWatch struct {
	stuckTime   float64 // time for which the rim has not followed [s]
	runawayTime float64 // time for which the rim has turned faster than the servo turns it [s]
}

// step takes the rim's distance to the servo's target [rad], its speed [rad/s], and the torque that passed the gate with
// its limit [N·m]: one that fades in, or is off, may leave the rim behind.
func (w *rimWatch) step(distance, speed, passed, limit, dt float64) {
	left := limit > 0 && math.Abs(distance) > stuckError && math.Abs(passed) >= stuckTorqueShare*limit
	w.stuckTime = timeWhile(left, w.stuckTime, dt)
	w.runawayTime = timeWhile(math.Abs(speed) > runawaySpeed, w.runawayTime, dt)
}

// timeWhile returns a time that grows by dt while on is true, and is 0 otherwise [s].
func timeWhile(on bool, time, dt float64) float64 {
	if !on {
		return 0
	}
	return time + dt
}

// isStuck reports whether the rim does not follow: somebody holds or turns it, it is blocked, or its force pushes
// the wrong way.
func (w *rimWatch) isStuck() bool { return w.runawayTime >= runawayTime || w.stuckTime >= stuckTime }
