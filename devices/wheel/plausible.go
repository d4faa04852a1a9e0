package wheel

import (
	"strings"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/plausible"
)

// rimLimits are what a rim can do. Hands turn it by less than 25 rad/s, and a strong motor
// that nobody holds, 20 N·m on 0.06 kg·m², reaches 45 rad/s after half a turn. A wheel reports
// each 20 ms at the least while it turns, so that 1 rad from one report to the next is more
// than that.
var rimLimits = plausible.Limits{Rate: 50, Jump: 1, Hold: 0.2, Jumps: 2, Forget: 0.2}

// A rim that is held gives way to a change of its torque: see plausible.Still.
var heldRim = plausible.Still{Span: 1.5, Time: 1}

// What is wrong with a steering sensor, one bit each.
const (
	rimJumped uint32 = 1 << iota
	rimFault
	rimStill
)

var rimTexts = [...]string{
	"the steering jumped by more than a rim can turn between two reports, and was held meanwhile; look at its cable and at its sensor",
	"the steering does what no rim can do; look at its sensor, turn the wheel, and see that it steers as it stands",
	"the rim stands still though its torque changes: let it move, or its sensor or its motor has failed",
}

// steering judges what a wheel says of its angle. All but odd belongs to the loop.
type steering struct {
	axis   plausible.Axis
	still  plausible.Still
	next   uint64        // event to be read
	polled time.Duration // time of the last Poll
	begun  bool
	moved  bool // since the last torque
	odd    atomic.Uint32

	told uint32 // what was logged; belongs to the writer
}

// steer returns the angle that counts [rad], positive left: that of the device, but no faster
// than a rim can turn. now only grows.
func (s *session) steer(now time.Duration) float64 {
	j := &s.steering
	if !j.begun {
		j.begun, j.axis.Limits, j.still, j.next = true, rimLimits, heldRim, s.input.Seen()
		j.polled = now
		if s.input.Reported() {
			j.axis.Report(s.angle())
		}
	}
	dt, gap := plausible.Since(j.polled, now)
	j.polled = now
	if gap {
		j.next = s.input.Seen() // what came meanwhile is in the angle
		s.resync(j)
	}
	s.hear(j)
	return j.axis.Step(s.angle(), dt)
}

// hear takes in the reports since the last Poll.
func (s *session) hear(j *steering) {
	for {
		ev, lost := s.input.Next(&j.next)
		switch {
		case lost:
			s.resync(j)
		case ev == nil:
			return
		case ev.Type == evdev.EvAbs && ev.Code == s.axis:
			j.axis.Report(s.profile.Angle(ev.Value))
			j.moved = true
		}
	}
}

// resync takes the angle as it is, wherever it was before.
func (s *session) resync(j *steering) {
	j.axis.Resync()
	j.axis.Report(s.angle())
	j.moved = true
}

// bear takes the torque that is on the rim for a millisecond [N·m], and keeps what is odd.
func (j *steering) bear(torque float64) {
	if !j.begun {
		return
	}
	still := j.still.Step(torque, j.moved, pollStep)
	j.moved = false
	j.odd.Store(plausible.Bit(j.axis.Jumped(), rimJumped) | plausible.Bit(j.axis.Fault(), rimFault) | plausible.Bit(still, rimStill))
}

// pollStep is the time between two torques of the loop [s].
const pollStep = 1e-3

// text is the gravest of what is odd now, "" if nothing is.
func (j *steering) text() string {
	odd := j.odd.Load()
	for _, i := range [...]int{1, 0, 2} {
		if odd>>i&1 == 1 {
			return rimTexts[i]
		}
	}
	return ""
}

// warn logs what is newly odd.
func (s *session) warn() {
	j := &s.steering
	odd := j.odd.Load()
	if odd == j.told {
		return
	}
	var texts []string
	for i, t := range rimTexts {
		if (odd&^j.told)>>i&1 == 1 {
			texts = append(texts, t)
		}
	}
	j.told = odd
	if texts != nil {
		s.log.Warn("wheel", "note", strings.Join(texts, "; "))
	}
}
