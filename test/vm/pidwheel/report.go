package pidwheel

import (
	"encoding/binary"
	"math"
	"time"

	"rig.example/rig/test/vm/hiddesc"
)

// Kind is the command in a report.
type Kind int

// Kinds of reports.
const (
	Other     Kind = iota
	Create         // allocates a slot for an effect of Type
	SetEffect      // sets Type, Timing, Gain and Direction
	SetEnvelope
	SetCondition
	SetPeriodic
	SetConstant
	SetRamp
	Start // the effect plays Loops times
	StartAlone
	Stop
	Free
	Control // sends Command to the whole wheel
	SetGain // sets Gain of the whole wheel
)

// Type is the type of an effect, as numbered in the reports.
type Type byte

// Types of effects.
const (
	TypeConstant Type = 1 + iota
	TypeRamp
	TypeSquare
	TypeSine
	TypeTriangle
	TypeSawtoothUp
	TypeSawtoothDown
	TypeSpring
	TypeDamper
	TypeInertia
	TypeFriction
)

// Command is a command to the whole wheel, as numbered in the reports.
type Command byte

// Commands to the whole wheel.
const (
	MotorOn Command = 1 + iota
	MotorOff
	StopAll
	Reset
	Pause
	Continue
)

// Timing says when an effect acts after its start.
type Timing struct {
	Length time.Duration // duration of one loop; 0: without end
	Delay  time.Duration // from the start until the effect acts
}

// Envelope sets the magnitude at the beginning and at the end of an effect.
type Envelope struct {
	AttackLevel, FadeLevel float64       // magnitude at the very beginning and at the very end, 0..1
	AttackTime, FadeTime   time.Duration // duration of the transitions; 0: none
}

// Condition is a force that depends on the rim's position, speed or acceleration, such as a spring.
type Condition struct {
	Center, RightCoefficient, LeftCoefficient float64 // metric without force, and coefficients to the right and left of it, -1..1
	RightLimit, LeftLimit, DeadBand           float64 // largest forces, and half width of the range without force, 0..1
}

// Periodic is a periodic effect.
type Periodic struct {
	Magnitude, Offset float64       // magnitude 0..1, offset -1..1
	Phase             float64       // [rad]
	Period            time.Duration // 0: the effect keeps its value at Phase
}

// Report is a report that the wheel has received from the host. Apart from At, Kind and Data only the fields
// that belong to Kind are set.
type Report struct {
	At   time.Duration // CLOCK_MONOTONIC
	Kind Kind
	Data []byte
	Slot byte // number of the effect's slot, from 1; 0 for the whole wheel

	Type      Type
	Timing    Timing
	Gain      float64 // 0..1
	Direction float64 // [rad], pi/2 is to the left
	Envelope  Envelope
	Condition Condition
	Axis      byte // for SetCondition: 0 is the rim, other axes do not exist
	Periodic  Periodic
	Level     float64 // for SetConstant, and at the start for SetRamp, -1..1
	LevelEnd  float64
	Loops     int // for Start and StartAlone: how often the effect plays, 1 is once; 0: without end
	Command   Command
}

// reportLengths holds the length of each output report, with its number byte [bytes].
var reportLengths = map[byte]int{
	hiddesc.PIDSetEffect: 16, hiddesc.PIDSetEnvelope: 10, hiddesc.PIDSetCondition: 15,
	hiddesc.PIDSetPeriodic: 10, hiddesc.PIDSetConstant: 4, hiddesc.PIDSetRamp: 6,
	hiddesc.PIDOperation: 4, hiddesc.PIDBlockFree: 2, hiddesc.PIDDeviceControl: 2, hiddesc.PIDDeviceGain: 2,
}

// decode decodes a report. The kind of one that is too short or unknown is Other.
func decode(b []byte, feature bool) Report {
	r := Report{Data: append([]byte(nil), b...)}
	if feature {
		if len(b) >= 2 && b[0] == hiddesc.PIDCreateEffect {
			r.Kind, r.Type = Create, Type(b[1])
		}
		return r
	}
	if len(b) == 0 || reportLengths[b[0]] == 0 || len(b) < reportLengths[b[0]] {
		return r
	}
	switch b[0] {
	case hiddesc.PIDDeviceControl:
		r.Kind, r.Command = Control, Command(b[1])
	case hiddesc.PIDDeviceGain:
		r.Kind, r.Gain = SetGain, gain(b[1])
	default:
		r.Slot = b[1]
		r.decodeEffect(b)
	}
	return r
}

// decodeEffect decodes a report about one effect.
func (r *Report) decodeEffect(b []byte) {
	switch b[0] {
	case hiddesc.PIDSetEffect:
		r.Kind, r.Type = SetEffect, Type(b[2])
		r.Timing = Timing{effectLength(b[3:]), milliseconds(b[7:])}
		r.Gain, r.Direction = gain(b[9]), angle(b[12:])
	case hiddesc.PIDSetEnvelope:
		r.Kind = SetEnvelope
		r.Envelope = Envelope{fraction(b[2:]), fraction(b[4:]), milliseconds(b[6:]), milliseconds(b[8:])}
	case hiddesc.PIDSetCondition:
		r.Kind, r.Axis = SetCondition, b[2]
		r.Condition = Condition{fraction(b[3:]), fraction(b[5:]), fraction(b[7:]), fraction(b[9:]), fraction(b[11:]), fraction(b[13:])}
	case hiddesc.PIDSetPeriodic:
		r.Kind = SetPeriodic
		r.Periodic = Periodic{fraction(b[2:]), fraction(b[4:]), angle(b[6:]), milliseconds(b[8:])}
	case hiddesc.PIDSetConstant:
		r.Kind, r.Level = SetConstant, fraction(b[2:])
	case hiddesc.PIDSetRamp:
		r.Kind, r.Level, r.LevelEnd = SetRamp, fraction(b[2:]), fraction(b[4:])
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

// fraction returns a magnitude of two bytes as a fraction of the largest, -1..1.
func fraction(b []byte) float64 {
	return float64(int16(binary.LittleEndian.Uint16(b))) / hiddesc.PIDFull
}

func gain(b byte) float64 { return float64(b) / hiddesc.PIDFullGain }

func angle(b []byte) float64 {
	const half = 18000 // half a turn [0.01 degree]
	return float64(binary.LittleEndian.Uint16(b)) / half * math.Pi
}

func milliseconds(b []byte) time.Duration {
	return time.Duration(binary.LittleEndian.Uint16(b)) * time.Millisecond
}

// effectLength returns the duration of an effect, 0 for one without end. The PID class encodes "without end" as
// the largest value of the field; Linux has also written 0 and 0xffff.
func effectLength(b []byte) time.Duration {
	const largest = 0x7fff * time.Millisecond
	if d := milliseconds(b); d < largest {
		return d
	}
	return 0
}
