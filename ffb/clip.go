package ffb

// clipMeter counts the share of clipped ticks in the last 10 s, counted in parts of 0.1 s.
type clipMeter struct {
	ticksPerPart int32 // ticks per part
}

type clipState struct {
	parts [100]int32
	part  int   // index of the part being filled
	ticks int32 // ticks in that part so far
	sum   int32 // clipped ticks in all parts
}

func newClipMeter(dt float64) clipMeter {
	const part = 0.1 // [s]
	return clipMeter{ticksPerPart: max(1, int32(part/dt+0.5))}
}

// add counts one tick.
func (m *clipMeter) add(s *clipState, clipped bool) {
	if s.ticks == m.ticksPerPart {
		s.part = (s.part + 1) % len(s.parts)
		s.sum -= s.parts[s.part]
		s.parts[s.part], s.ticks = 0, 0
	}
	s.ticks++
	if clipped {
		s.parts[s.part]++
		s.sum++
	}
}

// share returns the fraction of the last 10 s that was clipped, 0..1. Time before the first
// tick counts as not clipped.
func (m *clipMeter) share(s *clipState) float64 {
	return float64(s.sum) / float64(int32(len(s.parts))*m.ticksPerPart)
}
