package pidwheel

import (
	"encoding/binary"
	"math"
	"time"

	"rig.example/rig/test/vm/hiddesc"
)

// Kind is what a report asks of the wheel.
type Kind int

// Kinds of reports.
const (
	Other     Kind = iota
	Create         // a slot for an effect of Type
	SetEffect      // Type, Timing, Gain and Direction
	SetEnvelope
	SetCondition
	SetPeriodic
	SetConstant
	SetRamp
	Start // the effect plays Loops times
	StartAlone
	Stop
	Free
	Control // Order to the whole wheel
	SetGain // Gain of the whole wheel
)

// Type is the kind of an effect, as the reports number them.
type Type byte

// Types of effects.
const (
	Constant Type = 1 + iota
	Ramp
	Square
	Sine
	Triangle
	SawtoothUp
	SawtoothDown
	Spring
	Damper
	Inertia
	Friction
)

// Order is one to the whole wheel, as the reports number them.
type Order byte

// Orders to the whole wheel.
const (
	MotorOn Order = 1 + iota
	MotorOff
	StopAll
	Reset
	Pause
	Continue
)

// Timing is when an effect acts after its start.
type Timing struct {
	Length time.Duration // 0: for ever
	Delay  time.Duration
}

// Envelope changes the magnitude at both ends of an effect.
type Envelope struct {
	AttackLevel, FadeLevel float64       // 0..1
	AttackTime, FadeTime   time.Duration // 0: none
}

// Condition is a force that follows the rim's motion.
type Condition struct {
	Center, Right, Left       float64 // -1..1: where it is zero, and the coefficients on both sides
	RightMost, LeftMost, Dead float64 // 0..1: largest forces, half width of the zero
}

// Periodic is a wave.
type Periodic struct {
	Magnitude, Offset float64       // 0..1, -1..1
	Phase             float64       // [rad]
	Period            time.Duration // 0: the wave stands still
}

// Report is a report from the host as the wheel took it. Beside At, Kind and
// Data only what belongs to Kind is set.
type Report struct {
	At   time.Duration // CLOCK_MONOTONIC
	Kind Kind
	Data []byte
	Slot byte // from 1; 0 for those of the whole wheel

	Type      Type
	Timing    Timing
	Gain      float64 // 0..1
	Direction float64 // [rad], pi/2 is left
	Envelope  Envelope
	Condition Condition
	Axis      byte // of SetCondition: 0 is the rim, others do not exist
	Periodic  Periodic
	Level     float64 // of SetConstant, and at the start of SetRamp: -1..1
	LevelEnd  float64
	Loops     int // 0: for ever
	Order     Order
}

// lengths of the reports with their number [bytes].
var lengths = map[byte]int{
	hiddesc.PIDSetEffect: 16, hiddesc.PIDSetEnvelope: 10, hiddesc.PIDSetCondition: 15,
	hiddesc.PIDSetPeriodic: 10, hiddesc.PIDSetConstant: 4, hiddesc.PIDSetRamp: 6,
	hiddesc.PIDOperation: 4, hiddesc.PIDBlockFree: 2, hiddesc.PIDDeviceControl: 2, hiddesc.PIDDeviceGain: 2,
}

// decode reads a report; one that is too short or unknown is Other.
func decode(b []byte, feature bool) Report {
	r := Report{Data: append([]byte(nil), b...)}
	if feature {
		if len(b) >= 2 && b[0] == hiddesc.PIDCreateEffect {
			r.Kind, r.Type = Create, Type(b[1])
		}
		return r
	}
	if len(b) == 0 || lengths[b[0]] == 0 || len(b) < lengths[b[0]] {
		return r
	}
	switch b[0] {
	case hiddesc.PIDDeviceControl:
		r.Kind, r.Order = Control, Order(b[1])
	case hiddesc.PIDDeviceGain:
		r.Kind, r.Gain = SetGain, gain(b[1])
	default:
		r.Slot = b[1]
		r.decodeEffect(b)
	}
	return r
}

// decodeEffect reads a report about one effect.
func (r *Report) decodeEffect(b []byte) {
	switch b[0] {
	case hiddesc.PIDSetEffect:
		r.Kind, r.Type = SetEffect, Type(b[2])
		r.Timing = Timing{length(b[3:]), milliseconds(b[7:])}
		r.Gain, r.Direction = gain(b[9]), angle(b[12:])
	case hiddesc.PIDSetEnvelope:
		r.Kind = SetEnvelope
		r.Envelope = Envelope{share(b[2:]), share(b[4:]), milliseconds(b[6:]), milliseconds(b[8:])}
	case hiddesc.PIDSetCondition:
		r.Kind, r.Axis = SetCondition, b[2]
		r.Condition = Condition{share(b[3:]), share(b[5:]), share(b[7:]), share(b[9:]), share(b[11:]), share(b[13:])}
	case hiddesc.PIDSetPeriodic:
		r.Kind = SetPeriodic
		r.Periodic = Periodic{share(b[2:]), share(b[4:]), angle(b[6:]), milliseconds(b[8:])}
	case hiddesc.PIDSetConstant:
		r.Kind, r.Level = SetConstant, share(b[2:])
	case hiddesc.PIDSetRamp:
		r.Kind, r.Level, r.LevelEnd = SetRamp, share(b[2:]), share(b[4:])
	case hiddesc.PIDOperation:
		r.decodeOperation(b[2], b[3])
	case hiddesc.PIDBlockFree:
		r.Kind = Free
	}
}

func (r *Report) decodeOperation(operation, loops byte) {
	if operation >= 1 && operation <= 3 {
		r.Kind = [...]Kind{Start, StartAlone, Stop}[operation-1]
	}
	if loops != hiddesc.PIDAlways {
		r.Loops = max(1, int(loops))
	}
}

// share is a magnitude of two bytes as a part of all there is.
func share(b []byte) float64 {
	return float64(int16(binary.LittleEndian.Uint16(b))) / hiddesc.PIDFull
}

func gain(b byte) float64 { return float64(b) / hiddesc.PIDFullGain }

func angle(b []byte) float64 {
	const half = 18000 // a turn, in hundredths of a degree
	return float64(binary.LittleEndian.Uint16(b)) / half * math.Pi
}

func milliseconds(b []byte) time.Duration {
	return time.Duration(binary.LittleEndian.Uint16(b)) * time.Millisecond
}

// length is how long an effect lasts. The class writes "for ever" as the
// field's largest number; Linux has written 0 and 0xffff as well.
func length(b []byte) time.Duration {
	const largest = 0x7fff * time.Millisecond
	if d := milliseconds(b); d < largest {
		return d
	}
	return 0
}
