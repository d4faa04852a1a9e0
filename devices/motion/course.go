package motion

import "math"

// course is where a target is and how fast it goes. Demands tell of it now and
// then: late, early, twice in a period of the line or not at all.
//
// It is an alpha-beta filter with the gains of R. T. Benedict and G. W. Bordner
// (Synthesis of an optimal set of radar track-while-scan smoothing equations,
// 1962): each demand corrects what was foreseen for the moment at which it was
// given, so that the axis goes on evenly where none came. A steady movement is
// told without lag.
type course struct {
	at      float64 // now [strokes]
	speed   float64 // [strokes/s]
	unheard float64 // since the newest demand was given [s]
}

const (
	courseAlpha = 0.5
	courseBeta  = courseAlpha * courseAlpha / (2 - courseAlpha)
	guess       = 0.02 // a target that nothing was heard of for so long is taken to stand [s]
)

// begin has the target stand.
func (c *course) begin(at float64) { *c = course{at: at} }

// pass lets time pass [s].
func (c *course) pass(elapsed float64) {
	if c.unheard += elapsed; c.unheard > guess {
		c.speed = 0
	}
	c.at += c.speed * elapsed
}

// hear takes a demand that was given age ago [s], of a target that goes at most
// as fast as given [strokes/s]. One that is too far from what was foreseen has
// jumped: that is no movement, and taking it for one would shoot beyond.
func (c *course) hear(demand, age, fastest float64) {
	since := max(c.unheard-age, 1e-4)
	off := demand + c.speed*age - c.at
	c.unheard = age
	if math.Abs(off) > 2*fastest*since {
		c.at, c.speed = demand, 0
		return
	}
	c.at += courseAlpha * off
	c.speed = min(max(c.speed+courseBeta*off/since, -fastest), fastest)
}
