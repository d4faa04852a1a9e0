package rig

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/drivers"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/systemd"
)

// supervisor monitors the loop from outside: it logs for the loop, shows notices to the driver, and feeds
// the service's watchdog only while the loop publishes frames.
type supervisor struct {
	rig     *Rig
	devices *deviceSet
	log     *slog.Logger
	status  func(Now)        // see Options
	driver  *drivers.Session // nil for nobody in particular

	lastSeq           uint64 // number of frames at the last check
	notice            string // message that is shown to the driver
	cause             string // why the rig came into its state
	checks            uint64 // calls of check so far
	ready             bool   // the service manager was told that the rig is ready
	wheelPresent      bool   // at the last check
	standstillChecks  int    // consecutive checks in which the car did not move
	waitText          string // the wait cause that was logged
	releaseLogged     bool   // it was logged that the drive ends by a signal
	gaveUpLogged      bool   // it was logged that the drive gave up
	torqueLimitLogged bool   // the torque limit was logged

	managerFailed bool // it was logged that the service manager cannot be notified
}

const supervisePeriod = 50 * time.Millisecond

func (s *supervisor) run(ctx context.Context) {
	tick := time.NewTicker(supervisePeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			s.logTransitions(ctx)
			s.showStatus()
			return
		case <-tick.C:
			s.check(ctx)
		}
	}
}

// logRelease logs once that the end of the drive was ordered by a signal.
func (s *supervisor) logRelease() {
	if s.releaseLogged || s.rig.orders.ReleasedBy() != guard.BySignal {
		return
	}
	s.releaseLogged = true
	s.log.Info("releasing: " + s.releaseText())
	s.logManager(systemd.Stopping())
}

// releaseText returns what happens to torque and platform when the drive is ended now.
func (s *supervisor) releaseText() string {
	var f frame.Frame
	stopped := s.rig.page.Read(&f) && f.State == uint64(guard.Stopped)
	if s.rig.platform == nil {
		return s.devices.releaseText(stopped, nil)
	}
	at := s.rig.platform.Status()
	return s.devices.releaseText(stopped, &at)
}

func (s *supervisor) check(ctx context.Context) {
	s.logRelease()
	s.logTransitions(ctx)
	s.logGap()
	s.logConfirmation()
	page := s.rig.page
	beat := page.Seq()
	if beat != s.lastSeq {
		if !s.ready {
			s.ready = true
			s.logManager(systemd.Ready())
		}
		s.logManager(systemd.Alive())
	}
	s.lastSeq = beat
	var f frame.Frame
	if !page.Read(&f) {
		return
	}
	s.collectGarbage(&f)
	s.logTorqueLimit(&f)
	s.logWait(&f)
	s.setNotice(cmp.Or(s.devices.notice(&f), s.seeRecords(&f)))
	if s.checks++; s.checks%2 == 0 {
		s.showStatus()
	}
}

// collectGarbage collects garbage when the wheel is lost, because no torque can be late then; a platform's target may be, by
// some 12 ms. Each time it is plugged in again leaves 200 kB, and a drive may have no other moment for it.
func (s *supervisor) collectGarbage(f *frame.Frame) {
	present := f.Flags&frame.WheelPresent != 0
	if s.wheelPresent && !present {
		rt.CollectGarbage()
	}
	s.wheelPresent = present
}

// Now is what the supervisor knows of a drive, for a view of its state.
type Now struct {
	Frame  frame.Frame // the newest
	Ticks  uint64      // of the loop so far
	Cause  string      // why the rig came into its state, "" before the first change
	Notice string      // what the driver must know or do, "" for nothing

	LapLimit  int     // laps to drive; 0 is no limit
	LapLength float64 // of a lap [m]
}

// showStatus shows the state of the drive.
func (s *supervisor) showStatus() {
	if s.status == nil {
		return
	}
	now := Now{Ticks: s.rig.page.Seq(), Cause: s.cause, Notice: s.notice, LapLimit: s.rig.drive.Setup.LapLimit, LapLength: s.rig.drive.Setup.Circuit.Length()}
	if s.rig.page.Read(&now.Frame) {
		s.status(now)
	}
}

