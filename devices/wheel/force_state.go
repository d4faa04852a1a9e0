package wheel

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/latest"
	"rig.example/rig/internal/kit/lifecycle"
)

const (
	forceRetry    = 2 * time.Second  // wait after the first refusal; each further refusal doubles it
	maxForceRetry = 64 * time.Second // longest wait after a refusal
	forceTrusted  = time.Minute      // a force that worked for this time makes the next wait forceRetry again
	forceFade     = 2 * time.Second  // time in which a restored torque grows from 0 to all of it
)

// forceState is the share of its torque that a wheel can give now: all of it, none while the driver
// refuses forces or does not return from a call, and a growing share after that. The writer changes it,
// the loop reads it.
type forceState struct {
	missing    latest.Float           // share of the torque that is not available, 0..1
	reason     atomic.Pointer[string] // why it is not available
	callStart  atomic.Uint64          // number of pushes when the writer called the driver, plus 1; 0 outside of a call
	restoredAt time.Duration          // when the force was restored; belongs to the writer
	warnedAt   time.Duration          // when a stall was logged last; belongs to the writer
	stalls     stalls                 // belongs to the writer
}

// availableShare returns the share of the torque that is available, 0..1. pushed is the number of torques
// pushed so far, one each millisecond.
func (p *forceState) availableShare(pushed uint64) float64 {
	if p.stalledFor(pushed) != 0 {
		return 0
	}
	return 1 - p.missing.Load()
}

// remove sets the available share to 0 and stores the reason, with the remedy. It reports whether the
// reason is new.
func (p *forceState) remove(reason string) bool {
	p.missing.Store(1)
	was := p.reason.Swap(&reason)
	return was == nil || *was != reason
}

// restore starts the growth of the available share from 0.
func (p *forceState) restore(now time.Duration) {
	p.missing.Store(1)
	p.reason.Store(nil)
	p.restoredAt = now
}

// fadeIn advances the growth that restore began.
func (p *forceState) fadeIn(now time.Duration) {
	if p.missing.Load() == 0 {
		return
	}
	missing := max(0, 1-(now-p.restoredAt).Seconds()/forceFade.Seconds())
	p.missing.Store(missing)
	if missing == 0 {
		p.reason.Store(nil)
		p.stalls = stalls{}
	}
}

// text returns why the force is missing or reduced, "" if it is not. pushed is as for availableShare.
func (p *forceState) text(pushed uint64) string {
	if held := p.stalledFor(pushed); held != 0 {
		return stalledText(held)
	}
	if reason := p.reason.Load(); reason != nil {
		return *reason
	}
	return ""
}

// prepareForce prepares the force. If the driver refuses it, the wheel still steers, and the writer
// tries again. The only error is ErrDisconnected.
func (s *session) prepareForce(cfg Config) error {
	if !s.info.HasForce() {
		return nil
	}
	s.disableSpring()
	if s.armError = s.armForce(); errors.Is(s.armError, evdev.ErrDisconnected) {
		return s.armError
	}
	if s.armError != nil {
		s.refuse(s.armError)
		return nil
	}
	s.addOwnEffects(cfg)
	return nil
}

// disableSpring switches the driver's own centering spring off.
func (s *session) disableSpring() {
	spring, err := s.tuning.disableSpring(s.settings)
	s.savedSettings = append(s.savedSettings, spring...)
	if err != nil {
		s.limits.notes = append(s.limits.notes, err.Error()) // armForce uses the kernel's autocenter as well
	}
}

// runForce sends forces until stop is set or the device is unplugged. When the driver refuses a force, it
// tries again after a wait, which doubles with each refusal.
func (s *session) runForce() {
	wait, err := lifecycle.Backoff{First: forceRetry, Longest: maxForceRetry}, s.armError
	for {
		if err == nil {
			began := s.clock()
			if err = s.sendForces(); s.clock()-began >= forceTrusted {
				wait.Reset()
			}
		}
		if err == nil || errors.Is(err, evdev.ErrDisconnected) {
			return
		}
		s.refuse(err)
		s.effectTorque.Store(0)
		if !s.waitUnlessStopped(wait.Next()) {
			return
		}
		if err = s.armForce(); err == nil {
			s.force.restore(s.clock())
			s.log.Info("wheel: its driver takes forces again; the torque fades in")
		}
	}
}

// refuse erases all effects after the driver refused a force, and reports the reason. The wheel's own
// effects stay off until it is plugged in again, because the driver may have refused one of them.
func (s *session) refuse(err error) {
	if s.force.remove(refusedText(err)) {
		s.log.Error("wheel: " + *s.force.reason.Load())
	}
	_ = s.eraseEffects() // the refusal was reported already
	s.ownEffects, s.vibration.full = ownEffects{}, 0
}

// remedies has, for each error that the kernel returns for a force, its meaning and what to do.
var remedies = []struct {
	err  error
	text string
}{
	{errNoSlots, "its driver has no room for a force: update the driver or the kernel"},
	{unix.ENOSPC, "all its effects are taken: close other programs that use the wheel, or plug it in again"},
	{unix.EACCES, "another program has taken its effect: close programs that use the wheel"},
	{unix.EBUSY, "it is busy: close other programs that use the wheel, or plug it in again"},
	{unix.EIO, "the wheel did not take what its driver sent: check its power supply and its cable"},
	{unix.ETIMEDOUT, "the wheel did not answer in time: check its power supply and its cable"},
	{unix.EPIPE, "the transfer over USB failed: check its cable, and plug it in without a hub"},
	{unix.EPROTO, "the transfer over USB failed: check its cable, and plug it in without a hub"},
	{unix.EINVAL, "its driver does not accept such a force: update the driver or the kernel"},
	{unix.ENOSYS, "its driver offers no such force: update the driver or the kernel"},
	{unix.EOPNOTSUPP, "its driver offers no such force: update the driver or the kernel"},
	{unix.EPERM, "its forces are not allowed: see `rig check` for missing rights, and enable force feedback " +
		"at the wheel itself"},
	{unix.ENOMEM, "the kernel has run out of memory: free some"},
}

// otherRemedy is what to do about an error that remedies does not name.
const otherRemedy = "plug it in again, and check the kernel's messages (dmesg)"

// errNoSlots is the error of a device that declares force feedback but has no slot for an effect.
var errNoSlots = errors.New("room for 0 effects")

// refusedText returns the text for a force that the driver refused, with what to do.
func refusedText(err error) string {
	remedy := otherRemedy
	for _, r := range remedies {
		if errors.Is(err, r.err) {
			remedy = r.text
			break
		}
	}
	return fmt.Sprintf("no force, steering goes on: %s; %s; rig tries again",
		strings.ReplaceAll(err.Error(), "\n", "; "), remedy)
}

// waitUnlessStopped waits for d. It returns false if the session was stopped or the device unplugged.
func (s *session) waitUnlessStopped(d time.Duration) bool {
	for until := s.clock() + d; !s.stop.Load(); {
		left := until - s.clock()
		if left <= 0 {
			return true
		}
		if s.node.Wait(s.waker, left) != nil {
			return false
		}
	}
	return false
}
