// Package thanos has the protocol of the controllers of Thanos Motion Electronics: AMC-AASD15A,
// Thanos4U, AMC1280USB.
//
// Codec encodes targets, which are fractions of the actuators' strokes, as frames of 20 bytes, and
// decodes what a controller reports of its start and its settings; it never reports positions.
// Settings reads and writes the parameters that a controller stores, for rig motion config.
// Simulator is such a controller for tests and the demo. Nothing here opens a line.
package thanos

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/valid"
)

// Thanos controllers (AMC-AASD15A, Thanos4U, AMC1280USB) accept frames of 20 bytes: FF FF, a
// position of 16 bits for each of eight actuators, high byte first, 0A 0D. Unused actuators have
// 00 00. While frames come they send nothing; without frames they execute words, see wordModel.
const (
	frameLen   = 20
	frameHead  = 0xff
	fullCounts = 65534 // counts of the whole stroke: the middle is 32767
	minCounts  = 100   // the manual's lowest position

	// Highest position that is sent. The manual's highest is 65400, so that no position is FF FF. But
	// the low byte of one position and the high byte of the next could then still be FF FF, as a
	// frame's head; up to FE FF they cannot. That costs 0.2 % of the stroke.
	maxCounts = 0xfeff
)

// Words that a Thanos controller executes while no frames come. A word has no end mark: a pause
// ends it.
const (
	wordModel    = "RQM"   // asks for model and motors
	wordSettings = "CMD55" // asks for all parameters
	wordPark     = "Park"
	wordSave     = "spv45" // saves all parameters in its EEPROM
	wordBooted   = "Boot OK"
)

// Protocol is the value of motion.protocol for such controllers.
const Protocol = "thanos"

// Config has the options that only a Thanos controller has, TOML table [motion.thanos].
type Config struct {
	// Number of actuators that the controller moves. The unused numbers of a frame are 0, as in the
	// manual.
	Actuators int `toml:"actuators" range:"1..8"`
	// Ask for model and settings before the first position, and warn if the spike filter (parameter
	// 17) is off. Set it to false for an AMC1280USB, because it is not documented that it answers.
	AskSettings bool `toml:"ask_settings"`
	// Send "Park" when rig has parked and ends, but not after a fault, an emergency stop or with an
	// open belt: the controller then goes to its own park position. If false, the controller goes
	// there after its own time-outs: `timeout` and `park_timeout`.
	ParkAtEnd bool `toml:"park_at_end"`
}

// DefaultConfig returns the configuration of an AMC-AASD15A with four actuators.
func DefaultConfig() Config {
	return Config{Actuators: 4, AskSettings: true, ParkAtEnd: true}
}

// Validate returns an error for every invalid field.
func (c Config) Validate() error {
	if err := valid.WithPrefix("thanos", valid.Struct(c)); err != nil {
		return fmt.Errorf("motion: %w", err)
	}
	return nil
}

// Codec encodes and decodes the protocol of Thanos controllers, see wire.Codec.
type Codec struct {
	cfg Config

	// Used by the reader alone.
	text            [256]byte // of the line being received
	textLen         int
	settingsChecked bool // the spike filter in this line was checked
	noise           uint64
}

// New returns the codec for the controller that cfg describes, or every error of cfg.
func New(cfg Config) (*Codec, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Codec{cfg: cfg}, nil
}

// Axes returns the number of actuators in a target.
func (c *Codec) Axes() int { return c.cfg.Actuators }

// TargetBytes returns the length of the longest target [bytes].
func (c *Codec) TargetBytes() int { return frameLen }

// QueryBytes returns the length of the longest query, 0 for none [bytes].
func (c *Codec) QueryBytes() int { return 0 }

// ReportsPosition reports whether its answers contain the actuators' positions.
func (c *Codec) ReportsPosition() bool { return false }

// KeepsTarget reports true: without frames the actuators keep their targets for a while, see wire.Codec.
func (c *Codec) KeepsTarget() bool { return true }

// Noise returns how many received bytes belonged to no message.
func (c *Codec) Noise() uint64 { return c.noise }

// AppendQuery appends nothing, because the controller answers no queries while it gets frames.
func (c *Codec) AppendQuery(dst []byte) []byte { return dst }

