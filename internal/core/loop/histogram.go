package loop

import (
	"math"
	"math/bits"
	"time"
)

// Histogram counts durations in buckets whose width is 1/32 of their value, so
// that a percentile is accurate to 3 %. The zero Histogram is empty. Add does not allocate.
type Histogram struct {
	n              uint64 // number of durations added
	min, max, last time.Duration
	bucket         [buckets]uint32 // number of durations in each bucket
}

const (
	subBucketBits = 5 // 2^5 = 32 buckets per power of two
	buckets       = (40 - subBucketBits + 1) << subBucketBits
)

// Add counts d. A negative duration counts as 0.
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

// index returns the bucket of a duration. The first 32 buckets are 1 ns wide; above them each power of two
// has 32 buckets. The last bucket also counts durations above 2^40 ns (18 minutes).
func index(d time.Duration) int {
	v := uint64(d)
	if v < 1<<subBucketBits {
		return int(v)
	}
	shift := bits.Len64(v) - subBucketBits - 1
	return min((shift+1)<<subBucketBits+int(v>>shift)-1<<subBucketBits, buckets-1)
}

// upperBound returns the largest duration in bucket i.
func upperBound(i int) time.Duration {
	if i < 1<<subBucketBits {
		return time.Duration(i)
	}
	shift := i>>subBucketBits - 1
	return time.Duration((uint64(i&(1<<subBucketBits-1)+1<<subBucketBits)+1)<<shift - 1)
}

// Count returns how many durations were added.
func (h *Histogram) Count() uint64 { return h.n }

// Min returns the shortest duration added, or 0 if there is none.
func (h *Histogram) Min() time.Duration { return h.min }

// Max returns the longest duration added, or 0 if there is none.
func (h *Histogram) Max() time.Duration { return h.max }

// Last returns the duration added last, or 0 if there is none.
func (h *Histogram) Last() time.Duration { return h.last }

// Quantile returns the q-quantile of the durations, q in 0 to 1, accurate to 3 %. It is 0 if there are none.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	rank := max(uint64(math.Ceil(q*float64(h.n))), 1)
	var count uint64
	for i, c := range h.bucket {
		if count += uint64(c); count >= rank {
			return min(max(upperBound(i), h.min), h.max)
		}
	}
	return h.max
}

// Bin is one line of a printed histogram.
type Bin struct {
	UpTo  time.Duration // upper end of the bin, itself not included
	Count uint64
}

// Bins sums the buckets into one bin per power of two, for a printed table. It leaves out the
// empty bins at both ends.
func (h *Histogram) Bins() []Bin {
	var bins []Bin
	for i, c := range h.bucket {
		top := time.Duration(1) << bits.Len64(uint64(upperBound(i)))
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
