package motion

import (
	"slices"
	"sync/atomic"
	"time"
)

// LatencyStats has the time from Push to the last byte of the target on the wire: until the port has
// accepted the bytes, plus the time that the bytes take at the line's bit rate.
type LatencyStats struct {
	Count           uint64 // targets measured since the start
	P50, P99, Worst time.Duration
}

const latencySamples = 4096 // number of newest targets over which P50 and P99 are computed

// latencies has the latencies of the newest targets. Only the writer thread may call record; any
// goroutine may read.
type latencies struct {
	ring  [latencySamples]atomic.Int64 // [ns]
	count atomic.Uint64
	worst atomic.Int64 // since the start [ns]
}

// record adds the latency of a target.
func (l *latencies) record(d time.Duration) {
	n := l.count.Load()
	l.ring[n%latencySamples].Store(int64(d))
	l.worst.Store(max(l.worst.Load(), int64(d)))
	l.count.Store(n + 1)
}

// newest returns the latency that was recorded last [s], 0 if there is none.
func (l *latencies) newest() float64 {
	n := l.count.Load()
	if n == 0 {
		return 0
	}
	return time.Duration(l.ring[(n-1)%latencySamples].Load()).Seconds()
}

func (l *latencies) stats() LatencyStats {
	s := LatencyStats{Count: l.count.Load(), Worst: time.Duration(l.worst.Load())}
	n := int(min(s.Count, latencySamples))
	if n == 0 {
		return s
	}
	samples := make([]int64, n)
	for i := range samples {
		samples[i] = l.ring[i].Load()
	}
	slices.Sort(samples)
	s.P50, s.P99 = time.Duration(samples[n/2]), time.Duration(samples[n*99/100])
	return s
}
