package motion

import (
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// phase is how far a session has come.
type phase uint8

const (
	booting      phase = iota // nothing is sent: the controller may not listen yet
	initializing              // sends what the protocol sends first
	locating                  // asks where the actuators are
	driving                   // sends targets
	shuttingDown              // sends what the protocol sends last
	finished
)

const (
	restartWait       = 200 * time.Millisecond // after a controller reported a restart, before anything is sent to it
	queryPause        = 50 * time.Millisecond  // between two rounds of queries
	maxQueryRounds    = 20                     // rounds, each of queries for all positions, before a controller that does not answer is given up
	secondStallWithin = 10 * time.Second       // a second stall within this time after the first gives the controller up
	giveUpAfter       = time.Second            // beyond silenceLimit without an answer, before an order to park gives the controller up
	maxGap            = 2 * time.Second        // longest loss of the line over which a controller surely keeps its last target
	steadyWithin      = 0.02                   // an actuator that moves less than this between two rounds of queries stands still [strokes]
	maxDisplacement   = 0.05                   // an actuator this far from its path was moved by something else, fraction of the stroke
)

// stateMachine leads a controller through one session: it decides what to send next, given the
// time and what was received. It has no line and no clock of its own.
type stateMachine struct {
	cfg          Config
	codec        wire.Codec
	trajectory   *trajectory
	sharedStatus *sharedStatus
	carriedOver  *carryOver
	monitor      *followMonitor // its memory is in carriedOver

	opened        time.Duration // when the line was opened
	phase         phase
	waitUntil     time.Duration  // nothing is sent before this time
	commands      []wire.Command // still to be sent
	queryRounds   int
	lastPositions wire.Legs // of the actuators in the round of queries before
	placeKnown    bool      // where the actuators stood when they were located was not assumed
	hasDriven     bool      // targets were sent
	failure       error

	requested        requests
	sent             wire.Legs // targets sent last; a field because a codec takes a pointer
	output           []byte
	lastStep         time.Duration // when the previous step was
	phaseStart       time.Duration // when locating, then driving began
	stepsSinceQuery  int
	homesHandled     uint64      // newest order to home for which the platform was located
	locatesToHome    bool        // the platform is located because of an order to home, which is carried out afterwards
	detectedFaults   wire.Faults // detected here and not reported by the controller, until the platform is homed
	wasOffline       bool
	onlineAt         time.Duration // when the controller was last known not to be off line
	unconfirmedSince time.Duration // when a fault was reported that is not confirmed yet, 0 for none

	unresponsive     bool          // no answer for half of silenceLimit: it is unknown whether the controller follows targets
	silentAt         time.Duration // when it was last known to be silent
	silent           bool          // no answer for silenceLimit: the controller may be restarting, and the platform begins no movement
	parkAfterSilence bool          // no answer for longer than a restart takes: park without knowing the positions
	parkDeadline     time.Duration // when the platform must be parked, 0 for never
	parkTargetTime   time.Duration // how long the park position has been sent
	restsAtPark      bool          // the platform rests at its park position

	targetPushedAt time.Duration // when the target in buf was pushed, 0 if none was followed
}

// carryOver is the state that one session leaves to the next.
type carryOver struct {
	monitor      followMonitor // kept here because it is large; each session resets it
	sent         wire.Legs     // the newest targets that have left the port, or where the path begins
	sentAt       time.Duration // when the path was last sent, 0 if that no longer counts
	bootsHandled uint64        // reported restarts that were handled
	stalledAt    time.Duration // when the port last accepted nothing, 0 for never
}

// requests are the orders that are in force, besides targets.
type requests struct {
	shutDown   bool // park and end
	halt       bool
	park       bool
	interlock  bool   // a belt, door or dead-man switch was opened since the last order to home
	homeOrders uint64 // number of orders to home given so far
}

// pushedTarget is what the loop pushed since the previous step.
type pushedTarget struct {
	newest   wire.Legs
	pushedAt time.Duration
	hasNew   bool // a target was pushed since the previous step
	invalid  bool // a target was NaN or Inf
}

func newStateMachine(cfg Config, codec wire.Codec, trajectory *trajectory, shared *sharedStatus, carried *carryOver, now time.Duration) *stateMachine {
	carried.monitor = newFollowMonitor(cfg)
	return &stateMachine{
		cfg: cfg, codec: codec, trajectory: trajectory, sharedStatus: shared, carriedOver: carried, homesHandled: trajectory.homesHandled,
		monitor:   &carried.monitor,
		lastStep:  now,
		opened:    now,
		commands:  codec.Start(),
		output:    make([]byte, 0, codec.TargetBytes()+2*wire.Axes*codec.QueryBytes()+64),
		waitUntil: now + cfg.bootWait(),
	}
}

// step returns what to send now, one period after the previous step; nothing while it waits.
func (m *stateMachine) step(now time.Duration, requested requests, pushed pushedTarget) []byte {
	m.output, m.targetPushedAt, m.requested = m.output[:0], 0, requested
	m.handleRestart(now)
	switch m.phase {
	case booting:
		if now >= m.waitUntil {
			m.takeRestartReport()
			m.phase = initializing
		}
	case initializing:
		if m.sendCommands(now) {
			m.startLocating(now)
		}
	case locating:
		switch {
		case now < m.waitUntil:
		case m.codec.ReportsPosition():
			m.queryPositions(now)
		default:
			m.queryState(now)
		}
	case driving:
		m.drive(now, pushed)
	case shuttingDown:
		if m.sendCommands(now) {
			m.phase = finished
		}
	}
	m.lastStep = now
	m.publish(now)
	return m.output
}

// handleRestart begins the session again with a controller that reported a restart: it has
// forgotten its targets, and may have moved by itself.
func (m *stateMachine) handleRestart(now time.Duration) {
	if m.phase == booting || m.phase >= shuttingDown || !m.takeRestartReport() {
		return
	}
	if m.hasDriven {
		m.sharedStatus.restarts.Add(1)
	}
	m.restsAtPark = false
	m.phase, m.waitUntil, m.commands = booting, now+restartWait, m.codec.Start()
}

// takeRestartReport reports whether the controller reported a restart since the last call.
func (m *stateMachine) takeRestartReport() bool {
	boots := m.sharedStatus.bootReports.Load()
	if boots == m.carriedOver.bootsHandled {
		return false
	}
	m.carriedOver.bootsHandled, m.carriedOver.sentAt = boots, 0
	return true
}

// sendCommands sends the next command when it is due, and reports whether all were sent.
func (m *stateMachine) sendCommands(now time.Duration) bool {
	if now < m.waitUntil {
		return false
	}
	if len(m.commands) == 0 {
		return true
	}
	m.output = append(m.output, m.commands[0].Bytes...)
	m.waitUntil = now + m.commands[0].Wait
	m.commands = m.commands[1:]
	return false
}

// startLocating begins to ask where the actuators are. Positions received before are dropped:
// they may have waited in the port for long. A controller that reports nothing is driven at
// once, from assumed positions.
func (m *stateMachine) startLocating(now time.Duration) {
	m.sharedStatus.clearPositions()
	m.restsAtPark = false
	m.phase, m.phaseStart, m.waitUntil, m.queryRounds, m.lastPositions = locating, now, now, 0, wire.AllAt(math.NaN())
	if m.codec.QueryBytes() == 0 && !m.codec.ReportsPosition() {
		m.startDriving(now, m.assumedPositions())
	}
}

// assumedPositions returns where a platform without feedback is assumed to be: where it was
// sent last, if its controller has kept that; else where the configuration says.
func (m *stateMachine) assumedPositions() wire.Legs {
	if m.stillAtTarget() {
		return m.carriedOver.sent
	}
	return m.cfg.startPositions()
}

// stillAtTarget reports whether the controller surely is where it was sent last: it reported
// no restart, no command of the start moves it, and the line was not lost for so long that the
// controller lost its power with the port, or went to its standby position.
func (m *stateMachine) stillAtTarget() bool {
	return m.codec.KeepsTarget() && m.carriedOver.sentAt > 0 && m.opened-m.carriedOver.sentAt < maxGap
}

// queryState asks for the controller's state until it reports that it follows targets: before
// that its actuators may be anywhere, and a target would make them jump.
func (m *stateMachine) queryState(now time.Duration) {
	statusAt, answeredAt := time.Duration(m.sharedStatus.statusAt.Load()), time.Duration(m.sharedStatus.answeredAt.Load())
	offline := m.sharedStatus.reportedFaults()&wire.FaultOffline != 0
	if statusAt > m.phaseStart && offline {
		m.carriedOver.sentAt = 0
	}
	switch {
	case statusAt > m.phaseStart && !offline:
		m.startDriving(now, m.assumedPositions())
	case now-max(m.phaseStart, answeredAt) > maxQueryRounds*queryPause:
		m.failure = wire.ErrSilent
	default:
		m.waitUntil = now + queryPause
		m.output = m.codec.AppendQuery(m.output)
	}
}

// queryPositions asks where the actuators are until all have answered and stand still.
func (m *stateMachine) queryPositions(now time.Duration) {
	at := m.positions()
	switch known := at.Finite(); {
	case known && (m.queryRounds > maxQueryRounds || isSteady(&at, &m.lastPositions)):
		m.startDriving(now, at)
		return
	case m.queryRounds > maxQueryRounds:
		m.failure = wire.ErrSilent
		return
	}
	m.lastPositions = at
	m.queryRounds++
	m.waitUntil = now + queryPause
	for range 2 * m.codec.Axes() {
		m.output = m.codec.AppendQuery(m.output)
	}
}

// isSteady reports whether no axis moved by steadyWithin or more; false where one is NaN.
func isSteady(a, b *wire.Legs) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) < steadyWithin) {
			return false
		}
	}
	return true
}

