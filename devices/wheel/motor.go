package wheel

import (
	"math"

	"rig.example/rig/calib"
	"rig.example/rig/internal/evdev"
)

// FullNm is what a device is thought to give at full force before it was measured [N·m]:
// rather too much than too little.
func FullNm(cfg Config, info evdev.Info) float64 {
	if cfg.FullNm > 0 {
		return cfg.FullNm
	}
	if m, known := Known(info.Vendor, info.Product); known {
		return m.FullNm
	}
	return unknownFullNm
}

// DriverGain is how much of a force the driver's own gain lets through, 0..1.
func DriverGain(info evdev.Info) float64 {
	share, _ := tuningOf(info.Driver).gainShare(attrsOf("/sys", info.Path))
	return share
}

// limit settles how hard the device may push, by what was measured of its motor or by the
// table, of which the driver's own gain swallows a part.
func (s *session) limit(cfg Config) {
	share, note := s.tuning.gainShare(s.attrs)
	stale := forgetMotor(&s.profile, share)
	s.lim = limitsFor(cfg, s.info, s.drv, &s.profile)
	if s.lim.motor == nil { // whose curve has the gain in it
		s.lim.full *= share
		s.lim.rated = min(s.lim.rated, s.lim.full)
		s.lim.motor = calib.NewMotor(&s.profile, s.lim.full)
	}
	for _, text := range []string{note, stale} {
		if text != "" {
			s.lim.notes = append(s.lim.notes, text)
		}
	}
}

// forgetMotor drops what was measured of a motor with another gain of its driver, and
// tells so.
func forgetMotor(p *calib.WheelProfile, gain float64) (note string) {
	measured := p.Gain
	if measured == 0 {
		measured = 1
	}
	if len(p.Motor) == 0 && p.MinLevel == 0 || math.Abs(gain-measured) < 0.01 {
		return ""
	}
	p.Motor, p.MinLevel = nil, 0
	return "its motor was measured with another gain of its driver, so that its table counts; run `rig calibrate ffb`"
}

// measured takes the limits of a motor from its curve; the configuration stays above it.
func (l *limits) measured(cfg Config, p *calib.WheelProfile) {
	l.motor = calib.NewMotor(p, 0)
	l.full, l.rated = l.motor.Steepest(), l.motor.Full()
	if cfg.FullNm > 0 {
		l.rated = min(l.rated, cfg.FullNm)
	}
}

// levelOf is the share of full force that gives a torque, of its sign.
func (l *limits) levelOf(torque float64) float64 {
	if l.motor != nil {
		return l.motor.Level(torque)
	}
	return torque / l.full
}
