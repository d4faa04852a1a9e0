package ffb

// clipMeter counts the share of clipped ticks in the last 10 s, in parts of 0.1 s.
type clipMeter struct {
	long int32 // ticks of a part
}

type clipState struct {
	parts [100]int32
	part  int   // being filled
	ticks int32 // already in it
	sum   int32 // of all parts
}

func newClipMeter(dt float64) clipMeter {
	const part = 0.1 // [s]
	return clipMeter{long: max(1, int32(part/dt+0.5))}
}

// add counts one tick.
func (m *clipMeter) add(s *clipState, clipped bool) {
	if s.ticks == m.long {
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

// share returns how much of the last 10 s was clipped, 0..1. Time before the first
// tick counts as not clipped.
func (m *clipMeter) share(s *clipState) float64 {
	return float64(s.sum) / float64(int32(len(s.parts))*m.long)
}
