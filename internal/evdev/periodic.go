package evdev

import "time"

// The waveforms' kind of effect, and the one that every device knows which has any.
const (
	Waves uint16 = 0x51 // FF_PERIODIC
	Sine  uint16 = 0x5a // FF_SINE
)

// Periodic is a sine that the device makes by itself: struct ff_effect with its union
// laid out for FF_PERIODIC. The zero value is not ready; see NewSine.
type Periodic struct {
	header
	waveform  uint16
	period    uint16 // [ms]
	magnitude int16
	offset    int16
	phase     uint16
	_         [22]byte // the envelope, which stays flat, and samples of other waves
}

// NewSine returns a sine of magnitude 0. It begins at its phase 0 whenever it is played.
func NewSine() Periodic {
	return Periodic{header: newHeader(Waves, 0), waveform: Sine, period: 1}
}

// Set sets the peak, 0..32767, the period, 1 ms..65 s, and after what time the sine ends by
// itself unless it is played again, for the next upload. A length of 0 is for ever.
func (p *Periodic) Set(peak int16, period, length time.Duration) {
	p.magnitude = max(peak, 0)
	p.period = max(millis(period), 1)
	p.length = millis(length)
}

// HasSine tells whether the device can make a sine.
func (i Info) HasSine() bool { return i.HasEffect(Waves) && i.HasEffect(Sine) }
