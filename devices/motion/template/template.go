// Package template speaks to any controller that a table of strings describes, as the generic
// serial interfaces of SimTools, FlyPT Mover and SimHub do: text or binary.
//
// Config is that table. Codec makes demands of it (parse.go reads the strings, number.go
// writes the numbers) and hears lines of text; where the actuators stand it is never told.
// Simulator is a controller that takes exactly such strings (read.go), for tests and the
// demo. Nothing here opens a line, and no such controller keeps settings that rig knows.
package template

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// Protocol is what motion.protocol calls such controllers.
const Protocol = "template"

// Config describes a controller by the strings that are sent to it, as
// the generic serial interfaces of SimTools, FlyPT Mover and SimHub do.
//
// In strings <Axis1a> stands for a number, <255> for a byte, and everything
// else for itself. Lists go by actuator; where one is shorter, its last entry
// counts for the rest.
type Config struct {
	Takes     string   `toml:"takes"`       // what its axes are: legs, or pose for surge, sway, heave, roll, pitch and yaw
	Axes      []string `toml:"axes"`        // what each actuator is called in strings; empty for 1a, 2a, 3a …
	Actuators int      `toml:"actuators"`   // how many of the axes move something, the first ones; 0 for all in output
	Bits      int      `toml:"bits"`        // of a number
	Format    string   `toml:"format"`      // how a number is written: binary, decimal or hex
	ByteOrder string   `toml:"byte_order"`  // of a binary number: big (high byte first) or little
	Digits    int      `toml:"digits"`      // of a decimal or hex number, filled up with zeros; 0 for as many as it has
	Low       []int    `toml:"low_counts"`  // number at the lower end of the stroke; empty for 0
	High      []int    `toml:"high_counts"` // number at its upper end, below low to turn the direction round; empty for the largest

	Startup      []string  `toml:"startup"`          // said one after the other before the first demand
	StartupWait  []float64 `toml:"startup_wait_ms"`  // after each
	Output       []string  `toml:"output"`           // a demand; several strings are joined
	Shutdown     []string  `toml:"shutdown"`         // said one after the other once the platform is parked
	ShutdownWait []float64 `toml:"shutdown_wait_ms"` // after each

	Reference bool   `toml:"reference_at_power_on"` // it takes the place where it stands at power-on for start_share
	BootText  string `toml:"boot_text"`             // part of a line that the controller sends when it has started; "" for none
	FaultText string `toml:"fault_text"`            // part of a line that tells of a broken drive; "" for none
	StopText  string `toml:"stop_text"`             // part of a line that tells that its emergency stop was pressed; "" for none
}

// What Config.Takes can be.
const (
	TakesLegs = "legs"
	TakesPose = "pose"
)

// How a template writes numbers.
const (
	formatBinary  = "binary"
	formatDecimal = "decimal"
	formatHex     = "hex"

	orderBig    = "big"
	orderLittle = "little"
)

// Bounds that keep a template to what a controller can take.
const (
	longestString = 256 // bytes that are sent for one string, or for all of output
	mostStrings   = 16
	longestPause  = 120_000 // [ms]
)

// DefaultConfig has no output: there is no string that every controller takes.
func DefaultConfig() Config {
	return Config{Takes: TakesLegs, Bits: 16, Format: formatBinary, ByteOrder: orderBig}
}

// Validate reports what cannot be sent, with the column where a string is wrong.
func (c Config) Validate() error {
	_, err := compile(c)
	return err
}

// compiled is a Config made ready to be sent.
type compiled struct {
	number
	count    int // of axes
	driven   int // of them, those that move an actuator
	output   []piece
	startup  [][]piece
	shutdown [][]piece
}

// compile checks everything and reads the strings.
func compile(c Config) (*compiled, error) {
	if err := c.validateNumbers(); err != nil {
		return nil, err
	}
	names, err := c.names()
	if err != nil {
		return nil, err
	}
	t := &compiled{number: newNumber(c)}
	var errs [3]error
	t.output, errs[0] = t.join("template.output", c.Output, names)
	t.startup, errs[1] = t.phrases("template.startup", c.Startup, names)
	t.shutdown, errs[2] = t.phrases("template.shutdown", c.Shutdown, names)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	if t.count, err = moved(t.output, names, len(c.Axes)); err != nil {
		return nil, err
	}
	t.driven = cmp.Or(c.Actuators, t.count)
	return t, wire.InRange("template.actuators", float64(c.Actuators), 0, float64(t.count))
}

func (c Config) validateNumbers() error {
	errs := []error{
		wire.InRange("template.bits", float64(c.Bits), 8, 32),
		oneOf("template.takes", c.Takes, TakesLegs, TakesPose),
		oneOf("template.format", c.Format, formatBinary, formatDecimal, formatHex),
		oneOf("template.byte_order", c.ByteOrder, orderBig, orderLittle),
		wire.InRange("template.digits", float64(c.Digits), 0, 10),
		validateWaits("template.startup_wait_ms", c.StartupWait),
		validateWaits("template.shutdown_wait_ms", c.ShutdownWait),
	}
	if errs[0] == nil {
		errs = append(errs, c.validateCounts())
	}
	return errors.Join(errs...)
}

