package smc3

import (
	"maps"
	"math"
	"time"

	"rig.example/rig/devices/motion/simulated"
)

// SimulatorConfig describes a simulated SMC3 controller.
type SimulatorConfig struct {
	Start    [motors]float64 // where the actuators stand when it gets power, shares of the stroke
	BootTime time.Duration   // deaf and without power after a reset, as its boot loader is
}

// DefaultSimulatorConfig has the actuators off centre, each elsewhere, as a
// platform is found after a power cut.
func DefaultSimulatorConfig() SimulatorConfig {
	return SimulatorConfig{Start: [motors]float64{0.42, 0.55, 0.5}, BootTime: 100 * time.Millisecond}
}

// What the firmware does by itself.
const (
	streamEvery = 20 * time.Millisecond // between the frames that "mo1".."mo3" ask for
	dozeAfter   = 15 * time.Second      // without frames the power falls
	dozePower   = 0.25
	clipLow     = 100 // targets are cut to 100..923
	clipHigh    = fullCounts - clipLow
	version     = 70 // hundredths
)

// Simulator is a simulated SMC3 controller with three motors.
//
// It is enabled from the start and drives to the centre at once, as the
// firmware does. Handle and Advance are deterministic; Serve runs them on a
// line in real time. All methods may be called at any time.
type Simulator struct {
	simulated.Switches
	cfg     SimulatorConfig
	motor   [motors]simulated.Motor
	enabled [motors]bool
	params  map[byte][2]byte // what the letters D..X, Z and ~ hold: told back when asked; of them only the cutoff has an effect
	saved   map[byte][2]byte // params as they are in its EEPROM
	loops   uint16           // of its position control since it was last asked for them
	boot    time.Duration    // left until it listens
	silent  time.Duration    // since the last frame
	rest    time.Duration    // of the time to advance, less than a period
	stream  int              // motor to report, 0 for none, else 1..3
	due     time.Duration    // until the next report
	in      parser
	frames  uint64
}

// NewSimulator returns a controller that just got power and has booted.
func NewSimulator(cfg SimulatorConfig) *Simulator {
	c := &Simulator{cfg: cfg, saved: factoryParams()}
	for i := range c.motor {
		c.motor[i].Position = cfg.Start[i]
	}
	c.restart()
	return c
}

// factoryParams are the settings of a board that was never tuned: those that version 0.70 of
// the firmware is compiled with. Motor 1 begins with a gain of its own.
func factoryParams() map[byte][2]byte {
	return map[byte][2]byte{
		'D': {0, 100}, 'E': {1, 164}, 'F': {1, 164}, // Kp 1.00, 4.20, 4.20
		'G': {0, 40}, 'H': {0, 40}, 'I': {0, 40}, // Ki 0.40
		'J': {0, 40}, 'K': {0, 40}, 'L': {0, 40}, // Kd 0.40
		'M': {0, 1}, 'N': {0, 1}, 'O': {0, 1}, // Ks
		'P': {50, 100}, 'Q': {50, 100}, 'R': {50, 100}, // PWMmin, PWMmax
		'S': {23, clipLow}, 'T': {23, clipLow}, 'U': {23, clipLow},
		'V': {0, 200}, 'W': {0, 200}, 'X': {0, 200}, // dead zone, PWMrev
		'Z': {1, 0}, '~': {25, 31}, // divider; PWM frequencies
	}
}

// restart gives everything but the actuators' places and the EEPROM its value
// at power-on.
func (c *Simulator) restart() {
	c.params = maps.Clone(c.saved)
	for i := range c.motor {
		c.motor[i].Restart(512.0 / fullCounts)
		c.enabled[i] = true
	}
	c.in, c.stream, c.silent, c.boot, c.loops = parser{}, 0, 0, 0, 0
}

// Reset restarts the controller as opening its port or a brown-out does: deaf
// and without power for the boot time, then off to the centre.
func (c *Simulator) Reset() {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.restart()
	c.boot = c.cfg.BootTime
}

// Positions returns where the actuators stand, as shares of the stroke.
func (c *Simulator) Positions() []float64 {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return []float64{c.motor[0].Position, c.motor[1].Position, c.motor[2].Position}
}

// Place stops a motor and puts it at a share of its stroke, as a hand or a blow does.
func (c *Simulator) Place(motor int, share float64) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.motor[motor].Position, c.motor[motor].Velocity = share, 0
}

// Targets returns where the actuators are sent, in counts of 0..1023.
func (c *Simulator) Targets() [motors]int {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	var n [motors]int
	for i := range n {
		n[i] = counts(c.motor[i].Target)
	}
	return n
}

// Frames returns how many whole frames were understood.
func (c *Simulator) Frames() uint64 {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return c.frames
}

// Advance lets d pass in the controller's own steps of 250 µs and returns what
// it sends meanwhile.
func (c *Simulator) Advance(d time.Duration) []byte {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	var out []byte
	for c.rest += d; c.rest >= simulated.Period; c.rest -= simulated.Period {
		out = c.tick(out)
	}
	return out
}

func (c *Simulator) tick(out []byte) []byte {
	c.silent += simulated.Period
	c.loops++
	booting := c.boot > 0
	c.boot = max(0, c.boot-simulated.Period)
	for i := range c.motor {
		m := &c.motor[i]
		c.cutOff(i)
		m.Unpowered = booting || !c.enabled[i]
		m.Power = 1
		if c.silent > dozeAfter {
			m.Power = dozePower
		}
		m.Step(simulated.Period.Seconds())
	}
	c.due -= simulated.Period
	if c.stream == 0 || booting || c.due > 0 {
		return out
	}
	c.due = streamEvery
	return c.reportMotor(out, c.stream-1)
}

// cutOff switches a motor off that stands beyond its limit, until it is
// enabled again. All motors go by the first one's lower limit, as in the
// firmware.
func (c *Simulator) cutOff(i int) {
	at := counts(c.motor[i].Position)
	low, high := int(c.params['S'][0]), fullCounts-int(c.params['S'+byte(i)][0])
	if at < low || at > high {
		c.enabled[i] = false
	}
}

// reportMotor appends position and target, then state and duty.
func (c *Simulator) reportMotor(out []byte, i int) []byte {
	return c.reportStatus(c.reportPosition(out, i), i)
}

func (c *Simulator) reportPosition(out []byte, i int) []byte {
	m := &c.motor[i]
	return appendFrame(out, frame{'A' + byte(i), byte(counts(m.Position) / 4), byte(counts(m.Target) / 4)})
}

func (c *Simulator) reportStatus(out []byte, i int) []byte {
	duty := byte(math.Round(math.Abs(c.motor[i].Duty) * 255))
	return appendFrame(out, frame{'a' + byte(i), c.status(), duty})
}

// status returns the divider of the control loop and which motors are off.
func (c *Simulator) status() byte {
	b := c.params['Z'][0] << 4
	for i, on := range c.enabled {
		if !on {
			b |= 1 << i
		}
	}
	return b
}
