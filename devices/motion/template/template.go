// Package template has a protocol for any controller that a table of strings describes, as the generic
// serial interfaces of SimTools, FlyPT Mover and SimHub do: text or binary.
//
// Config is that table. Codec encodes targets with it (parse.go and token.go parse the strings,
// number.go formats the numbers), and decodes positions (feedback.go) and lines of text (text.go).
// Simulator is a controller that accepts exactly such strings (read.go), for tests and the demo.
// Nothing here opens a line or reads a controller's parameters.
package template

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
)

// Protocol is the value of motion.protocol for such controllers.
const Protocol = "template"

// Config describes a controller by the strings that are sent to it, as
// the generic serial interfaces of SimTools, FlyPT Mover and SimHub do.
//
// In strings <Axis1a> is replaced by a number, <Axis1a:0-6> by a byte with bits 0 to 6 of it, <255>
// by a byte and <Sum8> by a checksum; everything else is sent as it is. Lists have one entry for each actuator; if one is shorter, its last entry applies to the
// rest.
type Config struct {
	// What the axes of the strings are: actuators (`"legs"`), or surge, sway, heave, roll, pitch
	// and yaw for a controller that finds the actuators' positions itself (`"pose"`).
	// `geometry.kind` must be `"pose"` for the latter and must not be for the former: rig refuses
	// any other pair.
	Takes string `toml:"takes" oneof:"legs,pose"`
	// What each actuator is called in the strings, in the order of rig's actuators: `["2a", "1a"]`
	// exchanges the first two; none: 1a, 2a, 3a … Every name must be in `output`.
	Axes []string `toml:"axes"`
	// Number of axes that move an actuator; they are the first ones. 0: all. Set it for a controller
	// that expects more numbers than there are actuators, such as `thanos-template`, which expects 8.
	// The other axes are sent the middle while the platform follows the car or rests at its center,
	// and change only while it parks and homes.
	Actuators int `toml:"actuators" range:"0..8" valid:"-"`
	// Bits of a number: the "bit range" of SimTools, the "position bit output" of FlyPT. More bits
	// make slow motion smoother, if the controller supports them.
	Bits int `toml:"bits" range:"8..32"`
	// Format of a number. `binary` uses as many whole bytes as the bits need; `hex` has upper-case
	// digits.
	Format string `toml:"format" oneof:"binary,decimal,hex"`
	// Byte order of a binary number. `"big"` sends the high byte first, as SimTools, FlyPT Mover and
	// SimHub do.
	ByteOrder string `toml:"byte_order" oneof:"big,little"`
	// Number of digits of a decimal or hex number, filled with leading zeros; 0 adds none. It is
	// needed if no other character separates two numbers.
	Digits int `toml:"digits" range:"0..10"`
	// Number at the lower end of each actuator's stroke, 0 to 2^bits−1; none: 0. If a list is
	// shorter than there are actuators, its last entry applies to the rest. Raise it if the
	// controller needs a margin.
	Low []int `toml:"low_counts" range:"0..4294967295" valid:"-"`
	// Number at the upper end, 0 to 2^bits−1; none: the largest. To reverse an actuator, swap its
	// two numbers. rig never sends a number outside low to high.
	High []int `toml:"high_counts" range:"0..4294967295" valid:"-"`

	// Strings to send one after the other when the port is open and `boot_wait_s` is over, and
	// again after a restart that the controller reported. An axis in them has its `start_share`,
	// which is `park_share` by default.
	Startup []string `toml:"startup"`
	// Wait after each of the startup strings. A controller that homes itself needs that time here.
	StartupWait []float64 `toml:"startup_wait_ms" range:"0..120000"`
	// Strings to send for a target position of all axes, 256 bytes in all. Several strings are sent
	// as one: `["[A<Axis1a>]", "[B<Axis2a>]"]`.
	Output []string `toml:"output"`
	// Strings to send once the platform is parked without a fault. They are not sent after a fault or
	// an emergency stop, nor with an open belt, because they may move something. An axis in them has
	// its `park_share`.
	Shutdown []string `toml:"shutdown"`
	// Wait after each of the shutdown strings.
	ShutdownWait []float64 `toml:"shutdown_wait_ms" range:"0..120000"`

	// Strings that the controller sends, up to 64 bytes each: `["P<Axis1a>,<Axis2a><13><10>"]`, or one
	// for each actuator. rig measures the actuators' positions by them, and they must have every
	// actuator. `<Any>` is a byte of any value; of a number in parts the lowest bits may be left out.
	// A checksum in them is checked. None: rig does not know where the actuators stand.
	Feedback []string `toml:"feedback"`
	// Strings that ask for `feedback`, sent in turn, up to 100 a second; none if the controller sends it
	// by itself. Each actuator must be reported more often than 8 times a second. After 0.5 s without, the
	// controller counts as silent.
	Query []string `toml:"query"`

	// The controller assumes that its actuators are at `start_share` when it is switched on, wherever
	// they are. `park_share` must then be the same. After a restart or a loss of the line during a
	// drive nothing moves: that is the fault "reference lost".
	Reference bool `toml:"reference_at_power_on"`
	// Part of a line that the controller sends when it has started. rig then detects a restart during
	// a drive, sends the startup strings again and homes at the home speed. If there are no startup
	// strings and this line is not received, rig goes on after a short loss of the line (2 s) from
	// the last target.
	BootText string `toml:"boot_text"`
	// Part of a line that reports a faulty drive. It is a fault of the platform until the platform is
	// ordered to home.
	FaultText string `toml:"fault_text"`
	// Part of a line that reports that the controller's own emergency stop was pressed. The platform
	// then holds until it is ordered to home.
	StopText string `toml:"stop_text"`
}

