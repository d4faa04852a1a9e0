package g29

import (
	"encoding/binary"
	"time"
)

// ReportSize is the length of an output report [bytes].
const ReportSize = 7

// NoForce is the force byte for no torque.
const NoForce = 0x80

// Kind is the command in an output report.
type Kind int

// Kinds of output reports.
const (
	Other         Kind = iota
	ConstantForce      // the motor applies Force
	Stop               // the motor applies no torque; Force is NoForce
	Range              // the rim's travel from stop to stop is Degrees
	AutocenterOff
	AutocenterOn
	ForgetMode // the wheel starts in compatibility mode after a bus reset
	NativeMode // the wheel switches to the native mode of the model in Data[2]
)

// Report is an output report that the wheel has received.
type Report struct {
	At      time.Duration // CLOCK_MONOTONIC
	Data    [ReportSize]byte
	Kind    Kind
	Force   byte // for ConstantForce and Stop: torque; above NoForce is to the left
	Degrees int  // for Range [deg]
}

// decode decodes an output report. The kind of one that is too short or unknown is Other.
//
// It knows the reports that the kernel's hid-lg4ff sends: the first byte is the bit of the effect's slot with
// the operation (1 start, 3 stop), or 0xf8 with a command in the second byte.
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

// Input holds the raw values of the wheel's sensors.
type Input struct {
	Steer   uint16 // 0 is full left, 0x8000 the middle
	Gas     uint8  // 255 is released and 0 pressed, also for the other pedals
	Brake   uint8
	Clutch  uint8
	Buttons uint32 // bit 0 is the first of 25
}

// AtRest returns the input of a wheel that nobody touches.
func AtRest() Input { return Input{Steer: 0x8000, Gas: 255, Brake: 255, Clutch: 255} }

// report returns the input report of a G29, whose layout hiddesc.G29 describes.
func (in Input) report() []byte {
	const hatCentered = 8
	b := binary.LittleEndian.AppendUint32(nil, hatCentered|in.Buttons&(1<<25-1)<<4)
	b = binary.LittleEndian.AppendUint16(b, in.Steer)
	return append(b, in.Gas, in.Brake, in.Clutch, 0, 0, 0)
}
