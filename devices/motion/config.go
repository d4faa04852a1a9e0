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
	"rig.example/rig/internal/kit/valid"
)

// Config configures the platform, table [motion] of the configuration file.
//
// A position is a fraction of the stroke, which is the whole travel of one actuator. Lists have
// one entry for each actuator; entries that a list in the file leaves out keep their defaults.
type Config struct {
	// A built-in preset, or a file ending with .toml that contains keys of `[motion]`. Keys that the
	// configuration does not give have the preset's values; "" for none.
	Preset string `toml:"preset"`
	// Protocol of the controller: `"smc3"`, `"thanos"`, `"motion4sim"` or `"template"`; "" for no
	// platform.
	Protocol string `toml:"protocol"`
	// Serial port of the controller, preferably a name under /dev/serial/by-id; "" for none. `"pty"` in a demo:
	// its simulated controller answers by the computer's clock, at the other end of a pseudo-terminal.
	Port string `toml:"port"`
	// Bit rate to which the controller is set: SMC3 500000, Thanos and motion4sim 250000, most
	// templates 115200. rig refuses a rate that the port cannot do.
	Baud int `toml:"baud" range:"9600..4000000" valid:"-"`
	// Target positions per second. 0 selects 250, or the highest rate at which targets and queries
	// use at most 60 % of the line. rig refuses a higher rate, and names the highest.
	Rate float64 `toml:"rate_hz" range:"0 (automatic) or 20..500" valid:"-"`
	// Time that the controller needs to boot: opening the port restarts many boards, which do not
	// listen meanwhile. A controller that no longer answers also gets this time before the platform
	// parks without an answer.
	BootWait float64 `toml:"boot_wait_s" range:"0..30"`

	// The controller is one of this process, which the machine may hold up, and moves nothing real.
	Simulated bool `toml:"-"`

	// Lowest position, as a fraction of the stroke. No target position is lower.
	MinPosition wire.Legs `toml:"min_share" range:"0..0.5"`
	// Highest position, as a fraction of the stroke. No target position is higher.
	MaxPosition wire.Legs `toml:"max_share" range:"0.5..1"`
	// Highest speed of each actuator.
	MaxSpeed wire.Legs `toml:"max_speed_strokes_per_s" range:"0.01..10"`
	// Highest acceleration of each actuator. Lower values are softer and add delay. If it is higher
	// than the motors can follow, they lag, and the fault "following error" occurs.
	MaxAccel wire.Legs `toml:"max_accel_strokes_per_s2" range:"0.05..100"`
	// How quickly the acceleration may change: acceleration divided by jerk is the time to full
	// acceleration, 40 ms by default. Lower values are softer at the start and end of each movement
	// but lag more; above 1000 you hardly feel it.
	MaxJerk wire.Legs `toml:"max_jerk_strokes_per_s3" range:"0.5..10000"`
	// Speed of homing, from where the platform is found to its center. It also begins to follow
	// targets at this speed, and reaches full speed within 1 s.
	HomeSpeed float64 `toml:"home_speed_strokes_per_s" range:"0.01..1"`
	// Speed on the way to the park position.
	ParkSpeed float64 `toml:"park_speed_strokes_per_s" range:"0.01..1"`
	// Park position of each actuator, as a fraction of the stroke, from `min_share` to `max_share`.
	ParkPosition wire.Legs `toml:"park_share" range:"0..1" valid:"-"`
	// Assumed position of an actuator without feedback, as a fraction of the stroke, when the line is
	// opened and after its controller restarted (but not if only the line was lost for a moment).
	// -1: the middle with `thanos` and `motion4sim`, which stand by there; else `park_share`. It is a
	// property of the controller, so that presets of controllers contain it. Set it to where the
	// controller moves or leaves the actuators after power-on; otherwise the first movement begins at
	// the wrong position.
	StartPosition wire.Legs `toml:"start_share" range:"-1 (automatic) or 0..1"`

	// What an emergency stop does. The platform brakes within the limits of acceleration and jerk;
	// with `"hold"` it then holds its position, with `"park"` it moves to `park_share` at the park
	// speed. It stays there until it is ordered to home or to park.
	StopAction string `toml:"stop_action" oneof:"hold,park"`
	// Largest jump from one target position to the next, as a fraction of the stroke. A target that
	// jumps farther is not followed at first, and rig logs a warning. If it persists for 0.2 s, it is
	// followed, beginning at the home speed. 0: jump detection off.
	MaxTargetJump float64 `toml:"spike_share" range:"0..1"`
	// With feedback only: largest distance of an actuator from its path, as a fraction of the stroke,
	// with its usual lag taken into account; also the largest jump of a measured position. 0: not
	// checked. If the controller itself limits its targets, do not set it below what is cut off: with
	// SMC3's factory setting that is up to 0.1 at the ends of the stroke.
	MaxFollowError float64 `toml:"follow_error_share" range:"0..1"`
	// Longest time for which the following error may be too large, in total. Time within the limit is
	// subtracted with a quarter of its length, so that a stuck actuator is detected although its path
	// passes it.
	MaxFollowTime float64 `toml:"follow_time_s" range:"0.05..10"`

	SMC3       smc3.Config       `toml:"smc3" valid:"-"`
	Template   template.Config   `toml:"template" valid:"-"`
	Thanos     thanos.Config     `toml:"thanos" valid:"-"`
	Motion4Sim motion4sim.Config `toml:"motion4sim" valid:"-"`
}

