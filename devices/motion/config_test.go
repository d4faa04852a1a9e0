package motion

import (
	"math"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/devices/motion/wire"
)

func TestDefaultConfigIsValidAndAbsent(t *testing.T) {
	c := DefaultConfig()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if c.Protocol != "" || c.Port != "" {
		t.Error("the default has a platform")
	}
	// the SMC3 firmware cuts to 100..923 of 1023 by itself
	if c.MinPosition[0] < 100.0/1023 || c.MaxPosition[0] > 923.0/1023 {
		t.Errorf("limits %g..%g are beyond what the firmware follows", c.MinPosition[0], c.MaxPosition[0])
	}
}

func TestValidateNamesEveryField(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*Config)
		want  string
	}{
		{"protocol", func(c *Config) { c.Protocol = "smc4" }, `motion: protocol: "smc4"; "" for no platform, or one of ["smc3" "template" "thanos" "motion4sim"]`},
		{"port", func(c *Config) { c.Protocol = "smc3" }, "motion: port: is empty"},
		{"baud", func(c *Config) { c.Baud = 300 }, "motion: baud = 300: must be 9600 to 4000000"},
		{"rate", func(c *Config) { c.Rate = 2000 }, "motion: rate_hz = 2000: must be 0 (automatic) or 20 to 500"},
		{"rate for the line", func(c *Config) { c.Protocol, c.Port, c.Baud, c.Rate = "smc3", "x", 38400, 250 },
			"motion: rate_hz: 250 would keep the line of 38400 bits a second 109 % busy, at most 60 %; 20..131, or 0 for automatic"},
		{"boot wait", func(c *Config) { c.BootWait = -1 }, "motion: boot_wait_s = -1: must be 0 to 30"},
		{"home speed", func(c *Config) { c.HomeSpeed = 2 }, "motion: home_speed_strokes_per_s = 2: must be 0.01 to 1"},
		{"park speed", func(c *Config) { c.ParkSpeed = 0 }, "motion: park_speed_strokes_per_s = 0: must be 0.01 to 1"},
		{"lowest position", func(c *Config) { c.MinPosition[2] = 0.6 }, "motion: min_share[2] = 0.6: must be 0 to 0.5"},
		{"highest position", func(c *Config) { c.MaxPosition[0] = 1.1 }, "motion: max_share[0] = 1.1: must be 0.5 to 1"},
		{"speed", func(c *Config) { c.MaxSpeed[1] = math.NaN() }, "motion: max_speed_strokes_per_s[1] = NaN: must be 0.01 to 10"},
		{"acceleration", func(c *Config) { c.MaxAccel[5] = 0 }, "motion: max_accel_strokes_per_s2[5] = 0: must be 0.05 to 100"},
		{"jerk", func(c *Config) { c.MaxJerk[7] = 0 }, "motion: max_jerk_strokes_per_s3[7] = 0: must be 0.5 to 10000"},
		{"start position", func(c *Config) { c.StartPosition[1] = -0.1 }, "motion: start_share[1] = -0.1: must be -1 (automatic) or 0 to 1"},
		{"stop action", func(c *Config) { c.StopAction = "jump" }, `motion: stop_action = "jump": must be hold or park`},
		{"spike", func(c *Config) { c.MaxTargetJump = 2 }, "motion: spike_share = 2: must be 0 to 1"},
		{"following error", func(c *Config) { c.MaxFollowError = -1 }, "motion: follow_error_share = -1: must be 0 to 1"},
		{"following time", func(c *Config) { c.MaxFollowTime = 0 }, "motion: follow_time_s = 0: must be 0.05 to 10"},
		{"park position", func(c *Config) { c.ParkPosition[0] = 0.95 }, "motion: park_share[0] = 0.95: must be 0.1 to 0.9"},
	}
	every := DefaultConfig()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := DefaultConfig()
			tt.spoil(&c)
			err := c.Validate()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			tt.spoil(&every)
		})
	}
	every.Protocol = "smc4"
	if err := every.Validate(); strings.Count(err.Error(), "must be") < 10 {
		t.Errorf("all fields wrong, but only told: %v", err)
	}
	if _, err := New(every, nil); err == nil {
		t.Error("a platform was made of it")
	}
}

func TestListsInTheFileKeepTheDefaultsOfWhatTheyLeaveOut(t *testing.T) {
	c := DefaultConfig()
	if err := toml.Unmarshal([]byte("min_share = [0.2, 0.3]"), &c); err != nil {
		t.Fatal(err)
	}
	if want := (wire.Legs{0.2, 0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}); c.MinPosition != want {
		t.Errorf("got %v, want %v", c.MinPosition, want)
	}
}
