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
	Start        []float64     // where each actuator (or degree of freedom) stands when it gets power, fraction of the stroke: 1..8 of them
	BootTime     time.Duration // time after a reset in which it does not listen
	Codec        Config        // ranges and byte order of its poses
	OnlineSwitch bool          // its own switch is set to "on line": it goes on line as soon as it is ready
}

// DefaultSimulatorConfig has six actuators near the bottom, as they are left when switched off.
func DefaultSimulatorConfig() SimulatorConfig {
	return SimulatorConfig{
		Start:    []float64{0.02, 0.02, 0.02, 0.02, 0.02, 0.02},
		BootTime: 100 * time.Millisecond, Codec: DefaultConfig(),
	}
}

// Behaviour of the simulated firmware.
const (
	prepareSpeed = 0.5                    // to the middle, after it got power [strokes/s]
	frameTimeout = 500 * time.Millisecond // time without frames after which it stands still and waits for them
)

// Simulator is a simulated motion4sim controller.
//
// With power it prepares, which takes its actuators to the middle, and is ready. Ordered on line
// it waits for frames and follows them. Its emergency command switches the motors off until it is
// given again.
type Simulator struct {
	*simulated.Board
	cfg        SimulatorConfig
	in         wire.Packets
	state      uint16        // as it reports it, see statePreparing
	sinceFrame time.Duration // since the last frame
}

// NewSimulator returns a controller that was switched on and has booted.
func NewSimulator(cfg SimulatorConfig) *Simulator {
	s := &Simulator{cfg: cfg}
	s.Board = simulated.NewBoard(cfg.Start, simulated.Firmware{
		Restart: s.restart, Take: s.take, Tick: s.tick, BootTime: cfg.BootTime, NoiseHead: commandHeadByte,
	})
	s.in.Length = packetLen
	s.restart()
	return s
}

// packetLen returns the length of the packets that it accepts with a head byte, 0 for none.
func packetLen(head byte) int {
	switch head {
	case directHeadByte:
		return directFrameLen
	case poseHeadByte:
		return poseFrameLen
	case commandHeadByte:
		return commandFrameLen
	}
	return 0
}

// restart begins as at power-on; the actuators stay where they are and then move to the middle.
func (s *Simulator) restart() {
	s.in.Reset()
	s.state, s.sinceFrame = statePreparing, 0
	s.SetPower(true)
	s.MoveTo(0.5, prepareSpeed)
}

// take takes a byte and executes the packet that it completes.
func (s *Simulator) take(out []byte, b byte) []byte {
	if p, ok := s.in.Feed(b); ok {
		return s.execute(out, p)
	}
	return out
}

// execute executes one packet and appends the answer, if there is one.
func (s *Simulator) execute(out, p []byte) []byte {
	if p[0] == commandHeadByte {
		return s.answer(out, binary.BigEndian.Uint16(p[2:]), p)
	}
	if s.state < stateWaiting {
		return out // not online
	}
	s.state, s.sinceFrame = stateOnline, 0
	if p[0] == poseHeadByte {
		s.takePose(p)
	} else {
		s.takePositions(p)
	}
	return out
}

func (s *Simulator) takePositions(p []byte) {
	for i := range s.Servos {
		n := int(p[2+3*i])<<16 | int(p[3+3*i])<<8 | int(p[4+3*i])
		s.setTarget(i, float64(n)/fullCounts)
	}
}

func (s *Simulator) takePose(p []byte) {
	ranges := s.cfg.Codec.poseRanges()
	for i, leg := range poseOrder {
		bits := s.poseNumber(p[2+4*i:])
		s.setTarget(leg, 0.5+0.5*float64(math.Float32frombits(bits))/ranges[i])
	}
	s.setTarget(beltLeg, 0.5+0.5*float64(s.poseNumber(p[26:]))/s.cfg.Codec.BeltCounts)
}

func (s *Simulator) poseNumber(p []byte) uint32 {
	if s.cfg.Codec.LittleEndian {
		return binary.LittleEndian.Uint32(p)
	}
	return binary.BigEndian.Uint32(p)
}

// setTarget sends an actuator, if it exists, to a fraction of its stroke.
func (s *Simulator) setTarget(i int, position float64) {
	if i < len(s.Servos) {
		s.Servos[i].Goal, s.Servos[i].Speed = clampFraction(position), simulated.UnlimitedSpeed
	}
}

// answer executes a command. Some answers have the command's bytes in the other order, as in the
// documentation.
func (s *Simulator) answer(out []byte, command uint16, p []byte) []byte {
	switch command {
	case commandStatus:
		return appendCommand(out, commandStatus, s.state)
	case commandFirmware:
		return appendCommand(out, 0x0002, 0x0002)
	case commandEmergency:
		return appendCommand(out, 0x0005, s.toggleEmergency())
	case commandOnline:
		if s.state == stateReady || s.state == stateStandby {
			s.state = stateWaiting
		}
		return appendCommand(out, 0x0006, boolValue(s.state >= stateWaiting))
	case commandActuatorState:
		return appendCommand(out, commandActuatorState, uint16(s.actuatorState()))
	case commandReboot:
		s.Reboot()
	}
	return out
}

// toggleEmergency switches the emergency stop on or off, and returns 1 if it is on.
func (s *Simulator) toggleEmergency() uint16 {
	on := s.state != stateStopped
	if on {
		s.state = stateStopped
		s.SetPower(false)
	} else {
		s.restart()
	}
	return boolValue(on)
}

const stateStopped = 0x02 // its emergency stop is on

func boolValue(on bool) uint16 {
	if on {
		return 1
	}
	return 0
}

// actuatorState returns the code of the actuators' state: preparing, moving or at rest.
func (s *Simulator) actuatorState() byte {
	switch s.state {
	case statePreparing:
		return 'P'
	case stateOnline:
		return '!'
	}
	return 'R'
}

// tick lets a period pass. The controller sends nothing by itself.
func (s *Simulator) tick(out []byte, booting bool) []byte {
	defer s.Step()
	s.sinceFrame += simulated.Period
	switch {
	case booting:
	case s.state == statePreparing && s.isAtMiddle():
		s.state = stateReady
		if s.cfg.OnlineSwitch {
			s.state = stateWaiting
		}
	case s.state == stateOnline && s.sinceFrame > frameTimeout:
		s.state = stateWaiting
	}
	return out
}

// isAtMiddle reports whether all actuators have reached the middle.
func (s *Simulator) isAtMiddle() bool {
	for i := range s.Servos {
		if math.Abs(s.Servos[i].Position-0.5) > 0.01 {
			return false
		}
	}
	return true
}
