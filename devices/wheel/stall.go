package wheel

import (
	"fmt"
	"time"
)

const (
	stallTime        = effectLength // a send that takes longer leaves the rim with an old force
	stallTicks       = uint64(stallTime / time.Millisecond)
	stallLogInterval = 10 * time.Second // shortest time between two lines in the log
)

// deliver sends what is due to the driver: the force, the wheel's own effects and its vibration. A
// call that takes longer than an effect lasts was delayed by the driver, or by a report that the device
// did not accept. During such a call the loop counts the torque as 0, and afterwards it fades in.
func (s *session) deliver(p *pacer, o sendOrder) error {
	began := s.clock()
	s.force.callStart.Store(s.torque.Number() + 1)
	err := s.sendForce(o)
	if err == nil {
		err = s.updateOwnEffects(s.clock(), p, o.hold)
	}
	if took := s.clock() - began; took >= stallTime {
		s.uploadStalled(took)
	}
	s.force.callStart.Store(0) // last, so that the torque never counts as available in between
	return err
}

// stalls counts the delayed forces since all of the torque was available last.
type stalls struct {
	count   int
	since   time.Duration // when the first of them began
	longest time.Duration
}

// uploadStalled fades the torque in again after a force that took so long to be sent.
func (s *session) uploadStalled(took time.Duration) {
	now, all := s.clock(), &s.force.stalls
	if all.count++; all.count == 1 {
		all.since = now - took
	}
	all.longest = max(all.longest, took)
	text := fmt.Sprintf("a force took %.2f s to be sent, so the rim felt an old one", took.Seconds())
	if all.count > 1 {
		text = fmt.Sprintf("%d forces were held up within %.1f s, for %.2f s at worst", all.count, (now - all.since).Seconds(), all.longest.Seconds())
	}
	text += "; the torque fades in again; unless the program was held up, check its cable and its power supply"
	s.force.restore(now)
	s.force.reason.Store(&text)
	if s.force.warnedAt == 0 || now-s.force.warnedAt >= stallLogInterval {
		s.force.warnedAt = max(now, 1)
		s.log.Warn("wheel: " + text)
	}
}

// stalledFor returns for how long the driver has been delaying a force, 0 if it does not. pushed is as
// for availableShare.
func (p *forceState) stalledFor(pushed uint64) time.Duration {
	began := p.callStart.Load()
	if began == 0 || pushed+1 < began+stallTicks {
		return 0
	}
	return time.Duration(pushed+1-began) * time.Millisecond
}

// stalledText returns the text for a driver that has not returned from a force for the given time.
func stalledText(held time.Duration) string {
	return fmt.Sprintf("no force, steering goes on: its driver has held up a force for %.1f s; check its cable and its power supply; if that does not help, plug it in again", held.Seconds())
}
