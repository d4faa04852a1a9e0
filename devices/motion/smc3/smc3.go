// Package smc3 speaks to boards with the SMC3 firmware: three motors, each with a sensor.
//
// Codec makes the bytes of a demand from the shares of the motors' strokes (frame.go has
// them one by one) and reads where the motors stand and which are off. Settings reads and
// writes what a board keeps in its EEPROM, for rig motion config. Simulator is such a board
// for tests and the demo. Nothing here opens a line or knows where the platform should go.
package smc3

import (
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// Protocol is what motion.protocol calls such controllers.
const Protocol = "smc3"

// Config is what only an SMC3 controller has, TOML table [motion.smc3].
type Config struct {
	Enable bool `toml:"enable_motors"` // switches motors on again that the board switched off at an end of their stroke, when the port opens
}

// DefaultConfig leaves motors off that the board has switched off.
func DefaultConfig() Config { return Config{} }

// Codec is the language of the SMC3 firmware, see wire.Codec.
//
// Nothing in it tells of a restart, but what was ordered is forgotten by one:
// the stream of state frames that start asks for ends, while questions are
// answered as before.
type Codec struct {
	cfg Config
	ask int // motor to ask next

	// Of the reader.
	in       parser
	streamed bool          // state frames come by themselves
	since    int           // positions told since the last state frame
	off      wire.Debounce // which motors are off, a bit for each
}

// streamLost is how many positions may be told without a state frame between
// them: at the most that are asked for in a second, 1000, the frame that comes
// every 20 ms is that late.
const streamLost = 40

// New returns the codec for a board that cfg describes.
func New(cfg Config) *Codec { return &Codec{cfg: cfg} }

// Axes returns how many actuators a demand names.
func (c *Codec) Axes() int { return motors }

// DemandBytes returns the length of the longest demand [bytes].
func (c *Codec) DemandBytes() int { return demandLen }

// QuestionBytes returns the length of the longest question, 0 for none [bytes].
func (c *Codec) QuestionBytes() int { return frameLen }

// ReportsPosition reports whether its answers tell where every actuator stands.
func (c *Codec) ReportsPosition() bool { return true }

// KeepsTarget reports false: the firmware cannot tell a restart in time, but where it stands.
func (c *Codec) KeepsTarget() bool { return false }

// Noise returns how many received bytes belonged to nothing.
func (c *Codec) Noise() uint64 { return c.in.noise }

// Start asks for the version, and for the state of all motors 50 times a second.
func (c *Codec) Start() []wire.Phrase {
	said := []wire.Phrase{{Bytes: []byte("[ver]"), Wait: 10 * time.Millisecond}}
	if c.cfg.Enable {
		said = append(said, wire.Phrase{Bytes: []byte("[ena]"), Wait: 0})
	}
	return append(said, wire.Phrase{Bytes: []byte("[mo1]"), Wait: 0})
}

// Stop ends the stream. The firmware knows no way to switch a motor off.
func (c *Codec) Stop() []wire.Phrase {
	return []wire.Phrase{{Bytes: []byte("[mo0]"), Wait: 10 * time.Millisecond}}
}

// AppendDemand appends one demand for all actuators. A leg that is NaN goes to the centre.
func (c *Codec) AppendDemand(dst []byte, l *wire.Legs) []byte { return appendDemand(dst, l) }

// AppendQuestion appends the next question, in turn; nothing where there is none.
func (c *Codec) AppendQuestion(dst []byte) []byte {
	dst = appendQuestion(dst, c.ask)
	c.ask = (c.ask + 1) % motors
	return dst
}

// Feed takes a received byte and returns the answer that it completed, if any.
func (c *Codec) Feed(b byte) (wire.Answer, bool) {
	f, ok := c.in.feed(b)
	if !ok {
		return wire.Answer{}, false
	}
	a := wire.Answer{Kind: wire.AnswerParameter, Axis: -1, Temperature: math.NaN()}
	if motor, share, ok := f.feedback(); ok {
		c.position(&a, motor, share)
		return a, true
	}
	switch f.cmd {
	case 'a', 'b', 'c', 'Y':
		c.status(&a, f.b1)
	case 'v':
		a.Kind, a.Alarming, a.Text = wire.AnswerText, f.value() != version, versionText(f.value())
	}
	return a, true
}

// position fills in where a motor stands, or that the stream has ended.
func (c *Codec) position(a *wire.Answer, motor int, share float64) {
	c.since++
	if c.streamed && c.since > streamLost {
		c.streamed = false
		a.Kind = wire.AnswerBooted
		return
	}
	a.Kind, a.Axis, a.Position = wire.AnswerPosition, motor, share
}

// status fills in which motors are off: the firmware switches one off when its
// feedback is beyond the cutoff, at either end.
func (c *Codec) status(a *wire.Answer, state byte) {
	c.streamed, c.since = true, 0
	off, before := state&0b111, c.off.Value
	a.Kind = wire.AnswerStatus
	if off != 0 {
		a.Fault = wire.FaultEndStop
	}
	if a.Doubtful = !c.off.Hear(uint16(off)); !a.Doubtful && off != 0 && uint16(off) != before {
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
	told := fmt.Sprintf("SMC3 firmware %d.%02d", hundredths/100, hundredths%100)
	if hundredths != version {
		told += "; rig knows 0.70: check positions and directions with care"
	}
	return told
}
