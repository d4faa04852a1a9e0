package g29

import (
	"encoding/binary"
	"time"
)

// ReportSize is the length of an output report [bytes].
const ReportSize = 7

// NoForce is the force byte that leaves the rim alone.
const NoForce = 0x80

// Kind is what an output report asks of the wheel.
type Kind int

// Kinds of output reports.
const (
	Other         Kind = iota
	ConstantForce      // the motor pushes as Force says
	Stop               // the motor rests; Force is NoForce
	Range              // the rim turns over Degrees from stop to stop
	AutocenterOff
	AutocenterOn
	ForgetMode // the wheel shall begin in compatibility mode after a reset of the bus
	NativeMode // the wheel shall change to the native mode of the model in Data[2]
)

// Report is an output report as the wheel took it.
type Report struct {
	At      time.Duration // CLOCK_MONOTONIC
	Data    [ReportSize]byte
	Kind    Kind
	Force   byte // of ConstantForce and Stop: above NoForce pushes to the left
	Degrees int  // of Range
}

// decode reads an output report; one that is too short or unknown is Other.
//
// The first byte is the effect slot's bit and the operation (1 start, 3 stop),
// or f8 and a command of its own: what hid-lg4ff of the kernel sends.
func decode(b []byte) Report {
	var r Report
	if copy(r.Data[:], b) < ReportSize {
		return r
	}
	switch {
	case b[0] == 0x11 && b[1] == 0x08:
		r.Kind, r.Force = ConstantForce, b[2]
	case b[0] == 0x13:
		r.Kind, r.Force = Stop, NoForce
	case b[0] == 0xf8 && b[1] == 0x81:
		r.Kind, r.Degrees = Range, int(binary.LittleEndian.Uint16(b[2:]))
	case b[0] == 0xf5:
		r.Kind = AutocenterOff
	case b[0] == 0xfe && b[1] == 0x0d:
		r.Kind = AutocenterOn
	case b[0] == 0xf8 && b[1] == 0x0a:
		r.Kind = ForgetMode
	case b[0] == 0xf8 && b[1] == 0x09:
		r.Kind = NativeMode
	}
	return r
}

// Input is what the wheel's sensors tell, raw.
type Input struct {
	Steer   uint16 // 0 is full left, 0x8000 the middle
	Gas     uint8  // 255 is released, 0 pressed, as are the other pedals
	Brake   uint8
	Clutch  uint8
	Buttons uint32 // bit 0 is the first of 25
}

// AtRest is a wheel that nobody touches.
func AtRest() Input { return Input{Steer: 0x8000, Gas: 255, Brake: 255, Clutch: 255} }

// report is in as 12 bytes; hiddesc.G29 tells their layout.
func (in Input) report() []byte {
	const hatCentred = 8
	b := binary.LittleEndian.AppendUint32(nil, hatCentred|in.Buttons&(1<<25-1)<<4)
	b = binary.LittleEndian.AppendUint16(b, in.Steer)
	return append(b, in.Gas, in.Brake, in.Clutch, 0, 0, 0)
}
