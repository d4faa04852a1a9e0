package wheel

import (
	"math"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// FullTorque returns the estimated torque of a device at full force before it is measured [N·m],
// rather too high than too low.
func FullTorque(cfg Config, info evdev.Info) float64 {
	if cfg.FullNm > 0 {
		return cfg.FullNm
	}
	if m, known := LookupModel(info.Vendor, info.Product); known {
		return m.FullNm
	}
	return unknownFullNm
}

// DriverGain returns the share of a force that the driver's own gain lets through, 0..1.
func DriverGain(info evdev.Info) float64 {
	share, _ := tuningOf(info.Driver).gainShare(settingsOf("/sys", info.Path))
	return share
}

// setLimits sets the limits of the device, by its measured motor or by the table. The driver's own
// gain reduces the table's torque.
func (s *session) setLimits(cfg Config) {
	share, gainNote := s.tuning.gainShare(s.settings)
	staleNote := dropStaleMotor(&s.profile, share)
	s.limits = limitsFor(cfg, s.info, s.driver, &s.profile)
	if s.limits.motor == nil { // the curve of a measured motor includes the gain
		s.limits.full *= share
		s.limits.rated = min(s.limits.rated, s.limits.full)
		s.limits.motor = calib.NewMotor(&s.profile, s.limits.full)
	}
	for _, text := range []string{gainNote, staleNote} {
		if text != "" {
			s.limits.notes = append(s.limits.notes, text)
		}
	}
}

// dropStaleMotor drops the measurement of a motor if it was made at another gain of the driver, and
// returns a note about it.
func dropStaleMotor(p *calib.WheelProfile, gain float64) (note string) {
	measured := p.Gain
	if measured == 0 {
		measured = 1
	}
	if len(p.Motor) == 0 && p.MinLevel == 0 || math.Abs(gain-measured) < 0.01 {
		return ""
	}
	p.Motor, p.MinLevel = nil, 0
	return "its motor was measured at another gain of its driver, so the table's torque is used; run `rig calibrate ffb`"
}

// setMeasured sets the limits by a measured motor. full_torque_nm of the configuration limits them
// further.
func (l *limits) setMeasured(cfg Config, p *calib.WheelProfile) {
	l.motor = calib.NewMotor(p, 0)
	l.full, l.rated = l.motor.MaxSlope(), l.motor.FullTorque()
	if cfg.FullNm > 0 {
		l.rated = min(l.rated, cfg.FullNm)
	}
}

// levelOf returns the level, -1..1 of full force, that gives a torque [N·m].
func (l *limits) levelOf(torque float64) float64 {
	if l.motor != nil {
		return l.motor.Level(torque)
	}
	return torque / l.full
}
