// Package estop watches an emergency stop switch on GPIO lines, and drives the enable relay that switches
// the rig's power on.
//
// The levels of the lines go in; out come whether the rig must stop and why, and the level of the relay. A
// high line means "may run", whatever the wiring, because libraries and kernels return low for a line that
// they cannot read: a cut cable, an unplugged adapter and a pressed switch all stop the rig. Goroutines
// poll each line and wait for its edges; the loop only reads the result and never waits.
//
// Software is not a safety function: the switch must cut the power itself, and this package only reads
// another contact of it.
package estop

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"periph.io/x/conn/v3/gpio"
	"rig.example/rig/internal/kit/valid"
)

// Config names the lines of the switch, the relay and the interlock.
//
// A line is named as its driver names it, such as GPIO17, or by the label or name of its chip and its
// number there, such as cp2112_gpio:0 or gpiochip0:17.
type Config struct {
	Pin       string `toml:"pin"`        // line of the switch; `""` for none
	SecondPin string `toml:"second_pin"` // line of its second contact; `""` for none
	// `"nc"`: a contact to the supply, which opens when the switch is pressed; `"no"`: a contact to ground,
	// which closes when it is pressed
	Wiring string `toml:"wiring" oneof:"nc,no"`
	// pull resistor of the lines. `"auto"`: `"down"` for nc, `"up"` for no; `"none"`: a resistor of your own
	Pull string `toml:"pull" oneof:"auto,down,up,none"`
	// time for which a released switch must stay released before it counts; a stop is never delayed
	DebounceMs float64 `toml:"debounce_ms" range:"20..2000"`
	AgreeMs    float64 `toml:"agree_ms" range:"5..500"` // longest time for which the two contacts may differ
	// time between two samples of a line; rig also waits for edges if the adapter reports them
	PollMs float64 `toml:"poll_ms" range:"1..5"`
	Relay  string  `toml:"relay_pin"` // line of the enable relay; `""` for none
	// level that switches the relay on. With `"low"` the relay may be on for a moment when rig starts, because
	// the library sets a line low when it makes it an output
	RelayActive string `toml:"relay_active" oneof:"high,low"`
	// `"level"`: the line keeps its level while the relay is on; `"pulse"`: it changes every `poll_ms`
	RelaySignal string `toml:"relay_signal" oneof:"level,pulse"`
	// the relay drops if rig's loop does not renew its order for this time
	RelayDeadManMs float64 `toml:"relay_deadman_ms" range:"10..200"`
	Required       bool    `toml:"required"`      // rig refuses to start without a switch
	Interlock      string  `toml:"interlock_pin"` // line of a switch at a belt buckle or a door; `""` for none
	// `"nc"`: a contact to the supply, which is closed while driving is allowed, so that a cut cable stops;
	// `"no"`: a contact to ground, which is open while driving is allowed, so that a cut cable is not detected
	InterlockWiring string `toml:"interlock_wiring" oneof:"nc,no"`
}

// The values of the keys in the configuration.
const (
	NormallyClosed = "nc"
	NormallyOpen   = "no"
	auto           = "auto"
	none           = "none"
	up             = "up"
	down           = "down"
	high           = "high"
	low            = "low"
	level          = "level"
	pulse          = "pulse"
)

// DefaultConfig returns a configuration without switch, relay and interlock. The wiring of the switch
// and of the interlock is set to normally closed, which applies once they are configured.
func DefaultConfig() Config {
	return Config{
		Wiring: NormallyClosed, Pull: auto, DebounceMs: 50, AgreeMs: 50, PollMs: 2,
		RelayActive: high, RelaySignal: level, RelayDeadManMs: 50, InterlockWiring: NormallyClosed,
	}
}

// Validate reports every field that cannot be used, with what it may be.
func (c Config) Validate() error {
	return errors.Join(
		valid.Struct(c),
		c.validatePins(),
		c.validatePull(),
	)
}

func (c Config) validatePins() error {
	switch {
	case c.Required && c.Pin == "":
		return errors.New("required: no switch is named; set pin, or required = false")
	case c.SecondPin != "" && c.Pin == "":
		return fmt.Errorf("second_pin: %q without a first; set pin", c.SecondPin)
	case c.SecondPin != "" && c.SecondPin == c.Pin:
		return fmt.Errorf("second_pin: %q is the first as well; the second contact needs a line of its own", c.Pin)
	case c.Relay != "" && (c.Relay == c.Pin || c.Relay == c.SecondPin):
		return fmt.Errorf("relay_pin: %q is the switch's; the relay needs a line of its own", c.Relay)
	case c.Interlock != "" && slices.Contains([]string{c.Pin, c.SecondPin, c.Relay}, c.Interlock):
		return fmt.Errorf("interlock_pin: %q has another use; belt or door need a line of their own", c.Interlock)
	}
	return nil
}

// validatePull reports a pull resistor that does not suit the wiring: one that holds the line of a cut
// cable high would let the rig run.
func (c Config) validatePull() error {
	switch {
	case c.Wiring == NormallyClosed && c.Pull == up:
		return errors.New(`pull: "up" holds the line of a cut cable high; wire the contact to the supply and use "down"`)
	case c.Wiring == NormallyOpen && c.Pull == down:
		return errors.New(`pull: "down" keeps the line low and the rig stopped; wire the contact to ground and use "up"`)
	}
	return nil
}

// resistor returns the configured pull resistor.
func (c Config) resistor() gpio.Pull {
	switch {
	case c.Pull == none:
		return gpio.PullNoChange
	case c.Wiring == NormallyOpen:
		return gpio.PullUp
	}
	return gpio.PullDown
}

// Milliseconds returns ms milliseconds as a duration.
func Milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
