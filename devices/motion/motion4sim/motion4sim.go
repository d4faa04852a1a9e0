// Package motion4sim has the protocol of motion4sim controllers: up to eight actuators, or the six
// degrees of freedom and a belt.
//
// Codec encodes targets (packet.go has the bytes) and decodes the controller's state; the controller
// reports no positions. Settings reads the controller's state and version, for rig motion config.
// Simulator is such a controller for tests and the demo. Nothing here opens a line.
package motion4sim

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// Codec encodes and decodes the protocol of motion4sim controllers, see wire.Codec.
type Codec struct {
	cfg          Config
	queryCount   int           // selects the next query
	timesReady   atomic.Uint32 // how often the controller has become ready
	onlineOrders uint32        // value of timesReady for which it was last ordered on line

	// Used by the reader alone.
	in    wire.Packets
	state wire.Debounce
}

// New returns the codec for the controller that cfg describes, or every error of cfg.
func New(cfg Config) (*Codec, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Codec{cfg: cfg, in: wire.Packets{Length: answerLen}}, nil
}

// answerLen returns the length of the controller's packets with a head byte, 0 for none.
func answerLen(head byte) int {
	if head == commandHeadByte {
		return commandFrameLen
	}
	return 0
}

// Axes returns the number of actuators in a target.
func (c *Codec) Axes() int {
	if c.cfg.Frames == Pose {
		return beltLeg + 1
	}
	return c.cfg.Actuators
}

// TargetBytes returns the length of the longest target [bytes].
func (c *Codec) TargetBytes() int {
	if c.cfg.Frames == Pose {
		return poseFrameLen
	}
	return directFrameLen
}

// QueryBytes returns the length of the longest query, 0 for none [bytes].
func (c *Codec) QueryBytes() int { return commandFrameLen }

// ReportsPosition reports whether its answers contain the actuators' positions.
func (c *Codec) ReportsPosition() bool { return false }

// KeepsTarget reports false: without frames the controller goes off line, and may park.
func (c *Codec) KeepsTarget() bool { return false }

// Noise returns how many received bytes belonged to no message.
func (c *Codec) Noise() uint64 { return c.in.Noise }

// Start asks for the firmware version and orders the controller on line.
func (c *Codec) Start() []wire.Command {
	commands := []wire.Command{{Bytes: appendCommand(nil, commandFirmware, 0), Wait: 20 * time.Millisecond}}
	if c.cfg.GoOnline {
		commands = append(commands, wire.Command{Bytes: appendCommand(nil, commandOnline, 0), Wait: 50 * time.Millisecond})
	}
	return commands
}

// Stop sends nothing: no command for going off line is documented, and the controller does so by
// itself when the frames end.
func (c *Codec) Stop() []wire.Command { return nil }

// AppendTarget appends one target for all actuators. A leg that is NaN goes to the center.
func (c *Codec) AppendTarget(dst []byte, l *wire.Legs) []byte {
	if c.cfg.Frames == Pose {
		return appendPoseFrame(dst, l, &c.cfg)
	}
	return appendDirectFrame(dst, l, c.cfg.Actuators)
}

// AppendQuery asks for the controller's state three times of four, and for the actuators' the
// fourth time. A controller that was still preparing at the start is ordered on line here, once
// each time it has become ready: it is not documented that the order may be repeated.
func (c *Codec) AppendQuery(dst []byte) []byte {
	if n := c.timesReady.Load(); c.cfg.GoOnline && n != c.onlineOrders {
		c.onlineOrders = n
		return appendCommand(dst, commandOnline, 0)
	}
	c.queryCount = (c.queryCount + 1) % 4
	if c.queryCount == 0 {
		return appendCommand(dst, commandActuatorState, 0)
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
	value := eitherByteOrder(p[4], p[5])
	switch {
	case p[2] == 0 && p[3] == 0:
		c.fillStatus(&a, value)
	case p[2] == commandActuatorState>>8 && value == 'x':
		a.Kind, a.IsWarning, a.Text = wire.AnswerText, true, "the controller reports that an actuator is not connected"
	case eitherByteOrder(p[2], p[3]) == commandFirmware>>8:
		a.Kind, a.Text = wire.AnswerText, fmt.Sprintf("motion4sim firmware %d", value)
	}
	return a, true
}

// fillStatus fills in the controller's state, or a restart: the controller prepares its actuators only
// after a restart.
func (c *Codec) fillStatus(a *wire.Answer, state uint16) {
	before, known := c.state.Value, c.state.HasValue
	a.Kind, a.Fault = wire.AnswerStatus, faultsOf(state)
	if a.Unconfirmed = !c.state.Update(state); a.Unconfirmed || known && state == before {
		return
	}
	if state == stateReady {
		c.timesReady.Add(1)
	}
	if known && isPrepared(before) && state == statePreparing {
		a.Kind = wire.AnswerRestarted
		return
	}
	if a.Text = stateText(state); a.Text == "" {
		a.IsWarning, a.Text = true, fmt.Sprintf("the controller is in state %#04x, which rig does not know", state)
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

// isPrepared reports whether a controller in this state has prepared its actuators.
func isPrepared(state uint16) bool { return state >= stateReady && state <= stateOnline }

// faultsOf returns the faults for a state. A controller that waits for frames has no fault, because
// the codec sends them.
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

// stateText returns a text for a documented state, else "".
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
