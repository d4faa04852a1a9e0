// Package wire is what the protocols of motion controllers share.
//
// A protocol implements Codec: in go Legs, the shares of the actuators' strokes, and the
// bytes that a controller sends; out come the bytes that it is sent, and Answers with
// positions and Faults. Packets and Debounce help to read, Backlog knows what a port still
// holds, Talk asks a controller for its Parameters. Nothing here knows a controller, a
// configuration file or a clock but Talk's.
package wire

import "time"

// Codec speaks one controller's language: bytes in, bytes out, no clock and no
// line.
//
// The writer calls everything but Feed and Noise, which the reader calls
// meanwhile: what Feed changes, the others must not touch. A codec lives as
// long as one opening of the line. Its constructor is called once more, before
// any line is open, to check the configuration and to know the sizes.
type Codec interface {
	Axes() int                               // actuators it can name, 1..Axes
	Start() []Phrase                         // said once the port is open and the boot wait is over, also after a restart
	Stop() []Phrase                          // said when the platform is parked, before the port closes
	AppendDemand(dst []byte, l *Legs) []byte // appends one demand for all axes; never allocates if dst has room; a leg at NaN goes to the centre
	AppendQuestion(dst []byte) []byte        // appends the next question, in turn; nothing where the protocol has none
	Feed(b byte) (Answer, bool)              // takes a received byte; reports a whole answer
	Noise() uint64                           // bytes received so far that belonged to nothing
	DemandBytes() int                        // longest demand
	QuestionBytes() int                      // longest question, 0 for none
	ReportsPosition() bool                   // its answers tell where every actuator stands
	KeepsTarget() bool                       // without a line the actuators stay where they were sent, a greeting moves none, and a restart is told
}

// Phrase is something said outside the stream of demands.
type Phrase struct {
	Bytes []byte
	Wait  time.Duration // after it
}

// AnswerKind tells what an answer is about.
type AnswerKind uint8

// What an answer can be about.
const (
	AnswerPosition  AnswerKind = iota // Axis stands at Position
	AnswerStatus                      // Fault holds all that is true of Axis now, none if it is well again
	AnswerBooted                      // the controller has restarted: it forgot where it was sent
	AnswerFault                       // Fault holds what has happened to Axis; it stays until the platform is homed
	AnswerParameter                   // a parameter's value: of interest to who reads the settings alone
	AnswerText                        // text, and nothing else
)

// Answer is one thing a controller said. An answer of any kind may have a
// temperature and a text.
type Answer struct {
	Kind        AnswerKind
	Axis        int     // 0..Axes()-1, or -1 for the whole platform
	Position    float64 // share of the stroke
	Fault       Faults
	Temperature float64 // [°C], NaN where it tells none
	Text        string  // for the log, once for each different text
	Alarming    bool    // Text is no plain fact
	Doubtful    bool    // a status that is told for the first time, where no checksum protects it: acted upon at once, believed when it is told again
}
