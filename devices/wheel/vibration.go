package wheel

import (
	"errors"
	"math"
	"time"

	"rig.example/rig/internal/kit/evdev"
)

const (
	vibrationShare     = 0.25                   // largest share of the torque that is reserved for the vibration
	vibrationInterval  = 50 * time.Millisecond  // shortest time between two updates
	vibrationDeadMan   = 60 * time.Millisecond  // the sine ends by itself when the next update is late by this time
	minVibrationPeriod = 10 * time.Millisecond  // 100 Hz
	maxVibrationPeriod = 200 * time.Millisecond // 5 Hz
	vibrationUpload    = 2                      // number of reports of an update: the effect and its wave
	vibrationRestart   = 1                      // number of reports of a start or stop
)

// vibrationRequest is the vibration that the loop asks the writer for.
type vibrationRequest struct {
	peak      float64 // [N·m]
	frequency float64 // [Hz]
}

// vibration decides what the wheel's own sine does. It is pure: the time is an argument.
//
// Some devices restart the wave at every play, others do not. The sine is therefore started and changed
// only after whole periods, at which both kinds pass through 0.
type vibration struct {
	full    float64 // torque of a full level [N·m]
	maxPeak float64 // highest peak [N·m]; 0: no sine

	peak       int16         // peak level in the device
	period     time.Duration // of the sine
	length     time.Duration // after it the device ends the sine
	playing    bool
	nextChange time.Duration // earliest time of the next start or change
}

// waveOrder is what to do with the sine now.
type waveOrder struct{ upload, play, stop bool }

// decide takes the newest request, its peak [N·m] and its frequency [Hz], and returns what to do.
func (v *vibration) decide(now time.Duration, nm, hz float64) (o waveOrder) {
	peak := v.level(nm)
	if peak == 0 || !(hz > 0) {
		o.stop, v.playing = v.playing, false
		return o
	}
	if now < v.nextChange {
		return o
	}
	period := periodOf(hz)
	wait := (vibrationInterval + period - 1) / period * period
	o.play = true
	o.upload = peak != v.peak || period != v.period
	v.peak, v.period, v.length = peak, period, wait+vibrationDeadMan
	v.playing, v.nextChange = true, now+wait
	return o
}

// current returns the peak that the device plays now [N·m].
func (v *vibration) current() float64 {
	if !v.playing {
		return 0
	}
	return float64(v.peak) / fullLevel * v.full
}

// level returns the level of a peak, which it limits to maxPeak [N·m].
func (v *vibration) level(nm float64) int16 {
	if !(nm > 0 && v.maxPeak > 0 && v.full > 0) { // also false for NaN
		return 0
	}
	return int16(min(min(nm, v.maxPeak)/v.full, 1) * fullLevel)
}

// periodOf returns the period of a frequency, rounded to whole milliseconds, the kernel's unit.
func periodOf(hz float64) time.Duration {
	ms := time.Duration(math.Round(min(1e3/hz, 1e3))) * time.Millisecond
	return min(max(ms, minVibrationPeriod), maxVibrationPeriod)
}

// addVibration uploads a sine with a peak of 0, if the user has configured a vibration and the device
// offers it. It returns the share of the torque to reserve for the sine.
func (s *session) addVibration(share float64) float64 {
	if share <= 0 {
		return 0
	}
	if reason := s.vibrationRefusal(); reason != "" {
		s.limits.notes = append(s.limits.notes, "no vibration: "+reason+"; set wheel.vibration = 0")
		return 0
	}
	s.sine = evdev.NewSine()
	if err := s.node.Upload(&s.sine); err != nil {
		s.limits.notes = append(s.limits.notes, "no vibration: "+err.Error())
		return 0
	}
	return min(share, 1) * vibrationShare
}

// sineRefusal returns why a wheel cannot have a vibration, "" if it can.
func sineRefusal(info evdev.Info) string {
	if !info.HasSine() {
		return "its driver offers no sine"
	}
	return ""
}

// vibrationRefusal returns why this wheel cannot have a vibration, "" if it can.
func (s *session) vibrationRefusal() string {
	if s.reportPeriod > maxReportTime {
		return s.tooSlowReason()
	}
	return sineRefusal(s.info)
}

// vibrate starts, changes or stops the wheel's own sine and returns how many reports that takes. The peak
// is at most maxPeak [N·m], and 0 while the driver is slow with forces.
func (s *session) vibrate(now time.Duration, maxPeak float64) (reports int, err error) {
	var request vibrationRequest
	s.requestedVibration.Get(&request)
	peak := min(request.peak, maxPeak)
	if s.vibration.current() > maxPeak || s.uploads.medianTime.Load() >= slowUpload.Seconds() {
		peak = 0
	}
	v := &s.vibration
	o := v.decide(now, peak, request.frequency)
	if o.stop {
		return vibrationRestart, s.node.Stop(&s.sine)
	}
	if o.upload {
		s.sine.Set(v.peak, v.period, v.length)
		if err := s.node.Upload(&s.sine); err != nil {
			return 0, s.giveUpVibration(err)
		}
		reports = vibrationUpload
	}
	if o.play {
		reports += vibrationRestart
		err = s.node.Play(&s.sine)
	}
	return reports, err
}

// giveUpVibration ends the vibration until the wheel is plugged in again, so that a driver that refuses
// a sine still gets forces. The next call of vibrate stops a sine that is still playing.
func (s *session) giveUpVibration(err error) error {
	if errors.Is(err, evdev.ErrDisconnected) {
		return err
	}
	s.vibration.full = 0
	s.log.Warn("wheel: the vibration stopped; set wheel.vibration = 0", "error", err)
	return nil
}

// DeviceEffects returns the keys of [wheel] for the effects that a device computes by itself.
func DeviceEffects(info evdev.Info) (keys []string) {
	m, _ := LookupModel(info.Vendor, info.Product)
	for _, e := range conditions {
		if refusalReason(m, info, e.kind) == "" {
			keys = append(keys, e.name)
		}
	}
	if sineRefusal(info) == "" {
		keys = append(keys, "vibration")
	}
	return keys
}
