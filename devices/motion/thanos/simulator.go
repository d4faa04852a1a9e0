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
	Start    []float64     // where each actuator stands when it gets power, share of the stroke: 1..8 of them
	BootTime time.Duration // deaf after a reset
}

// DefaultSimulatorConfig has four actuators at the bottom, as they are left.
func DefaultSimulatorConfig() SimulatorConfig {
	return SimulatorConfig{Start: []float64{0.02, 0.02, 0.02, 0.02}, BootTime: 100 * time.Millisecond}
}

// What the simulated firmware does by itself.
const (
	timeout    = 5 * time.Second // without frames it is off-line again, and goes to its standby position
	parkTime   = 5 * time.Second // after that it parks
	rejoin     = 0.01            // a held actuator this close to what is demanded follows again [strokes]
	speedUnit  = 0.05            // of an actuator for each unit of the standby and park speeds [strokes/s]
	escapeUnit = 0.0125          // of a held actuator for each unit of the spike escape speed [strokes/s]
)

// factoryReport is the answer to CMD55 of a controller that was never tuned,
// as the manual has it; it leaves the last parameters out.
const factoryReport = "data:v1.01:T4UM:4:1:2:5:127:5:5:1:0:1:127:127:2:1:2:24:11:127:2:0:2:2:0:" +
	"10:10:10:10:2:2:2:2:1:1:1:1:1:1:1:1:"

// Simulator is a simulated Thanos controller.
//
// With power it goes to its standby position. When frames come it goes slowly to
// where they send it and then follows them, keeps the last one until it has
// waited long enough, then stands by and parks. Its spike filter is off, as from
// the factory. How fast it does all that is made up.
type Simulator struct {
	simulated.Switches
	cfg     SimulatorConfig
	bank    simulated.Bank
	frames  wire.Packets
	word    []byte
	values  []int // in the order of CMD55
	saved   []int
	online  bool
	silent  time.Duration // since the last frame
	boot    time.Duration // left until it listens
	greeted bool
	held    []bool // by the spike filter
}

// NewSimulator returns a controller that just got power and has booted.
func NewSimulator(cfg SimulatorConfig) *Simulator {
	factory, _ := parseReport(factoryReport) // a constant that the tests read
	s := &Simulator{cfg: cfg, saved: factory.values, bank: simulated.NewBank(cfg.Start), held: make([]bool, len(cfg.Start))}
	s.frames.Length = packetLen
	s.restart()
	return s
}

func packetLen(head byte) int {
	if head == frameHead {
		return frameLen
	}
	return 0
}

func (s *Simulator) restart() {
	s.values = slices.Clone(s.saved)
	s.frames.Forget()
	s.word, s.online, s.silent, s.boot, s.greeted = nil, false, 0, 0, true
	clear(s.held)
	s.standBy()
}

// Reset restarts the controller: deaf for the boot time, then it says so and
// goes to its standby position.
func (s *Simulator) Reset() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.restart()
	s.boot, s.greeted = s.cfg.BootTime, false
}

// Positions returns where the actuators stand, as shares of the stroke.
func (s *Simulator) Positions() []float64 {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.bank.Positions()
}

func (s *Simulator) value(number int) int {
	v, _ := report{values: s.values}.value(number)
	return v
}

// standBy goes to the standby position at the standby speed.
func (s *Simulator) standBy() {
	s.bank.Send(float64(s.value(7))/254, speedUnit*float64(s.value(8)))
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
		if p, ok := s.frames.Feed(b); ok {
			s.follow(p)
		} else if !s.online && s.frames.Pending() == 0 {
			out = s.listen(out, b)
		}
	}
	return s.Spoil(out, '#')
}

// follow takes a frame. From where it stood by, the actuators come after slowly.
func (s *Simulator) follow(p []byte) {
	for i := range s.held {
		s.held[i] = s.held[i] || !s.online
	}
	s.online, s.silent, s.word = true, 0, nil
	for i := range s.bank.Servos {
		n := int(p[2+2*i])<<8 | int(p[3+2*i])
		s.demand(i, float64(n)/scale)
	}
}

// demand sends an actuator to a share of its stroke. The spike filter holds one
// that would leap, then lets it come after slowly.
func (s *Simulator) demand(i int, share float64) {
	servo := &s.bank.Servos[i]
	level := float64(s.value(15)*s.value(16)) / scale
	leap := math.Abs(share - servo.Goal)
	switch {
	case s.value(spikeFilter) == 1 && leap > level:
		s.held[i] = true
	case s.held[i] && math.Abs(share-servo.Target) < rejoin:
		s.held[i] = false
	}
	servo.Goal, servo.Speed = share, simulated.AnySpeed
	if s.held[i] {
		servo.Speed = escapeUnit * float64(s.value(22))
	}
}

// listen takes a byte of a word, which only counts while it is off-line.
func (s *Simulator) listen(out []byte, b byte) []byte {
	s.word = append(s.word, b)
	for len(s.word) > 0 {
		n, whole := wordIn(string(s.word))
		if n > 0 && !whole {
			return out // not yet
		}
		if whole {
			out = s.obey(out, string(s.word))
			s.word = nil
			return out
		}
		s.word = s.word[1:]
	}
	return out
}

// wordIn returns how long the word is that text begins with, 0 if none
// does, and whether text is the whole of it.
func wordIn(text string) (n int, whole bool) {
	for _, form := range []string{wordModel, wordPark, "spv45", "spv46", "CMD00", "spv00000"} {
		if matches(form, text) {
			return len(form), len(form) == len(text)
		}
	}
	return 0, false
}

// matches reports that text is a beginning of form, where 0 is any digit.
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

func (s *Simulator) obey(out []byte, word string) []byte {
	switch {
	case word == wordModel:
		return append(out, "AMC-AASD15A:v1.01:4\r\n"...)
	case word == wordPark:
		s.bank.Send(float64(s.value(4))/100, speedUnit*float64(s.value(5)))
	case word == wordSettings:
		return append(out, s.settings()...)
	case word == wordSave:
		s.saved = slices.Clone(s.values)
	case strings.HasPrefix(word, "spv") && len(word) == len("spvNNVVV"):
		s.set(word)
	}
	return out
}

// set obeys "spvNNVVV".
func (s *Simulator) set(word string) {
	var number, v int
	fmt.Sscanf(word, "spv%2d%3d", &number, &v)
	if number < len(places) && places[number] > 0 {
		s.values[places[number]-1] = v
	}
}

func (s *Simulator) settings() string {
	var b strings.Builder
	b.WriteString("data:v1.01:T4UM:")
	for _, v := range s.values {
		fmt.Fprintf(&b, "%d:", v)
	}
	b.WriteString("\r\n")
	return b.String()
}

// Advance lets d pass and returns what the controller says meanwhile.
func (s *Simulator) Advance(d time.Duration) []byte {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var out []byte
	s.bank.Advance(d, func() { out = s.tick(out) })
	return s.Spoil(out, '#')
}

func (s *Simulator) tick(out []byte) []byte {
	if s.boot > 0 {
		s.boot -= simulated.Period
		return out
	}
	if !s.greeted {
		s.greeted = true
		out = append(out, "Boot OK\r\nThanos Motion Electronics LLC 2021\r\nThanos4U(M) v1.01 fix0\r\n"...)
	}
	s.silent += simulated.Period
	switch {
	case s.online && s.silent > timeout:
		s.online = false
		s.standBy()
	case !s.online && s.silent > timeout+parkTime && s.silent <= timeout+parkTime+simulated.Period:
		s.bank.Send(float64(s.value(4))/100, speedUnit*float64(s.value(5)))
	}
	return out
}
