package simulated

import (
	"sync"
	"time"
)

// Firmware is what a protocol adds to a Board, which holds its mutex while it calls a function of it.
type Firmware struct {
	Restart func()                                // sets all to the state after a reset, but for the actuators' positions and what is stored
	Take    func(out []byte, b byte) []byte       // takes a byte from the host, and appends the answer that it completes
	Tick    func(out []byte, booting bool) []byte // lets a Period pass, with a Step of the servos, and appends what is sent by itself

	BootTime  time.Duration // time after a reset in which it does not listen
	NoiseHead byte          // first byte of the frames that it sends; 0 for no noise in answers
}

// Board is a simulated controller of any protocol: its servos and its line, which a test can disturb. Its methods may be
// called by any goroutine; those of the ServoBank, and the fields, while Mu is held.
type Board struct {
	ServoBank
	Mu            sync.Mutex
	BootRemaining time.Duration // time until it listens
	FrameCount    uint64        // complete frames received, of protocols that count them
	HasNoise      bool          // invalid bytes are mixed into what it sends
	firmware      Firmware
	remainder     time.Duration // time that has passed since the last whole period
	stalled       bool
}

// NewBoard returns a board that runs a firmware and has booted, with one servo for each position in at, resting there.
func NewBoard(at []float64, firmware Firmware) *Board {
	return &Board{ServoBank: NewServoBank(at), firmware: firmware}
}

// Handle takes bytes from the host and returns what the controller answers.
func (b *Board) Handle(in []byte) (out []byte) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.BootRemaining > 0 {
		return nil
	}
	for _, v := range in {
		out = b.firmware.Take(out, v)
	}
	return b.AddNoise(out)
}

// Advance lets d pass in steps of Period and returns what the controller sends by itself.
func (b *Board) Advance(d time.Duration) (out []byte) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	for b.remainder += d; b.remainder >= Period; b.remainder -= Period {
		booting := b.BootRemaining > 0
		b.BootRemaining = max(0, b.BootRemaining-Period)
		out = b.firmware.Tick(out, booting)
	}
	return out
}

// Reset restarts the controller, as opening its port or a brown-out does.
func (b *Board) Reset() {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.Reboot()
}

// Reboot is Reset for the firmware.
func (b *Board) Reboot() {
	b.firmware.Restart()
	b.BootRemaining = b.firmware.BootTime
}

// Positions returns the positions of the actuators, fractions of the stroke.
func (b *Board) Positions() []float64 {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	return b.ServoBank.Positions()
}

// Place moves an actuator to a fraction of its stroke and stops it there, like an external force.
func (b *Board) Place(actuator int, position float64) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.Servos[actuator].Position, b.Servos[actuator].Velocity = position, 0
}

// Frames returns how many complete frames were received.
func (b *Board) Frames() uint64 {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	return b.FrameCount
}

// SetStalled makes the controller stop reading its line (true) or continue (false).
func (b *Board) SetStalled(on bool) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.stalled = on
}

// Stalled reports whether the controller has stopped reading its line.
func (b *Board) Stalled() bool {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	return b.stalled
}

// SetNoise switches invalid bytes in the controller's answers on or off.
func (b *Board) SetNoise(on bool) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.HasNoise = on
}

// AddNoise returns an answer as it arrives at the host: on a noisy line, with an incomplete frame in front of it. Handle
// calls it; what is sent without a query has no noise unless the firmware calls it.
func (b *Board) AddNoise(out []byte) []byte {
	head := b.firmware.NoiseHead
	if !b.HasNoise || head == 0 || len(out) == 0 {
		return out
	}
	return append([]byte{head, 0x00, 0xff, head}, out...)
}
