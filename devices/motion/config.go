package motion

import (
	"errors"
	"fmt"
	"time"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/thanos"
	"rig.example/rig/devices/motion/wire"
)

// Config says which platform there is and what it may do.
//
// A stroke is the full way of one actuator. Lists go by actuator; an actuator
// that a list in the file leaves out keeps its default.
type Config struct {
	Preset   string  `toml:"preset"`      // controller that the other keys start from, of Presets or a file; "" for none
	Protocol string  `toml:"protocol"`    // "" for no platform, or one of the protocols
	Port     string  `toml:"port"`        // serial device, best a name under /dev/serial/by-id; "" for none
	Baud     int     `toml:"baud"`        // bits a second
	Rate     float64 `toml:"rate_hz"`     // demands a second; 0 for as many as the line carries well
	BootWait float64 `toml:"boot_wait_s"` // opening the port may restart the controller, which is deaf for so long

	Min       wire.Legs `toml:"min_share"` // lowest position, share of the stroke
	Max       wire.Legs `toml:"max_share"` // highest position, share of the stroke
	MaxSpeed  wire.Legs `toml:"max_speed_strokes_per_s"`
	MaxAccel  wire.Legs `toml:"max_accel_strokes_per_s2"`
	MaxJerk   wire.Legs `toml:"max_jerk_strokes_per_s3"`
	HomeSpeed float64   `toml:"home_speed_strokes_per_s"` // from where the platform stands to its centre
	ParkSpeed float64   `toml:"park_speed_strokes_per_s"`
	Park      wire.Legs `toml:"park_share"`  // where the platform rests, share of the stroke
	Start     wire.Legs `toml:"start_share"` // where a platform that cannot tell is taken to stand at first, share of the stroke; -1 for where its controller stands by, or else where it parks

	StopAction  string  `toml:"stop_action"`        // what Halt does: "hold" stops and stays, "park" goes to the park position
	Spike       float64 `toml:"spike_share"`        // the largest step of a demand that is believed, share of the stroke; 0 believes all
	FollowError float64 `toml:"follow_error_share"` // how far an actuator may be from where it should be by now, share of the stroke; 0 does not watch
	FollowTime  float64 `toml:"follow_time_s"`      // and for how long

	SMC3       smc3.Config       `toml:"smc3"`
	Template   template.Config   `toml:"template"`
	Thanos     thanos.Config     `toml:"thanos"`
	Motion4Sim motion4sim.Config `toml:"motion4sim"`
}

// What Config.StopAction can be.
const (
	StopHold = "hold"
	StopPark = "park"
)

// DefaultConfig has no platform, and limits that are mild for any.
//
// The limits of position lie within those that the SMC3 firmware keeps by
// itself. It rests at the centre, because that is where this firmware drives
// on its own as soon as it has power.
func DefaultConfig() Config {
	return Config{
		Baud: 500_000, BootWait: 2.5,
		Min: wire.All(0.1), Max: wire.All(0.9), MaxSpeed: wire.All(0.8), MaxAccel: wire.All(4), MaxJerk: wire.All(100),
		HomeSpeed: 0.15, ParkSpeed: 0.15, Park: wire.All(0.5), Start: wire.All(-1),
		StopAction: StopHold, Spike: 0.25, FollowError: 0.12, FollowTime: 0.15,
		SMC3: smc3.DefaultConfig(), Template: template.DefaultConfig(),
		Thanos: thanos.DefaultConfig(), Motion4Sim: motion4sim.DefaultConfig(),
	}
}

// Validate reports every field that cannot be used, with what it may be.
func (c Config) Validate() error {
	errs := []error{
		c.validateLine(),
		wire.InRange("boot_wait_s", c.BootWait, 0, 30),
		wire.InRange("home_speed_strokes_per_s", c.HomeSpeed, 0.01, 1),
		wire.InRange("park_speed_strokes_per_s", c.ParkSpeed, 0.01, 1),
		c.validateWatch(),
		c.validateReference(),
	}
	for i := range wire.Axes {
		at := func(key string) string { return fmt.Sprintf("%s[%d]", key, i) }
		errs = append(errs,
			wire.InRange(at("min_share"), c.Min[i], 0, 0.5),
			wire.InRange(at("max_share"), c.Max[i], 0.5, 1),
			wire.InRange(at("max_speed_strokes_per_s"), c.MaxSpeed[i], 0.01, 10),
			wire.InRange(at("max_accel_strokes_per_s2"), c.MaxAccel[i], 0.05, 100),
			wire.InRange(at("max_jerk_strokes_per_s3"), c.MaxJerk[i], 0.5, 10_000),
			wire.InRange(at("park_share"), c.Park[i], c.Min[i], c.Max[i]),
			c.validateStart(i))
	}
	return errors.Join(errs...)
}

