package loop

import (
	"math"
	"math/bits"
	"time"
)

// Histogram counts durations in buckets whose width is 1/32 of their value, so
// that a percentile is right to 3 %. The zero value is empty; Add allocates
// nothing.
type Histogram struct {
	n              uint64
	min, max, last time.Duration
	bucket         [buckets]uint32
}

const (
	subBits = 5 // 32 buckets to each power of two
	buckets = (40 - subBits + 1) << subBits
)

// Add counts d; negative durations count as 0.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	if h.n == 0 || d < h.min {
		h.min = d
	}
	h.max = max(h.max, d)
	h.last = d
	h.n++
	h.bucket[index(d)]++
}

// index maps nanoseconds to a bucket: the first 32 one by one, then 32 to each
// doubling; what is beyond 2^40 ns (18 minutes) falls into the last.
func index(d time.Duration) int {
	v := uint64(d)
	if v < 1<<subBits {
		return int(v)
	}
	shift := bits.Len64(v) - subBits - 1
	return min((shift+1)<<subBits+int(v>>shift)-1<<subBits, buckets-1)
}

// upper is the largest duration that falls into bucket i.
func upper(i int) time.Duration {
	if i < 1<<subBits {
		return time.Duration(i)
	}
	shift := i>>subBits - 1
	return time.Duration((uint64(i&(1<<subBits-1)+1<<subBits)+1)<<shift - 1)
}

// Count is how many durations were added.
func (h *Histogram) Count() uint64 { return h.n }

// Min is the smallest duration added, 0 if there is none.
func (h *Histogram) Min() time.Duration { return h.min }

// Max is the largest duration added, 0 if there is none.
func (h *Histogram) Max() time.Duration { return h.max }

// Last is the duration added last, 0 if there is none.
func (h *Histogram) Last() time.Duration { return h.last }

// Quantile returns the duration that a share q of all does not exceed, to 3 %.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	rank := max(uint64(math.Ceil(q*float64(h.n))), 1)
	var seen uint64
	for i, c := range h.bucket {
		if seen += uint64(c); seen >= rank {
			return min(max(upper(i), h.min), h.max)
		}
	}
	return h.max
}

// Bin is one line of a printed histogram.
type Bin struct {
	UpTo  time.Duration // exclusive
	Count uint64
}

// Bins sums the buckets into powers of two from the smallest to the largest
// that holds anything, for people to look at.
func (h *Histogram) Bins() []Bin {
	var bins []Bin
	for i, c := range h.bucket {
		top := time.Duration(1) << bits.Len64(uint64(upper(i)))
		if len(bins) == 0 || bins[len(bins)-1].UpTo != top {
			bins = append(bins, Bin{UpTo: top})
		}
		bins[len(bins)-1].Count += uint64(c)
	}
	for len(bins) > 0 && bins[0].Count == 0 {
		bins = bins[1:]
	}
	for len(bins) > 0 && bins[len(bins)-1].Count == 0 {
		bins = bins[:len(bins)-1]
	}
	return bins
}
