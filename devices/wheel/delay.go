package wheel

import (
	"time"

	"rig.example/rig/internal/kit/evdev"
)

// Delay returns an estimate of the time from a Push to the report of the angle that its torque causes
// [s]; 0 while the wheel is absent. It may be called from the loop.
func (w *Wheel) Delay() float64 {
	s := w.current.Load()
	if s == nil {
		return 0
	}
	return s.delay()
}

// delay returns the longest time that driver and USB endpoint take, plus the delay of the wheel itself [s].
func (s *session) delay() float64 {
	return (s.uploads.period(s.driver.updatePeriod) + s.reportPeriod + s.deviceDelay).Seconds()
}

// Delay returns the time from a Push to the angle that its torque causes [s].
func (s *Sim) Delay() float64 { return simStep }

// deviceDelay returns the time that a wheel's electronics, motor and sensor take, from a report with a
// force to the report with the angle that this force causes.
//
// No maker states it, and no separate measurement of it was found. All values are estimates: wheels with
// gears or belts and slow internal loops take longer than direct drives.
func deviceDelay(cfg Config, info evdev.Info) time.Duration {
	const gears, belts, direct = 12 * time.Millisecond, 8 * time.Millisecond, 3 * time.Millisecond
	m, known := LookupModel(info.Vendor, info.Product)
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
