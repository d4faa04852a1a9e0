package motion

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
// say nothing; without them they obey words, see thanosWords.
const (
	thanosLen   = 20
	thanosHead  = 0xff
	thanosScale = 65534 // counts of a whole stroke: the middle is 32767
	thanosLow   = 100   // the manual's lowest position

	// The manual's highest position is 65400, so that no position is FF FF. But
	// the low byte of one and the high byte of the next would still make a head;
	// below FF 00 they cannot. That costs 0.2 % of the stroke.
	thanosHigh = 0xfeff
)

// Words that a Thanos controller obeys while no frames come. They have no end:
// silence ends them.
const (
	thanosModel    = "RQM"   // which model, which motors
	thanosSettings = "CMD55" // all parameters
	thanosPark     = "Park"
	thanosSave     = "spv45" // all parameters into its EEPROM
	thanosBooted   = "Boot OK"
)

// ThanosConfig is what only a Thanos controller has, TOML table [motion.thanos].
type ThanosConfig struct {
	Actuators   int  `toml:"actuators"`    // how many there are, 1..8
	AskSettings bool `toml:"ask_settings"` // ask for its settings at the start, and warn if its spike filter is off
	ParkAtEnd   bool `toml:"park_at_end"`  // order it to its own park position when rig has parked
}

// DefaultThanosConfig is an AMC-AASD15A with four actuators.
func DefaultThanosConfig() ThanosConfig {
	return ThanosConfig{Actuators: 4, AskSettings: true, ParkAtEnd: true}
}

// Validate reports every field that cannot be used.
func (c ThanosConfig) Validate() error {
	return wire.InRange("thanos.actuators", float64(c.Actuators), 1, wire.Axes)
}

// thanos is the language of Thanos controllers.
type thanos struct {
	cfg ThanosConfig

	// Of the reader.
	text   [256]byte // of the line that comes in
	n      int
	warned bool // the settings in this line have been looked at
	lost   uint64
}

func newThanos(cfg Config) (wire.Codec, error) {
	if err := cfg.Thanos.Validate(); err != nil {
		return nil, err
	}
	return &thanos{cfg: cfg.Thanos}, nil
}

func (c *thanos) Axes() int                        { return c.cfg.Actuators }
func (c *thanos) DemandBytes() int                 { return thanosLen }
func (c *thanos) QuestionBytes() int               { return 0 }
func (c *thanos) ReportsPosition() bool            { return false }
func (c *thanos) KeepsTarget() bool                { return true }
func (c *thanos) Noise() uint64                    { return c.lost }
func (c *thanos) AppendQuestion(dst []byte) []byte { return dst }

// Start asks what must be asked before the first frame.
func (c *thanos) Start() []wire.Phrase {
	if !c.cfg.AskSettings {
		return nil
	}
	return []wire.Phrase{
		{Bytes: []byte(thanosModel), Wait: 100 * time.Millisecond},
		{Bytes: []byte(thanosSettings), Wait: 200 * time.Millisecond},
	}
}

// Stop lets it park by itself. While it still waits for frames it does not
// heed the word, but then it parks when it has waited long enough.
func (c *thanos) Stop() []wire.Phrase {
	if !c.cfg.ParkAtEnd {
		return nil
	}
	return []wire.Phrase{{Bytes: []byte(thanosPark), Wait: 100 * time.Millisecond}}
}

func (c *thanos) AppendDemand(dst []byte, l *wire.Legs) []byte {
	return appendThanos(dst, l, c.cfg.Actuators)
}

func appendThanos(dst []byte, l *wire.Legs, actuators int) []byte {
	dst = append(dst, thanosHead, thanosHead)
	for i, share := range l {
		n := 0
		if i < actuators {
			n = thanosCounts(share)
		}
		dst = append(dst, byte(n>>8), byte(n))
	}
	return append(dst, wire.PacketTail1, wire.PacketTail2)
}

// thanosCounts returns the controller's number for a share of the stroke; what
// is no number is the middle.
func thanosCounts(share float64) int {
	if math.IsNaN(share) {
		share = 0.5
	}
	return int(math.Round(min(max(share*thanosScale, thanosLow), thanosHigh)))
}

// Feed takes the texts of a controller that gets no frames.
func (c *thanos) Feed(b byte) (wire.Answer, bool) {
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

func (c *thanos) clear() { c.n, c.warned = 0, false }

// early tells what needs no end of the line: it is not documented whether all
// answers have one.
func (c *thanos) early() (wire.Answer, bool) {
	said := c.text[:c.n]
	if bytes.HasSuffix(said, []byte(thanosBooted)) {
		c.lost += uint64(c.n - len(thanosBooted))
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
	r, ok := findThanosSettings(said)
	if !ok {
		return false, false
	}
	v, ok := r.value(thanosSpikeFilter)
	return v == 2, ok
}

// line tells of a whole line.
func (c *thanos) line() (wire.Answer, bool) {
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
