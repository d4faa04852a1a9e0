package motion

import (
	"slices"
	"sync/atomic"
	"time"
)

// LatencyStats tells how long demands took from Push to the last byte on the
// wire: handed to the port, and the time that the bytes themselves need.
type LatencyStats struct {
	Count           uint64 // demands measured since the start
	P50, P99, Worst time.Duration
}

const latencyKept = 4096 // newest demands that p50 and p99 are told of

// latencies keeps how long the newest demands took. One thread notes, any reads.
type latencies struct {
	ring  [latencyKept]atomic.Int64 // [ns]
	count atomic.Uint64
	worst atomic.Int64 // since the start [ns]
}

func (l *latencies) note(d time.Duration) {
	n := l.count.Load()
	l.ring[n%latencyKept].Store(int64(d))
	l.worst.Store(max(l.worst.Load(), int64(d)))
	l.count.Store(n + 1)
}

// newest returns what was noted last [s], 0 before.
func (l *latencies) newest() float64 {
	n := l.count.Load()
	if n == 0 {
		return 0
	}
	return time.Duration(l.ring[(n-1)%latencyKept].Load()).Seconds()
}

func (l *latencies) stats() LatencyStats {
	s := LatencyStats{Count: l.count.Load(), Worst: time.Duration(l.worst.Load())}
	n := int(min(s.Count, latencyKept))
	if n == 0 {
		return s
	}
	kept := make([]int64, n)
	for i := range kept {
		kept[i] = l.ring[i].Load()
	}
	slices.Sort(kept)
	s.P50, s.P99 = time.Duration(kept[n/2]), time.Duration(kept[n*99/100])
	return s
}
