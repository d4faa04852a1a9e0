package pidwheel

import (
	"encoding/binary"
	"math"
	"time"

	"rig.example/rig/test/vm/hiddesc"
)

// Motion is the motion of the rim, positive to the right. Its unit of length is the angle from the middle to a
// stop: position 1 is the right stop, speed 1 moves from the middle to it in one second.
type Motion struct {
	Position, Speed, Acceleration float64
}

// effect is the effect in one slot.
type effect struct {
	used    bool
	playing bool
	started time.Duration // CLOCK_MONOTONIC
	loops   int           // how often the effect plays, 1 is once; 0: without end

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

// motor holds all effects and computes their total force.
type motor struct {
	slots       []effect // slot number n is at index n-1
	gain        float64  // of the whole device, 0..1
	actuatorsOn bool
	paused      bool
	lastSlot    byte // slot of the last new effect, 0 if no slot was free
}

func newMotor(slots int) motor {
	return motor{slots: make([]effect, min(max(slots, 1), hiddesc.PIDSlots)), gain: 1}
}

func (m *motor) usedSlots() int {
	n := 0
	for _, e := range m.slots {
		if e.used {
			n++
		}
	}
	return n
}

// apply executes the report r. Reports for free slots change nothing.
func (m *motor) apply(r Report) {
	switch r.Kind {
	case Create:
		m.create(r.Type)
	case Control:
		m.control(r.Command)
	case SetGain:
		m.gain = r.Gain
	case StartAlone:
		m.stopAll()
	}
	if n := int(r.Slot); n >= 1 && n <= len(m.slots) && m.slots[n-1].used {
		m.slots[n-1].apply(r)
	}
}

// create allocates the first free slot for a new effect.
func (m *motor) create(t Type) {
	m.lastSlot = 0
	for i := range m.slots {
		if !m.slots[i].used {
			m.slots[i] = effect{used: true, kind: t, gain: 1}
			m.lastSlot = byte(i + 1)
			return
		}
	}
}

// blockLoad returns the report with the slot of the last new effect.
func (m *motor) blockLoad() []byte {
	const success, full, block = 1, 2, 64 // block: bytes of the pool that an effect needs
	status := byte(success)
	if m.lastSlot == 0 {
		status = full
	}
	left := block * (len(m.slots) - m.usedSlots())
	return binary.LittleEndian.AppendUint16([]byte{hiddesc.PIDBlockLoad, m.lastSlot, status}, uint16(left))
}

func (m *motor) control(o Command) {
	switch o {
	case MotorOn, MotorOff:
		m.actuatorsOn = o == MotorOn
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

// apply executes a report about this effect. New parameters do not change its time: only a start resets it.
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

// force returns the sum of all effects at a time, -1..1, positive to the left.
func (m *motor) force(at time.Duration, rim Motion) float64 {
	if !m.actuatorsOn || m.paused {
		return 0
	}
	sum := 0.0
	for _, e := range m.slots {
		sum += e.force(at, rim)
	}
	return math.Max(-1, math.Min(1, sum*m.gain))
}

func (e *effect) force(at time.Duration, rim Motion) float64 {
	since, acts := e.playTime(at)
	if !acts {
		return 0
	}
	if e.kind >= TypeSpring {
		return e.gain * e.condition.force(e.kind.metric(rim))
	}
	return e.gain * math.Sin(e.direction) * e.wave(since)
}

// playTime returns the time since the beginning of the effect's present loop, and whether the effect
// acts: it plays, its delay is over and its loops have not ended.
func (e *effect) playTime(at time.Duration) (time.Duration, bool) {
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
