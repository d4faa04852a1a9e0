package rig

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/operator"
	"rig.example/rig/internal/rt"
	"rig.example/rig/internal/watch"
	"rig.example/rig/systemd"
)

// supervisor watches the loop from outside: it logs what the loop may not,
// tells the driver what is missing, and feeds the service's watchdog only while
// the loop's heartbeat moves.
type supervisor struct {
	rig      *Rig
	devices  *deviceSet
	log      *slog.Logger
	terminal *os.File
	orders   <-chan operator.Order

	beat   uint64
	notice string
	ready  bool
	still  int    // looks in which the car stood
	waits  string // what the log says the drive waits for
	gaveUp bool   // the log says that it waits no more
	warned bool   // of a torque that needs consent

	unmanaged bool
}

const supervisePeriod = 50 * time.Millisecond

func (s *supervisor) run(ctx context.Context) {
	tick := time.NewTicker(supervisePeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			s.logTransitions(ctx)
			s.clearLine()
			return
		case o := <-s.orders:
			s.obey(o)
		case <-tick.C:
			s.look(ctx)
		}
	}
}

func (s *supervisor) obey(o operator.Order) {
	switch o {
	case operator.Release:
		s.rig.orders.release.Store(true)
		s.log.Info("releasing: " + s.farewell() + "; once more to end at once")
		s.manager(systemd.Stopping())
	case operator.Stop:
		s.rig.orders.stop.Store(true)
	case operator.Clear:
		s.rig.orders.stop.Store(false)
		s.rig.orders.clear.Store(true)
	}
}

// farewell says what a release does now.
func (s *supervisor) farewell() string {
	var f frame.Frame
	stopped := s.rig.orders.stop.Load() || s.rig.page.Read(&f) && f.State == uint64(guard.Stopped)
	if s.rig.platform == nil {
		return s.devices.farewell(stopped, nil)
	}
	at := s.rig.platform.Status()
	return s.devices.farewell(stopped, &at)
}

func (s *supervisor) look(ctx context.Context) {
	s.logTransitions(ctx)
	s.logGap()
	s.logConfirmation()
	page := s.rig.page
	beat := page.Seq()
	if beat != s.beat {
		if !s.ready {
			s.ready = true
			s.manager(systemd.Ready())
		}
		s.manager(systemd.Alive())
	}
	s.beat = beat
	var f frame.Frame
	if !page.Read(&f) {
		return
	}
	s.warn(&f)
	s.tellWait(&f)
	s.tell(s.devices.notice(&f))
	if s.terminal != nil {
		fmt.Fprint(s.terminal, "\r\x1b[K"+watch.Fit(watch.StatusLine(&f)+" "+s.notice, s.terminal))
	}
}

// warn tells the log once that the torque is held back for want of consent.
func (s *supervisor) warn(f *frame.Frame) {
	if s.warned || f.Flags&frame.TorqueHeld == 0 {
		return
	}
	s.warned = true
	s.clearLine()
	s.log.Warn("torque " + watch.HeldTorque)
}

// manager says once that the service manager cannot be told how rig does.
func (s *supervisor) manager(err error) {
	if err != nil && !s.unmanaged {
		s.unmanaged = true
		s.log.Warn("service manager", "err", err)
	}
}

// tell shows a line to the driver when it changes; the log has it from the
// devices themselves.
func (s *supervisor) tell(notice string) {
	if notice == s.notice {
		return
	}
	s.notice = notice
	s.rig.page.SetNotice(notice)
}

func (s *supervisor) logTransitions(ctx context.Context) {
	for {
		t, why, ok := s.rig.log.take()
		if !ok {
			return
		}
		s.clearLine()
		level := slog.LevelInfo
		if t.To == guard.Fault || t.To == guard.Stopped {
			level = slog.LevelError
		}
		s.log.Log(ctx, level, "state", "from", t.From.String(), "to", t.To.String(), "cause", s.rig.causeText(t, why))
		s.manager(systemd.Status(t.To.String()))
		if t.To == guard.Parked || t.To == guard.Ready && t.From != guard.Homing { // nothing pushes, and nothing is about to
			rt.Tidy()
		}
		switch {
		case t.To == guard.Ready && s.rig.orders.release.Load():
			s.devices.park(ctx)
		case t.Cause == guard.Cleared:
			s.devices.clear()
			s.home(ctx)
		case t.Cause == guard.Start && s.rig.watchesBelt():
			s.home(ctx)
		}
	}
}

// home orders the platform to its centre, unless something keeps the drive from going on
// since the operator's word that this is for, such as a belt that opened: the next word
// will order it.
func (s *supervisor) home(ctx context.Context) {
	if s.rig.waits.Load() == uint32(guard.None) {
		s.devices.home(ctx)
	}
}

// causeText names why the state changed; of a car that met NaN or Inf also where.
func (r *Rig) causeText(t guard.Transition, why estop.Cause) string {
	text := causeText(t, why)
	if t.Cause == guard.BadState {
		text += ": " + drive.Unpack(r.flaw.Load()).String()
	}
	return text
}

// causeText names why the state changed; of an emergency stop also which.
func causeText(t guard.Transition, why estop.Cause) string {
	switch {
	case t.Cause == guard.EmergencyStop && why == estop.None:
		return "emergency stop by a key, a button or a signal"
	case t.Cause == guard.EmergencyStop, t.Cause == guard.DeviceFault && why != estop.None:
		return t.Cause.String() + ": " + why.String()
	}
	return t.Cause.String()
}

func (s *supervisor) clearLine() {
	if s.terminal != nil {
		fmt.Fprint(s.terminal, "\r\x1b[K")
	}
}
