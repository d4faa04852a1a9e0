package thanos

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// SimulatorConfig describes a simulated Thanos controller.
type SimulatorConfig struct {
	Start    []float64     // where each actuator stands when it gets power, fraction of the stroke: 1..8 of them
	BootTime time.Duration // time after a reset in which it does not listen
}

// DefaultSimulatorConfig has four actuators near the bottom, as they are left when switched off.
func DefaultSimulatorConfig() SimulatorConfig {
	return SimulatorConfig{Start: []float64{0.02, 0.02, 0.02, 0.02}, BootTime: 100 * time.Millisecond}
}

// Behaviour of the simulated firmware.
const (
	frameTimeout       = 5 * time.Second // time without frames after which it is off line and goes to its standby position
	parkTime           = 5 * time.Second // time at the standby position after which it parks
	rejoinWithin       = 0.01            // an actuator held by the spike filter follows again this close to its target [strokes]
	speedPerUnit       = 0.05            // speed of an actuator for each unit of the standby and park speeds [strokes/s]
	escapeSpeedPerUnit = 0.0125          // speed of a held actuator for each unit of the parameter spike_escape_speed [strokes/s]
)

// factoryReport is the answer to CMD55 of a controller that was never tuned, as in the manual; it
// does not contain the last parameters.
const factoryReport = "data:v1.01:T4UM:4:1:2:5:127:5:5:1:0:1:127:127:2:1:2:24:11:127:2:0:2:2:0:" +
	"10:10:10:10:2:2:2:2:1:1:1:1:1:1:1:1:"

// Simulator is a simulated Thanos controller.
//
// With power it goes to its standby position. When frames come it moves slowly to their positions
// and then follows them. Without frames it keeps the last one for timeout, then goes to standby
// and parks. Its spike filter is off, as delivered. The speeds of all this are assumed.
type Simulator struct {
	*simulated.Board
	frames       wire.Packets
	word         []byte
	values       []int // in the order of CMD55
	saved        []int
	online       bool
	sinceFrame   time.Duration // since the last frame
	bootReported bool
	spikeHeld    []bool // actuators that the spike filter holds
}

// NewSimulator returns a controller that was switched on and has booted.
func NewSimulator(cfg SimulatorConfig) *Simulator {
	factorySettings, _ := parseReport(factoryReport) // a constant; tests parse it too
	s := &Simulator{saved: factorySettings.values, spikeHeld: make([]bool, len(cfg.Start))}
	s.Board = simulated.NewBoard(cfg.Start, simulated.Firmware{Restart: s.restart, Take: s.take, Tick: s.tick, BootTime: cfg.BootTime, NoiseHead: '#'})
	s.frames.Length = packetLen
	s.restart()
	s.bootReported = true
	return s
}

func packetLen(head byte) int {
	if head == frameHead {
		return frameLen
	}
	return 0
}

// restart begins as at power-on: once it has booted it reports that, and goes to its standby position.
func (s *Simulator) restart() {
	s.values = slices.Clone(s.saved)
	s.frames.Reset()
	s.word, s.online, s.sinceFrame, s.bootReported = nil, false, 0, false
	clear(s.spikeHeld)
	s.goToStandby()
}

// parameter returns the value of the parameter with a number, 0 if its place in the report is unknown.
func (s *Simulator) parameter(number int) int {
	v, _ := report{values: s.values}.value(number)
	return v
}

// goToStandby makes the actuators go to the standby position at the standby speed.
func (s *Simulator) goToStandby() {
	s.MoveTo(float64(s.parameter(7))/254, speedPerUnit*float64(s.parameter(8)))
}

// take takes a byte and appends the answer to the word that it completes.
func (s *Simulator) take(out []byte, b byte) []byte {
	if p, ok := s.frames.Feed(b); ok {
		s.follow(p)
	} else if !s.online && s.frames.Pending() == 0 {
		return s.takeWordByte(out, b)
	}
	return out
}

// follow takes a frame. From standby, the actuators approach its positions slowly.
func (s *Simulator) follow(p []byte) {
	for i := range s.spikeHeld {
		s.spikeHeld[i] = s.spikeHeld[i] || !s.online
	}
	s.online, s.sinceFrame, s.word = true, 0, nil
	for i := range s.Servos {
		n := int(p[2+2*i])<<8 | int(p[3+2*i])
		s.setTarget(i, float64(n)/fullCounts)
	}
}

