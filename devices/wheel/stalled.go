package wheel

import (
	"fmt"
	"time"
)

const (
	stallTime  = effectLength // a force that takes so long to be sent is an old one
	stallTicks = uint64(stallTime / time.Millisecond)
	stallQuiet = 10 * time.Second // least time between two lines in the log
)

// deliver hands the driver what is due: the force, the wheel's own effects and its vibration.
// What takes longer than an effect lasts was held up on the way, by the driver or a report
// that the device did not take: the torque is nothing meanwhile, for the loop sees that the
// call lasts, and fades in after it.
func (s *session) deliver(p *pacer, o order) error {
	began := s.clock()
	s.presence.call.Store(s.box.seq.Load() + 1)
	err := s.sendAll(p, o)
	if took := s.clock() - began; took >= stallTime {
		s.stalled(took)
	}
	s.presence.call.Store(0) // last: there is no moment between in which all of the torque is there
	return err
}

// stalls are the forces that were held up since all of the torque was there last.
type stalls struct {
	count int
	since time.Duration // when the first of them began
	worst time.Duration // of one
}

// stalled lets the torque begin anew after a force that took so long.
func (s *session) stalled(took time.Duration) {
	now, all := s.clock(), &s.presence.stalls
	if all.count++; all.count == 1 {
		all.since = now - took
	}
	all.worst = max(all.worst, took)
	text := fmt.Sprintf("a force took %.2f s to be sent, so the rim felt an old one", took.Seconds())
	if all.count > 1 {
		text = fmt.Sprintf("%d forces were held up within %.1f s, for %.2f s at worst", all.count, (now - all.since).Seconds(), all.worst.Seconds())
	}
	text += "; the torque fades in again; unless the program was held up, look at its cable and its power supply"
	s.presence.restore(now)
	s.presence.reason.Store(&text)
	if s.presence.warned == 0 || now-s.presence.warned >= stallQuiet {
		s.presence.warned = max(now, 1)
		s.log.Warn("wheel", "note", text)
	}
}

// held is for how long the driver has held up a force by now, 0 if it does not: for so many
// torques, of which there is one each millisecond.
func (p *presence) held(pushed uint64) time.Duration {
	began := p.call.Load()
	if began == 0 || pushed+1 < began+stallTicks {
		return 0
	}
	return time.Duration(pushed+1-began) * time.Millisecond
}

// heldText tells of a driver that has not come back from a force for so long.
func heldText(held time.Duration) string {
	return fmt.Sprintf("no force, steering goes on: its driver has held up a force for %.1f s; look at its cable and its power supply; if it stays so, plug it in anew", held.Seconds())
}
