// Package simulated has what simulated motion controllers share.
//
// A Controller takes the bytes of a host and answers as the real one does: a Board that runs the Firmware of a protocol
// and moves its actuators, a ServoBank, in steps of a Period. Serve runs one on a line in real time. Tests disturb and stall
// that line. Nothing here depends on a protocol: each has its firmware beside its codec. Apart from the demo, no
// running rig needs this package.
package simulated

import "time"

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

// ServoBank is the servos of one controller.
type ServoBank struct{ Servos []Servo }

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

// Step lets a Period pass.
func (b *ServoBank) Step() {
	for i := range b.Servos {
		b.Servos[i].Step(Period.Seconds())
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
