package motion

import (
	"sync"
	"time"
)

// Simulator is a simulated motion controller. Handle and Advance are
// deterministic; Serve runs them on a line in real time. All methods may be
// called at any time.
type Simulator interface {
	Handle(in []byte) []byte        // takes bytes from the host and returns what the controller answers
	Advance(d time.Duration) []byte // lets d pass and returns what the controller says of its own accord
	Reset()                         // restarts it, as opening its port or a brown-out does
	SetStalled(on bool)             // it stops reading its line, or goes on
	Stalled() bool
	SetNoise(on bool)     // foreign bytes are mixed into what it says
	Positions() []float64 // where the actuators stand, shares of the stroke
}

// switches are what a test can do to the line of any simulated controller.
type switches struct {
	mu      sync.Mutex
	stalled bool
	noise   bool
}

// SetStalled makes the controller stop reading its line, or go on.
func (s *switches) SetStalled(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stalled = on
}

// Stalled reports that the controller does not read its line.
func (s *switches) Stalled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stalled
}

// SetNoise makes the controller mix foreign bytes into its answers.
func (s *switches) SetNoise(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noise = on
}

// spoiled returns what the line makes of an answer: noise puts half a frame in
// front of it.
func (s *switches) spoiled(out []byte, head byte) []byte {
	if !s.noise || len(out) == 0 {
		return out
	}
	return append([]byte{head, 0x00, 0xff, head}, out...)
}

// servo is a motor whose target runs to a goal no faster than it may.
type servo struct {
	motor
	goal  float64 // share of the stroke
	speed float64 // of the target [strokes/s]
}

// anySpeed is more than any motor reaches: the target is at its goal at once [strokes/s].
const anySpeed = 1e6

// step advances the servo by dt [s].
func (s *servo) step(dt float64) {
	s.target = towards(s.target, s.goal, s.speed*dt)
	s.motor.step(dt)
}

// bank is the servos of one controller and the clock they run by.
type bank struct {
	servo []servo
	rest  time.Duration // of the time to advance, less than a period
}

// newBank returns as many servos as there are places in at, standing there.
func newBank(at []float64) bank {
	b := bank{servo: make([]servo, len(at))}
	for i := range b.servo {
		s := &b.servo[i]
		s.position, s.goal = at[i], at[i]
		s.restart(at[i])
	}
	return b
}

// advance lets d pass in steps of pidPeriod and calls before each of them.
func (b *bank) advance(d time.Duration, before func()) {
	for b.rest += d; b.rest >= pidPeriod; b.rest -= pidPeriod {
		before()
		for i := range b.servo {
			b.servo[i].step(pidPeriod.Seconds())
		}
	}
}

// send gives every servo the same goal and speed.
func (b *bank) send(goal, speed float64) {
	for i := range b.servo {
		b.servo[i].goal, b.servo[i].speed = goal, speed
	}
}

// power switches the motors on or off. Off, their targets stay where they are:
// on again, they do not jump.
func (b *bank) power(on bool) {
	for i := range b.servo {
		s := &b.servo[i]
		s.unpowered = !on
		if !on {
			s.target, s.goal, s.sum = s.position, s.position, 0
		}
	}
}

func (b *bank) positions() []float64 {
	at := make([]float64, len(b.servo))
	for i := range at {
		at[i] = b.servo[i].position
	}
	return at
}
