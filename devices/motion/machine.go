package motion

import (
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// phase is how far a session has come.
type phase uint8

const (
	booting  phase = iota // nothing is said: the controller may be deaf
	greeting              // saying what the protocol says first
	locating              // asking where the actuators stand
	driving               // sending demands
	leaving               // saying what the protocol says last
	over
)

const (
	restartWait = 200 * time.Millisecond // after a controller told that it restarted, before it is spoken to
	askPause    = 50 * time.Millisecond  // between two rounds of questions
	askRounds   = 20                     // before a controller that does not answer is given up
	stallAgain  = 10 * time.Second       // after a stall, in which a second one gives the controller up
	deadAfter   = time.Second            // beyond silenceLimit, of a controller that answers no more, before an order to park gives it up
	shortLoss   = 2 * time.Second        // of a line, in which a controller keeps what it was sent last
	steady      = 0.02                   // an actuator that moves less in a round is taken to stand, share of the stroke
	far         = 0.05                   // an actuator so far from its path was moved by something else, share of the stroke
)

// stateMachine is that of the protocol: it leads a controller through one session: what to say next, given the time
// and what was heard. It knows no line and no clock of its own.
type stateMachine struct {
	cfg        Config
	codec      wire.Codec
	trajectory *trajectory
	board      *board
	past       *past
	follow     *follow // of past, whose memory it is

	opened  time.Duration // the line
	phase   phase
	until   time.Duration // nothing more is said before
	phrases []wire.Phrase // still to be said
	rounds  int           // of questions
	found   wire.Legs     // where the actuators stood in the round before
	driven  bool          // demands were sent
	failed  error

	wish     wishes
	legs     wire.Legs // demanded last; here because a codec takes a pointer
	buf      []byte
	last     time.Duration // the step before
	began    time.Duration // locating, then driving
	steps    int           // since the last question
	homes    uint64        // the order that the platform was located for
	tripped  wire.Faults   // found here, until the platform is homed
	offline  bool
	onlineAt time.Duration // when it was last known not to be off line

	doubtedAt time.Duration // since when a fault is told that is not believed yet, 0 for none

	unresponsive     bool          // it is not known whether the controller follows
	muteAt           time.Duration // when it was last known to be silent
	silent           bool          // no answer for too long: it may restart, and is not sent away meanwhile
	parkAfterSilence bool          // no answer for so long that it is no restart: it parks without knowing where it stands
	deadline         time.Duration // when it must be parked, 0 for never
	settled          time.Duration // since the park position is demanded

	stamp time.Duration // when the demand in buf was pushed, 0 if none was followed
}

// past is what one line leaves to the next.
type past struct {
	follow follow        // here for its size alone: each line begins it anew
	sent   wire.Legs     // the newest demand that has left the port, or where the path begins
	sentAt time.Duration // when the path was last sent, 0 if that no longer counts
	boots  uint64        // restarts of the controller that were heeded
	stall  time.Duration // when it last took nothing, 0 for never
}

// wishes are what the outside wants, besides demands.
type wishes struct {
	leave  bool // park and end
	halt   bool
	park   bool
	locked bool
	homes  uint64
}

// demands is what came from the loop since the step before.
type demands struct {
	newest wire.Legs
	at     time.Duration // when it was pushed
	fresh  bool
	bad    bool // one was no number
}

func newStateMachine(cfg Config, c wire.Codec, p *trajectory, b *board, past *past, now time.Duration) *stateMachine {
	past.follow = newFollow(cfg)
	m := &stateMachine{
		cfg: cfg, codec: c, trajectory: p, board: b, past: past, homes: p.homes,
		follow:  &past.follow,
		last:    now,
		opened:  now,
		phrases: c.Start(),
		buf:     make([]byte, 0, c.DemandBytes()+2*wire.Axes*c.QuestionBytes()+64),
	}
	m.until = now + m.cfg.bootWait()
	return m
}

// step returns what to say now, a period after the step before. It is nothing
// while it waits.
func (m *stateMachine) step(now time.Duration, w wishes, d demands) []byte {
	m.buf, m.stamp, m.wish = m.buf[:0], 0, w
	m.noticeRestart(now)
	switch m.phase {
	case booting:
		if now >= m.until {
			m.heedRestarts()
			m.phase = greeting
		}
	case greeting:
		if m.say(now) {
			m.locate(now)
		}
	case locating:
		m.ask(now)
	case driving:
		m.drive(now, d)
	case leaving:
		if m.say(now) {
			m.phase = over
		}
	}
	m.last = now
	m.show(now)
	return m.buf
}

// noticeRestart begins anew with a controller that told it has restarted: it
// has forgotten where it was sent, and may have moved by itself.
func (m *stateMachine) noticeRestart(now time.Duration) {
	if m.phase == booting || m.phase >= leaving || !m.heedRestarts() {
		return
	}
	if m.driven {
		m.board.restarts.Add(1)
	}
	m.board.arrived.Store(false)
	m.phase, m.until, m.phrases = booting, now+restartWait, m.codec.Start()
}

// heedRestarts reports that the controller told of a restart since it last did.
func (m *stateMachine) heedRestarts() bool {
	boots := m.board.boots.Load()
	if boots == m.past.boots {
		return false
	}
	m.past.boots, m.past.sentAt = boots, 0
	return true
}

// say says the next phrase and reports that all were said.
func (m *stateMachine) say(now time.Duration) bool {
	if now < m.until {
		return false
	}
	if len(m.phrases) == 0 {
		return true
	}
	m.buf = append(m.buf, m.phrases[0].Bytes...)
	m.until = now + m.phrases[0].Wait
	m.phrases = m.phrases[1:]
	return false
}

// locate begins to ask where the actuators stand. What was told before is
// forgotten: it may have waited in the port since long ago. A controller that
// answers no question is driven at once.
func (m *stateMachine) locate(now time.Duration) {
	m.board.forgetPositions()
	m.board.arrived.Store(false)
	m.phase, m.began, m.until, m.rounds, m.found = locating, now, now, 0, wire.All(math.NaN())
	if m.codec.QuestionBytes() == 0 {
		m.begin(now, m.supposed())
	}
}

// supposed returns where a platform that cannot tell is taken to stand: where it
// was sent last, if its controller has kept that; else where the configuration
// says.
func (m *stateMachine) supposed() wire.Legs {
	if m.stillAtTarget() {
		return m.past.sent
	}
	return m.cfg.taken()
}

// stillAtTarget reports that the controller still stands where it was sent last: it has told of no
// restart, no greeting moves it, and it was not gone for so long that it lost its power
// with the port, or went where it waits.
func (m *stateMachine) stillAtTarget() bool {
	return m.codec.KeepsTarget() && m.past.sentAt > 0 && m.opened-m.past.sentAt < shortLoss
}

// ask asks until the controller is ready.
func (m *stateMachine) ask(now time.Duration) {
	switch {
	case now < m.until:
	case m.codec.ReportsPosition():
		m.askPlaces(now)
	default:
		m.askState(now)
	}
}

// askState asks until the controller tells that it follows: before that its
// actuators may be anywhere, and a demand would be a leap.
func (m *stateMachine) askState(now time.Duration) {
	stated, heard := time.Duration(m.board.statedAt.Load()), time.Duration(m.board.heardAt.Load())
	offline := m.board.told()&wire.FaultOffline != 0
	if stated > m.began && offline {
		m.past.sentAt = 0
	}
	switch {
	case stated > m.began && !offline:
		m.begin(now, m.supposed())
	case now-max(m.began, heard) > askRounds*askPause:
		m.failed = wire.ErrSilent
	default:
		m.until = now + askPause
		m.buf = m.codec.AppendQuestion(m.buf)
	}
}

// askPlaces asks until all actuators have told where they stand, and stand there.
func (m *stateMachine) askPlaces(now time.Duration) {
	at := m.positions()
	switch known := at.Finite(); {
	case known && (m.rounds > askRounds || still(&at, &m.found)):
		m.begin(now, at)
		return
	case m.rounds > askRounds:
		m.failed = wire.ErrSilent
		return
	}
	m.found = at
	m.rounds++
	m.until = now + askPause
	for range 2 * m.codec.Axes() {
		m.buf = m.codec.AppendQuestion(m.buf)
	}
}

func still(a, b *wire.Legs) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) < steady) {
			return false
		}
	}
	return true
}

// positions returns where the actuators told they stand. What the controller
// does not have is where its path is.
func (m *stateMachine) positions() wire.Legs {
	at := m.trajectory.at()
	for axis := range m.codec.Axes() {
		at[axis] = m.board.position(axis)
	}
	return at
}

// begin drives on from where the platform stands.
func (m *stateMachine) begin(now time.Duration, at wire.Legs) {
	m.place(&at)
	m.follow.start(&at, now)
	m.past.sent = at
	m.phase, m.began, m.driven, m.onlineAt = driving, now, true, now
	m.steps = 0
	m.endSilence()
}

// endSilence takes up again what a silence interrupted. The time to park is never put off when it is to end.
func (m *stateMachine) endSilence() {
	m.unresponsive, m.silent, m.parkAfterSilence = false, false, false
	if !m.wish.leave {
		m.deadline = 0
	}
}
