package ffb

// clipMeter counts the share of clipped ticks in the last 10 s, in parts of 0.1 s.
type clipMeter struct {
	parts [100]int32
	part  int   // being filled
	ticks int32 // already in it
	long  int32 // ticks of a part
	sum   int32 // of all parts
}

func newClipMeter(dt float64) clipMeter {
	const part = 0.1 // [s]
	return clipMeter{long: max(1, int32(part/dt+0.5))}
}

// add counts one tick.
func (m *clipMeter) add(clipped bool) {
	if m.ticks == m.long {
		m.part = (m.part + 1) % len(m.parts)
		m.sum -= m.parts[m.part]
		m.parts[m.part], m.ticks = 0, 0
	}
	m.ticks++
	if clipped {
		m.parts[m.part]++
		m.sum++
	}
}

// share returns how much of the last 10 s was clipped, 0..1. Time before the first
// tick counts as not clipped.
func (m *clipMeter) share() float64 {
	return float64(m.sum) / float64(int32(len(m.parts))*m.long)
}
