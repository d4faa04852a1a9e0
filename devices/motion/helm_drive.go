package motion

import (
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// drive sends the next demand, unless it must be found out first where the
// platform stands.
func (h *helm) drive(now time.Duration, d demands) {
	if gap := now - h.last; gap > silenceLimit {
		h.pilot.leftAlone(gap)
		// Nothing follows from what was not heard meanwhile. Who can tell where the platform
		// stands is asked.
		if h.codec.ReportsPosition() {
			h.locate(now)
			return
		}
	}
	h.watchSilence(now)
	h.watchDoubt(now)
	if h.mustLocate(now) {
		h.locate(now)
		return
	}
	if h.mayHome() && h.wish.homes != h.pilot.homes {
		h.tripped = 0
		h.board.happened.Store(0)
		h.follow.forgive()
	}
	h.legs = h.pilot.step(h.orders(now, d))
	h.watchPath(now)
	h.compose()
	h.past.sent, h.past.sentAt = h.legs, now
	if d.fresh && h.pilot.state == Active {
		h.stamp = d.at
	}
	h.settle()
}

// mayHome reports that an order to home need not wait.
func (h *helm) mayHome() bool { return !h.wish.halt && !h.wish.locked }

// mustLocate reports that something else than the path moved the platform: its
// controller was away and came back, or there was a fault and it is ordered to
// home.
func (h *helm) mustLocate(now time.Duration) bool {
	offline := h.board.told()&wire.FaultOffline != 0
	came := h.offline && !offline
	if h.offline = offline; !offline {
		h.onlineAt = now
	}
	ordered := h.wish.homes != h.homes && h.mayHome()
	if ordered {
		h.homes = h.wish.homes
	}
	switch {
	case came:
		return true
	case !h.codec.ReportsPosition():
		return false
	case ordered && (h.pilot.state == Fault || h.pilot.state == Halted):
		return h.displaced()
	case h.hush && h.toldAt() > h.muteAt:
		was := h.blind
		h.endSilence()
		return was || h.displaced()
	case h.hush && now > h.muteAt+silenceLimit: // some answer, not all
		return true
	}
	return false
}

// watchSilence notices that the controller does not answer. The platform stops:
// a controller that restarts then finds a demand where its actuators were left.
// After the time that a restart takes it parks, for the controller may hear all
// the same.
func (h *helm) watchSilence(now time.Duration) {
	if !h.codec.ReportsPosition() {
		return
	}
	silent := now - max(h.began, h.toldAt())
	if silent > silenceLimit/2 {
		h.hush, h.muteAt = true, now
	}
	h.blind = h.blind || silent > silenceLimit
	h.given = h.given || silent > silenceLimit+h.cfg.bootWait()
}

// watchDoubt notices what was told once and may be wrong. The platform holds until the
// controller tells more; a fault of one that does not is believed.
func (h *helm) watchDoubt(now time.Duration) {
	f := h.board.doubted() &^ h.tripped
	switch {
	case f == 0:
		h.doubtedAt = 0
	case h.doubtedAt == 0:
		h.doubtedAt = now
	case now-h.doubtedAt > silenceLimit:
		h.tripped |= f & wire.Latching
	}
}

// dead returns why no demand can be hoped to arrive any more, nil while one can: the
// controller has not answered, or was off line, for longer than an order to park waits.
func (h *helm) dead(now time.Duration) *error {
	const limit = silenceLimit + deadAfter
	switch {
	case h.phase != driving:
		return nil
	case h.codec.ReportsPosition() && now-max(h.began, h.toldAt()) > limit:
		return &wire.ErrSilent
	case now-h.onlineAt > limit:
		return &errOffline
	}
	return nil
}

// toldAt is when the actuator told where it stands that has been silent longest: a board
// may report one by itself and answer for none.
func (h *helm) toldAt() time.Duration {
	first := int64(math.MaxInt64)
	for axis := range h.codec.Axes() {
		first = min(first, h.board.toldAt[axis].Load())
	}
	return time.Duration(first)
}

// displaced reports that an actuator stands far from where its path is.
func (h *helm) displaced() bool {
	for axis := range h.codec.Axes() {
		if math.Abs(h.board.position(axis)-h.pilot.axis[axis].position) > far {
			return true
		}
	}
	return false
}

// orders gathers what is wanted of the pilot in this step.
func (h *helm) orders(now time.Duration, d demands) orders {
	o := orders{
		elapsed: (now - h.last).Seconds(),
		demand:  d.newest, fresh: d.fresh, age: (now - d.at).Seconds(),
		faults: h.faults(),
		halt:   h.wish.halt, locked: h.wish.locked, homes: h.wish.homes,
		park: h.wish.leave || h.wish.park || h.given,
		hush: (h.hush || h.follow.doubtful()) && !h.given || h.offline || h.doubtedAt != 0 || h.wish.leave && h.dead(now) != nil,
	}
	if d.bad {
		o.faults |= wire.FaultDemand
	}
	return o
}

// faults returns all that is wrong now.
func (h *helm) faults() wire.Faults {
	f := h.tripped | h.board.told()
	if h.blind {
		f |= wire.FaultSilent
	}
	return f
}

// watchPath compares where the actuators are with where they were sent. What was told
// long ago says nothing about where the path is now.
func (h *helm) watchPath(now time.Duration) {
	if !h.codec.ReportsPosition() || h.hush || h.blind {
		return
	}
	told := wire.All(math.NaN())
	var at [wire.Axes]time.Duration
	for axis := range h.codec.Axes() {
		at[axis] = time.Duration(h.board.toldAt[axis].Load())
		if now-at[axis] <= silenceLimit/4 {
			told[axis] = h.board.position(axis)
		}
	}
	h.tripped |= h.follow.step(&h.legs, &told, &at, now)
	for axis, e := range h.follow.error {
		h.board.error[axis].Store(math.Float64bits(e))
	}
}

// compose writes the demand, and now and then a question.
func (h *helm) compose() {
	h.buf = h.codec.AppendDemand(h.buf, &h.legs)
	if h.steps++; h.steps >= askEvery(h.cfg.Rate) {
		h.buf, h.steps = h.codec.AppendQuestion(h.buf), 0
	}
	for axis := range h.codec.Axes() {
		h.board.demand[axis].Store(math.Float64bits(h.legs[axis]))
		h.board.sentTo[axis].Store(math.Float64bits(h.legs[axis]))
	}
}

// settle finds out whether the platform rests where it parks: all actuators
// tell so, or they had time enough (one that is not connected never tells).
func (h *helm) settle() {
	const near = 0.02 // of the stroke: feedback may come in steps of 0.004
	if !h.pilot.atPark() || h.blind {
		h.settled = 0
		h.board.arrived.Store(false)
		return
	}
	h.settled += h.cfg.period()
	there := h.codec.ReportsPosition()
	for axis := range h.codec.Axes() {
		there = there && math.Abs(h.board.position(axis)-h.legs[axis]) <= near
	}
	h.board.arrived.Store(there || h.settled >= settleLimit)
}

// show leaves what the step did for Status and those who wait.
func (h *helm) show(now time.Duration) {
	b := h.board
	b.setState(h.state())
	b.faults.Store(uint32(h.faults() | h.pilot.cause))
	b.warnings.Store(h.pilot.warnings)
	b.kept.Store(h.pilot.kept)
	b.held.Store(h.phase == driving && h.pilot.halted())
	b.dead.Store(h.dead(now))
	if h.phase == driving {
		b.homes.Store(h.pilot.homes)
	}
}

// demanded reports that the last step wrote a demand.
func (h *helm) demanded() bool { return h.phase == driving && h.past.sentAt == h.last }

// showStalled tells of a controller that has taken nothing for so long. Nothing is stepped
// meanwhile, so no order to park can be carried out: after a while nobody waits for one.
func (h *helm) showStalled(since time.Duration) {
	if since > silenceLimit+deadAfter {
		h.board.dead.Store(&wire.ErrStalled)
	}
	h.board.faults.Or(uint32(wire.FaultSilent))
	if h.pilot.state != Halted {
		h.board.setState(Fault)
	}
}

func (h *helm) state() State {
	switch {
	case h.pilot.state == Halted || h.pilot.state == Fault:
		return h.pilot.state
	case h.blind:
		return Fault
	case h.phase < driving:
		return Opening
	default:
		return h.pilot.state
	}
}

// ended reports that nothing is left to say, and why.
func (h *helm) ended(now time.Duration) (bool, error) {
	switch {
	case h.failed != nil:
		return true, h.failed
	case h.phase >= leaving:
		return h.phase == over, nil
	case h.wish.leave && !h.driven:
		return true, nil
	}
	if h.deadline == 0 && (h.wish.leave || h.given) {
		h.deadline = now + h.cfg.parkTime()
	}
	late := h.deadline != 0 && now > h.deadline
	switch {
	case h.wish.leave && h.pilot.halted():
		return true, errHalted
	case h.wish.leave && h.dead(now) != nil:
		return h.pilot.resting(), *h.dead(now)
	case h.given:
		return late || h.pilot.atPark(), wire.ErrSilent
	case h.wish.leave && h.board.arrived.Load():
		h.part(now)
		return false, nil
	default:
		return late, errNotParked
	}
}

// part says goodbye to a platform that was parked in good order. Some controllers
// move or take the power at that: after a fault, a halt or with a belt or door
// open they are left as they are.
func (h *helm) part(now time.Duration) {
	h.phase, h.until = leaving, now
	if h.pilot.state == Parked && !h.wish.locked {
		h.phrases = h.codec.Stop()
	}
}
