package pidwheel

import (
	"encoding/binary"
	"math"
	"time"

	"rig.example/rig/test/vm/hiddesc"
)

// Motion is how the rim moves, in halves of its range: 1 is the right stop, or
// from the middle to it in a second.
type Motion struct {
	Position, Speed, Acceleration float64
}

// effect is one slot.
type effect struct {
	taken   bool
	playing bool
	started time.Duration // CLOCK_MONOTONIC
	loops   int           // 0: for ever

	kind      Type
	timing    Timing
	gain      float64
	direction float64
	envelope  Envelope
	condition Condition
	periodic  Periodic
	level     float64
	levelEnd  float64
}

// motor is all effects and what they come to.
type motor struct {
	slots  []effect // slot 1 is the first
	gain   float64
	on     bool
	paused bool
	loaded byte // slot of the last new effect, 0 if there was none left
}

func newMotor(slots int) motor {
	return motor{slots: make([]effect, min(max(slots, 1), hiddesc.PIDSlots)), gain: 1}
}

func (m *motor) taken() int {
	n := 0
	for _, e := range m.slots {
		if e.taken {
			n++
		}
	}
	return n
}

// apply does what r says. Reports for slots that nobody took change nothing.
func (m *motor) apply(r Report) {
	switch r.Kind {
	case Create:
		m.create(r.Type)
	case Control:
		m.control(r.Order)
	case SetGain:
		m.gain = r.Gain
	case StartAlone:
		m.stopAll()
	}
	if n := int(r.Slot); n >= 1 && n <= len(m.slots) && m.slots[n-1].taken {
		m.slots[n-1].apply(r)
	}
}

// create takes the first free slot.
func (m *motor) create(t Type) {
	m.loaded = 0
	for i := range m.slots {
		if !m.slots[i].taken {
			m.slots[i] = effect{taken: true, kind: t, gain: 1}
			m.loaded = byte(i + 1)
			return
		}
	}
}

// blockLoad tells the slot of the last new effect.
func (m *motor) blockLoad() []byte {
	const success, full, block = 1, 2, 64 // bytes an effect takes of the pool
	status := byte(success)
	if m.loaded == 0 {
		status = full
	}
	left := block * (len(m.slots) - m.taken())
	return binary.LittleEndian.AppendUint16([]byte{hiddesc.PIDBlockLoad, m.loaded, status}, uint16(left))
}

func (m *motor) control(o Order) {
	switch o {
	case MotorOn, MotorOff:
		m.on = o == MotorOn
	case StopAll:
		m.stopAll()
	case Reset:
		*m = newMotor(len(m.slots))
	case Pause, Continue:
		m.paused = o == Pause
	}
}

func (m *motor) stopAll() {
	for i := range m.slots {
		m.slots[i].playing = false
	}
}

// apply does what a report about this effect says. New parameters leave its
// clock alone: only a start begins it again.
func (e *effect) apply(r Report) {
	switch r.Kind {
	case SetEffect:
		e.kind, e.timing, e.gain, e.direction = r.Type, r.Timing, r.Gain, r.Direction
	case SetEnvelope:
		e.envelope = r.Envelope
	case SetCondition:
		if r.Axis == 0 {
			e.condition = r.Condition
		}
	case SetPeriodic:
		e.periodic = r.Periodic
	case SetConstant:
		e.level = r.Level
	case SetRamp:
		e.level, e.levelEnd = r.Level, r.LevelEnd
	case Start, StartAlone:
		e.playing, e.started, e.loops = true, r.At, r.Loops
	case Stop:
		e.playing = false
	case Free:
		*e = effect{}
	}
}

// force is the sum of all effects at a time, -1..1, positive to the left.
func (m *motor) force(at time.Duration, rim Motion) float64 {
	if !m.on || m.paused {
		return 0
	}
	sum := 0.0
	for _, e := range m.slots {
		sum += e.force(at, rim)
	}
	return math.Max(-1, math.Min(1, sum*m.gain))
}

func (e *effect) force(at time.Duration, rim Motion) float64 {
	since, acts := e.since(at)
	if !acts {
		return 0
	}
	if e.kind >= Spring {
		return e.gain * e.condition.force(e.kind.metric(rim))
	}
	return e.gain * math.Sin(e.direction) * e.wave(since)
}

// since is how long the effect has played in this loop, and whether it does.
func (e *effect) since(at time.Duration) (time.Duration, bool) {
	since := at - e.started - e.timing.Delay
	if !e.playing || since < 0 {
		return 0, false
	}
	if e.timing.Length == 0 {
		return since, true
	}
	if e.loops > 0 && since >= time.Duration(e.loops)*e.timing.Length {
		return 0, false
	}
	return since % e.timing.Length, true
}