func (c Config) validateStart(axis int) error {
	if c.Start[axis] == -1 {
		return nil
	}
	return wire.InRange(fmt.Sprintf("start_share[%d]", axis), c.Start[axis], 0, 1)
}

// taken returns where a platform that cannot tell is taken to stand at first.
func (c Config) taken() wire.Legs {
	rest := c.Park
	if c.Protocol == ProtocolThanos || c.Protocol == ProtocolMotion4Sim {
		rest = wire.All(0.5) // where they stand by, wherever they were
	}
	at := c.Start
	for i, share := range at {
		if share < 0 {
			at[i] = rest[i]
		}
	}
	return at
}

func (c Config) validateWatch() error {
	var stop error
	if c.StopAction != StopHold && c.StopAction != StopPark {
		stop = fmt.Errorf("motion: stop_action: %q; %q or %q", c.StopAction, StopHold, StopPark)
	}
	return errors.Join(stop,
		wire.InRange("spike_share", c.Spike, 0, 1),
		wire.InRange("follow_error_share", c.FollowError, 0, 1),
		wire.InRange("follow_time_s", c.FollowTime, 0.05, 10))
}

func (c Config) validateLine() error {
	baud := wire.InRange("baud", float64(c.Baud), 9600, 4_000_000)
	if c.Protocol == "" || baud != nil {
		return errors.Join(baud, c.validateRate())
	}
	var port error
	if c.Port == "" {
		port = errors.New(`motion: port: is empty; name the controller's line, see /dev/serial/by-id, or set protocol = ""`)
	}
	b, err := c.budget()
	if err == nil {
		_, err = b.rate(c.Rate)
	}
	return errors.Join(port, err)
}

// validateRate looks at the rate where no protocol tells what it costs.
func (c Config) validateRate() error {
	if c.Rate == 0 {
		return nil
	}
	return wire.InRange("rate_hz", c.Rate, slowestRate, fastestRate)
}

// budget returns what the protocol takes of the line.
func (c Config) budget() (budget, error) {
	spoken, err := newCodec(c)
	if err != nil {
		return budget{}, err
	}
	return newBudget(spoken, c.Baud), nil
}

// bootWait is for how long a controller may be deaf after its port was opened.
func (c Config) bootWait() time.Duration {
	return time.Duration(c.BootWait * float64(time.Second))
}

// period is the time between two demands.
func (c Config) period() time.Duration {
	rate := c.Rate
	if rate == 0 {
		rate = plainRate
	}
	return time.Duration(float64(time.Second) / rate)
}

// parkTime is how long parking may take: braking from full speed, one whole
// stroke at the park speed, and the slack. To change the speed by v takes
// v/acceleration + acceleration/jerk at most.
func (c Config) parkTime() time.Duration {
	longest := 0.0
	for i := range wire.Axes {
		v := min(c.ParkSpeed, c.MaxSpeed[i])
		longest = max(longest, 1/v+(c.MaxSpeed[i]+v)/c.MaxAccel[i]+3*c.MaxAccel[i]/c.MaxJerk[i])
	}
	return time.Duration(longest*float64(time.Second)) + parkSlack
}

// readyTime is how long the controller may be deaf, be greeted and be asked, and a whole stroke
// at the home speed take, with the slack.
func (c Config) readyTime(spoken wire.Codec) time.Duration {
	whole := c.bootWait() + (askRounds+1)*askPause
	for _, p := range spoken.Start() {
		whole += p.Wait
	}
	slowest := 0.0
	for i := range wire.Axes {
		v := min(c.HomeSpeed, c.MaxSpeed[i])
		slowest = max(slowest, 1/v+v/c.MaxAccel[i]+c.MaxAccel[i]/c.MaxJerk[i])
	}
	return whole + time.Duration(slowest*float64(time.Second)) + parkSlack
}
