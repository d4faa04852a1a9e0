package motion

import (
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// Status is what is known of the platform at one moment.
type Status struct {
	State       State
	Feedback    wire.Legs          // measured positions, share of the stroke; NaN where unknown
	Demand      wire.Legs          // sent last, share of the stroke; NaN where nothing was sent
	FollowError wire.Legs          // how far each actuator is from where it should be by now, share of the stroke, positive above; NaN where unknown
	Temperature [wire.Axes]float64 // [°C], NaN where unknown
	Faults      wire.Faults        // what is wrong now, or was and waits for Home
	Locked      bool               // a belt, door or dead-man was open: it waits for Home
	Heard       wire.Legs          // positions measured last, also on a line lost since, share of the stroke; NaN where there never was one
	SentTo      wire.Legs          // demanded last, also on a line lost since, share of the stroke; NaN where nothing ever was
	Final       bool               // an order to park moves nothing any more: it rests where it parks, is held, cannot be reached, or was never moved

	Sent       uint64  // demands and questions that the port took, by the write
	Answers    uint64  // whole answers received
	Noise      uint64  // bytes received that belonged to no answer
	BadDemands uint64  // pushes refused because they were no numbers
	Warnings   uint64  // demands that jumped farther than is believed
	Losses     uint64  // times the line was lost or fell silent
	Restarts   uint64  // times the controller restarted while it was driven
	Rate       float64 // demands a second
	LineShare  float64 // of the line that demands and questions keep busy, 0..1
	Latency    float64 // of the newest demand, from Push to the last byte on the wire [s]
}

// Moved reports whether the platform was ever sent a demand.
func (s *Status) Moved() bool {
	for _, share := range s.SentTo {
		if !math.IsNaN(share) {
			return true
		}
	}
	return false
}

// board is where the threads of a platform leave what they know. Every value
// has one writer at a time; a reader never waits.
type board struct {
	state       atomic.Uint32
	arrived     atomic.Bool           // the platform rests where it parks
	heldInPlace atomic.Bool           // it stays where it was found, its belt or door being open
	held        atomic.Bool           // it rests where it was halted, or where a fault keeps it
	dead        atomic.Pointer[error] // why the controller is given up; nil while it is not
	homes       atomic.Uint64
	faults      atomic.Uint32 // for Status

	demand [wire.Axes]atomic.Uint64
	sentTo [wire.Axes]atomic.Uint64 // demand, not forgotten with its line
	error  [wire.Axes]atomic.Uint64 // following error

	sent, noise, losses, warnings, restarts atomic.Uint64

	hearing
}

// hearing is what the controller told. The reader leaves it, the writer looks.
type hearing struct {
	answers     atomic.Uint64
	heardAt     atomic.Int64 // when the last answer came, by the platform's clock [ns]
	feedback    [wire.Axes]atomic.Uint64
	heard       [wire.Axes]atomic.Uint64 // feedback, not forgotten with its line
	toldAt      [wire.Axes]atomic.Int64  // when a position came [ns]
	temperature [wire.Axes]atomic.Uint64
	statedAt    atomic.Int64                 // when a status came [ns]
	status      [wire.Axes + 1]atomic.Uint32 // faults that are there now; the first is of the whole platform
	doubt       [wire.Axes + 1]atomic.Uint32 // the same, told once and not yet believed; 0 where nothing is in doubt
	happened    atomic.Uint32                // faults that were there, until the platform is homed
	boots       atomic.Uint64                // restarts of the controller
}

func newBoard() *board {
	b := &board{}
	for i := range wire.Axes {
		b.sentTo[i].Store(math.Float64bits(math.NaN()))
		b.heard[i].Store(math.Float64bits(math.NaN()))
	}
	b.forget()
	return b
}

// forget clears what was true of the line before.
func (b *board) forget() {
	for i := range wire.Axes {
		b.demand[i].Store(math.Float64bits(math.NaN()))
		b.error[i].Store(math.Float64bits(math.NaN()))
		b.temperature[i].Store(math.Float64bits(math.NaN()))
	}
	for i := range b.status {
		b.status[i].Store(0)
		b.doubt[i].Store(0)
	}
	b.happened.Store(0)
	b.forgetPositions()
	b.arrived.Store(false)
	b.held.Store(false)
}

func (h *hearing) forgetPositions() {
	for i := range wire.Axes {
		h.feedback[i].Store(math.Float64bits(math.NaN()))
	}
}

// hear takes an answer that came at the moment now.
func (h *hearing) hear(a wire.Answer, now time.Duration) {
	h.answers.Add(1)
	h.heardAt.Store(int64(now))
	if a.Axis < -1 || a.Axis >= wire.Axes {
		return // nothing that this platform has
	}
	switch a.Kind {
	case wire.AnswerPosition:
		if a.Axis >= 0 && !math.IsNaN(a.Position) {
			h.feedback[a.Axis].Store(math.Float64bits(a.Position))
			h.heard[a.Axis].Store(math.Float64bits(a.Position))
			h.toldAt[a.Axis].Store(int64(now))
		}
	case wire.AnswerStatus:
		if a.Doubtful {
			h.doubt[a.Axis+1].Store(uint32(a.Fault))
			break
		}
		h.doubt[a.Axis+1].Store(0)
		h.status[a.Axis+1].Store(uint32(a.Fault))
		h.statedAt.Store(int64(now))
	case wire.AnswerFault:
		h.happened.Or(uint32(a.Fault))
	case wire.AnswerBooted:
		h.boots.Add(1)
	}
	if !math.IsNaN(a.Temperature) {
		h.feel(a.Axis, a.Temperature)
	}
}

// feel notes a temperature of one actuator, or of all.
func (h *hearing) feel(axis int, temperature float64) {
	for i := range wire.Axes {
		if i == axis || axis < 0 {
			h.temperature[i].Store(math.Float64bits(temperature))
		}
	}
}

// told returns everything that the controller says is wrong.
func (h *hearing) told() wire.Faults {
	f := h.happened.Load()
	for i := range h.status {
		f |= h.status[i].Load()
	}
	return wire.Faults(f)
}

// doubted returns what may be wrong: it was told once, and holds the platform until it is
// told again or not.
func (h *hearing) doubted() wire.Faults {
	f := uint32(0)
	for i := range h.doubt {
		f |= h.doubt[i].Load() &^ h.status[i].Load()
	}
	return wire.Faults(f) & (wire.Latching | wire.FaultOffline)
}

func (h *hearing) position(axis int) float64 {
	return math.Float64frombits(h.feedback[axis].Load())
}

func (b *board) setState(s State) { b.state.Store(uint32(s)) }

func (b *board) currentState() State { return State(b.state.Load()) }

func (b *board) snapshot() Status {
	s := Status{
		State: b.currentState(), Faults: wire.Faults(b.faults.Load()),
		Sent: b.sent.Load(), Answers: b.answers.Load(), Noise: b.noise.Load(), Losses: b.losses.Load(),
		Warnings: b.warnings.Load(), Restarts: b.restarts.Load(),
	}
	for i := range wire.Axes {
		s.Feedback[i] = b.position(i)
		s.Demand[i] = math.Float64frombits(b.demand[i].Load())
		s.Heard[i] = math.Float64frombits(b.heard[i].Load())
		s.SentTo[i] = math.Float64frombits(b.sentTo[i].Load())
		s.FollowError[i] = math.Float64frombits(b.error[i].Load())
		s.Temperature[i] = math.Float64frombits(b.temperature[i].Load())
	}
	s.Final = s.State == Absent || b.arrived.Load() || b.held.Load() || b.dead.Load() != nil || s.State == Opening && !s.Moved()
	return s
}
