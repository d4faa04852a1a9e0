package motion4sim

import (
	"encoding/binary"
	"math"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// SimulatorConfig describes a simulated motion4sim controller.
type SimulatorConfig struct {
	Start    []float64     // where each actuator (or degree of freedom) stands when it gets power, share of the stroke: 1..8 of them
	BootTime time.Duration // deaf after a reset
	Language Config        // the ranges and the byte order of its poses
	Switched bool          // its own switch is at on line: it goes there when it is ready
}

// DefaultSimulatorConfig has six actuators at the bottom, as they are left.
func DefaultSimulatorConfig() SimulatorConfig {
	return SimulatorConfig{
		Start:    []float64{0.02, 0.02, 0.02, 0.02, 0.02, 0.02},
		BootTime: 100 * time.Millisecond, Language: DefaultConfig(),
	}
}

// What the simulated firmware does by itself.
const (
	prepareSpeed = 0.5                    // to the middle, after it got power [strokes/s]
	timeout      = 500 * time.Millisecond // without frames it waits for them, and stands still
)

// Simulator is a simulated motion4sim controller.
//
// With power it prepares, which takes its actuators to the middle, and is
// ready. Ordered online it waits for frames and follows them. Its emergency
// command takes the motors' power until it is given again.
type Simulator struct {
	simulated.Switches
	cfg    SimulatorConfig
	bank   simulated.Bank
	in     wire.Packets
	state  uint16
	silent time.Duration // since the last frame
	boot   time.Duration // left until it listens
}

// NewSimulator returns a controller that just got power and has booted.
func NewSimulator(cfg SimulatorConfig) *Simulator {
	s := &Simulator{cfg: cfg, bank: simulated.NewBank(cfg.Start)}
	s.in.Length = packetLen
	s.restart()
	return s
}

// packetLen is the length of what the controller takes by its first byte.
func packetLen(head byte) int {
	switch head {
	case headDirect:
		return directLen
	case headPose:
		return poseLen
	case headCommand:
		return commandLen
	}
	return 0
}

func (s *Simulator) restart() {
	s.in.Forget()
	s.state, s.silent, s.boot = statePreparing, 0, 0
	s.bank.Power(true)
	s.bank.Send(0.5, prepareSpeed)
}

// Reset restarts the controller: deaf for the boot time, then it prepares.
func (s *Simulator) Reset() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.restart()
	s.boot = s.cfg.BootTime
}

// Positions returns where the actuators stand, as shares of the stroke.
func (s *Simulator) Positions() []float64 {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.bank.Positions()
}

// Handle takes bytes from the host and returns what the controller answers.
func (s *Simulator) Handle(in []byte) []byte {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.boot > 0 {
		return nil
	}
	var out []byte
	for _, b := range in {
		if p, ok := s.in.Feed(b); ok {
			out = s.obey(out, p)
		}
	}
	return s.Spoil(out, headCommand)
}

// obey carries out one packet and appends the answer, if there is one.
func (s *Simulator) obey(out, p []byte) []byte {
	if p[0] == headCommand {
		return s.answer(out, binary.BigEndian.Uint16(p[2:]), p)
	}
	if s.state < stateWaiting {
		return out // not online
	}
	s.state, s.silent = stateOnline, 0
	if p[0] == headPose {
		s.pose(p)
	} else {
		s.direct(p)
	}
	return out
}

func (s *Simulator) direct(p []byte) {
	for i := range s.bank.Servos {
		n := int(p[2+3*i])<<16 | int(p[3+3*i])<<8 | int(p[4+3*i])
		s.demand(i, float64(n)/full)
	}
}

func (s *Simulator) pose(p []byte) {
	ranges := s.cfg.Language.ranges()
	for i, leg := range poseLegs {
		bits := s.number(p[2+4*i:])
		s.demand(leg, 0.5+0.5*float64(math.Float32frombits(bits))/ranges[i])
	}
	s.demand(beltLeg, 0.5+0.5*float64(s.number(p[26:]))/s.cfg.Language.Belt)
}

func (s *Simulator) number(p []byte) uint32 {
	if s.cfg.Language.LittleEndian {
		return binary.LittleEndian.Uint32(p)
	}
	return binary.BigEndian.Uint32(p)
}

// demand sends an actuator, if it is there, to a share of its stroke.
func (s *Simulator) demand(i int, share float64) {
	if i < len(s.bank.Servos) {
		s.bank.Servos[i].Goal, s.bank.Servos[i].Speed = trueShare(share), simulated.AnySpeed
	}
}

// answer obeys a command. Some answers have the command's bytes in the other
// order, as in the documentation.
func (s *Simulator) answer(out []byte, command uint16, p []byte) []byte {
	switch command {
	case commandStatus:
		return appendCommand(out, commandStatus, s.state)
	case commandFirmware:
		return appendCommand(out, 0x0002, 0x0002)
	case commandEmergency:
		return appendCommand(out, 0x0005, s.emergency())
	case commandOnline:
		if s.state == stateReady || s.state == stateStandby {
			s.state = stateWaiting
		}
		return appendCommand(out, 0x0006, flag(s.state >= stateWaiting))
	case commandActuators:
		return appendCommand(out, commandActuators, uint16(s.actuators()))
	case commandReboot:
		s.restart()
		s.boot = s.cfg.BootTime
	}
	return out
}

// emergency turns the emergency stop on or off and tells which it is.
func (s *Simulator) emergency() uint16 {
	on := s.state != stateStopped
	if on {
		s.state = stateStopped
		s.bank.Power(false)
	} else {
		s.restart()
	}
	return flag(on)
}

const stateStopped = 0x02 // its emergency stop is on

func flag(on bool) uint16 {
	if on {
		return 1
	}
	return 0
}

// actuators tells what they do: prepare, move or rest.
func (s *Simulator) actuators() byte {
	switch s.state {
	case statePreparing:
		return 'P'
	case stateOnline:
		return '!'
	}
	return 'R'
}

// Advance lets d pass. The controller says nothing of its own accord.
func (s *Simulator) Advance(d time.Duration) []byte {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.bank.Advance(d, s.tick)
	return nil
}

func (s *Simulator) tick() {
	s.silent += simulated.Period
	switch {
	case s.boot > 0:
		s.boot -= simulated.Period
	case s.state == statePreparing && s.atMiddle():
		s.state = stateReady
		if s.cfg.Switched {
			s.state = stateWaiting
		}
	case s.state == stateOnline && s.silent > timeout:
		s.state = stateWaiting
	}
}

// atMiddle reports that all actuators have reached the middle.
func (s *Simulator) atMiddle() bool {
	for i := range s.bank.Servos {
		if math.Abs(s.bank.Servos[i].Position-0.5) > 0.01 {
			return false
		}
	}
	return true
}
