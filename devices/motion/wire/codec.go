// Package wire has what the protocols of motion controllers share.
//
// A protocol implements Codec: in go Legs, which are positions as fractions of the actuators'
// strokes, and the bytes that a controller sends; out come the bytes to send to it, and Answers
// with positions and Faults. Packets and Debounce help to parse, Backlog tracks what a port still
// holds, and an Exchange queries a controller for its Parameters. Nothing here depends on one
// controller or a configuration file, and only Exchange reads a clock.
package wire

import "time"

// Codec encodes and decodes one controller's protocol: bytes in, bytes out, no clock and no line.
//
// The writer thread calls everything except Feed and Noise, which the reader calls at the same
// time: what Feed changes, the other methods must not access. A codec lasts as long as one
// opening of the line. Its constructor is called once more, before any line is open, to check
// the configuration and to get the sizes.
type Codec interface {
	Axes() int                               // returns the number of actuators that the controller can address, 1..wire.Axes
	Start() []Command                        // returns what is sent once the port is open and the boot wait is over, and after a restart
	Stop() []Command                         // returns what is sent when the platform is parked, before the port closes
	AppendTarget(dst []byte, l *Legs) []byte // appends one target for all axes; does not allocate if dst has room; a leg that is NaN goes to the center
	AppendQuery(dst []byte) []byte           // appends the next query of a repeating sequence; nothing if the protocol has none
	Feed(b byte) (Answer, bool)              // handles one received byte; returns the answer that this byte completes, and true if it completes one
	Noise() uint64                           // returns the number of received bytes that belonged to no answer
	TargetBytes() int                        // returns the length of the longest target [bytes]
	QueryBytes() int                         // returns the length of the longest query [bytes], 0 if there is none
	ReportsPosition() bool                   // reports whether its answers have the position of every actuator
	// KeepsTarget reports whether three things hold: actuators stay at their target while the line is
	// lost, no command of Start moves one, and the controller reports a restart.
	KeepsTarget() bool
}

// Command is sent outside the stream of targets.
type Command struct {
	Bytes []byte
	Wait  time.Duration // pause after the command, before the next command or target
}

// AnswerKind is the kind of an answer.
type AnswerKind uint8

// The kinds of answers.
const (
	AnswerPosition  AnswerKind = iota // Axis is at Position
	AnswerStatus                      // Fault has all faults of Axis that are present now, 0 for none
	AnswerRestarted                   // the controller has restarted and forgotten its targets
	AnswerFault                       // Fault has occurred on Axis; it stays until the platform is homed
	AnswerParameter                   // a parameter's value; only package settings uses it
	AnswerText                        // only Text
	AnswerPositions                   // each actuator is at its entry of Positions, or unknown where that is NaN
)

// Answer is one message from a controller. An answer of any kind may have a temperature and a text.
type Answer struct {
	Kind        AnswerKind
	Axis        int     // 0..Axes()-1, or -1 for the whole platform
	Position    float64 // fraction of the stroke
	Positions   Legs    // of an AnswerPositions
	Fault       Faults
	Temperature float64 // [°C], NaN for none
	Text        string  // text for the log; "" for none. The same text is logged only once
	IsWarning   bool    // Text is logged at level warning
	Unconfirmed bool    // a status reported for the first time, without a checksum: the platform holds until it is confirmed
}
