package motion

import (
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// drive sends the next demand, unless it must be found out first where the
// platform stands.
func (m *stateMachine) drive(now time.Duration, d demands) {
	if gap := now - m.last; gap > silenceLimit {
		m.trajectory.leftAlone(gap)
		// Nothing follows from what was not heard meanwhile. Who can tell where the platform
		// stands is asked.
		if m.codec.ReportsPosition() {
			m.locate(now)
			return
		}
	}
	m.watchSilence(now)
	m.watchDoubt(now)
	if m.mustLocate(now) {
		m.locate(now)
		return
	}
	if m.mayHome() && m.wish.homes != m.trajectory.homes {
		m.tripped = 0
		m.board.happened.Store(0)
		m.follow.forgive()
	}
	m.legs = m.trajectory.step(m.orders(now, d))
	m.watchPath(now)
	m.compose()
	m.past.sent, m.past.sentAt = m.legs, now
	if d.fresh && m.trajectory.state == Active {
		m.stamp = d.at
	}
	m.settle()
}

// mayHome reports that an order to home need not wait.
func (m *stateMachine) mayHome() bool { return !m.wish.halt && !m.wish.locked }

// mustLocate reports that something else than the path moved the platform: its
// controller was away and came back, or there was a fault and it is ordered to
// home.
func (m *stateMachine) mustLocate(now time.Duration) bool {
	offline := m.board.told()&wire.FaultOffline != 0
	came := m.offline && !offline
	if m.offline = offline; !offline {
		m.onlineAt = now
	}
	ordered := m.wish.homes != m.homes && m.mayHome()
	if ordered {
		m.homes = m.wish.homes
	}
	switch {
	case came:
		return true
	case !m.codec.ReportsPosition():
		return false
	case ordered && (m.trajectory.state == Fault || m.trajectory.state == Halted):
		return m.displaced()
	case m.unresponsive && m.toldAt() > m.muteAt:
		was := m.silent
		m.endSilence()
		return was || m.displaced()
	case m.unresponsive && now > m.muteAt+silenceLimit: // some answer, not all
		return true
	}
	return false
}

// watchSilence notices that the controller does not answer. The platform stops:
// a controller that restarts then finds a demand where its actuators were left.
// After the time that a restart takes it parks, for the controller may hear all
// the same.
func (m *stateMachine) watchSilence(now time.Duration) {
	if !m.codec.ReportsPosition() {
		return
	}
	silent := now - max(m.began, m.toldAt())
	if silent > silenceLimit/2 {
		m.unresponsive, m.muteAt = true, now
	}
	m.silent = m.silent || silent > silenceLimit
	m.parkAfterSilence = m.parkAfterSilence || silent > silenceLimit+m.cfg.bootWait()
}

// watchDoubt notices what was told once and may be wrong. The platform holds until the
// controller tells more; a fault of one that does not is believed.
func (m *stateMachine) watchDoubt(now time.Duration) {
	f := m.board.doubted() &^ m.tripped
	switch {
	case f == 0:
		m.doubtedAt = 0
	case m.doubtedAt == 0:
		m.doubtedAt = now
	case now-m.doubtedAt > silenceLimit:
		m.tripped |= f & wire.Latching
	}
}

// dead returns why no demand can be hoped to arrive any more, nil while one can: the
// controller has not answered, or was off line, for longer than an order to park waits.
func (m *stateMachine) dead(now time.Duration) *error {
	const limit = silenceLimit + deadAfter
	switch {
	case m.phase != driving:
		return nil
	case m.codec.ReportsPosition() && now-max(m.began, m.toldAt()) > limit:
		return &wire.ErrSilent
	case now-m.onlineAt > limit:
		return &errOffline
	}
	return nil
}

// toldAt is when the actuator told where it stands that has been silent longest: a board
// may report one by itself and answer for none.
func (m *stateMachine) toldAt() time.Duration {
	first := int64(math.MaxInt64)
	for axis := range m.codec.Axes() {
		first = min(first, m.board.toldAt[axis].Load())
	}
	return time.Duration(first)
}

// displaced reports that an actuator stands far from where its path is.
func (m *stateMachine) displaced() bool {
	for axis := range m.codec.Axes() {
		if math.Abs(m.board.position(axis)-m.trajectory.axis[axis].position) > far {
			return true
		}
	}
	return false
}

// orders gathers what is wanted of the trajectory in this step.
func (m *stateMachine) orders(now time.Duration, d demands) orders {
	o := orders{
		elapsed: (now - m.last).Seconds(),
		demand:  d.newest, fresh: d.fresh, age: (now - d.at).Seconds(),
		faults: m.faults(),
		halt:   m.wish.halt, locked: m.wish.locked, homes: m.wish.homes,
		park:         m.wish.leave || m.wish.park || m.parkAfterSilence,
		unresponsive: (m.unresponsive || m.follow.doubtful()) && !m.parkAfterSilence || m.offline || m.doubtedAt != 0 || m.wish.leave && m.dead(now) != nil,
	}
	if d.bad {
		o.faults |= wire.FaultDemand
	}
	return o
}

// faults returns all that is wrong now.
func (m *stateMachine) faults() wire.Faults {
	f := m.tripped | m.board.told()
	if m.silent {
		f |= wire.FaultSilent
	}
	return f
}

// watchPath compares where the actuators are with where they were sent. What was told
// long ago says nothing about where the path is now.
func (m *stateMachine) watchPath(now time.Duration) {
	if !m.codec.ReportsPosition() || m.unresponsive || m.silent {
		return
	}
	told := wire.All(math.NaN())
	var at [wire.Axes]time.Duration
	for axis := range m.codec.Axes() {
		at[axis] = time.Duration(m.board.toldAt[axis].Load())
		if now-at[axis] <= silenceLimit/4 {
			told[axis] = m.board.position(axis)
		}
	}
	m.tripped |= m.follow.step(&m.legs, &told, &at, now)
	for axis, e := range m.follow.error {
		m.board.error[axis].Store(math.Float64bits(e))
	}
}

// compose writes the demand, and now and then a question.
func (m *stateMachine) compose() {
	m.buf = m.codec.AppendDemand(m.buf, &m.legs)
	if m.steps++; m.steps >= askEvery(m.cfg.Rate) {
		m.buf, m.steps = m.codec.AppendQuestion(m.buf), 0
	}
	for axis := range m.codec.Axes() {
		m.board.demand[axis].Store(math.Float64bits(m.legs[axis]))
		m.board.sentTo[axis].Store(math.Float64bits(m.legs[axis]))
	}
}

// settle finds out whether the platform rests where it parks: all actuators
// tell so, or they had time enough (one that is not connected never tells).
func (m *stateMachine) settle() {
	const near = 0.02 // of the stroke: feedback may come in steps of 0.004
	if !m.trajectory.atPark() || m.silent {
		m.settled = 0
		m.board.arrived.Store(false)
		return
	}
	m.settled += m.cfg.period()
	there := m.codec.ReportsPosition()
	for axis := range m.codec.Axes() {
		there = there && math.Abs(m.board.position(axis)-m.legs[axis]) <= near
	}
	m.board.arrived.Store(there || m.settled >= settleLimit)
}

// show leaves what the step did for Status and those who wait.
func (m *stateMachine) show(now time.Duration) {
	b := m.board
	b.setState(m.state())
	b.faults.Store(uint32(m.faults() | m.trajectory.cause))
	b.warnings.Store(m.trajectory.warnings)
	b.heldInPlace.Store(m.trajectory.heldInPlace)
	b.held.Store(m.phase == driving && m.trajectory.halted())
	b.dead.Store(m.dead(now))
	if m.phase == driving {
		b.homes.Store(m.trajectory.homes)
	}
}

// demanded reports that the last step wrote a demand.
func (m *stateMachine) demanded() bool { return m.phase == driving && m.past.sentAt == m.last }

// showStalled tells of a controller that has taken nothing for so long. Nothing is stepped
// meanwhile, so no order to park can be carried out: after a while nobody waits for one.
func (m *stateMachine) showStalled(since time.Duration) {
	if since > silenceLimit+deadAfter {
		m.board.dead.Store(&wire.ErrStalled)
	}
	m.board.faults.Or(uint32(wire.FaultSilent))
	if m.trajectory.state != Halted {
		m.board.setState(Fault)
	}
}

func (m *stateMachine) state() State {
	switch {
	case m.trajectory.state == Halted || m.trajectory.state == Fault:
		return m.trajectory.state
	case m.silent:
		return Fault
	case m.phase < driving:
		return Opening
	default:
		return m.trajectory.state
	}
}

// ended reports that nothing is left to say, and why.
func (m *stateMachine) ended(now time.Duration) (bool, error) {
	switch {
	case m.failed != nil:
		return true, m.failed
	case m.phase >= leaving:
		return m.phase == over, nil
	case m.wish.leave && !m.driven:
		return true, nil
	}
	if m.deadline == 0 && (m.wish.leave || m.parkAfterSilence) {
		m.deadline = now + m.cfg.parkTime()
	}
	late := m.deadline != 0 && now > m.deadline
	switch {
	case m.wish.leave && m.trajectory.halted():
		return true, errHalted
	case m.wish.leave && m.dead(now) != nil:
		return m.trajectory.resting(), *m.dead(now)
	case m.parkAfterSilence:
		return late || m.trajectory.atPark(), wire.ErrSilent
	case m.wish.leave && m.board.arrived.Load():
		m.part(now)
		return false, nil
	default:
		return late, errNotParked
	}
}

// part says goodbye to a platform that was parked in good order. Some controllers
// move or take the power at that: after a fault, a halt or with a belt or door
// open they are left as they are.
func (m *stateMachine) part(now time.Duration) {
	m.phase, m.until = leaving, now
	if m.trajectory.state == Parked && !m.wish.locked {
		m.phrases = m.codec.Stop()
	}
}
