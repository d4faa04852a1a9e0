package wheel

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/evdev"
)

const (
	forceRetry     = 2 * time.Second  // after a refusal; each further one doubles it
	forceRetryMost = 64 * time.Second // and no more than that
	forceLasts     = time.Minute      // a force that held for so long is trusted as at first
	forceFade      = 2 * time.Second  // from nothing to all of the torque, after the force was away
)

// presence is how much of its force a session has: all, none while the driver refuses it or
// does not return from a call, and a growing share after that. The writer changes it, the
// loop looks.
type presence struct {
	missing atomic.Uint64 // bits of a float64: share of the torque that is not there, 0..1
	reason  atomic.Pointer[string]
	call    atomic.Uint64 // torques pushed as the writer called the driver, and 1; 0 outside of a call
	back    time.Duration // when the force came back; belongs to the writer
	warned  time.Duration // when a stall was logged last; likewise
	stalls  stalls        // likewise
}

// share is how much of the torque the wheel has, 0..1. pushed is how many torques there were,
// one each millisecond.
func (p *presence) share(pushed uint64) float64 {
	if p.held(pushed) != 0 {
		return 0
	}
	return 1 - math.Float64frombits(p.missing.Load())
}

// lose takes the force away and keeps why, with the remedy. It reports whether that is new.
func (p *presence) lose(reason string) bool {
	p.missing.Store(math.Float64bits(1))
	was := p.reason.Swap(&reason)
	return was == nil || *was != reason
}

// restore lets the force grow from nothing from now on.
func (p *presence) restore(now time.Duration) {
	p.missing.Store(math.Float64bits(1))
	p.reason.Store(nil)
	p.back = now
}

// grow advances the fade that restore began.
func (p *presence) grow(now time.Duration) {
	if p.missing.Load() == 0 {
		return
	}
	missing := max(0, 1-(now-p.back).Seconds()/forceFade.Seconds())
	p.missing.Store(math.Float64bits(missing))
	if missing == 0 {
		p.reason.Store(nil)
		p.stalls = stalls{}
	}
}

// text is why there is no force or less of it, "" if it is all there. pushed is as for share.
func (p *presence) text(pushed uint64) string {
	if held := p.held(pushed); held != 0 {
		return heldText(held)
	}
	if reason := p.reason.Load(); reason != nil {
		return *reason
	}
	return ""
}

// ready makes the force ready. A driver that refuses costs the force alone: the writer tries
// again, and the wheel steers meanwhile. The error is ErrGone.
func (s *session) ready(cfg Config) error {
	if !s.info.HasForce() {
		return nil
	}
	s.slacken()
	if s.refusal = s.arm(); errors.Is(s.refusal, evdev.ErrGone) {
		return s.refusal
	}
	if s.refusal != nil {
		s.refuse(s.refusal)
		return nil
	}
	s.addOwn(cfg)
	return nil
}

// slacken takes the driver's own centring spring off the rim.
func (s *session) slacken() {
	spring, err := s.tuning.slacken(s.attrs)
	s.kept = append(s.kept, spring...)
	if err != nil {
		s.lim.notes = append(s.lim.notes, err.Error()) // arm takes the kernel's own way
	}
}

// serve feeds the force until stop is set or the device is gone. After a refusal it tries
// again, less and less often.
func (s *session) serve() {
	pause, err := forceRetry, s.refusal
	for {
		if err == nil {
			began := s.clock()
			if err = s.feed(); s.clock()-began >= forceLasts {
				pause = forceRetry
			}
		}
		if err == nil || errors.Is(err, evdev.ErrGone) {
			return
		}
		s.refuse(err)
		s.adds.Store(0)
		if !s.rest(pause) {
			return
		}
		pause = min(2*pause, forceRetryMost)
		if err = s.arm(); err == nil {
			s.presence.restore(s.clock())
			s.log.Info("wheel: its driver takes forces again; the torque fades in")
		}
	}
}

// refuse takes all effects off the wheel and says why. The wheel's own ones do not come back
// before it is plugged in again: one of them may be what its driver refused.
func (s *session) refuse(err error) {
	if s.presence.lose(refusedText(err)) {
		s.log.Error("wheel", "note", *s.presence.reason.Load())
	}
	_ = s.letGo() // what is refused now was told
	s.own, s.vibration.full = own{}, 0
}

// remedies say what the errors of the kernel mean of a force, and what to do.
var remedies = []struct {
	err  error
	text string
}{
	{errNoRoom, "its driver has no room for a force: update the driver or the kernel"},
	{unix.ENOSPC, "all its effects are taken: close other programs that use the wheel, or plug it in anew"},
	{unix.EACCES, "another program has taken its effect: close programs that use the wheel"},
	{unix.EBUSY, "it is busy: close other programs that use the wheel, or plug it in anew"},
	{unix.EIO, "the wheel did not take what its driver sent: look at its power supply and its cable"},
	{unix.ETIMEDOUT, "the wheel did not answer in time: look at its power supply and its cable"},
	{unix.EPIPE, "the transfer over USB failed: look at its cable, and leave hubs away"},
	{unix.EPROTO, "the transfer over USB failed: look at its cable, and leave hubs away"},
	{unix.EINVAL, "its driver does not accept such a force: update the driver or the kernel"},
	{unix.ENOSYS, "its driver offers no such force: update the driver or the kernel"},
	{unix.EOPNOTSUPP, "its driver offers no such force: update the driver or the kernel"},
	{unix.EPERM, "its forces are not allowed: see `rig check` for missing rights, and what the wheel itself must be told"},
	{unix.ENOMEM, "the kernel has run out of memory: free some"},
}

// errNoRoom tells of a device that declares forces and room for none.
var errNoRoom = errors.New("room for 0 effects")

// refusedText is what the kernel said of a force, and what to do.
func refusedText(err error) string {
	remedy := "plug it in anew, and see what the kernel says of it (dmesg)"
	for _, r := range remedies {
		if errors.Is(err, r.err) {
			remedy = r.text
			break
		}
	}
	return fmt.Sprintf("no force, steering goes on: %s; %s; rig tries again", strings.ReplaceAll(err.Error(), "\n", "; "), remedy)
}

// rest waits for d. It reports whether the device is still wanted and there.
func (s *session) rest(d time.Duration) bool {
	for until := s.clock() + d; !s.stop.Load(); {
		left := until - s.clock()
		if left <= 0 {
			return true
		}
		if s.node.Wait(s.bell, left) != nil {
			return false
		}
	}
	return false
}
