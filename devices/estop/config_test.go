package estop

import (
	"math"
	"strings"
	"testing"

	"periph.io/x/conn/v3/gpio"
)

func TestDefaultConfigIsValidAndHasNoSwitch(t *testing.T) {
	c := DefaultConfig()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if c.Pin != "" || c.SecondPin != "" || c.Relay != "" || c.Required || c.Wiring != "nc" || c.AgreeMs != 50 {
		t.Errorf("default is %+v", c)
	}
}

func TestConfigThatCannotWork(t *testing.T) {
	tests := []struct {
		name string
		edit func(*Config)
		want string // part of the message
	}{
		{"required without a switch", func(c *Config) { c.Required = true }, "required: no switch is named; set pin"},
		{"second contact alone", func(c *Config) { c.SecondPin = "a" }, "second_pin"},
		{"one line twice", func(c *Config) { c.Pin, c.SecondPin = "a", "a" }, "a line of its own"},
		{"relay on the switch's line", func(c *Config) { c.Pin, c.Relay = "a", "a" }, "relay_pin"},
		{"wiring", func(c *Config) { c.Wiring = "NC" }, `wiring = "NC": must be nc or no`},
		{"pull", func(c *Config) { c.Pull = "float" }, "pull"},
		{"pull that hides a cut cable", func(c *Config) { c.Pull = "up" }, "cut cable high"},
		{"pull that never lets go", func(c *Config) { c.Wiring, c.Pull = "no", "down" }, "stopped"},
		{"debounce below the edges that come late", func(c *Config) { c.DebounceMs = 19 }, "debounce_ms = 19: must be 20 to 2000"},
		{"debounce is NaN", func(c *Config) { c.DebounceMs = math.NaN() }, "debounce_ms"},
		{"agree", func(c *Config) { c.AgreeMs = 501 }, "agree_ms"},
		{"poll too seldom", func(c *Config) { c.PollMs = 6 }, "poll_ms"},
		{"poll too often", func(c *Config) { c.PollMs = 0 }, "poll_ms"},
		{"relay level", func(c *Config) { c.RelayActive = "" }, "relay_active"},
		{"relay signal", func(c *Config) { c.RelaySignal = "on" }, "relay_signal"},
		{"interlock on the switch's line", func(c *Config) { c.Pin, c.Interlock = "a", "a" }, "interlock_pin"},
		{"interlock's wiring", func(c *Config) { c.InterlockWiring = "" }, "interlock_wiring"},
		{"relay held too long", func(c *Config) { c.RelayDeadManMs = 201 }, "relay_deadman_ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := DefaultConfig()
			tt.edit(&c)
			err := c.Validate()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestThePullSuitsTheWiring(t *testing.T) {
	tests := []struct {
		wiring, pull string
		want         gpio.Pull
	}{
		{"nc", "auto", gpio.PullDown},
		{"nc", "down", gpio.PullDown},
		{"nc", "none", gpio.PullNoChange},
		{"no", "auto", gpio.PullUp},
		{"no", "up", gpio.PullUp},
		{"no", "none", gpio.PullNoChange},
	}
	for _, tt := range tests {
		c := DefaultConfig()
		c.Wiring, c.Pull = tt.wiring, tt.pull
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
		if got := c.resistor(); got != tt.want {
			t.Errorf("%s, %s: %v, want %v", tt.wiring, tt.pull, got, tt.want)
		}
	}
}

func TestEveryCauseHasItsWords(t *testing.T) {
	seen := map[string]bool{}
	for c := None; c <= Closed; c++ {
		if s := c.String(); s == "" || s == "unknown" || seen[s] {
			t.Errorf("cause %d is %q", c, s)
		} else {
			seen[s] = true
		}
	}
	if Cause(200).String() != "unknown" {
		t.Error("cause 200 is known")
	}
}
