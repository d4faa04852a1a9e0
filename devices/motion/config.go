package motion

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// Axes is how many actuators a demand can name.
const Axes = 8

// Legs is one position per actuator as a share of its stroke: 0 is the lower
// end, 0.5 the centre, 1 the upper end.
type Legs [Axes]float64

// finite reports that every leg is a number.
func (l *Legs) finite() bool {
	for _, v := range l {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Config says which platform there is and what it may do.
//
// A stroke is the full way of one actuator. Lists go by actuator; an actuator
// that a list in the file leaves out keeps its default.
type Config struct {
	Protocol  string  `toml:"protocol"`    // "" for no platform, or "smc3"
	Port      string  `toml:"port"`        // serial device, best a name under /dev/serial/by-id; "" for none
	Baud      int     `toml:"baud"`        // bits a second
	Rate      float64 `toml:"rate_hz"`     // demands a second
	BootWait  float64 `toml:"boot_wait_s"` // opening the port may restart the controller, which is deaf for so long
	Min       Legs    `toml:"min_share"`   // lowest position, share of the stroke
	Max       Legs    `toml:"max_share"`   // highest position, share of the stroke
	MaxSpeed  Legs    `toml:"max_speed_strokes_per_s"`
	MaxAccel  Legs    `toml:"max_accel_strokes_per_s2"`
	HomeSpeed float64 `toml:"home_speed_strokes_per_s"` // from where the platform stands to its centre
	ParkSpeed float64 `toml:"park_speed_strokes_per_s"`
	Park      Legs    `toml:"park_share"` // where the platform rests, share of the stroke
}

// ProtocolSMC3 is the protocol of the SMC3 three-motor controller.
const ProtocolSMC3 = "smc3"

// DefaultConfig has no platform, and limits that are mild for any.
//
// The limits of position lie within those that the SMC3 firmware keeps by
// itself. It rests at the centre, because that is where this firmware drives
// on its own as soon as it has power.
func DefaultConfig() Config {
	return Config{
		Baud: 500_000, Rate: 250, BootWait: 2.5,
		Min: all(0.1), Max: all(0.9), MaxSpeed: all(0.8), MaxAccel: all(4),
		HomeSpeed: 0.15, ParkSpeed: 0.15, Park: all(0.5),
	}
}

func all(v float64) (l Legs) {
	for i := range l {
		l[i] = v
	}
	return l
}

// lineShare is how much of the line's capacity may be used. The rest is for
// what the adapter, its driver and the controller add.
const lineShare = 0.6

const bitsPerByte = 10 // 8 data bits between start and stop

// Validate reports every field that cannot be used, with what it may be.
func (c Config) Validate() error {
	errs := []error{
		c.validateLine(),
		inRange("boot_wait_s", c.BootWait, 0, 30),
		inRange("home_speed_strokes_per_s", c.HomeSpeed, 0.01, 1),
		inRange("park_speed_strokes_per_s", c.ParkSpeed, 0.01, 1),
	}
	for i := range Axes {
		at := func(key string) string { return fmt.Sprintf("%s[%d]", key, i) }
		errs = append(errs,
			inRange(at("min_share"), c.Min[i], 0, 0.5),
			inRange(at("max_share"), c.Max[i], 0.5, 1),
			inRange(at("max_speed_strokes_per_s"), c.MaxSpeed[i], 0.01, 10),
			inRange(at("max_accel_strokes_per_s2"), c.MaxAccel[i], 0.05, 100),
			inRange(at("park_share"), c.Park[i], c.Min[i], c.Max[i]))
	}
	return errors.Join(errs...)
}

func (c Config) validateLine() error {
	var protocol error
	switch c.Protocol {
	case "":
	case ProtocolSMC3:
		if c.Port == "" {
			protocol = errors.New(`motion: port: is empty; name the controller's line, see /dev/serial/by-id, or set protocol = ""`)
		}
	default:
		protocol = fmt.Errorf(`motion: protocol: %q; "" for no platform, or %q`, c.Protocol, ProtocolSMC3)
	}
	baud := inRange("baud", float64(c.Baud), 9600, 4_000_000)
	if baud == nil {
		return errors.Join(protocol, inRange("rate_hz", c.Rate, 20, math.Min(1000, c.rateCeiling())))
	}
	return errors.Join(protocol, baud)
}

// rateCeiling returns how many demands a second fit the line, when each may
// come with a question for a position [Hz].
func (c Config) rateCeiling() float64 {
	return math.Floor(lineShare * float64(c.Baud) / (bitsPerByte * (demandLen + frameLen)))
}

func (c Config) period() time.Duration {
	return time.Duration(float64(time.Second) / c.Rate)
}

// parkTime is how long parking may take: braking from full speed, one whole
// stroke at the park speed, and the slack.
func (c Config) parkTime() time.Duration {
	longest := 0.0
	for i := range Axes {
		v := min(c.ParkSpeed, c.MaxSpeed[i])
		longest = max(longest, 1/v+(c.MaxSpeed[i]+v)/c.MaxAccel[i])
	}
	return time.Duration(longest*float64(time.Second)) + parkSlack
}

func inRange(key string, v, low, high float64) error {
	if v >= low && v <= high { // false for NaN
		return nil
	}
	return fmt.Errorf("motion: %s: %s is out of range; %s..%s", key, plain(v), plain(low), plain(high))
}

// plain writes v without an exponent.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
