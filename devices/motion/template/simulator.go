package template

import (
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// Assumed behaviour of every controller that a template describes.
const (
	bootTime      = 100 * time.Millisecond // after a reset: it does not listen and the motors have no power
	noiseInterval = 20 * time.Millisecond  // time between two groups of invalid bytes that it sends while SetNoise is on
	reportPeriod  = 10 * time.Millisecond  // between two reports of all positions that nothing asks for
)

// Simulator is a simulated controller that accepts exactly the strings of a template.
//
// Its motors get power after all startup strings, and lose it after the last shutdown string. The
// actuators stay where they are until the first target. Feedback comes after each query, or by
// itself where there are no queries.
type Simulator struct {
	*simulated.Board
	in                reader
	bootText          string        // sent when it has booted
	startupsReceived  int           // startup strings received, in order
	shutdownsReceived int           // shutdown strings received, in order
	untilNoise        time.Duration // until the next invalid bytes
	untilReport       time.Duration // until the next feedback that nothing asks for
	answers           []byte        // to what was received last
	bootTextPending   bool          // bootText is to be sent when it has booted
	powered           bool          // its motors have power
}

// NewSimulator returns a controller that was switched on and has booted, with
// its actuators at the center.
func NewSimulator(cfg Config) (*Simulator, error) {
	t, err := compile(cfg)
	if err != nil {
		return nil, err
	}
	at := make([]float64, t.axisCount)
	for i := range at {
		at[i] = 0.5
	}
	s := &Simulator{in: reader{template: t}, bootText: cfg.BootText}
	s.Board = simulated.NewBoard(at, simulated.Firmware{Restart: s.restart, Take: s.takeByte, Tick: s.tick, BootTime: bootTime})
	s.MoveTo(0.5, simulated.UnlimitedSpeed)
	s.restart()
	s.bootTextPending = false
	s.SetPower(s.powered)
	return s, nil
}

// restart resets everything but the actuators' positions. The motors have no power until it has booted.
func (s *Simulator) restart() {
	s.in.buf = s.in.buf[:0]
	s.startupsReceived, s.shutdownsReceived, s.bootTextPending = 0, 0, true
	s.powered = len(s.in.template.startup) == 0
	s.SetPower(false)
}

// Powered reports whether its motors have power.
func (s *Simulator) Powered() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.powered
}

// Noise returns how many bytes belonged to no message.
func (s *Simulator) Noise() uint64 {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.in.noise
}

// takeByte takes a byte and appends the answers to the string that it completes.
func (s *Simulator) takeByte(out []byte, b byte) []byte {
	s.answers = out
	s.in.feed(b, s.take)
	return s.answers
}

// take executes a complete string.
func (s *Simulator) take(kind stringKind, index int, l *wire.Legs) {
	switch kind {
	case targetString:
		s.FrameCount++
		s.follow(l)
	case startupString:
		if completesSequence(&s.startupsReceived, index, len(s.in.template.startup)) {
			s.powered = true
		}
	case shutdownString:
		if completesSequence(&s.shutdownsReceived, index, len(s.in.template.shutdown)) {
			s.powered = false
		}
	case queryString:
		s.answers = s.report(s.answers)
	}
	s.SetPower(s.powered)
}

// report appends all feedback strings with the actuators' positions.
func (s *Simulator) report(out []byte) []byte {
	var at wire.Legs
	copy(at[:], s.ServoBank.Positions())
	for _, pieces := range s.in.template.feedback {
		out = s.in.template.measured.append(out, pieces, &at)
	}
	return out
}

// completesSequence counts a received string if it is the next of a sequence of total strings, and
// reports whether it was the last one. It then starts counting again. count has how many strings of the
// sequence were received in order so far; index is the place of the received string in the sequence, from 0.
func completesSequence(count *int, index, total int) bool {
	if index == *count {
		*count++
	}
	if *count < total {
		return false
	}
	*count = 0
	return true
}

// follow moves the actuators to a target; without power they stay.
func (s *Simulator) follow(l *wire.Legs) {
	if !s.powered {
		return
	}
	for i := range s.Servos {
		s.Servos[i].Goal = l[i]
	}
}

// tick lets a period pass and appends what the controller sends by itself: its text when it has booted, feedback
// without a query, and invalid bytes on a noisy line.
func (s *Simulator) tick(out []byte, _ bool) []byte {
	defer s.Step()
	if s.BootRemaining == 0 && s.bootTextPending {
		s.bootTextPending = false
		s.SetPower(s.powered)
		if s.bootText != "" {
			out = append(out, s.bootText+"\r\n"...)
		}
	}
	if s.untilReport -= simulated.Period; s.untilReport <= 0 && s.BootRemaining == 0 && len(s.in.template.query) == 0 {
		s.untilReport = reportPeriod
		out = s.report(out)
	}
	if s.untilNoise -= simulated.Period; s.untilNoise <= 0 {
		s.untilNoise = noiseInterval
		if s.HasNoise {
			out = append(out, 0x00, 0xff, '#', 0x80)
		}
	}
	return out
}
