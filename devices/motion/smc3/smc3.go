// Package smc3 has the protocol of boards with the SMC3 firmware: three motors, each with a sensor.
//
// Codec encodes targets, which are fractions of the motors' strokes (frame.go has the bytes), and
// decodes the motors' positions and which motors are off. Settings reads and writes the parameters
// in a board's EEPROM, for rig motion config. Simulator is such a board for tests and the demo.
// Nothing here opens a line or decides where the platform goes.
package smc3

import (
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// Protocol is the value of motion.protocol for such controllers.
const Protocol = "smc3"

// Config has the options that only an SMC3 controller has, TOML table [motion.smc3].
type Config struct {
	// Send "enable all" when the port opens. The board switches a motor off for good when its
	// feedback is beyond the cutoff (23 of 1023 counts from either end): the actuator ran into its
	// end, or its sensor's wire is off. Leave this off until you know which it was.
	Enable bool `toml:"enable_motors"`
}

// DefaultConfig returns a configuration that does not enable motors which the board has switched off.
func DefaultConfig() Config { return Config{} }

// Codec encodes and decodes the protocol of the SMC3 firmware, see wire.Codec.
//
// The firmware does not report a restart, but a restart ends the stream of state frames that
// Start asks for, while queries are answered as before: a stream that ends means a restart.
type Codec struct {
	cfg       Config
	nextQuery int // motor to query next

	// Used by the reader alone.
	in         parser
	streaming  bool          // state frames are being received
	sinceState int           // number of positions received since the last state frame
	off        wire.Debounce // motors that are off, a bit for each
}

// maxWithoutState is how many positions may be received without a state frame between them: at
// 1000 queries per second, the most there are, the frame that is due every 20 ms is then late.
const maxWithoutState = 40

// New returns the codec for a board that cfg describes.
func New(cfg Config) *Codec { return &Codec{cfg: cfg} }

// Axes returns the number of actuators in a target.
func (c *Codec) Axes() int { return motors }

// TargetBytes returns the length of the longest target [bytes].
func (c *Codec) TargetBytes() int { return targetLen }

// QueryBytes returns the length of the longest query, 0 for none [bytes].
func (c *Codec) QueryBytes() int { return frameLen }

// ReportsPosition reports whether its answers contain the actuators' positions.
func (c *Codec) ReportsPosition() bool { return true }

// KeepsTarget reports false: the firmware reports a restart too late for that.
func (c *Codec) KeepsTarget() bool { return false }

// Noise returns how many received bytes belonged to no message.
func (c *Codec) Noise() uint64 { return c.in.noise }

// Start asks for the version, and for the state of all motors 50 times a second.
func (c *Codec) Start() []wire.Command {
	commands := []wire.Command{{Bytes: []byte("[ver]"), Wait: 10 * time.Millisecond}}
	if c.cfg.Enable {
		commands = append(commands, wire.Command{Bytes: []byte("[ena]"), Wait: 0})
	}
	return append(commands, wire.Command{Bytes: []byte("[mo1]"), Wait: 0})
}

// Stop ends the stream of state frames. The firmware has no command that switches a motor off.
func (c *Codec) Stop() []wire.Command {
	return []wire.Command{{Bytes: []byte("[mo0]"), Wait: 10 * time.Millisecond}}
}

// AppendTarget appends one target for all actuators. A leg that is NaN goes to the center.
func (c *Codec) AppendTarget(dst []byte, l *wire.Legs) []byte { return appendTarget(dst, l) }

// AppendQuery appends a query for the position of one motor, the next one at each call.
func (c *Codec) AppendQuery(dst []byte) []byte {
	dst = appendQuery(dst, c.nextQuery)
	c.nextQuery = (c.nextQuery + 1) % motors
	return dst
}

// Feed takes a received byte and returns the answer that it completes, if any.
func (c *Codec) Feed(b byte) (wire.Answer, bool) {
	f, ok := c.in.feed(b)
	if !ok {
		return wire.Answer{}, false
	}
	a := wire.Answer{Kind: wire.AnswerParameter, Axis: -1, Temperature: math.NaN()}
	if motor, share, ok := f.feedback(); ok {
		c.fillPosition(&a, motor, share)
		return a, true
	}
	switch f.cmd {
	case 'a', 'b', 'c', 'Y':
		c.fillStatus(&a, f.b1)
	case 'v':
		a.Kind, a.IsWarning, a.Text = wire.AnswerText, f.value() != version, versionText(f.value())
	}
	return a, true
}

// fillPosition fills in a motor's position, or a restart if the stream of state frames has ended.
func (c *Codec) fillPosition(a *wire.Answer, motor int, position float64) {
	c.sinceState++
	if c.streaming && c.sinceState > maxWithoutState {
		c.streaming = false
		a.Kind = wire.AnswerRestarted
		return
	}
	a.Kind, a.Axis, a.Position = wire.AnswerPosition, motor, position
}

// fillStatus fills in which motors are off: the firmware switches one off when its feedback is
// beyond the cutoff, at either end.
func (c *Codec) fillStatus(a *wire.Answer, state byte) {
	c.streaming, c.sinceState = true, 0
	off, before := state&0b111, c.off.Value
	a.Kind = wire.AnswerStatus
	if off != 0 {
		a.Fault = wire.FaultEndStop
	}
	if a.Unconfirmed = !c.off.Update(uint16(off)); !a.Unconfirmed && off != 0 && uint16(off) != before {
		a.Text = offText(off)
	}
}

func offText(off byte) string {
	which := ""
	for motor := range motors {
		if off&(1<<motor) != 0 {
			which += string(rune('A' + motor))
		}
	}
	return fmt.Sprintf("the controller switched motor %s off: its feedback is beyond the cutoff; "+
		"check the actuator and its sensor, then restart the controller or set motion.smc3.enable_motors", which)
}

func versionText(hundredths int) string {
	text := fmt.Sprintf("SMC3 firmware %d.%02d", hundredths/100, hundredths%100)
	if hundredths != version {
		text += "; rig knows 0.70: check positions and directions with care"
	}
	return text
}
