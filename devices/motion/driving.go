package motion

import (
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// drive sends the next targets, unless the positions of the actuators must be found out first.
func (m *stateMachine) drive(now time.Duration, pushed pushedTarget) {
	if gap := now - m.lastStep; gap > silenceLimit {
		m.trajectory.parkAfterGap(gap)
		// rig itself did not run, so that missing answers mean nothing. A controller that
		// reports positions is asked for them.
		if m.codec.ReportsPosition() {
			m.startLocating(now)
			return
		}
	}
	m.checkSilence(now)
	m.checkUnconfirmedFaults(now)
	if m.mustLocate(now) {
		m.startLocating(now)
		return
	}
	if m.isToHome() {
		m.detectedFaults = 0
		m.sharedStatus.eventFaults.Store(0)
		m.monitor.resetTimers()
	}
	m.sent = m.trajectory.step(m.trajectoryInput(now, pushed))
	m.checkFollowing(now)
	m.appendOutput(now)
	if pushed.hasNew && m.trajectory.state == Active {
		m.targetPushedAt = pushed.pushedAt
	}
	m.checkParked()
}

// canHome reports whether an order to home may be carried out now.
func (m *stateMachine) canHome() bool { return !m.requested.halt && !m.requested.interlock }

// isToHome reports whether an order to home is carried out in the next step.
func (m *stateMachine) isToHome() bool {
	return m.canHome() && m.requested.homeOrders != m.trajectory.homesHandled
}

// mustLocate reports whether something other than the path may have moved the platform: its
// controller was off line or silent and came back, or it is ordered to home after a fault or a
// halt and stands elsewhere.
func (m *stateMachine) mustLocate(now time.Duration) bool {
	offline := m.sharedStatus.reportedFaults()&wire.FaultOffline != 0
	backOnline := m.wasOffline && !offline
	if m.wasOffline = offline; !offline {
		m.onlineAt = now
	}
	ordered := m.requested.homeOrders != m.homesHandled && m.canHome()
	if ordered {
		m.homesHandled = m.requested.homeOrders
	}
	m.locatesToHome = false
	switch {
	case backOnline:
		return true
	case !m.codec.ReportsPosition():
		return false
	case ordered && (m.trajectory.state == Fault || m.trajectory.state == Halted):
		m.locatesToHome = m.isAwayFromPath()
		return m.locatesToHome
	case m.unresponsive && m.oldestPositionTime() > m.silentAt:
		wasSilent := m.silent
		m.endSilence()
		return wasSilent || m.isAwayFromPath()
	case m.unresponsive && now > m.silentAt+m.cfg.silenceLimit(): // some actuators answer, not all
		return true
	}
	return false
}

// checkSilence detects that the controller does not answer. The platform stops first: a
// controller that is restarting then finds its target where the actuators were left. After the
// time that a restart takes, the platform parks, because the controller may still receive.
func (m *stateMachine) checkSilence(now time.Duration) {
	if !m.codec.ReportsPosition() {
		return
	}
	silence, limit := now-max(m.phaseStart, m.oldestPositionTime()), m.cfg.silenceLimit()
	if silence > limit/2 {
		m.unresponsive, m.silentAt = true, now
	}
	m.silent = m.silent || silence > limit
	m.parkAfterSilence = m.parkAfterSilence || silence > limit+m.cfg.bootWait()
}

// checkUnconfirmedFaults handles faults that were reported once and may be transmission errors.
// The platform holds until the controller reports again; if it does not, they count as confirmed.
func (m *stateMachine) checkUnconfirmedFaults(now time.Duration) {
	f := m.sharedStatus.unconfirmedFaults() &^ m.detectedFaults
	switch {
	case f == 0:
		m.unconfirmedSince = 0
	case m.unconfirmedSince == 0:
		m.unconfirmedSince = now
	case now-m.unconfirmedSince > m.cfg.silenceLimit():
		m.detectedFaults |= f & wire.Latching
	}
}

// giveUpCause returns why an order to park waits for this controller no longer: it has not
// answered, or was off line, for longer than silenceLimit and giveUpAfter. It returns nil while
// targets may still arrive.
func (m *stateMachine) giveUpCause(now time.Duration) *error {
	limit := m.cfg.silenceLimit() + giveUpAfter
	switch {
	case m.phase != driving:
		return nil
	case m.codec.ReportsPosition() && now-max(m.phaseStart, m.oldestPositionTime()) > limit:
		return &wire.ErrSilent
	case now-m.onlineAt > limit:
		return &errOffline
	}
	return nil
}

// oldestPositionTime returns when the actuator that has been silent longest reported its
// position. All count, because a board may report one by itself and answer no query.
func (m *stateMachine) oldestPositionTime() time.Duration {
	oldest := time.Duration(math.MaxInt64)
	for axis := range m.codec.Axes() {
		newest, _ := m.sharedStatus.newestPosition(axis)
		oldest = min(oldest, newest.at)
	}
	return oldest
}

// isAwayFromPath reports whether an actuator is farther than maxDisplacement from its path.
func (m *stateMachine) isAwayFromPath() bool {
	for axis := range m.codec.Axes() {
		if math.Abs(m.sharedStatus.position(axis)-m.trajectory.limiters[axis].position) > maxDisplacement {
			return true
		}
	}
	return false
}

// trajectoryInput returns the trajectory's input for this step.
func (m *stateMachine) trajectoryInput(now time.Duration, pushed pushedTarget) stepInput {
	in := stepInput{
		elapsed: (now - m.lastStep).Seconds(),
		target:  pushed.newest, hasNewTarget: pushed.hasNew, age: (now - pushed.pushedAt).Seconds(),
		faults: m.currentFaults(),
		halt:   m.requested.halt, interlock: m.requested.interlock, homeOrders: m.requested.homeOrders,
		park: m.requested.shutDown || m.requested.park || m.parkAfterSilence && m.trajectory.state != Waiting,
		unresponsive: (m.unresponsive || m.monitor.hasImplausiblePosition()) && !m.parkAfterSilence ||
			m.wasOffline || m.unconfirmedSince != 0 || m.requested.shutDown && m.giveUpCause(now) != nil,
	}
	if pushed.invalid {
		in.faults |= wire.FaultTarget
	}
	return in
}

// currentFaults returns the faults that are detected here or reported by the controller now.
func (m *stateMachine) currentFaults() wire.Faults {
	f := m.detectedFaults | m.sharedStatus.reportedFaults()
	if m.silent {
		f |= wire.FaultSilent
	}
	return f
}

// checkFollowing compares the actuators' positions with their path. Positions that were
// reported too long ago are left out: they cannot be compared with the path of now.
func (m *stateMachine) checkFollowing(now time.Duration) {
	if !m.codec.ReportsPosition() || m.unresponsive || m.silent {
		return
	}
	reported := wire.AllAt(math.NaN())
	var at [wire.Axes]time.Duration
	for axis := range m.codec.Axes() {
		newest, valid := m.sharedStatus.newestPosition(axis)
		at[axis] = newest.at
		if valid && now-newest.at <= silenceLimit/4 {
			reported[axis] = newest.position
		}
	}
	m.detectedFaults |= m.monitor.step(&m.sent, &reported, &at, now)
	for axis, e := range m.monitor.error {
		m.sharedStatus.followError[axis].Store(e)
	}
}

// appendOutput appends the targets, and every few steps a query, to what is sent in this step. A platform that must
// stay where it is, at an unknown place, is sent no target: any would move it.
func (m *stateMachine) appendOutput(now time.Duration) {
	sends := m.placeKnown || !m.trajectory.staysWhereFound
	if sends {
		m.output = m.codec.AppendTarget(m.output, &m.sent)
	}
	if m.stepsSinceQuery++; m.stepsSinceQuery >= targetsPerQuery(m.cfg.Rate) {
		m.output, m.stepsSinceQuery = m.codec.AppendQuery(m.output), 0
	}
	if !sends {
		return
	}
	m.carriedOver.sent, m.carriedOver.sentAt = m.sent, now
	for axis := range m.codec.Axes() {
		m.sharedStatus.target[axis].Store(m.sent[axis])
		m.sharedStatus.lastTarget[axis].Store(m.sent[axis])
	}
}

// checkParked determines whether the platform rests at its park position: all actuators report
// so, or they had settleLimit to arrive, because one that is not connected never reports.
func (m *stateMachine) checkParked() {
	const near = 0.02 // fraction of the stroke: feedback may come in steps of 0.004
	if !m.trajectory.isParked() || m.silent {
		m.parkTargetTime, m.restsAtPark = 0, false
		return
	}
	m.parkTargetTime += m.cfg.period()
	arrived := m.codec.ReportsPosition()
	for axis := range m.codec.Axes() {
		arrived = arrived && math.Abs(m.sharedStatus.position(axis)-m.sent[axis]) <= near
	}
	m.restsAtPark = arrived || m.parkTargetTime >= settleLimit
}

// publish stores the outcome of the step for Status, Home and Park.
func (m *stateMachine) publish(now time.Duration) {
	s := m.sharedStatus
	m.publishState(m.state())
	s.faults.Store(uint32(m.currentFaults() | m.trajectory.faultCause))
	s.targetJumps.Store(m.trajectory.targetJumps)
	s.awaitsHome.Store(m.phase == driving && m.trajectory.awaitsHome)
	s.heldInPlace.Store(m.trajectory.heldInPlace)
	s.restsWhereStopped.Store(m.phase == driving && m.trajectory.isHeld())
	s.givenUp.Store(m.giveUpCause(now))
	if m.phase == driving {
		s.homesDone.Store(m.trajectory.homesHandled)
	}
}

// publishStalled publishes that the port has accepted nothing for the time stalledFor. The path is not
// stepped meanwhile, so that no order to park can be carried out: after giveUpAfter nobody waits for one.
func (m *stateMachine) publishStalled(stalledFor time.Duration) {
	if stalledFor > m.cfg.silenceLimit()+giveUpAfter {
		m.sharedStatus.givenUp.Store(&wire.ErrStalled)
	}
	m.sharedStatus.faults.Or(uint32(wire.FaultSilent))
	if m.trajectory.state != Halted {
		m.publishState(Fault)
	}
}

// publishState stores the state, and whether the platform rests at its park position.
func (m *stateMachine) publishState(state State) {
	if m.restsAtPark {
		m.sharedStatus.setRestsAtPark(state)
		return
	}
	m.sharedStatus.setState(state)
}

// wroteTargets reports whether the last step sent targets.
func (m *stateMachine) wroteTargets() bool {
	return m.phase == driving && m.carriedOver.sentAt == m.lastStep
}

// state returns the platform's state as Status reports it.
func (m *stateMachine) state() State {
	switch {
	case m.trajectory.state == Halted || m.trajectory.state == Fault:
		return m.trajectory.state
	case m.silent:
		return Fault
	case m.phase < driving, m.trajectory.state == Waiting && m.isToHome():
		return Opening
	default:
		return m.trajectory.state
	}
}

// isFinished reports whether the session is over, and with which error. A platform that was
// parked in good order is sent the protocol's last commands first. Some controllers move or
// switch the motors off at these: after a fault, a halt or with a belt or door open they are
// not sent.
func (m *stateMachine) isFinished(now time.Duration) (bool, error) {
	switch {
	case m.failure != nil:
		return true, m.failure
	case m.phase >= shuttingDown:
		return m.phase == finished, nil
	case m.requested.shutDown && !m.hasDriven:
		return true, nil
	}
	if m.parkDeadline == 0 && (m.requested.shutDown || m.parkAfterSilence) {
		m.parkDeadline = now + m.cfg.parkTime()
	}
	parkTimeout := m.parkDeadline != 0 && now > m.parkDeadline
	switch {
	case m.requested.shutDown && m.trajectory.isHeld():
		return true, errHalted
	case m.requested.shutDown && m.giveUpCause(now) != nil:
		return m.trajectory.isAtRest(), *m.giveUpCause(now)
	case m.parkAfterSilence:
		return parkTimeout || m.trajectory.isParked(), wire.ErrSilent
	case m.requested.shutDown && m.restsAtPark:
		m.phase, m.waitUntil = shuttingDown, now
		if m.trajectory.state == Parked && !m.requested.interlock {
			m.commands = m.codec.Stop()
		}
		return false, nil
	default:
		return parkTimeout, errNotParked
	}
}
