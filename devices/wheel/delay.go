package wheel

import (
	"time"

	"rig.example/rig/internal/evdev"
)

// Delay estimates the time from a push to the rim's torque and back to its angle [s];
// 0 while the wheel is absent. The loop may ask.
func (w *Wheel) Delay() float64 {
	s := w.current.Load()
	if s == nil {
		return 0
	}
	return s.delay()
}

// delay is the longest that driver and endpoint take, and what the wheel itself does [s].
func (s *session) delay() float64 {
	return (s.upload.period(s.drv.period) + s.report + s.lag).Seconds()
}

// Delay is the time from a push to the angle that it made [s].
func (s *Sim) Delay() float64 { return simStep }

// lagOf is the time that a wheel's own electronics, its motor and its sensor take, from a
// report with a force to one with the angle that it made.
//
// No maker tells it and nobody was found who measured it alone. All are estimated: that
// gears and belts with slow loops inside take longer than direct drives.
func lagOf(cfg Config, info evdev.Info) time.Duration {
	const gears, belts, direct = 12 * time.Millisecond, 8 * time.Millisecond, 3 * time.Millisecond
	m, known := Known(info.Vendor, info.Product)
	switch {
	case cfg.DelayMs > 0:
		return time.Duration(cfg.DelayMs * float64(time.Millisecond))
	case !known || m.Quirks.Has(Geared) || m.Family == LG4FF:
		return gears
	case m.Family == TMFF2 || m.Family == T150 || m.Quirks.Has(EightBit):
		return belts
	}
	return direct
}
