package evdev

import "time"

// The kernel's kind of effect for all waveforms, and the only waveform that the rig uses.
const (
	FFPeriodic uint16 = 0x51 // FF_PERIODIC
	FFSine     uint16 = 0x5a // FF_SINE
)

// Periodic is a sine that the device plays: struct ff_effect with its union laid out for FF_PERIODIC.
// The zero value is not ready; see NewSine.
type Periodic struct {
	effectHeader
	waveform  uint16
	period    uint16 // [ms]
	magnitude int16
	offset    int16
	phase     uint16
	_         [22]byte // the envelope, which is not used, and the samples of other waveforms
}

// NewSine returns a sine of magnitude 0. It begins at phase 0 whenever it is played.
func NewSine() Periodic {
	return Periodic{effectHeader: newHeader(FFPeriodic, 0), waveform: FFSine, period: 1}
}

// Set sets the sine for the next upload: its peak, 0..32767, its period, 1 ms..65 s, and its length, after
// which it ends by itself unless it is played again. With length 0 it has no end.
func (p *Periodic) Set(peak int16, period, length time.Duration) {
	p.magnitude = max(peak, 0)
	p.period = max(milliseconds(period), 1)
	p.length = milliseconds(length)
}

// HasSine reports whether the device can play a sine.
func (i Info) HasSine() bool { return i.HasEffect(FFPeriodic) && i.HasEffect(FFSine) }
