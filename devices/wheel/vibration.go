package wheel

import (
	"errors"
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/evdev"
)

const (
	vibrationShare   = 0.25                   // of the torque, kept for the wheel's own vibration at most
	vibrationRest    = 50 * time.Millisecond  // least time between two updates
	vibrationHold    = 60 * time.Millisecond  // dead-man, from when the next update is due
	vibrationQuick   = 10 * time.Millisecond  // shortest period
	vibrationSlow    = 200 * time.Millisecond // longest
	vibrationUpload  = 2                      // reports of an update: the effect and its wave
	vibrationRestart = 1                      // and of a start
)

// tremor holds the newest vibration. The loop writes, the writer reads; neither waits.
type tremor struct{ bits atomic.Uint64 } // of two float32: torque [N·m] above, frequency [Hz]

func (t *tremor) put(nm, hz float64) {
	t.bits.Store(uint64(math.Float32bits(float32(nm)))<<32 | uint64(math.Float32bits(float32(hz))))
}

func (t *tremor) get() (nm, hz float64) {
	b := t.bits.Load()
	return float64(math.Float32frombits(uint32(b >> 32))), float64(math.Float32frombits(uint32(b)))
}

// vibration decides what the wheel's own sine does. It is pure: times come in.
//
// Some devices begin a wave anew with every start, others do not. So it is started, and
// changed, only after whole periods, where both pass through 0.
type vibration struct {
	full float64 // torque of a full level [N·m]
	most float64 // highest peak [N·m]; 0: there is no sine

	peak    int16 // in the device
	period  time.Duration
	length  time.Duration
	playing bool
	due     time.Duration
}

// waveOrder is what is done to the sine now.
type waveOrder struct{ upload, play, stop bool }

// decide takes the newest wish: peak [N·m] and frequency [Hz].
func (v *vibration) decide(now time.Duration, nm, hz float64) (o waveOrder) {
	peak := v.level(nm)
	if peak == 0 || !(hz > 0) {
		o.stop, v.playing = v.playing, false
		return o
	}
	if now < v.due {
		return o
	}
	period := periodOf(hz)
	wait := (vibrationRest + period - 1) / period * period
	o.play = true
	o.upload = peak != v.peak || period != v.period
	v.peak, v.period, v.length = peak, period, wait+vibrationHold
	v.playing, v.due = true, now+wait
	return o
}

// now is the peak that the device plays [N·m].
func (v *vibration) now() float64 {
	if !v.playing {
		return 0
	}
	return float64(v.peak) / fullLevel * v.full
}

// level is a peak in the device's steps, never more than it may be.
func (v *vibration) level(nm float64) int16 {
	if !(nm > 0 && v.most > 0 && v.full > 0) { // also what is no number
		return 0
	}
	return int16(min(min(nm, v.most)/v.full, 1) * fullLevel)
}

// periodOf is a frequency's period, in whole ms as the kernel takes it.
func periodOf(hz float64) time.Duration {
	ms := time.Duration(math.Round(min(1e3/hz, 1e3))) * time.Millisecond
	return min(max(ms, vibrationQuick), vibrationSlow)
}

// addVibration uploads a sine of 0 if the user asks for one and the device offers it. It
// returns the share of the torque that the sine asks for.
func (s *session) addVibration(share float64) float64 {
	if share <= 0 {
		return 0
	}
	if why := s.noVibration(); why != "" {
		s.lim.notes = append(s.lim.notes, "no vibration: "+why+"; set wheel.vibration = 0")
		return 0
	}
	s.sine = evdev.NewSine()
	if err := s.node.Upload(&s.sine); err != nil {
		s.lim.notes = append(s.lim.notes, "no vibration: "+err.Error())
		return 0
	}
	return min(share, 1) * vibrationShare
}

// noVibration says why a wheel cannot have one, or nothing.
func noVibration(info evdev.Info) string {
	if !info.HasSine() {
		return "its driver offers no sine"
	}
	return ""
}

// noVibration says why this one cannot have one, or nothing.
func (s *session) noVibration() string {
	if s.report > ownReport {
		return s.tooSlow()
	}
	return noVibration(s.info)
}

// vibrate starts, changes or stops the wheel's own sine, whose peak may be so much [N·m], and
// returns how many reports that takes. A driver that is slow with its forces is spared.
func (s *session) vibrate(now time.Duration, most float64) (reports int, err error) {
	nm, hz := s.tremor.get()
	nm = min(nm, most)
	if s.vibration.now() > most || math.Float64frombits(s.upload.typical.Load()) >= slowUpload.Seconds() {
		nm = 0
	}
	v := &s.vibration
	o := v.decide(now, nm, hz)
	if o.stop {
		return vibrationRestart, s.node.Stop(&s.sine)
	}
	if o.upload {
		s.sine.Set(v.peak, v.period, v.length)
		if err := s.node.Upload(&s.sine); err != nil {
			return 0, s.giveUp(err)
		}
		reports = vibrationUpload
	}
	if o.play {
		reports += vibrationRestart
		err = s.node.Play(&s.sine)
	}
	return reports, err
}

// giveUp does without the sine for as long as the wheel is there: a driver that refuses a
// wave must not cost the force. What still plays is stopped next.
func (s *session) giveUp(err error) error {
	if errors.Is(err, evdev.ErrGone) {
		return err
	}
	s.vibration.full = 0
	s.log.Warn("wheel", "note", "no vibration any more: "+err.Error()+"; set wheel.vibration = 0")
	return nil
}

// Offers names the keys of [wheel] for effects that a device makes by itself.
func Offers(info evdev.Info) (keys []string) {
	m, _ := Known(info.Vendor, info.Product)
	for _, e := range conditions {
		if refusal(m, info, e.kind) == "" {
			keys = append(keys, e.name)
		}
	}
	if noVibration(info) == "" {
		keys = append(keys, "vibration")
	}
	return keys
}
