// Package estop watches an emergency stop switch on GPIO lines and holds the
// enable relay that lets power to the rig.
//
// A line that reads high says "may run", whatever the wiring: libraries and
// kernels answer low for a line that they cannot read, so a cut cable, a
// vanished adapter and a pressed switch look alike, and all of them stop. Each
// line is both polled and waited on for edges, by goroutines; the loop only
// looks at what they found.
//
// Software is not a safety function. The switch must cut the power itself, and
// this package learns of it from a further contact.
package estop

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// Config says which lines the switch and the relay are on.
//
// A line is named as its driver names it, such as GPIO17, or by its chip's
// label or name and its number there, such as cp2112_gpio:0 or gpiochip0:17.
type Config struct {
	Pin         string  `toml:"pin"`              // line of the switch; "" for none
	SecondPin   string  `toml:"second_pin"`       // line of its second contact; "" for none
	Wiring      string  `toml:"wiring"`           // "nc": contact from the supply, open when pressed; "no": contact to ground, closed when pressed
	Pull        string  `toml:"pull"`             // "auto" suits the wiring; "down", "up", or "none" for a resistor of your own
	Debounce    float64 `toml:"debounce_ms"`      // how long a released switch must stay released, 20..2000; a stop is never delayed
	Agree       float64 `toml:"agree_ms"`         // how long the two contacts may differ, 5..500
	Poll        float64 `toml:"poll_ms"`          // between two looks at a line, 1..5
	Relay       string  `toml:"relay_pin"`        // line of the enable relay; "" for none
	RelayActive string  `toml:"relay_active"`     // "high" or "low": the level that switches it on
	RelaySignal string  `toml:"relay_signal"`     // "level", or "pulse" for a relay that needs an edge every few ms
	RelayHold   float64 `toml:"relay_deadman_ms"` // the relay drops when nobody renewed it for so long, 10..200
	Required    bool    `toml:"required"`         // rig refuses to start without a switch
	Interlock   string  `toml:"interlock_pin"`    // line of a belt's or a door's switch; "" for none
	Closed      string  `toml:"interlock_wiring"` // "nc": contact from the supply, closed while one may drive; "no": contact to ground, open while one may drive
}

// The words that the configuration knows.
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

// DefaultConfig has no switch and no relay; what is plugged in later is
// normally closed.
func DefaultConfig() Config {
	return Config{
		Wiring: NormallyClosed, Pull: auto, Debounce: 50, Agree: 50, Poll: 2,
		RelayActive: high, RelaySignal: level, RelayHold: 50, Closed: NormallyClosed,
	}
}

// Validate reports every field that cannot be used, with what it may be.
func (c Config) Validate() error {
	return errors.Join(
		c.validatePins(),
		oneOf("wiring", c.Wiring, NormallyClosed, NormallyOpen),
		oneOf("pull", c.Pull, auto, down, up, none),
		c.validatePull(),
		inRange("debounce_ms", c.Debounce, 20, 2000),
		inRange("agree_ms", c.Agree, 5, 500),
		inRange("poll_ms", c.Poll, 1, 5),
		oneOf("relay_active", c.RelayActive, high, low),
		oneOf("relay_signal", c.RelaySignal, level, pulse),
		inRange("relay_deadman_ms", c.RelayHold, 10, 200),
		oneOf("interlock_wiring", c.Closed, NormallyClosed, NormallyOpen),
	)
}

func (c Config) validatePins() error {
	switch {
	case c.Required && c.Pin == "":
		return errors.New("estop: required: no switch is named; set pin, or required = false")
	case c.SecondPin != "" && c.Pin == "":
		return fmt.Errorf("estop: second_pin: %q without a first; set pin", c.SecondPin)
	case c.SecondPin != "" && c.SecondPin == c.Pin:
		return fmt.Errorf("estop: second_pin: %q is the first as well; the second contact needs a line of its own", c.Pin)
	case c.Relay != "" && (c.Relay == c.Pin || c.Relay == c.SecondPin):
		return fmt.Errorf("estop: relay_pin: %q is the switch's; the relay needs a line of its own", c.Relay)
	case c.Interlock != "" && slices.Contains([]string{c.Pin, c.SecondPin, c.Relay}, c.Interlock):
		return fmt.Errorf("estop: interlock_pin: %q has another use; belt or door need a line of their own", c.Interlock)
	}
	return nil
}

// validatePull refuses a resistor that holds a line high which no contact
// drives: a cut cable would let the rig run.
func (c Config) validatePull() error {
	switch {
	case c.Wiring == NormallyClosed && c.Pull == up:
		return errors.New(`estop: pull: "up" holds the line of a cut cable high; wire the contact to the supply and use "down"`)
	case c.Wiring == NormallyOpen && c.Pull == down:
		return errors.New(`estop: pull: "down" keeps the line low and the rig stopped; wire the contact to ground and use "up"`)
	}
	return nil
}

// resistor returns the pull that is asked for.
func (c Config) resistor() gpio.Pull {
	switch {
	case c.Pull == none:
		return gpio.PullNoChange
	case c.Wiring == NormallyOpen:
		return gpio.PullUp
	}
	return gpio.PullDown
}

func oneOf(key, v string, words ...string) error {
	list := ""
	for i, w := range words {
		if v == w {
			return nil
		}
		if i > 0 {
			list += ", "
		}
		list += strconv.Quote(w)
	}
	return fmt.Errorf("estop: %s: %q is none of %s", key, v, list)
}

func inRange(key string, v, low, high float64) error {
	if v >= low && v <= high { // false for NaN
		return nil
	}
	return fmt.Errorf("estop: %s: %g is not in %g..%g", key, v, low, high)
}

func millis(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
