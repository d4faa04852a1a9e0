package wheel

import (
	"strings"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/humanmotion"
)

// rimLimits are the limits of a rim's movement [rad]. Hands turn a rim at less than 25 rad/s, and a
// strong motor turns a free rim, with 20 N·m on 0.06 kg·m², at 45 rad/s after half a turn. A turning
// wheel reports at least every 20 ms, so a change of 1 rad between two reports means more than 50 rad/s.
var rimLimits = humanmotion.Limits{MaxRate: 50, MaxJump: 1, JumpHold: 0.2, MaxJumps: 2, JumpDecay: 0.2}

// stuckRim detects a rim that does not move although its torque changes. A rim that hands hold moves; see
// humanmotion.StuckDetector.
var stuckRim = humanmotion.StuckDetector{MinTorqueChange: 1.5, Duration: 1}

// Faults of a steering sensor, one bit each.
const (
	flagJumped uint32 = 1 << iota
	flagFault
	flagStuck
)

var flagTexts = [...]string{
	"the steering angle jumped farther than a rim can turn between two reports and was held; check the cable and the sensor",
	"the steering sensor is faulty; check it, turn the wheel, and make sure that the angle follows",
	"the rim stands still although its torque changes: release it; if that does not help, its sensor or motor has failed",
}

// sensorCheck checks the reports of a steering sensor. All but flags and loggedFlags belongs to the
// loop.
type sensorCheck struct {
	axis      humanmotion.Axis
	stuck     humanmotion.StuckDetector
	nextEvent uint64        // position of the next event to read
	polledAt  time.Duration // time of the last Wheel.Poll
	started   bool
	reported  bool // the axis has reported since the last noteTorque
	flags     atomic.Uint32

	loggedFlags uint32 // flags that were logged; belongs to the writer
}

// steeringAngle returns the steering angle of the device [rad], positive left, with its speed limited to
// that of a rim. now must never decrease.
func (s *session) steeringAngle(now time.Duration) float64 {
	j := &s.sensor
	if !j.started {
		j.started, j.axis.Limits, j.stuck, j.nextEvent = true, rimLimits, stuckRim, s.input.EventEnd()
		j.polledAt = now
		if s.input.Reported() {
			j.axis.AddReport(s.angle())
		}
	}
	dt, gap := humanmotion.TimeStep(j.polledAt, now)
	j.polledAt = now
	if gap {
		j.nextEvent = s.input.EventEnd() // the angle includes all events so far
		s.resync(j)
	}
	s.readReports(j)
	return j.axis.Step(s.angle(), dt)
}

// readReports checks the reports since the last Poll.
func (s *session) readReports(j *sensorCheck) {
	for {
		ev, lost := s.input.NextEvent(&j.nextEvent)
		switch {
		case lost:
			s.resync(j)
		case ev == nil:
			return
		case ev.Type == evdev.EvAbs && ev.Code == s.axis:
			j.axis.AddReport(s.profile.Angle(ev.Value))
			j.reported = true
		}
	}
}

// resync accepts the present angle without a check against earlier reports.
func (s *session) resync(j *sensorCheck) {
	j.axis.Resync()
	j.axis.AddReport(s.angle())
	j.reported = true
}

// noteTorque takes the torque at the rim during one millisecond [N·m], and updates the flags.
func (j *sensorCheck) noteTorque(torque float64) {
	if !j.started {
		return
	}
	stuck := j.stuck.Step(torque, j.reported, pollPeriod)
	j.reported = false
	j.flags.Store(humanmotion.FlagIf(j.axis.Jumped(), flagJumped) | humanmotion.FlagIf(j.axis.Fault(), flagFault) | humanmotion.FlagIf(stuck, flagStuck))
}

// pollPeriod is the time between two torques of the loop [s].
const pollPeriod = 1e-3

// text returns the most serious fault now, "" if there is none.
func (j *sensorCheck) text() string {
	flags := j.flags.Load()
	for _, i := range [...]int{1, 0, 2} {
		if flags>>i&1 == 1 {
			return flagTexts[i]
		}
	}
	return ""
}

// logSensorFlags logs new faults of the steering sensor.
func (s *session) logSensorFlags() {
	j := &s.sensor
	flags := j.flags.Load()
	if flags == j.loggedFlags {
		return
	}
	var texts []string
	for i, t := range flagTexts {
		if (flags&^j.loggedFlags)>>i&1 == 1 {
			texts = append(texts, t)
		}
	}
	j.loggedFlags = flags
	if texts != nil {
		s.log.Warn("wheel: " + strings.Join(texts, "; "))
	}
}