// positions returns the positions that the actuators reported. Axes that the controller does
// not have are where their path is.
func (m *stateMachine) positions() wire.Legs {
	at := m.trajectory.positions()
	for axis := range m.codec.Axes() {
		at[axis] = m.sharedStatus.position(axis)
	}
	return at
}

// startDriving begins to send targets, from where the platform is.
func (m *stateMachine) startDriving(now time.Duration, at wire.Legs) {
	m.placeKnown = m.codec.ReportsPosition() || m.stillAtTarget()
	m.startTrajectory(&at)
	m.monitor.start(&at, now)
	m.carriedOver.sent = at
	m.phase, m.phaseStart, m.hasDriven, m.onlineAt = driving, now, true, now
	m.stepsSinceQuery = 0
	m.endSilence()
}

// startTrajectory begins the path where the platform was found. Orders to home from before it was
// lost do not count: the operator may have left the seat. A controller that took another
// place than start_share for its reference must not be moved: it does not know the ends of its
// stroke any more. One at an unknown place stays there: what parks it would first send it to the assumed one, at full speed.
func (m *stateMachine) startTrajectory(at *wire.Legs) {
	if m.trajectory.state != Absent && !m.locatesToHome {
		m.trajectory.dropHomeOrders(m.requested.homeOrders)
	}
	lostReference := m.cfg.takesStartReference() && m.trajectory.state != Absent && !m.stillAtTarget() && !m.trajectory.isAt(*at)
	m.trajectory.start(*at, m.requested.interlock)
	if s := m.trajectory.state; !m.placeKnown && (s == Fault || s == Halted) {
		m.trajectory.staysWhereFound = true
	}
	if lostReference {
		m.trajectory.state, m.trajectory.faultCause = Fault, m.trajectory.faultCause|wire.FaultReference
	}
}

// endSilence resumes what a silence interrupted. The time limit for parking stays once the
// platform is being shut down.
func (m *stateMachine) endSilence() {
	m.unresponsive, m.silent, m.parkAfterSilence = false, false, false
	if !m.requested.shutDown {
		m.parkDeadline = 0
	}
}
