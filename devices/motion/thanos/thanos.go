// Package thanos speaks to the controllers of Thanos Motion Electronics: AMC-AASD15A,
// Thanos4U, AMC1280USB.
//
// Codec makes the 20 bytes of a demand from the shares of the actuators' strokes and hears
// what a controller says of its start and its settings; where the actuators stand it never
// tells. Settings reads and writes what a controller keeps, for rig motion config. Simulator
// is such a controller for tests and the demo. Nothing here opens a line.
package thanos

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// Thanos controllers (AMC-AASD15A, Thanos4U, AMC1280USB) take frames of 20
// bytes: FF FF, a position of 16 bits for each of eight actuators, high byte
// first, 0A 0D. An actuator that is not there has 00 00. While frames come they
// say nothing; without them they obey words, see wordModel.
const (
	frameLen  = 20
	frameHead = 0xff
	scale     = 65534 // counts of a whole stroke: the middle is 32767
	lowest    = 100   // the manual's lowest position

	// The manual's highest position is 65400, so that no position is FF FF. But
	// the low byte of one and the high byte of the next would still make a head;
	// below FF 00 they cannot. That costs 0.2 % of the stroke.
	highest = 0xfeff
)

// Words that a Thanos controller obeys while no frames come. They have no end:
// silence ends them.
const (
	wordModel    = "RQM"   // which model, which motors
	wordSettings = "CMD55" // all parameters
	wordPark     = "Park"
	wordSave     = "spv45" // all parameters into its EEPROM
	wordBooted   = "Boot OK"
)

// Protocol is what motion.protocol calls such controllers.
const Protocol = "thanos"

// Config is what only a Thanos controller has, TOML table [motion.thanos].
type Config struct {
	Actuators   int  `toml:"actuators"`    // how many there are, 1..8
	AskSettings bool `toml:"ask_settings"` // ask for its settings at the start, and warn if its spike filter is off
	ParkAtEnd   bool `toml:"park_at_end"`  // order it to its own park position when rig has parked
}

// DefaultConfig is an AMC-AASD15A with four actuators.
func DefaultConfig() Config {
	return Config{Actuators: 4, AskSettings: true, ParkAtEnd: true}
}

// Validate reports every field that cannot be used.
func (c Config) Validate() error {
	return wire.InRange("thanos.actuators", float64(c.Actuators), 1, wire.Axes)
}

// Codec is the language of Thanos controllers, see wire.Codec.
type Codec struct {
	cfg Config

	// Of the reader.
	text   [256]byte // of the line that comes in
	n      int
	warned bool // the settings in this line have been looked at
	lost   uint64
}

// New returns the codec for a controller that cfg describes, or why it cannot be.
func New(cfg Config) (*Codec, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Codec{cfg: cfg}, nil
}

// Axes returns how many actuators a demand names.
func (c *Codec) Axes() int { return c.cfg.Actuators }

// DemandBytes returns the length of the longest demand [bytes].
func (c *Codec) DemandBytes() int { return frameLen }

// QuestionBytes returns the length of the longest question, 0 for none [bytes].
func (c *Codec) QuestionBytes() int { return 0 }

// ReportsPosition reports whether its answers tell where every actuator stands.
func (c *Codec) ReportsPosition() bool { return false }

// KeepsTarget reports whether the actuators stay where they were sent while there is no line, see wire.Codec.
func (c *Codec) KeepsTarget() bool { return true }

// Noise returns how many received bytes belonged to nothing.
func (c *Codec) Noise() uint64 { return c.lost }

// AppendQuestion appends the next question, in turn; nothing where there is none.
func (c *Codec) AppendQuestion(dst []byte) []byte { return dst }

// Start asks what must be asked before the first frame.
func (c *Codec) Start() []wire.Phrase {
	if !c.cfg.AskSettings {
		return nil
	}
	return []wire.Phrase{
		{Bytes: []byte(wordModel), Wait: 100 * time.Millisecond},
		{Bytes: []byte(wordSettings), Wait: 200 * time.Millisecond},
	}
}

// Stop lets it park by itself. While it still waits for frames it does not
// heed the word, but then it parks when it has waited long enough.
func (c *Codec) Stop() []wire.Phrase {
	if !c.cfg.ParkAtEnd {
		return nil
	}
	return []wire.Phrase{{Bytes: []byte(wordPark), Wait: 100 * time.Millisecond}}
}

// AppendDemand appends one demand for all actuators. A leg that is NaN goes to the centre.
func (c *Codec) AppendDemand(dst []byte, l *wire.Legs) []byte {
	return appendFrame(dst, l, c.cfg.Actuators)
}

func appendFrame(dst []byte, l *wire.Legs, actuators int) []byte {
	dst = append(dst, frameHead, frameHead)
	for i, share := range l {
		n := 0
		if i < actuators {
			n = counts(share)
		}
		dst = append(dst, byte(n>>8), byte(n))
	}
	return append(dst, wire.PacketTail1, wire.PacketTail2)
}

// counts returns the controller's number for a share of the stroke; NaN gives the middle.
func counts(share float64) int {
	if math.IsNaN(share) {
		share = 0.5
	}
	return int(math.Round(min(max(share*scale, lowest), highest)))
}

// Feed takes the texts of a controller that gets no frames.
func (c *Codec) Feed(b byte) (wire.Answer, bool) {
	switch {
	case b == '\r' || b == '\n':
		return c.line()
	case b < ' ' || b > '~' || c.n == len(c.text):
		c.lost += uint64(c.n) + 1
		c.clear()
		return wire.Answer{}, false
	}
	c.text[c.n] = b
	c.n++
	return c.early()
}

func (c *Codec) clear() { c.n, c.warned = 0, false }

// early tells what needs no end of the line: it is not documented whether all
// answers have one.
func (c *Codec) early() (wire.Answer, bool) {
	said := c.text[:c.n]
	if bytes.HasSuffix(said, []byte(wordBooted)) {
		c.lost += uint64(c.n - len(wordBooted))
		c.clear()
		return saidAnswer(wire.AnswerBooted, ""), true
	}
	if said[c.n-1] != ':' || c.warned {
		return wire.Answer{}, false
	}
	if off, known := spikeFilterOff(said); known {
		c.warned = true
		if off {
			a := saidAnswer(wire.AnswerText, spikeWarning)
			a.Alarming = true
			return a, true
		}
	}
	return wire.Answer{}, false
}

const spikeWarning = "the controller's spike filter is off: a wild position would be followed at full speed; " +
	"switch it on with: rig motion config --set spike_filter=1 --save"

// spikeFilterOff reads the spike filter from the settings as far as they have come.
func spikeFilterOff(said []byte) (off, known bool) {
	r, ok := findReport(said)
	if !ok {
		return false, false
	}
	v, ok := r.value(spikeFilter)
	return v == 2, ok
}

// line tells of a whole line.
func (c *Codec) line() (wire.Answer, bool) {
	said := c.text[:c.n]
	known := bytes.HasPrefix(said, []byte("Thanos")) || bytes.HasPrefix(said, []byte("AMC"))
	if !known && !bytes.Contains(said, []byte("data")) {
		c.lost += uint64(c.n)
	}
	c.clear()
	if known {
		return saidAnswer(wire.AnswerText, fmt.Sprintf("the controller says %q", said)), true
	}
	return wire.Answer{}, false
}

func saidAnswer(kind wire.AnswerKind, text string) wire.Answer {
	return wire.Answer{Kind: kind, Axis: -1, Temperature: math.NaN(), Text: text}
}
