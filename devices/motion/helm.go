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

// helm leads a controller through one session: what to say next, given the time
// and what was heard. It knows no line and no clock of its own.
type helm struct {
	cfg    Config
	codec  wire.Codec
	pilot  *pilot
	board  *board
	past   *past
	follow *follow // of past, whose memory it is

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

	hush     bool          // it is not known whether the controller follows
	muteAt   time.Duration // when it was last known to be silent
	blind    bool          // no answer for too long: it may restart, and is not sent away meanwhile
	given    bool          // no answer for so long that it is no restart: it parks without knowing where it stands
	deadline time.Duration // when it must be parked, 0 for never
	settled  time.Duration // since the park position is demanded

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

func newHelm(cfg Config, c wire.Codec, p *pilot, b *board, past *past, now time.Duration) *helm {
	past.follow = newFollow(cfg)
	h := &helm{
		cfg: cfg, codec: c, pilot: p, board: b, past: past, homes: p.homes,
		follow:  &past.follow,
		last:    now,
		opened:  now,
		phrases: c.Start(),
		buf:     make([]byte, 0, c.DemandBytes()+2*wire.Axes*c.QuestionBytes()+64),
	}
	h.until = now + h.cfg.bootWait()
	return h
}

// step returns what to say now, a period after the step before. It is nothing
// while it waits.
func (h *helm) step(now time.Duration, w wishes, d demands) []byte {
	h.buf, h.stamp, h.wish = h.buf[:0], 0, w
	h.noticeRestart(now)
	switch h.phase {
	case booting:
		if now >= h.until {
			h.heedRestarts()
			h.phase = greeting
		}
	case greeting:
		if h.say(now) {
			h.locate(now)
		}
	case locating:
		h.ask(now)
	case driving:
		h.drive(now, d)
	case leaving:
		if h.say(now) {
			h.phase = over
		}
	}
	h.last = now
	h.show(now)
	return h.buf
}

// noticeRestart begins anew with a controller that told it has restarted: it
// has forgotten where it was sent, and may have moved by itself.
func (h *helm) noticeRestart(now time.Duration) {
	if h.phase == booting || h.phase >= leaving || !h.heedRestarts() {
		return
	}
	if h.driven {
		h.board.restarts.Add(1)
	}
	h.board.arrived.Store(false)
	h.phase, h.until, h.phrases = booting, now+restartWait, h.codec.Start()
}

// heedRestarts reports that the controller told of a restart since it last did.
func (h *helm) heedRestarts() bool {
	boots := h.board.boots.Load()
	if boots == h.past.boots {
		return false
	}
	h.past.boots, h.past.sentAt = boots, 0
	return true
}

// say says the next phrase and reports that all were said.
func (h *helm) say(now time.Duration) bool {
	if now < h.until {
		return false
	}
	if len(h.phrases) == 0 {
		return true
	}
	h.buf = append(h.buf, h.phrases[0].Bytes...)
	h.until = now + h.phrases[0].Wait
	h.phrases = h.phrases[1:]
	return false
}

// locate begins to ask where the actuators stand. What was told before is
// forgotten: it may have waited in the port since long ago. A controller that
// answers no question is driven at once.
func (h *helm) locate(now time.Duration) {
	h.board.forgetPositions()
	h.board.arrived.Store(false)
	h.phase, h.began, h.until, h.rounds, h.found = locating, now, now, 0, wire.All(math.NaN())
	if h.codec.QuestionBytes() == 0 {
		h.begin(now, h.supposed())
	}
}

// supposed returns where a platform that cannot tell is taken to stand: where it
// was sent last, if its controller has kept that; else where the configuration
// says.
func (h *helm) supposed() wire.Legs {
	if h.kept() {
		return h.past.sent
	}
	return h.cfg.taken()
}

// kept reports that the controller still stands where it was sent last: it has told of no
// restart, no greeting moves it, and it was not gone for so long that it lost its power
// with the port, or went where it waits.
func (h *helm) kept() bool {
	return h.codec.KeepsTarget() && h.past.sentAt > 0 && h.opened-h.past.sentAt < shortLoss
}

// ask asks until the controller is ready.
func (h *helm) ask(now time.Duration) {
	switch {
	case now < h.until:
	case h.codec.ReportsPosition():
		h.askPlaces(now)
	default:
		h.askState(now)
	}
}

// askState asks until the controller tells that it follows: before that its
// actuators may be anywhere, and a demand would be a leap.
func (h *helm) askState(now time.Duration) {
	stated, heard := time.Duration(h.board.statedAt.Load()), time.Duration(h.board.heardAt.Load())
	offline := h.board.told()&wire.FaultOffline != 0
	if stated > h.began && offline {
		h.past.sentAt = 0
	}
	switch {
	case stated > h.began && !offline:
		h.begin(now, h.supposed())
	case now-max(h.began, heard) > askRounds*askPause:
		h.failed = wire.ErrSilent
	default:
		h.until = now + askPause
		h.buf = h.codec.AppendQuestion(h.buf)
	}
}

// askPlaces asks until all actuators have told where they stand, and stand there.
func (h *helm) askPlaces(now time.Duration) {
	at := h.positions()
	switch known := at.Finite(); {
	case known && (h.rounds > askRounds || still(&at, &h.found)):
		h.begin(now, at)
		return
	case h.rounds > askRounds:
		h.failed = wire.ErrSilent
		return
	}
	h.found = at
	h.rounds++
	h.until = now + askPause
	for range 2 * h.codec.Axes() {
		h.buf = h.codec.AppendQuestion(h.buf)
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
func (h *helm) positions() wire.Legs {
	at := h.pilot.at()
	for axis := range h.codec.Axes() {
		at[axis] = h.board.position(axis)
	}
	return at
}

// begin drives on from where the platform stands.
func (h *helm) begin(now time.Duration, at wire.Legs) {
	h.place(&at)
	h.follow.start(&at, now)
	h.past.sent = at
	h.phase, h.began, h.driven, h.onlineAt = driving, now, true, now
	h.steps = 0
	h.endSilence()
}

// endSilence takes up again what a silence interrupted. The time to park is never put off when it is to end.
func (h *helm) endSilence() {
	h.hush, h.blind, h.given = false, false, false
	if !h.wish.leave {
		h.deadline = 0
	}
}
