package motion

import (
	"fmt"
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// lineShare is how much of the line's capacity may be used. The rest is for
// what the adapter, its driver and the controller add.
const lineShare = 0.6

const (
	bitsPerByte = 10  // 8 data bits between start and stop
	slowestRate = 20  // a platform that hears less is no platform [Hz]
	plainRate   = 250 // what is picked where the line has room; few actuators can follow more [Hz]
	fastestRate = 500 // [Hz]
	askRate     = 100 // questions a second that tell enough [Hz]
)

// budget is what the demands and questions of a codec take of a line.
type budget struct {
	baud             int
	demand, question int // longest, bytes
}

func newBudget(c wire.Codec, baud int) budget {
	return budget{baud, c.DemandBytes(), c.QuestionBytes()}
}

// share returns how much of the line is busy at so many demands a second.
func (b budget) share(rate float64) float64 {
	perDemand := float64(b.demand) + float64(b.question)/float64(askEvery(rate))
	return rate * perDemand * bitsPerByte / float64(b.baud)
}

// askEvery returns how many demands go out for each question.
func askEvery(rate float64) int { return max(1, int(math.Ceil(rate/askRate))) }

// highest returns the highest whole rate up to limit that keeps to lineShare
// [Hz], 0 if there is none.
func (b budget) highest(limit int) float64 {
	for rate := limit; rate >= slowestRate; rate-- {
		if b.share(float64(rate)) <= lineShare {
			return float64(rate)
		}
	}
	return 0
}

// rate returns how many demands a second to send, when so many are wanted; 0
// leaves it to the budget.
func (b budget) rate(wanted float64) (float64, error) {
	top := b.highest(fastestRate)
	switch {
	case top == 0:
		return 0, fmt.Errorf("motion: baud: %d bits a second carry no %d demands of %d bytes a second at %.0f %% of the line; a faster one is needed",
			b.baud, slowestRate, b.demand, lineShare*100)
	case wanted == 0:
		return min(top, b.highest(plainRate)), nil
	case wanted >= slowestRate && wanted <= fastestRate && b.share(wanted) > lineShare:
		return 0, fmt.Errorf("motion: rate_hz: %s would keep the line of %d bits a second %.0f %% busy, at most %.0f %%; %d..%s, or 0 for automatic",
			wire.Plain(wanted), b.baud, b.share(wanted)*100, lineShare*100, slowestRate, wire.Plain(top))
	}
	return wanted, wire.InRange("rate_hz", wanted, slowestRate, fastestRate)
}

// byteTime returns how long n bytes are on the wire.
func byteTime(n, baud int) time.Duration {
	return time.Duration(n) * bitsPerByte * time.Second / time.Duration(baud)
}
