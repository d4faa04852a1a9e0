package motion

import (
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/printable"
)

// maxLineShare is the fraction of the line's capacity that may be used. The rest is for delays
// of the adapter, its driver and the controller.
const maxLineShare = 0.6

const (
	bitsPerByte = 10  // 8 data bits, start and stop bit
	minRate     = 20  // below it, motion is too coarse [Hz]
	defaultRate = 250 // where the line allows it; few actuators can follow more [Hz]
	maxRate     = 500 // [Hz]
	queryRate   = 100 // lowest rate of queries; more are not needed [Hz]
)

// lineBudget computes how much of a line's capacity targets and queries use.
type lineBudget struct {
	baud                    int
	targetBytes, queryBytes int // longest of each
}

func newLineBudget(c wire.Codec, baud int) lineBudget {
	return lineBudget{baud, c.TargetBytes(), c.QueryBytes()}
}

// load returns the fraction of the line's capacity that is used at a rate of targets [Hz].
func (b lineBudget) load(rate float64) float64 {
	bytesPerTarget := float64(b.targetBytes) + float64(b.queryBytes)/float64(targetsPerQuery(rate))
	return rate * bytesPerTarget * bitsPerByte / float64(b.baud)
}

// targetsPerQuery returns the number of targets between two queries at a rate of targets [Hz].
func targetsPerQuery(rate float64) int { return max(1, int(math.Ceil(rate/queryRate))) }

// highestRate returns the highest whole rate up to limit that uses no more than maxLineShare of
// the line [Hz], 0 if there is none.
func (b lineBudget) highestRate(limit int) float64 {
	for rate := limit; rate >= minRate; rate-- {
		if b.load(float64(rate)) <= maxLineShare {
			return float64(rate)
		}
	}
	return 0
}

// rate returns the rate at which targets are sent [Hz]: the requested one, or one that suits the
// line if requested is 0.
func (b lineBudget) rate(requested float64) (float64, error) {
	highest := b.highestRate(maxRate)
	switch {
	case highest == 0:
		return 0, fmt.Errorf("motion: baud: %d bits a second carry no %d targets of %d bytes per second at %.0f %% of the line; a faster one is needed",
			b.baud, minRate, b.targetBytes, maxLineShare*100)
	case requested == 0:
		return min(highest, b.highestRate(defaultRate)), nil
	case requested >= minRate && requested <= maxRate && b.load(requested) > maxLineShare:
		return 0, fmt.Errorf("motion: rate_hz: %s would keep the line of %d bits a second %.0f %% busy, at most %.0f %%; %d..%s, or 0 for automatic",
			printable.Plain(requested), b.baud, b.load(requested)*100, maxLineShare*100, minRate, printable.Plain(highest))
	}
	return requested, wire.InRange("rate_hz", requested, minRate, maxRate)
}

// byteTime returns how long n bytes take on the wire.
func byteTime(n, baud int) time.Duration {
	return time.Duration(n) * bitsPerByte * time.Second / time.Duration(baud)
}
