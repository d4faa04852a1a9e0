package motion

import (
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// SMC3Config is what only an SMC3 controller has, TOML table [motion.smc3].
type SMC3Config struct {
	Enable bool `toml:"enable_motors"` // switches motors on again that the board switched off at an end of their stroke, when the port opens
}

// DefaultSMC3Config leaves motors off that the board has switched off.
func DefaultSMC3Config() SMC3Config { return SMC3Config{} }

// smc3 is the language of the SMC3 firmware.
//
// Nothing in it tells of a restart, but what was ordered is forgotten by one:
// the stream of state frames that start asks for ends, while questions are
// answered as before.
type smc3 struct {
	cfg SMC3Config
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

func newSMC3(cfg Config) (wire.Codec, error) {
	return &smc3{cfg: cfg.SMC3}, nil
}

func (c *smc3) Axes() int             { return motors }
func (c *smc3) DemandBytes() int      { return demandLen }
func (c *smc3) QuestionBytes() int    { return frameLen }
func (c *smc3) ReportsPosition() bool { return true }
func (c *smc3) KeepsTarget() bool     { return false } // it cannot tell a restart in time, but where it stands
func (c *smc3) Noise() uint64         { return c.in.noise }

// Start asks for the version, and for the state of all motors 50 times a second.
func (c *smc3) Start() []wire.Phrase {
	said := []wire.Phrase{{Bytes: []byte("[ver]"), Wait: 10 * time.Millisecond}}
	if c.cfg.Enable {
		said = append(said, wire.Phrase{Bytes: []byte("[ena]"), Wait: 0})
	}
	return append(said, wire.Phrase{Bytes: []byte("[mo1]"), Wait: 0})
}

// Stop ends the stream. The firmware knows no way to switch a motor off.
func (c *smc3) Stop() []wire.Phrase {
	return []wire.Phrase{{Bytes: []byte("[mo0]"), Wait: 10 * time.Millisecond}}
}

func (c *smc3) AppendDemand(dst []byte, l *wire.Legs) []byte { return appendDemand(dst, l) }

func (c *smc3) AppendQuestion(dst []byte) []byte {
	dst = appendQuestion(dst, c.ask)
	c.ask = (c.ask + 1) % motors
	return dst
}

func (c *smc3) Feed(b byte) (wire.Answer, bool) {
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
func (c *smc3) position(a *wire.Answer, motor int, share float64) {
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
func (c *smc3) status(a *wire.Answer, state byte) {
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