// Values of Config.Takes.
const (
	TakesLegs = "legs"
	TakesPose = "pose"
)

// Formats of numbers.
const (
	formatBinary  = "binary"
	formatDecimal = "decimal"
	formatHex     = "hex"

	orderBig    = "big"
	orderLittle = "little"
)

// Limits of what a template may contain.
const (
	maxStringLen   = 256 // bytes that are sent for one string, or for all of output
	maxFeedbackLen = 64  // bytes of one feedback string
	maxStrings     = 16
)

// DefaultConfig has no output: there is no string that every controller accepts.
func DefaultConfig() Config {
	return Config{Takes: TakesLegs, Bits: 16, Format: formatBinary, ByteOrder: orderBig}
}

// Validate returns the errors of the first kind that it finds, in this order: fields out of range,
// low_counts and high_counts, names of axes, strings (each with the column at which it is invalid),
// axes that are missing in output.
func (c Config) Validate() error {
	_, err := compile(c)
	return err
}

// compiledTemplate is a checked Config with parsed strings.
type compiledTemplate struct {
	number
	axisCount     int // number of axes
	actuatorCount int // number of axes that move an actuator
	output        []piece
	startup       [][]piece
	shutdown      [][]piece
	feedback      [][]piece
	query         [][]piece
	measured      number // format of the numbers in feedback
}

// compile checks a configuration and parses its strings.
func compile(c Config) (*compiledTemplate, error) {
	if err := c.validateNumbers(); err != nil {
		return nil, err
	}
	names, err := c.axisNames()
	if err != nil {
		return nil, err
	}
	t := &compiledTemplate{number: newNumber(c), measured: newMeasuredNumber(c)}
	s := stringParser{number: &t.number, names: names, bits: c.Bits}
	var errs [4]error
	t.output, errs[0] = s.parseOutput("template.output", c.Output)
	t.startup, errs[1] = s.parseStrings("template.startup", c.Startup)
	t.shutdown, errs[2] = s.parseStrings("template.shutdown", c.Shutdown)
	t.query, errs[3] = s.parseStrings("template.query", c.Query)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	if t.axisCount, err = countActuators(t.output, names, len(c.Axes)); err != nil {
		return nil, err
	}
	t.actuatorCount = cmp.Or(c.Actuators, t.axisCount)
	if err := prefixed(valid.AtMost(c, "actuators", float64(t.axisCount))); err != nil {
		return nil, err
	}
	return t, t.compileFeedback(c, names)
}

func (c Config) validateNumbers() error {
	if err := prefixed(valid.Struct(c)); err != nil {
		return err
	}
	return c.validateCounts()
}

// prefixed returns err with the names of the table and of the package before it.
func prefixed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("motion: %w", valid.WithPrefix("template", err))
}

