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

// stalled lets the torque begin anew after a force that took so long.
func (s *session) stalled(took time.Duration) {
	now := s.clock()
	text := fmt.Sprintf("a force took %.2f s to be sent, so the rim felt an old one; the torque fades in again; unless the program was held up, look at its cable and its power supply", took.Seconds())
	s.presence.restore(now)
	s.presence.reason.Store(&text)
	if s.presence.warned == 0 || now-s.presence.warned >= stallQuiet {
		s.presence.warned = max(now, 1)
		s.log.Warn("wheel", "note", text)
	}
}