// Values of Config.StopAction.
const (
	StopHold = "hold"
	StopPark = "park"
)

// DefaultConfig returns a configuration without a platform, and limits that are mild for any.
//
// The position limits lie within those of the SMC3 firmware. The park position is the center,
// because this firmware moves there by itself as soon as it has power.
func DefaultConfig() Config {
	return Config{
		Baud: 500_000, BootWait: 2.5,
		MinPosition: wire.AllAt(0.1), MaxPosition: wire.AllAt(0.9), MaxSpeed: wire.AllAt(0.8), MaxAccel: wire.AllAt(4), MaxJerk: wire.AllAt(100),
		HomeSpeed: 0.15, ParkSpeed: 0.15, ParkPosition: wire.AllAt(0.5), StartPosition: wire.AllAt(-1),
		StopAction: StopHold, MaxTargetJump: 0.25, MaxFollowError: 0.12, MaxFollowTime: 0.15,
		SMC3: smc3.DefaultConfig(), Template: template.DefaultConfig(),
		Thanos: thanos.DefaultConfig(), Motion4Sim: motion4sim.DefaultConfig(),
	}
}

// Validate returns an error for every field that is out of range or does not fit the others.
func (c Config) Validate() error {
	errs := []error{c.validateLine(), c.validateReference()}
	if err := valid.Struct(c); err != nil {
		errs = append(errs, fmt.Errorf("motion: %w", err))
	}
	for i := range wire.Axes {
		errs = append(errs, wire.InRange(fmt.Sprintf("park_share[%d]", i), c.ParkPosition[i], c.MinPosition[i], c.MaxPosition[i]))
	}
	return errors.Join(errs...)
}

// startPositions returns where a platform without feedback is assumed to be at first.
func (c Config) startPositions() wire.Legs {
	defaults := c.ParkPosition
	if c.Protocol == ProtocolThanos || c.Protocol == ProtocolMotion4Sim {
		defaults = wire.AllAt(0.5) // their standby position, wherever they were
	}
	at := c.StartPosition
	for i, position := range at {
		if position < 0 {
			at[i] = defaults[i]
		}
	}
	return at
}

func (c Config) validateLine() error {
	if c.Protocol == "" || valid.Fields(c, "baud") != nil {
		if err := valid.Fields(c, "baud", "rate_hz"); err != nil {
			return fmt.Errorf("motion: %w", err)
		}
		return nil
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

// budget returns the line budget of the configured protocol.
func (c Config) budget() (lineBudget, error) {
	codec, err := newCodec(c)
	if err != nil {
		return lineBudget{}, err
	}
	return newLineBudget(codec, c.Baud), nil
}

// bootWait returns for how long a controller may not listen after its port was opened.
func (c Config) bootWait() time.Duration {
	return time.Duration(c.BootWait * float64(time.Second))
}

// silenceLimit returns the longest time without an answer while positions are queried.
func (c *Config) silenceLimit() time.Duration { return c.patient(silenceLimit) }

// patient returns a time for which a controller is waited for: ten times limit for a simulated one. Its goroutines
// have the lowest priority of the drive, and on a machine that is short of time they come last.
func (c *Config) patient(limit time.Duration) time.Duration {
	if c.Simulated {
		return 10 * limit
	}
	return limit
}

// period returns the time between two targets.
func (c Config) period() time.Duration {
	rate := c.Rate
	if rate == 0 {
		rate = defaultRate
	}
	return time.Duration(float64(time.Second) / rate)
}

// parkTime returns how long parking may take: braking from full speed, one whole stroke at the
// park speed, and parkSlack. A speed change of v takes v/acceleration + acceleration/jerk at most.
func (c Config) parkTime() time.Duration {
	longest := 0.0
	for i := range wire.Axes {
		v := min(c.ParkSpeed, c.MaxSpeed[i])
		longest = max(longest, 1/v+(c.MaxSpeed[i]+v)/c.MaxAccel[i]+3*c.MaxAccel[i]/c.MaxJerk[i])
	}
	return time.Duration(longest*float64(time.Second)) + parkSlack
}

// readyTime returns how long a start may take: boot wait, first commands, queries, a whole
// stroke at the home speed, and parkSlack.
func (c Config) readyTime(codec wire.Codec) time.Duration {
	total := c.bootWait() + (maxQueryRounds+1)*queryPause
	for _, p := range codec.Start() {
		total += p.Wait
	}
	slowest := 0.0
	for i := range wire.Axes {
		v := min(c.HomeSpeed, c.MaxSpeed[i])
		slowest = max(slowest, 1/v+v/c.MaxAccel[i]+c.MaxAccel[i]/c.MaxJerk[i])
	}
	return total + time.Duration(slowest*float64(time.Second)) + parkSlack
}