func (c Config) validateCounts() error {
	maxNumber := float64(c.maxNumber())
	for _, list := range [][]int{c.Low, c.High} {
		if len(list) > wire.Axes {
			return fmt.Errorf("motion: template: low_counts or high_counts has %d numbers; give up to %d", len(list), wire.Axes)
		}
	}
	if err := prefixed(errors.Join(valid.AtMost(c, "low_counts", maxNumber), valid.AtMost(c, "high_counts", maxNumber))); err != nil {
		return err
	}
	for i := range wire.Axes {
		if low, high := c.endNumbers(i); low == high {
			return fmt.Errorf("motion: template.low_counts: both ends of actuator %d are at %s; give two different numbers", i+1, printable.Plain(low))
		}
	}
	return nil
}

// maxNumber returns the largest number that Bits bits hold.
func (c Config) maxNumber() uint64 { return 1<<c.Bits - 1 }

// endNumbers returns the numbers at the lower and the upper end of an actuator's stroke.
func (c Config) endNumbers(leg int) (low, high float64) {
	return float64(entryOrLast(c.Low, leg, 0)), float64(entryOrLast(c.High, leg, int(c.maxNumber())))
}

// entryOrLast returns the i-th entry of a list, its last entry if the list is shorter, or fallback
// if it is empty.
func entryOrLast[T any](list []T, i int, fallback T) T {
	if len(list) == 0 {
		return fallback
	}
	return list[min(i, len(list)-1)]
}

// Codec encodes targets by a template and decodes feedback and lines of text, see wire.Codec.
type Codec struct {
	*compiledTemplate
	*feedbackReader
	startCommands, stopCommands []wire.Command
	targetBytes, queryBytes     int
	nextQuery                   int // index of the query to send next
}

// New returns the codec that cfg describes, or the errors that Validate returns.
//
// Axes in startup strings are at start, the assumed positions at the start; axes in shutdown
// strings are at park, the park position.
func New(cfg Config, start, park wire.Legs) (*Codec, error) {
	t, err := compile(cfg)
	if err != nil {
		return nil, err
	}
	queryBytes := 0
	for _, q := range t.query {
		queryBytes = max(queryBytes, t.maxTotalLen(q))
	}
	return &Codec{
		compiledTemplate: t,
		feedbackReader:   newFeedbackReader(t, newTextReader(cfg)),
		startCommands:    t.commands(t.startup, &start, cfg.StartupWait),
		stopCommands:     t.commands(t.shutdown, &park, cfg.ShutdownWait),
		targetBytes:      t.maxTotalLen(t.output),
		queryBytes:       queryBytes,
	}, nil
}

// commands returns strings as commands, each with its wait [ms].
func (t *compiledTemplate) commands(strings [][]piece, at *wire.Legs, waits []float64) []wire.Command {
	var all []wire.Command
	for i, pieces := range strings {
		wait := time.Duration(entryOrLast(waits, i, 0) * float64(time.Millisecond))
		all = append(all, wire.Command{Bytes: t.append(nil, pieces, at), Wait: wait})
	}
	return all
}

// Axes returns the number of actuators in a target.
func (c *Codec) Axes() int { return c.actuatorCount }

// Start returns the startup strings.
func (c *Codec) Start() []wire.Command { return c.startCommands }

// Stop returns the shutdown strings.
func (c *Codec) Stop() []wire.Command { return c.stopCommands }

// AppendTarget appends one target for all actuators. A leg that is NaN goes to the center.
func (c *Codec) AppendTarget(dst []byte, l *wire.Legs) []byte {
	return c.append(dst, c.output, l)
}

// AppendQuery appends the next query, nothing if there is none.
func (c *Codec) AppendQuery(dst []byte) []byte {
	if len(c.query) == 0 {
		return dst
	}
	q := c.query[c.nextQuery]
	c.nextQuery = (c.nextQuery + 1) % len(c.query)
	return c.append(dst, q, nil)
}

// TargetBytes returns the length of the longest target [bytes].
func (c *Codec) TargetBytes() int { return c.targetBytes }

// QueryBytes returns the length of the longest query, 0 for none [bytes].
func (c *Codec) QueryBytes() int { return c.queryBytes }

// ReportsPosition reports whether its answers contain the actuators' positions.
func (c *Codec) ReportsPosition() bool { return len(c.feedback) > 0 }

// KeepsTarget reports true if no startup string could move an actuator and a restart would be
// reported, see wire.Codec.
func (c *Codec) KeepsTarget() bool { return len(c.startCommands) == 0 && len(c.boot) > 0 }
