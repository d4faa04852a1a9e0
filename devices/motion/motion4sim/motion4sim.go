// Package motion4sim speaks to motion4sim controllers: up to eight actuators, or the six
// degrees of freedom and a belt.
//
// Codec makes the bytes of a demand (packet.go has them) and reads the controller's state;
// where the actuators stand it never tells. Settings reads what a controller tells of
// itself, for rig motion config. Simulator is such a controller for tests and the demo.
// Nothing here opens a line.
package motion4sim

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// Codec is the language of motion4sim controllers, see wire.Codec.
type Codec struct {
	cfg   Config
	ask   int           // which question is next
	ready atomic.Uint32 // times it was told that the controller has become ready
	woken uint32        // of these, how many were answered by ordering it online

	// Of the reader.
	in    wire.Packets
	state wire.Debounce
}

// New returns the codec for a controller that cfg describes, or why it cannot be.
func New(cfg Config) (*Codec, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Codec{cfg: cfg, in: wire.Packets{Length: answerLen}}, nil
}

// answerLen is the length of what the controller sends by its first byte.
func answerLen(head byte) int {
	if head == headCommand {
		return commandLen
	}
	return 0
}

// Axes returns how many actuators a demand names.
func (c *Codec) Axes() int {
	if c.cfg.Frames == Pose {
		return beltLeg + 1
	}
	return c.cfg.Actuators
}

// DemandBytes returns the length of the longest demand [bytes].
func (c *Codec) DemandBytes() int {
	if c.cfg.Frames == Pose {
		return poseLen
	}
	return directLen
}

// QuestionBytes returns the length of the longest question, 0 for none [bytes].
func (c *Codec) QuestionBytes() int { return commandLen }

// ReportsPosition reports whether its answers tell where every actuator stands.
func (c *Codec) ReportsPosition() bool { return false }

// KeepsTarget reports false: without frames the controller goes off line, and may park.
func (c *Codec) KeepsTarget() bool { return false }

// Noise returns how many received bytes belonged to nothing.
func (c *Codec) Noise() uint64 { return c.in.Noise }

// Start asks for the firmware and goes online.
func (c *Codec) Start() []wire.Phrase {
	said := []wire.Phrase{{Bytes: appendCommand(nil, commandFirmware, 0), Wait: 20 * time.Millisecond}}
	if c.cfg.GoOnline {
		said = append(said, wire.Phrase{Bytes: appendCommand(nil, commandOnline, 0), Wait: 50 * time.Millisecond})
	}
	return said
}

// Stop says nothing: no command for going offline is documented, and the
// controller goes there by itself when the frames end.
func (c *Codec) Stop() []wire.Phrase { return nil }

// AppendDemand appends one demand for all actuators. A leg that is NaN goes to the centre.
func (c *Codec) AppendDemand(dst []byte, l *wire.Legs) []byte {
	if c.cfg.Frames == Pose {
		return appendPose(dst, l, &c.cfg)
	}
	return appendDirect(dst, l, c.cfg.Actuators)
}

// AppendQuestion asks for the state three times of four, and for the actuators'. A
// controller that was still preparing at the start is ordered online here, once
// each time it has become ready: it is not documented that the order may be
// repeated.
func (c *Codec) AppendQuestion(dst []byte) []byte {
	if n := c.ready.Load(); c.cfg.GoOnline && n != c.woken {
		c.woken = n
		return appendCommand(dst, commandOnline, 0)
	}
	c.ask = (c.ask + 1) % 4
	if c.ask == 0 {
		return appendCommand(dst, commandActuators, 0)
	}
	return appendCommand(dst, commandStatus, 0)
}

// Feed takes a received byte and returns the answer that it completed, if any.
func (c *Codec) Feed(b byte) (wire.Answer, bool) {
	p, ok := c.in.Feed(b)
	if !ok {
		return wire.Answer{}, false
	}
	a := wire.Answer{Kind: wire.AnswerParameter, Axis: -1, Temperature: math.NaN()}
	value := either(p[4], p[5])
	switch {
	case p[2] == 0 && p[3] == 0:
		c.status(&a, value)
	case p[2] == commandActuators>>8 && value == 'x':
		a.Kind, a.Alarming, a.Text = wire.AnswerText, true, "the controller says that an actuator is not connected"
	case either(p[2], p[3]) == commandFirmware>>8:
		a.Kind, a.Text = wire.AnswerText, fmt.Sprintf("motion4sim firmware %d", value)
	}
	return a, true
}

// status fills in what state the controller is in, or that it has restarted:
// it prepares only then.
func (c *Codec) status(a *wire.Answer, state uint16) {
	before, known := c.state.Value, c.state.Known
	a.Kind, a.Fault = wire.AnswerStatus, faultsOf(state)
	if a.Doubtful = !c.state.Hear(state); a.Doubtful || known && state == before {
		return
	}
	if state == stateReady {
		c.ready.Add(1)
	}
	if known && works(before) && state == statePreparing {
		a.Kind = wire.AnswerBooted
		return
	}
	if a.Text = stateText(state); a.Text == "" {
		a.Alarming, a.Text = true, fmt.Sprintf("the controller is in state %#04x, which rig does not know", state)
	}
}

// States of the controller.
const (
	statePreparing = 0x00
	stateReady     = 0x31
	stateStandby   = 0x32
	stateWaiting   = 0x33
	stateOnline    = 0x35
)

// works reports a state that the controller reaches only once prepared.
func works(state uint16) bool { return state >= stateReady && state <= stateOnline }

// faultsOf is what a state means to a platform that follows demands. Waiting
// for frames is none: they come.
func faultsOf(state uint16) wire.Faults {
	switch {
	case state == 0x02 || state == 0x04:
		return wire.FaultStop
	case state >= stateWaiting && state <= stateOnline:
		return 0
	default:
		return wire.FaultOffline
	}
}

// stateText names a state, or nothing that is documented.
func stateText(state uint16) string {
	switch state {
	case statePreparing:
		return "the controller prepares its actuators"
	case 0x01, 0x30:
		return "the controller parks"
	case 0x02, 0x04:
		return "the controller's emergency stop is on; release it, then home the platform"
	case 0x08, 0x10, 0x20:
		return "the controller is offline; switch it online"
	case stateReady:
		return "the controller is ready, but not online; switch it online"
	case stateStandby:
		return "the controller stands by"
	case stateWaiting, 0x34:
		return "the controller waits for positions"
	case stateOnline:
		return "the controller is online"
	}
	return ""
}