// seeRecords lets the driver's records see a frame, logs a new one, and returns what to show of it.
func (s *supervisor) seeRecords(f *frame.Frame) string {
	if s.driver == nil {
		return ""
	}
	notice, isNew := s.driver.See(f)
	if isNew {
		s.log.Info(notice)
	}
	return notice
}

// logTorqueLimit logs once that the torque is limited until the operator consents.
func (s *supervisor) logTorqueLimit(f *frame.Frame) {
	if s.torqueLimitLogged || f.Flags&frame.TorqueLimited == 0 {
		return
	}
	s.torqueLimitLogged = true
	s.log.Warn("torque " + guard.TorqueLimitText)
}

// logManager logs once that the service manager cannot be notified.
func (s *supervisor) logManager(err error) {
	if err != nil && !s.managerFailed {
		s.managerFailed = true
		s.log.Warn("service manager", "error", err)
	}
}

// setNotice shows a notice to the driver when it changes. The devices log it themselves.
func (s *supervisor) setNotice(notice string) {
	if notice == s.notice {
		return
	}
	s.notice = notice
	s.rig.page.SetNotice(notice)
}

func (s *supervisor) logTransitions(ctx context.Context) {
	for {
		t, ok := s.rig.transitions.take()
		if !ok {
			return
		}
		s.cause = s.rig.causeText(t)
		level := slog.LevelInfo
		if t.To == guard.Fault || t.To == guard.Stopped {
			level = slog.LevelError
		}
		s.log.Log(ctx, level, "rig "+t.To.String(), "from", t.From.String(), "state", t.To.String(), "cause", s.cause)
		s.logManager(systemd.Status(t.To.String()))
		if t.To == guard.Parked || t.To == guard.Ready && t.From != guard.Homing { // no torque now or soon
			rt.CollectGarbage()
		}
		switch {
		case t.To == guard.Ready && s.rig.orders.IsReleased():
			s.devices.park(ctx)
		case t.Cause == guard.Cleared:
			s.devices.clear()
		}
	}
}

// rimStuckText says that a real rim does not follow the driver model, and what to do.
const rimStuckText = "the rim does not follow the driver model; let go of it, and look for what blocks it"

// causeText says why the state changed, where NaN or Inf was found, and that the rim is stuck.
func (r *Rig) causeText(c drive.Change) string {
	text := causeText(c)
	if c.Cause == guard.BadState {
		text += ": " + drive.UnpackBadValue(r.badValue.Load()).String()
	}
	if c.Cause == guard.DeviceFault && r.rimStuck.Load() {
		text += ": " + rimStuckText
	}
	return text
}

// causeText says why the state changed, which emergency stop it was, and whose order.
func causeText(c drive.Change) string {
	stop := estop.Cause(c.StopCause)
	switch {
	case c.Cause == guard.EmergencyStop && stop == estop.None, c.Cause == guard.PauseRequested:
		return c.Cause.String() + " by " + c.OrderedBy.String()
	case c.Cause == guard.EmergencyStop, c.Cause == guard.DeviceFault && stop != estop.None:
		return c.Cause.String() + ": " + stop.String()
	}
	return c.Cause.String()
}

// logGap logs how long the rig stood still.
func (s *supervisor) logGap() {
	stopped := time.Duration(s.rig.gap.LastGap.Swap(0))
	if stopped == 0 {
		return
	}
	slept := time.Duration(s.rig.gap.LastSuspended.Load())
	consequence := "torque and motion fade in from 0"
	switch {
	case s.rig.demo:
		consequence = "the demo continues"
	case slept > 0 || stopped.Seconds() > guard.DriveEndingGap:
		consequence = "the drive ends until the operator confirms"
	case !s.moves():
		consequence = "no drive is running"
	}
	s.log.Warn("the rig stood still; "+consequence, "stopped_s", stopped.Round(time.Millisecond).Seconds(),
		"suspended_s", slept.Round(time.Millisecond).Seconds())
}

// moves reports whether torque and motion may flow in the newest frame.
func (s *supervisor) moves() bool {
	var f frame.Frame
	return s.rig.page.Read(&f) && guard.State(f.State).Moves()
}
