// Package simulated is what simulated motion controllers share.
//
// A Controller takes the bytes of a host and answers as the real one does; how its
// actuators move, a Bank of Servos tells in steps of a Period. Serve runs one on a line in
// real time. Tests spoil and stall that line by Switches. Nothing here knows a protocol:
// each has its simulated controller beside its codec. No running rig needs this package
// but for the demo.
package simulated

import (
	"sync"
	"time"
)

// Period is the step in which simulated controllers and their motors run.
const Period = 250 * time.Microsecond

// Controller is a simulated motion controller. Handle and Advance are
// deterministic; Serve runs them on a line in real time. All methods may be
// called at any time.
type Controller interface {
	Handle(in []byte) []byte        // takes bytes from the host and returns what the controller answers
	Advance(d time.Duration) []byte // lets d pass and returns what the controller says of its own accord
	Reset()                         // restarts it, as opening its port or a brown-out does
	SetStalled(on bool)             // it stops reading its line, or goes on
	Stalled() bool
	SetNoise(on bool)     // foreign bytes are mixed into what it says
	Positions() []float64 // where the actuators stand, shares of the stroke
}

// Switches are what a test can do to the line of any simulated controller, and the lock
// that guards the controller that embeds them.
type Switches struct {
	Mu      sync.Mutex // held while the controller works
	stalled bool
	Noisy   bool // as SetNoise says; Mu guards it
}

// SetStalled makes the controller stop reading its line, or go on.
func (s *Switches) SetStalled(on bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.stalled = on
}

// Stalled reports that the controller does not read its line.
func (s *Switches) Stalled() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.stalled
}

// SetNoise makes the controller mix foreign bytes into its answers.
func (s *Switches) SetNoise(on bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Noisy = on
}

// Spoil returns what the line makes of an answer: noise puts half a frame in
// front of it.
func (s *Switches) Spoil(out []byte, head byte) []byte {
	if !s.Noisy || len(out) == 0 {
		return out
	}
	return append([]byte{head, 0x00, 0xff, head}, out...)
}

// Servo is a motor whose target runs to a goal no faster than it may.
type Servo struct {
	Motor
	Goal  float64 // share of the stroke
	Speed float64 // of the target [strokes/s]
}

// AnySpeed is more than any motor reaches: the target is at its goal at once [strokes/s].
const AnySpeed = 1e6

// Step advances the servo by dt [s].
func (s *Servo) Step(dt float64) {
	s.Target = towards(s.Target, s.Goal, s.Speed*dt)
	s.Motor.Step(dt)
}

// Bank is the servos of one controller and the clock they run by.
type Bank struct {
	Servos []Servo
	rest   time.Duration // of the time to advance, less than a period
}

// NewBank returns as many servos as there are places in at, standing there.
func NewBank(at []float64) Bank {
	b := Bank{Servos: make([]Servo, len(at))}
	for i := range b.Servos {
		s := &b.Servos[i]
		s.Position, s.Goal = at[i], at[i]
		s.Restart(at[i])
	}
	return b
}

// Advance lets d pass in steps of Period and calls before each of them.
func (b *Bank) Advance(d time.Duration, before func()) {
	for b.rest += d; b.rest >= Period; b.rest -= Period {
		before()
		for i := range b.Servos {
			b.Servos[i].Step(Period.Seconds())
		}
	}
}

// Send gives every servo the same goal and speed.
func (b *Bank) Send(goal, speed float64) {
	for i := range b.Servos {
		b.Servos[i].Goal, b.Servos[i].Speed = goal, speed
	}
}

// Power switches the motors on or off. Off, their targets stay where they are:
// on again, they do not jump.
func (b *Bank) Power(on bool) {
	for i := range b.Servos {
		s := &b.Servos[i]
		s.Unpowered = !on
		if !on {
			s.Target, s.Goal, s.sum = s.Position, s.Position, 0
		}
	}
}

// Positions returns where the actuators stand, as shares of the stroke.
func (b *Bank) Positions() []float64 {
	at := make([]float64, len(b.Servos))
	for i := range at {
		at[i] = b.Servos[i].Position
	}
	return at
}
