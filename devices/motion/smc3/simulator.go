package smc3

import (
	"maps"
	"math"
	"time"

	"rig.example/rig/devices/motion/simulated"
)

// SimulatorConfig describes a simulated SMC3 controller.
type SimulatorConfig struct {
	Start    [motors]float64 // where the actuators stand when it gets power, fractions of the stroke
	BootTime time.Duration   // after a reset: it does not listen and the motors have no power
}

// DefaultSimulatorConfig has the actuators off center, each at another position, as after a
// power cut.
func DefaultSimulatorConfig() SimulatorConfig {
	return SimulatorConfig{Start: [motors]float64{0.42, 0.55, 0.5}, BootTime: 100 * time.Millisecond}
}

// Behaviour of the firmware.
const (
	reportPeriod   = 20 * time.Millisecond // between the frames that "mo1".."mo3" ask for
	powerSaveAfter = 15 * time.Second      // without frames, before the power is reduced
	powerSaveShare = 0.25                  // fraction of the power that is left then
	clipLow        = 100                   // lowest target in counts; the highest is clipHigh
	clipHigh       = fullCounts - clipLow
	version        = 70 // version of the firmware, in hundredths
)

// Simulator is a simulated SMC3 controller with three motors.
//
// It is enabled from the start and moves to the center at once, as the firmware does. Handle
// and Advance are deterministic; Serve runs them on a line in real time. All methods may be
// called at any time.
type Simulator struct {
	*simulated.Board
	enabled        [motors]bool     // motors that are switched on
	parameterBytes map[byte][2]byte // values of the letters D..X, Z and ~, returned when queried; only the cutoff has an effect
	savedBytes     map[byte][2]byte // parameterBytes as they are in its EEPROM
	controlCycles  uint16           // cycles of its position control since they were last queried
	sinceFrame     time.Duration    // since the last frame
	streamedMotor  int              // motor whose position and state it sends every reportPeriod: 1..3, or 0 for none
	untilReport    time.Duration    // until the next report
	in             parser
}

// NewSimulator returns a controller that was switched on and has booted.
func NewSimulator(cfg SimulatorConfig) *Simulator {
	c := &Simulator{savedBytes: factoryParameterBytes()}
	c.Board = simulated.NewBoard(cfg.Start[:], simulated.Firmware{
		Restart: c.restart, Take: c.take, Tick: c.tick, BootTime: cfg.BootTime, NoiseHead: frameHead,
	})
	c.restart()
	return c
}

// factoryParameterBytes returns the settings of a board that was never tuned: those that version 0.70 of
// the firmware is compiled with. Motor 1 has a gain of its own.
func factoryParameterBytes() map[byte][2]byte {
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

// restart resets everything to its state at power-on, except the actuators' positions and the EEPROM. Once it has
// booted, the motors have power and go to the center.
func (c *Simulator) restart() {
	c.parameterBytes = maps.Clone(c.savedBytes)
	for i := range c.Servos {
		c.Servos[i].Restart(512.0 / fullCounts)
		c.enabled[i] = true
	}
	c.in, c.streamedMotor, c.sinceFrame, c.controlCycles = parser{}, 0, 0, 0
}

// Targets returns the targets of the actuators in counts, 0..1023.
func (c *Simulator) Targets() [motors]int {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	var n [motors]int
	for i := range n {
		n[i] = counts(c.Servos[i].Target)
	}
	return n
}

// tick lets a period pass and appends what the controller sends by itself.
func (c *Simulator) tick(out []byte, booting bool) []byte {
	c.sinceFrame += simulated.Period
	c.controlCycles++
	for i := range c.Servos {
		m := &c.Servos[i]
		c.cutOff(i)
		m.Unpowered = booting || !c.enabled[i]
		m.Power = 1
		if c.sinceFrame > powerSaveAfter {
			m.Power = powerSaveShare
		}
	}
	c.Step()
	c.untilReport -= simulated.Period
	if c.streamedMotor == 0 || booting || c.untilReport > 0 {
		return out
	}
	c.untilReport = reportPeriod
	return c.reportMotor(out, c.streamedMotor-1)
}

// cutOff switches off a motor that is beyond its cutoff, until it is enabled again. The first
// motor's lower cutoff applies to all, as in the firmware.
func (c *Simulator) cutOff(i int) {
	at := counts(c.Servos[i].Position)
	low, high := int(c.parameterBytes['S'][0]), fullCounts-int(c.parameterBytes['S'+byte(i)][0])
	if at < low || at > high {
		c.enabled[i] = false
	}
}

// reportMotor appends position and target, then state and duty.
func (c *Simulator) reportMotor(out []byte, i int) []byte {
	return c.reportStatus(c.reportPosition(out, i), i)
}

func (c *Simulator) reportPosition(out []byte, i int) []byte {
	m := &c.Servos[i]
	return appendFrame(out, frame{'A' + byte(i), byte(counts(m.Position) / 4), byte(counts(m.Target) / 4)})
}

func (c *Simulator) reportStatus(out []byte, i int) []byte {
	duty := byte(math.Round(math.Abs(c.Servos[i].Duty) * 255))
	return appendFrame(out, frame{'a' + byte(i), c.status(), duty})
}

// status returns the divider of the control loop and which motors are off.
func (c *Simulator) status() byte {
	b := c.parameterBytes['Z'][0] << 4
	for i, on := range c.enabled {
		if !on {
			b |= 1 << i
		}
	}
	return b
}
