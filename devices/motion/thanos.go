package motion

import (
	"bytes"
	"fmt"
	"math"
	"time"
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
	return inRange("thanos.actuators", float64(c.Actuators), 1, Axes)
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

func newThanos(cfg Config) (codec, error) {
	if err := cfg.Thanos.Validate(); err != nil {
		return nil, err
	}
	return &thanos{cfg: cfg.Thanos}, nil
}

func (c *thanos) axes() int                  { return c.cfg.Actuators }
func (c *thanos) demandBytes() int           { return thanosLen }
func (c *thanos) questionBytes() int         { return 0 }
func (c *thanos) locates() bool              { return false }
func (c *thanos) keeps() bool                { return true }
func (c *thanos) noise() uint64              { return c.lost }
func (c *thanos) question(dst []byte) []byte { return dst }

// start asks what must be asked before the first frame.
func (c *thanos) start() []phrase {
	if !c.cfg.AskSettings {
		return nil
	}
	return []phrase{
		{[]byte(thanosModel), 100 * time.Millisecond},
		{[]byte(thanosSettings), 200 * time.Millisecond},
	}
}

// stop lets it park by itself. While it still waits for frames it does not
// heed the word, but then it parks when it has waited long enough.
func (c *thanos) stop() []phrase {
	if !c.cfg.ParkAtEnd {
		return nil
	}
	return []phrase{{[]byte(thanosPark), 100 * time.Millisecond}}
}

func (c *thanos) demand(dst []byte, l *Legs) []byte {
	return appendThanos(dst, l, c.cfg.Actuators)
}

func appendThanos(dst []byte, l *Legs, actuators int) []byte {
	dst = append(dst, thanosHead, thanosHead)
	for i, share := range l {
		n := 0
		if i < actuators {
			n = thanosCounts(share)
		}
		dst = append(dst, byte(n>>8), byte(n))
	}
	return append(dst, packetTail1, packetTail2)
}

// thanosCounts returns the controller's number for a share of the stroke; what
// is no number is the middle.
func thanosCounts(share float64) int {
	if math.IsNaN(share) {
		share = 0.5
	}
	return int(math.Round(min(max(share*thanosScale, thanosLow), thanosHigh)))
}

// feed takes the texts of a controller that gets no frames.
func (c *thanos) feed(b byte) (answer, bool) {
	switch {
	case b == '\r' || b == '\n':
		return c.line()
	case b < ' ' || b > '~' || c.n == len(c.text):
		c.lost += uint64(c.n) + 1
		c.clear()
		return answer{}, false
	}
	c.text[c.n] = b
	c.n++
	return c.early()
}

func (c *thanos) clear() { c.n, c.warned = 0, false }

// early tells what needs no end of the line: it is not documented whether all
// answers have one.
func (c *thanos) early() (answer, bool) {
	said := c.text[:c.n]
	if bytes.HasSuffix(said, []byte(thanosBooted)) {
		c.lost += uint64(c.n - len(thanosBooted))
		c.clear()
		return saidAnswer(answerBooted, ""), true
	}
	if said[c.n-1] != ':' || c.warned {
		return answer{}, false
	}
	if off, known := spikeFilterOff(said); known {
		c.warned = true
		if off {
			a := saidAnswer(answerText, spikeWarning)
			a.alarming = true
			return a, true
		}
	}
	return answer{}, false
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
func (c *thanos) line() (answer, bool) {
	said := c.text[:c.n]
	known := bytes.HasPrefix(said, []byte("Thanos")) || bytes.HasPrefix(said, []byte("AMC"))
	if !known && !bytes.Contains(said, []byte("data")) {
		c.lost += uint64(c.n)
	}
	c.clear()
	if known {
		return saidAnswer(answerText, fmt.Sprintf("the controller says %q", said)), true
	}
	return answer{}, false
}

func saidAnswer(kind answerKind, text string) answer {
	return answer{kind: kind, axis: -1, temperature: math.NaN(), text: text}
}
