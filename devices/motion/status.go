package motion

import (
	"math"
	"sync/atomic"
)

// Status is what is known of the platform at one moment.
type Status struct {
	State    State
	Feedback Legs // measured positions, share of the stroke; NaN where unknown
	Demand   Legs // sent last, share of the stroke; NaN where nothing was sent

	Sent       uint64 // demands and questions that the port took, by the write
	Answers    uint64 // frames received
	Noise      uint64 // bytes received that belonged to no frame
	BadDemands uint64 // pushes refused because they were no numbers
	Losses     uint64 // times the line was lost or fell silent
}

// board is where the threads of a platform leave what they know. Every value
// has one writer at a time; a reader never waits.
type board struct {
	state   atomic.Uint32
	arrived atomic.Bool // the platform rests where it parks
	homes   atomic.Uint64

	feedback [Axes]atomic.Uint64
	demand   [Axes]atomic.Uint64

	sent, answers, noise, losses atomic.Uint64
}

func newBoard() *board {
	b := &board{}
	b.forget()
	return b
}

// forget clears what was true of the line before.
func (b *board) forget() {
	for i := range Axes {
		b.feedback[i].Store(math.Float64bits(math.NaN()))
		b.demand[i].Store(math.Float64bits(math.NaN()))
	}
	b.arrived.Store(false)
}

func (b *board) setState(s State) { b.state.Store(uint32(s)) }

func (b *board) currentState() State { return State(b.state.Load()) }

func (b *board) position(axis int) float64 {
	return math.Float64frombits(b.feedback[axis].Load())
}

func (b *board) snapshot() Status {
	s := Status{
		State: b.currentState(),
		Sent:  b.sent.Load(), Answers: b.answers.Load(), Noise: b.noise.Load(), Losses: b.losses.Load(),
	}
	for i := range Axes {
		s.Feedback[i] = b.position(i)
		s.Demand[i] = math.Float64frombits(b.demand[i].Load())
	}
	return s
}
