package motion

import (
	"encoding/binary"
	"math"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// Motion4SimSimConfig describes a simulated motion4sim controller.
type Motion4SimSimConfig struct {
	Start    []float64     // where each actuator (or degree of freedom) stands when it gets power, share of the stroke: 1..8 of them
	BootTime time.Duration // deaf after a reset
	Language M4SConfig     // the ranges and the byte order of its poses
	Switched bool          // its own switch is at on line: it goes there when it is ready
}

// DefaultMotion4SimSimConfig has six actuators at the bottom, as they are left.
func DefaultMotion4SimSimConfig() Motion4SimSimConfig {
	return Motion4SimSimConfig{
		Start:    []float64{0.02, 0.02, 0.02, 0.02, 0.02, 0.02},
		BootTime: 100 * time.Millisecond, Language: DefaultM4SConfig(),
	}
}

// What the simulated firmware does by itself.
const (
	m4sPrepareSpeed = 0.5                    // to the middle, after it got power [strokes/s]
	m4sTimeout      = 500 * time.Millisecond // without frames it waits for them, and stands still
)

// Motion4SimSim is a simulated motion4sim controller.
//
// With power it prepares, which takes its actuators to the middle, and is
// ready. Ordered online it waits for frames and follows them. Its emergency
// command takes the motors' power until it is given again.
type Motion4SimSim struct {
	simulated.Switches
	cfg    Motion4SimSimConfig
	bank   simulated.Bank
	in     wire.Packets
	state  uint16
	silent time.Duration // since the last frame
	boot   time.Duration // left until it listens
}

// NewMotion4SimSim returns a controller that just got power and has booted.
func NewMotion4SimSim(cfg Motion4SimSimConfig) *Motion4SimSim {
	s := &Motion4SimSim{cfg: cfg, bank: simulated.NewBank(cfg.Start)}
	s.in.Length = m4sPacketLen
	s.restart()
	return s
}

// m4sPacketLen is the length of what the controller takes by its first byte.
func m4sPacketLen(head byte) int {
	switch head {
	case m4sDirect:
		return m4sDirectLen
	case m4sPose:
		return m4sPoseLen
	case m4sCommand:
		return m4sCommandLen
	}
	return 0
}

func (s *Motion4SimSim) restart() {
	s.in.Forget()
	s.state, s.silent, s.boot = m4sPreparing, 0, 0
	s.bank.Power(true)
	s.bank.Send(0.5, m4sPrepareSpeed)
}

// Reset restarts the controller: deaf for the boot time, then it prepares.
func (s *Motion4SimSim) Reset() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.restart()
	s.boot = s.cfg.BootTime
}

// Positions returns where the actuators stand, as shares of the stroke.
func (s *Motion4SimSim) Positions() []float64 {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.bank.Positions()
}

// Handle takes bytes from the host and returns what the controller answers.
func (s *Motion4SimSim) Handle(in []byte) []byte {
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
	return s.Spoil(out, m4sCommand)
}

// obey carries out one packet and appends the answer, if there is one.
func (s *Motion4SimSim) obey(out, p []byte) []byte {
	if p[0] == m4sCommand {
		return s.answer(out, binary.BigEndian.Uint16(p[2:]), p)
	}
	if s.state < m4sWaiting {
		return out // not online
	}
	s.state, s.silent = m4sIsOnline, 0
	if p[0] == m4sPose {
		s.pose(p)
	} else {
		s.direct(p)
	}
	return out
}

func (s *Motion4SimSim) direct(p []byte) {
	for i := range s.bank.Servos {
		n := int(p[2+3*i])<<16 | int(p[3+3*i])<<8 | int(p[4+3*i])
		s.demand(i, float64(n)/m4sFull)
	}
}

func (s *Motion4SimSim) pose(p []byte) {
	ranges := s.cfg.Language.ranges()
	for i, leg := range m4sLegs {
		bits := s.number(p[2+4*i:])
		s.demand(leg, 0.5+0.5*float64(math.Float32frombits(bits))/ranges[i])
	}
	s.demand(m4sBelt, 0.5+0.5*float64(s.number(p[26:]))/s.cfg.Language.Belt)
}

func (s *Motion4SimSim) number(p []byte) uint32 {
	if s.cfg.Language.LittleEndian {
		return binary.LittleEndian.Uint32(p)
	}
	return binary.BigEndian.Uint32(p)
}

// demand sends an actuator, if it is there, to a share of its stroke.
func (s *Motion4SimSim) demand(i int, share float64) {
	if i < len(s.bank.Servos) {
		s.bank.Servos[i].Goal, s.bank.Servos[i].Speed = trueShare(share), simulated.AnySpeed
	}
}

// answer obeys a command. Some answers have the command's bytes in the other
// order, as in the documentation.
func (s *Motion4SimSim) answer(out []byte, command uint16, p []byte) []byte {
	switch command {
	case m4sStatus:
		return appendM4SCommand(out, m4sStatus, s.state)
	case m4sFirmware:
		return appendM4SCommand(out, 0x0002, 0x0002)
	case m4sEmergency:
		return appendM4SCommand(out, 0x0005, s.emergency())
	case m4sOnline:
		if s.state == m4sReady || s.state == m4sStandby {
			s.state = m4sWaiting
		}
		return appendM4SCommand(out, 0x0006, flag(s.state >= m4sWaiting))
	case m4sActuators:
		return appendM4SCommand(out, m4sActuators, uint16(s.actuators()))
	case m4sReboot:
		s.restart()
		s.boot = s.cfg.BootTime
	}
	return out
}

// emergency turns the emergency stop on or off and tells which it is.
func (s *Motion4SimSim) emergency() uint16 {
	on := s.state != m4sStopped
	if on {
		s.state = m4sStopped
		s.bank.Power(false)
	} else {
		s.restart()
	}
	return flag(on)
}

const m4sStopped = 0x02 // its emergency stop is on

func flag(on bool) uint16 {
	if on {
		return 1
	}
	return 0
}

// actuators tells what they do: prepare, move or rest.
func (s *Motion4SimSim) actuators() byte {
	switch s.state {
	case m4sPreparing:
		return 'P'
	case m4sIsOnline:
		return '!'
	}
	return 'R'
}

// Advance lets d pass. The controller says nothing of its own accord.
func (s *Motion4SimSim) Advance(d time.Duration) []byte {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.bank.Advance(d, s.tick)
	return nil
}

func (s *Motion4SimSim) tick() {
	s.silent += simulated.Period
	switch {
	case s.boot > 0:
		s.boot -= simulated.Period
	case s.state == m4sPreparing && s.atMiddle():
		s.state = m4sReady
		if s.cfg.Switched {
			s.state = m4sWaiting
		}
	case s.state == m4sIsOnline && s.silent > m4sTimeout:
		s.state = m4sWaiting
	}
}

// atMiddle reports that all actuators have reached the middle.
func (s *Motion4SimSim) atMiddle() bool {
	for i := range s.bank.Servos {
		if math.Abs(s.bank.Servos[i].Position-0.5) > 0.01 {
			return false
		}
	}
	return true
}
