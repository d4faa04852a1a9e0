package template

import (
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// What every controller that a template describes is taken to do.
const (
	bootTime   = 100 * time.Millisecond // deaf and without power after a reset
	noiseEvery = 20 * time.Millisecond  // between foreign bytes, while SetNoise is on
)

// Simulator is a simulated controller that takes exactly what a template
// stands for, and nothing else.
//
// It moves once it heard all startup strings, and is without power after the
// last shutdown string. The actuators stay where they are until the first
// demand.
type Simulator struct {
	simulated.Switches
	bank    simulated.Bank
	in      reader
	text    string        // that it sends when it has started
	woken   int           // startup strings heard, in order
	slept   int           // shutdown strings heard, in order
	boot    time.Duration // left until it listens
	due     time.Duration // until the next foreign bytes
	waiting bool          // to send text once it listens
	on      bool          // its motors have power
	frames  uint64
}

// NewSimulator returns a controller that just got power and has booted, with
// its actuators at the centre.
func NewSimulator(cfg Config) (*Simulator, error) {
	t, err := compile(cfg)
	if err != nil {
		return nil, err
	}
	at := make([]float64, t.count)
	for i := range at {
		at[i] = 0.5
	}
	s := &Simulator{bank: simulated.NewBank(at), in: reader{t: t}, text: cfg.BootText}
	s.bank.Send(0.5, simulated.AnySpeed)
	s.restart()
	return s, nil
}

// restart forgets all but the actuators' places.
func (s *Simulator) restart() {
	s.in.buf = s.in.buf[:0]
	s.woken, s.slept, s.boot, s.waiting = 0, 0, 0, false
	s.on = len(s.in.t.startup) == 0
	s.bank.Power(s.on)
}

// Reset restarts the controller, as opening its port or a brown-out does.
func (s *Simulator) Reset() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.restart()
	s.bank.Power(false)
	s.boot, s.waiting = bootTime, true
}

// Positions returns where the actuators stand, as shares of the stroke.
func (s *Simulator) Positions() []float64 {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.bank.Positions()
}

// Powered reports whether its motors have power.
func (s *Simulator) Powered() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.on
}

// Frames returns how many demands were understood.
func (s *Simulator) Frames() uint64 {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.frames
}

// Noise returns how many bytes belonged to nothing.
func (s *Simulator) Noise() uint64 {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.in.noise
}

// Handle takes bytes from the host. There is no answer to any.
func (s *Simulator) Handle(in []byte) []byte {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.boot > 0 {
		return nil
	}
	for _, b := range in {
		s.in.feed(b, s.take)
	}
	return nil
}

// take does what a whole string asks for.
func (s *Simulator) take(kind heard, which int, l *wire.Legs) {
	switch kind {
	case heardDemand:
		s.frames++
		s.follow(l)
	case heardStartup:
		if inTurn(&s.woken, which, len(s.in.t.startup)) {
			s.on = true
		}
	case heardShutdown:
		if inTurn(&s.slept, which, len(s.in.t.shutdown)) {
			s.on = false
		}
	}
	s.bank.Power(s.on)
}

// inTurn counts a string that comes after the ones before it, and reports that
// it was the last of all.
func inTurn(heard *int, which, all int) bool {
	if which == *heard {
		*heard++
	}
	if *heard < all {
		return false
	}
	*heard = 0
	return true
}

func (s *Simulator) follow(l *wire.Legs) {
	if !s.on {
		return
	}
	for i := range s.bank.Servos {
		s.bank.Servos[i].Goal = l[i]
	}
}

// Advance lets d pass and returns what the controller says of its own accord:
// its text when it has booted, and foreign bytes on a noisy line.
func (s *Simulator) Advance(d time.Duration) []byte {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var out []byte
	s.bank.Advance(d, func() { out = s.tick(out) })
	return out
}

// tick is what happens in a period beside the motors.
func (s *Simulator) tick(out []byte) []byte {
	if s.boot = max(0, s.boot-simulated.Period); s.boot == 0 && s.waiting {
		s.waiting = false
		s.bank.Power(s.on)
		if s.text != "" {
			out = append(out, s.text+"\r\n"...)
		}
	}
	if s.due -= simulated.Period; s.due <= 0 {
		s.due = noiseEvery
		if s.Noisy {
			out = append(out, 0x00, 0xff, '#', 0x80)
		}
	}
	return out
}
