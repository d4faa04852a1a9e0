package motion

import (
	"fmt"
	"strings"
	"time"
)

// codec speaks one controller's language: bytes in, bytes out, no clock and no
// line.
//
// The writer calls everything but feed and noise, which the reader calls
// meanwhile: what feed changes, the others must not touch. A codec lives as
// long as one opening of the line. Its constructor is called once more, before
// any line is open, to check the configuration and to know the sizes.
type codec interface {
	axes() int                         // actuators it can name, 1..Axes
	start() []phrase                   // said once the port is open and the boot wait is over, also after a restart
	stop() []phrase                    // said when the platform is parked, before the port closes
	demand(dst []byte, l *Legs) []byte // appends one demand for all axes; never allocates if dst has room; a leg that is no number goes to the centre
	question(dst []byte) []byte        // appends the next question, in turn; nothing where the protocol has none
	feed(b byte) (answer, bool)        // takes a received byte; reports a whole answer
	noise() uint64                     // bytes received so far that belonged to nothing
	demandBytes() int                  // longest demand
	questionBytes() int                // longest question, 0 for none
	locates() bool                     // its answers tell where every actuator stands
	keeps() bool                       // without a line the actuators stay where they were sent, a greeting moves none, and a restart is told
}

// phrase is something said outside the stream of demands.
type phrase struct {
	bytes []byte
	wait  time.Duration // after it
}

// answerKind tells what an answer is about.
type answerKind uint8

const (
	answerPosition  answerKind = iota // axis stands at position
	answerStatus                      // fault holds all that is true of axis now, none if it is well again
	answerBooted                      // the controller has restarted: it forgot where it was sent
	answerFault                       // fault holds what has happened to axis; it stays until the platform is homed
	answerParameter                   // a parameter's value: of interest to ReadParameters alone
	answerText                        // text, and nothing else
)

// answer is one thing a controller said. An answer of any kind may have a
// temperature and a text.
type answer struct {
	kind        answerKind
	axis        int     // 0..axes-1, or -1 for the whole platform
	position    float64 // share of the stroke
	fault       Faults
	temperature float64 // [°C], NaN where it tells none
	text        string  // for the log, once for each different text
	alarming    bool    // text is no plain fact
	doubt       bool    // a status that is told for the first time, where no checksum protects it: acted upon at once, believed when it is told again
}

// Faults is a set of what is wrong with a platform.
type Faults uint32

// What can be wrong. The first six are what a controller tells.
const (
	FaultDrive     Faults = 1 << iota // a motor or its drive is broken or switched off
	FaultEndStop                      // an actuator ran into the end of its stroke
	FaultHot                          // a motor or its drive is too hot
	FaultStop                         // the controller's emergency stop is pressed
	FaultOffline                      // the controller is there but does not follow; no fault of the platform
	FaultSpike                        // the controller's spike filter holds an actuator; no fault of the platform
	FaultFollow                       // an actuator is not where it was sent
	FaultDemand                       // a demand was no number
	FaultSilent                       // the controller does not answer, or does not take what is sent
	FaultReference                    // the controller took another place for start_share
	FaultJump                         // an actuator told a place that it cannot have reached
)

// grave is what stops a platform until it is ordered to home.
const grave = FaultDrive | FaultEndStop | FaultHot | FaultStop | FaultFollow | FaultDemand | FaultReference | FaultJump

var faultNames = [...]string{
	"drive fault", "end stop", "too hot", "emergency stop", "offline", "spike filter",
	"following error", "NaN or Inf in a demand", "controller not reached", "reference lost", "position jumped",
}

// String lists what is wrong, or says "none".
func (f Faults) String() string {
	var names []string
	for i, name := range faultNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// The protocols of devices/motion.
const (
	ProtocolSMC3       = "smc3"       // three motors with feedback
	ProtocolTemplate   = "template"   // any controller that a table of strings describes
	ProtocolThanos     = "thanos"     // AMC-AASD15A and AMC1280
	ProtocolMotion4Sim = "motion4sim" // eight actuators, with status replies
)

// newCodec returns the codec for cfg.Protocol.
func newCodec(cfg Config) (codec, error) {
	switch cfg.Protocol {
	case ProtocolSMC3:
		return newSMC3(cfg)
	case ProtocolTemplate:
		return newTemplate(cfg)
	case ProtocolThanos:
		return newThanos(cfg)
	case ProtocolMotion4Sim:
		return newMotion4Sim(cfg)
	}
	return nil, fmt.Errorf("motion: protocol: %q; %q for no platform, or one of %q", cfg.Protocol, "",
		[]string{ProtocolSMC3, ProtocolTemplate, ProtocolThanos, ProtocolMotion4Sim})
}