func validateWaits(key string, waits []float64) error {
	for _, ms := range waits {
		if err := wire.InRange(key, ms, 0, longestPause); err != nil {
			return err
		}
	}
	return nil
}

func (c Config) validateCounts() error {
	most := float64(c.full())
	for _, list := range [][]int{c.Low, c.High} {
		if len(list) > wire.Axes {
			return fmt.Errorf("motion: template: low_counts or high_counts has %d numbers; give up to %d", len(list), wire.Axes)
		}
	}
	for i := range wire.Axes {
		low, high := c.ends(i)
		if err := errors.Join(wire.InRange("template.low_counts", low, 0, most), wire.InRange("template.high_counts", high, 0, most)); err != nil {
			return err
		}
		if low == high {
			return fmt.Errorf("motion: template.low_counts: both ends of actuator %d are at %s; give two different numbers", i+1, wire.Plain(low))
		}
	}
	return nil
}

// full is the largest number that the bits hold.
func (c Config) full() uint64 { return 1<<c.Bits - 1 }

// ends returns the numbers of an actuator at the ends of its stroke.
func (c Config) ends(leg int) (low, high float64) {
	return float64(entry(c.Low, leg, 0)), float64(entry(c.High, leg, int(c.full())))
}

// entry is what a list says of its i-th item, of which it may leave the last ones out.
func entry[T any](list []T, i int, none T) T {
	if len(list) == 0 {
		return none
	}
	return list[min(i, len(list)-1)]
}

func oneOf(key, v string, choices ...string) error {
	if slices.Contains(choices, v) {
		return nil
	}
	return fmt.Errorf("motion: %s: %q is not known; choose one of %q", key, v, choices)
}

// append writes what the pieces stand for. It allocates nothing if dst has room.
func (t *compiled) append(dst []byte, pieces []piece, l *wire.Legs) []byte {
	for i := range pieces {
		p := &pieces[i]
		if p.leg == noLeg {
			dst = append(dst, p.literal...)
			continue
		}
		dst = t.number.append(dst, t.counts(p.leg, l[p.leg]))
	}
	return dst
}

// Codec speaks to a controller by a template, see wire.Codec. It believes nothing that
// comes back but lines of text.
type Codec struct {
	*compiled
	*ear
	begin, end []wire.Phrase
	longest    int
}

// New returns the codec that cfg describes, or why it cannot be.
//
// An axis in a startup string stands at start, where the platform is taken to
// stand at first, one in a shutdown string at park, where it was parked.
func New(cfg Config, start, park wire.Legs) (*Codec, error) {
	t, err := compile(cfg)
	if err != nil {
		return nil, err
	}
	return &Codec{
		compiled: t,
		ear:      newEar(cfg),
		begin:    t.say(t.startup, &start, cfg.StartupWait),
		end:      t.say(t.shutdown, &park, cfg.ShutdownWait),
		longest:  t.longest(t.output),
	}, nil
}

// say makes phrases of strings, each with its wait [ms].
func (t *compiled) say(strings [][]piece, at *wire.Legs, waits []float64) []wire.Phrase {
	var all []wire.Phrase
	for i, pieces := range strings {
		wait := time.Duration(entry(waits, i, 0) * float64(time.Millisecond))
		all = append(all, wire.Phrase{Bytes: t.append(nil, pieces, at), Wait: wait})
	}
	return all
}

// Axes returns how many actuators a demand names.
func (c *Codec) Axes() int { return c.driven }

// Start returns what is said once the port is open.
func (c *Codec) Start() []wire.Phrase { return c.begin }

// Stop returns what is said before the port closes.
func (c *Codec) Stop() []wire.Phrase { return c.end }

// AppendDemand appends one demand for all actuators. A leg that is NaN goes to the centre.
func (c *Codec) AppendDemand(dst []byte, l *wire.Legs) []byte {
	return c.append(dst, c.output, l)
}

// AppendQuestion appends the next question, in turn; nothing where there is none.
func (c *Codec) AppendQuestion(dst []byte) []byte { return dst }

// DemandBytes returns the length of the longest demand [bytes].
func (c *Codec) DemandBytes() int { return c.longest }

// QuestionBytes returns the length of the longest question, 0 for none [bytes].
func (c *Codec) QuestionBytes() int { return 0 }

// ReportsPosition reports whether its answers tell where every actuator stands.
func (c *Codec) ReportsPosition() bool { return false }

// KeepsTarget reports whether the actuators stay where they were sent while there is no line, see wire.Codec.
func (c *Codec) KeepsTarget() bool { return len(c.begin) == 0 && len(c.boot) > 0 }
