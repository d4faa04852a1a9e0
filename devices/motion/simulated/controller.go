// Package simulated has what simulated motion controllers share.
//
// A Controller takes the bytes of a host and answers as the real one does; a ServoBank moves its
// actuators in steps of a Period. Serve runs one on a line in real time. Tests disturb and stall
// that line by LineFaults. Nothing here depends on a protocol: each has its simulated controller
// beside its codec. Apart from the demo, no running rig needs this package.
package simulated

import (
	"sync"
	"time"
)

// Period is the time step of simulated controllers and their motors.
const Period = 250 * time.Microsecond

// Controller is a simulated motion controller. Handle and Advance are deterministic; Serve runs
// them on a line in real time. All methods may be called at any time by any goroutine.
type Controller interface {
	Handle(in []byte) []byte        // takes bytes from the host and returns the answers
	Advance(d time.Duration) []byte // lets d pass and returns what the controller sends by itself
	Reset()                         // restarts it, as opening its port or a brown-out does
	SetStalled(on bool)             // makes the controller stop reading its line (true) or continue (false)
	Stalled() bool
	SetNoise(on bool)     // mixes invalid bytes into what it sends
	Positions() []float64 // of the actuators, fractions of the stroke
}

// LineFaults are disturbances of the line that a test can switch on for any simulated controller.
// A simulated controller embeds them, and uses their mutex for its own state too.
type LineFaults struct {
	Mu       sync.Mutex // held by the controller's methods
	stalled  bool       // set by SetStalled; guarded by Mu
	HasNoise bool       // set by SetNoise; guarded by Mu
}

// SetStalled makes the controller stop reading its line (true) or continue (false).
func (s *LineFaults) SetStalled(on bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.stalled = on
}

// Stalled reports whether the controller has stopped reading its line.
func (s *LineFaults) Stalled() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.stalled
}

// SetNoise switches invalid bytes in the controller's answers on or off.
func (s *LineFaults) SetNoise(on bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.HasNoise = on
}

// AddNoise returns an answer as it arrives at the host: on a noisy line, with an incomplete frame
// that begins with head in front of it.
func (s *LineFaults) AddNoise(out []byte, head byte) []byte {
	if !s.HasNoise || len(out) == 0 {
		return out
	}
	return append([]byte{head, 0x00, 0xff, head}, out...)
}

// Servo is a motor whose target moves to a goal at a limited speed.
type Servo struct {
	Motor
	Goal  float64 // fraction of the stroke
	Speed float64 // of the target [strokes/s]
}

// UnlimitedSpeed as Servo.Speed makes the target reach its goal at once [strokes/s].
const UnlimitedSpeed = 1e6

// Step advances the servo by dt [s].
func (s *Servo) Step(dt float64) {
	s.Target = moveTowards(s.Target, s.Goal, s.Speed*dt)
	s.Motor.Step(dt)
}

// ServoBank is the servos of one controller, and the clock that steps them.
type ServoBank struct {
	Servos    []Servo
	remainder time.Duration // time that has passed since the last whole period
}

// NewServoBank returns one servo for each position in at, resting there.
func NewServoBank(at []float64) ServoBank {
	b := ServoBank{Servos: make([]Servo, len(at))}
	for i := range b.Servos {
		s := &b.Servos[i]
		s.Position, s.Goal = at[i], at[i]
		s.Restart(at[i])
	}
	return b
}

// Advance lets d pass in steps of Period, and calls before at the start of each.
func (b *ServoBank) Advance(d time.Duration, before func()) {
	for b.remainder += d; b.remainder >= Period; b.remainder -= Period {
		before()
		for i := range b.Servos {
			b.Servos[i].Step(Period.Seconds())
		}
	}
}

// MoveTo gives all servos the same goal and speed [strokes/s].
func (b *ServoBank) MoveTo(goal, speed float64) {
	for i := range b.Servos {
		b.Servos[i].Goal, b.Servos[i].Speed = goal, speed
	}
}

// SetPower switches the motors on or off. While they are off, their targets follow their
// positions, so that they do not jump when they are on again.
func (b *ServoBank) SetPower(on bool) {
	for i := range b.Servos {
		s := &b.Servos[i]
		s.Unpowered = !on
		if !on {
			s.Target, s.Goal, s.integral = s.Position, s.Position, 0
		}
	}
}

// Positions returns the positions of the actuators, fractions of the stroke.
func (b *ServoBank) Positions() []float64 {
	at := make([]float64, len(b.Servos))
	for i := range at {
		at[i] = b.Servos[i].Position
	}
	return at
}