// setTarget sends an actuator to a fraction of its stroke. The spike filter holds one whose target
// jumps, then lets it approach slowly.
func (s *Simulator) setTarget(i int, position float64) {
	servo := &s.Servos[i]
	maxJump := float64(s.parameter(15)*s.parameter(16)) / fullCounts
	jump := math.Abs(position - servo.Goal)
	switch {
	case s.parameter(spikeFilter) == 1 && jump > maxJump:
		s.spikeHeld[i] = true
	case s.spikeHeld[i] && math.Abs(position-servo.Target) < rejoinWithin:
		s.spikeHeld[i] = false
	}
	servo.Goal, servo.Speed = position, simulated.UnlimitedSpeed
	if s.spikeHeld[i] {
		servo.Speed = escapeSpeedPerUnit * float64(s.parameter(22))
	}
}

// takeWordByte takes a byte of a word; words are executed only while it is off line.
func (s *Simulator) takeWordByte(out []byte, b byte) []byte {
	s.word = append(s.word, b)
	for len(s.word) > 0 {
		n, whole := wordIn(string(s.word))
		if n > 0 && !whole {
			return out // incomplete
		}
		if whole {
			out = s.execute(out, string(s.word))
			s.word = nil
			return out
		}
		s.word = s.word[1:]
	}
	return out
}

// wordIn returns the length of the word that text begins, 0 if it begins none, and whether text
// is the whole word.
func wordIn(text string) (n int, whole bool) {
	for _, form := range []string{wordModel, wordPark, "spv45", "spv46", "CMD00", "spv00000"} {
		if matches(form, text) {
			return len(form), len(form) == len(text)
		}
	}
	return 0, false
}

// matches reports whether text is the beginning of form, in which 0 stands for any digit.
func matches(form, text string) bool {
	if len(text) > len(form) {
		return false
	}
	for i := range len(text) {
		digit := form[i] == '0' && text[i] >= '0' && text[i] <= '9'
		if form[i] != text[i] && !digit {
			return false
		}
	}
	return true
}

// execute executes a complete word and appends the answer, if there is one.
func (s *Simulator) execute(out []byte, word string) []byte {
	switch {
	case word == wordModel:
		return append(out, "AMC-AASD15A:v1.01:4\r\n"...)
	case word == wordPark:
		s.MoveTo(float64(s.parameter(4))/100, speedPerUnit*float64(s.parameter(5)))
	case word == wordSettings:
		return append(out, s.settingsText()...)
	case word == wordSave:
		s.saved = slices.Clone(s.values)
	case strings.HasPrefix(word, "spv") && len(word) == len("spvNNVVV"):
		s.setParameter(word)
	}
	return out
}

// setParameter executes "spvNNVVV": parameter NN gets the value VVV.
func (s *Simulator) setParameter(word string) {
	var number, v int
	fmt.Sscanf(word, "spv%2d%3d", &number, &v)
	if number < len(placeInReport) && placeInReport[number] > 0 {
		s.values[placeInReport[number]-1] = v
	}
}

func (s *Simulator) settingsText() string {
	var b strings.Builder
	b.WriteString("data:v1.01:T4UM:")
	for _, v := range s.values {
		fmt.Fprintf(&b, "%d:", v)
	}
	b.WriteString("\r\n")
	return b.String()
}

// tick lets a period pass and appends what the controller sends.
func (s *Simulator) tick(out []byte, booting bool) []byte {
	defer s.Step()
	if booting {
		return out
	}
	if !s.bootReported {
		s.bootReported = true
		out = s.AddNoise(append(out, "Boot OK\r\nThanos Motion Electronics LLC 2021\r\nThanos4U(M) v1.01 fix0\r\n"...))
	}
	s.sinceFrame += simulated.Period
	switch {
	case s.online && s.sinceFrame > frameTimeout:
		s.online = false
		s.goToStandby()
	case !s.online && s.sinceFrame > frameTimeout+parkTime && s.sinceFrame <= frameTimeout+parkTime+simulated.Period:
		s.MoveTo(float64(s.parameter(4))/100, speedPerUnit*float64(s.parameter(5)))
	}
	return out
}