// Start asks for model and settings, if so configured.
func (c *Codec) Start() []wire.Command {
	if !c.cfg.AskSettings {
		return nil
	}
	return []wire.Command{
		{Bytes: []byte(wordModel), Wait: 100 * time.Millisecond},
		{Bytes: []byte(wordSettings), Wait: 200 * time.Millisecond},
	}
}

// Stop orders the controller to its own park position. While it still waits for frames it ignores
// the order, but then it parks by itself after its timeout.
func (c *Codec) Stop() []wire.Command {
	if !c.cfg.ParkAtEnd {
		return nil
	}
	return []wire.Command{{Bytes: []byte(wordPark), Wait: 100 * time.Millisecond}}
}

// AppendTarget appends one target for all actuators. A leg that is NaN goes to the center.
func (c *Codec) AppendTarget(dst []byte, l *wire.Legs) []byte {
	return appendFrame(dst, l, c.cfg.Actuators)
}

func appendFrame(dst []byte, l *wire.Legs, actuators int) []byte {
	dst = append(dst, frameHead, frameHead)
	for i, position := range l {
		n := 0
		if i < actuators {
			n = counts(position)
		}
		dst = append(dst, byte(n>>8), byte(n))
	}
	return append(dst, wire.PacketTail1, wire.PacketTail2)
}

// counts returns the controller's number for a fraction of the stroke; NaN gives the middle.
func counts(position float64) int {
	if math.IsNaN(position) {
		position = 0.5
	}
	return int(math.Round(min(max(position*fullCounts, minCounts), maxCounts)))
}

// Feed takes a byte of the texts that a controller sends while it gets no frames.
func (c *Codec) Feed(b byte) (wire.Answer, bool) {
	switch {
	case b == '\r' || b == '\n':
		return c.answerToLine()
	case b < ' ' || b > '~' || c.textLen == len(c.text):
		c.noise += uint64(c.textLen) + 1
		c.resetLine()
		return wire.Answer{}, false
	}
	c.text[c.textLen] = b
	c.textLen++
	return c.answerToPartialLine()
}

func (c *Codec) resetLine() { c.textLen, c.settingsChecked = 0, false }

// answerToPartialLine returns the answers that need no end of the line, because it is not documented
// whether all lines have one.
func (c *Codec) answerToPartialLine() (wire.Answer, bool) {
	text := c.text[:c.textLen]
	if bytes.HasSuffix(text, []byte(wordBooted)) {
		c.noise += uint64(c.textLen - len(wordBooted))
		c.resetLine()
		return newAnswer(wire.AnswerRestarted, ""), true
	}
	if text[c.textLen-1] != ':' || c.settingsChecked {
		return wire.Answer{}, false
	}
	if off, known := spikeFilterOff(text); known {
		c.settingsChecked = true
		if off {
			a := newAnswer(wire.AnswerText, spikeWarning)
			a.IsWarning = true
			return a, true
		}
	}
	return wire.Answer{}, false
}

const spikeWarning = "the controller's spike filter is off: an erroneous position would be followed at full speed; " +
	"switch it on with: rig motion config --set spike_filter=1 --save"

// spikeFilterOff reads the state of the spike filter from settings that may be incomplete. known is
// false if it is not among them yet.
func spikeFilterOff(text []byte) (off, known bool) {
	r, ok := findReport(text)
	if !ok {
		return false, false
	}
	v, ok := r.value(spikeFilter)
	return v == 2, ok
}

// answerToLine returns the answer for a complete line, if it has one.
func (c *Codec) answerToLine() (wire.Answer, bool) {
	text := c.text[:c.textLen]
	known := bytes.HasPrefix(text, []byte("Thanos")) || bytes.HasPrefix(text, []byte("AMC"))
	if !known && !bytes.Contains(text, []byte("data")) {
		c.noise += uint64(c.textLen)
	}
	c.resetLine()
	if known {
		return newAnswer(wire.AnswerText, fmt.Sprintf("the controller says %q", text)), true
	}
	return wire.Answer{}, false
}

func newAnswer(kind wire.AnswerKind, text string) wire.Answer {
	return wire.Answer{Kind: kind, Axis: -1, Temperature: math.NaN(), Text: text}
}
