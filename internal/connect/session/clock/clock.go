// Package clock follows the session time of a host from pings: when each was sent and its answer arrived by the own clock,
// and when the host received and answered it by the session's. It is pure; times are in nanoseconds.
//
// The error of a ping is at most half of its round trip, and at most half of what the round trip exceeds the shortest one
// by, as far as the shortest one takes equally long both ways. A Kalman filter of offset and drift weights pings by that
// excess, so that a delay that rises in one direction pulls little.
package clock

import "math"

// PingInterval is the time between two pings [ns].
const PingInterval = 125_000_000

const (
	second        = 1e9  // [ns]
	maxRoundTrip  = 5.0  // of a ping that is believed [s]
	maxStep       = 1.0  // of session time that one ping is believed [s]
	stepTime      = 3.0  // for which all pings must say the same of a larger one [s]
	stepSpread    = 0.5  // by which they may differ meanwhile [s]
	windowTime    = 30.0 // the shortest round trip is that of the last one to two windows [s]
	firstDrift    = 2e-4 // standard deviation of the difference of two clocks' rates before anything is known
	driftWalk     = 1e-6 // of that in 1 s, by temperature and by the services that set clocks
	readingError  = 3e-5 // standard deviation of a time, from the network to the process [s]
	slewTime      = 4.0  // in which users get most of a correction [s]
	maxSlew       = 0.1  // highest share by which session time runs faster or slower meanwhile
	latestSession = 1 << 60
)

// Clock estimates session time. The zero value knows nothing yet.
type Clock struct {
	synced        bool
	base          int64 // offset is relative to it [ns]
	at            int64 // own time of the estimate [ns]
	offset        float64
	drift         float64    // of offset [s/s]
	p00, p01, p11 float64    // covariance of offset and drift
	shortest      [2]float64 // round trips of this window and the one before [s]
	windowEnd     int64
	excess        float64 // mean of what round trips are longer than the shortest [s]
	doubt         doubt

	started bool    // At has an anchor
	local   int64   // anchor of what users get: own time,
	session int64   // session time then,
	rate    float64 // and how fast it runs
	refused uint64
}

// doubt is what pings say that differ by more than maxStep from the estimate, as they do when the host or the rig's
// machine stood still. The zero value is none.
type doubt struct {
	since  int64   // own time of the first of those that say the same [ns]
	offset int64   // that it said [ns]
	apart  float64 // how far the newest may be from the estimate [s]
}

// Restart forgets the pings, because another host answers from now on. Session time goes on. If the first ping after it
// differs by more than a second, that is believed. Of itself a clock restarts when all pings of three seconds say
// that session time has stepped so far, and agree by how much.
func (c *Clock) Restart() {
	*c = Clock{started: c.started, local: c.local, session: c.session, rate: c.rate, refused: c.refused}
}

// Synced reports whether a ping has been answered since the start or the last Restart.
func (c *Clock) Synced() bool { return c.synced }

// Refused returns how many answers could not be true.
func (c *Clock) Refused() uint64 { return c.refused }

// Offset returns how far session time has moved against the own clock since the first ping, and the difference of the
// two clocks' rates [s], [s/s].
func (c *Clock) Offset() (offset, drift float64) { return c.offset, c.drift }

// RoundTrip returns the shortest round trip of the last 30 to 60 s [s], or 0 before the first.
func (c *Clock) RoundTrip() float64 {
	if !c.synced {
		return 0
	}
	return min(c.shortest[0], c.shortest[1])
}

// Sample takes the times of a ping: sent and arrived by the own clock, received and answered in session time. It
// reports false and changes nothing for times that cannot be true.
func (c *Clock) Sample(sent, received, answered, arrived int64) bool {
	inside := func(t int64) bool { return t >= 0 && t <= latestSession }
	if !inside(sent) || !inside(received) || !inside(answered) || !inside(arrived) || answered < received {
		c.refused++
		return false
	}
	trip := float64((arrived-sent)-(answered-received)) / second
	middle, offset := sent+(arrived-sent)/2, (received-sent)/2+(answered-arrived)/2
	if !(trip >= 0 && trip <= maxRoundTrip) || !c.believes(middle, offset, trip) {
		c.refused++
		return false
	}
	if !c.synced {
		c.begin(middle, offset, trip)
	} else {
		c.update(middle, float64(offset-c.base)/second, trip)
	}
	c.Advance(arrived)
	return true
}

// believes reports whether a ping is to be taken: one near the estimate, or one after stepTime in which none was. The clock
// then restarts with it.
func (c *Clock) believes(middle, offset int64, trip float64) bool {
	if !c.synced {
		return true
	}
	apart, d := math.Abs(float64(offset-c.estimate(middle))/second), &c.doubt
	if apart <= maxStep {
		*d = doubt{}
		return true
	}
	if d.apart == 0 || math.Abs(float64(offset-d.offset)/second) > stepSpread {
		*d = doubt{since: middle, offset: offset}
	}
	if d.apart = apart + trip/2; float64(middle-d.since)/second < stepTime {
		return false
	}
	c.Restart()
	return true
}

// begin takes the first ping.
func (c *Clock) begin(middle, offset int64, trip float64) {
	c.synced, c.base, c.at = true, offset, middle
	c.p00, c.p11 = trip*trip/4, firstDrift*firstDrift
	c.shortest, c.windowEnd = [2]float64{trip, trip}, middle+windowTime*second
	c.excess = trip / 4
	now := middle + offset
	if !c.started || math.Abs(float64(now-c.At(middle))) > maxStep*second {
		c.started, c.local, c.session, c.rate = true, middle, now, 1
	}
}

// update takes another ping: its offset from base and its round trip [s].
func (c *Clock) update(middle int64, offset, trip float64) {
	c.roll(middle, trip)
	excess := trip - c.RoundTrip()
	c.excess += (excess - c.excess) / 16
	if middle < c.at {
		return // overtaken by a later ping
	}
	c.predict(middle)
	const unlikely = 5                  // standard deviations
	floor := readingError + c.excess/16 // the shortest round trip is itself one of few
	variance := excess*excess/12 + floor*floor
	innovation := offset - c.offset
	if sum := c.p00 + variance; innovation*innovation > unlikely*unlikely*sum {
		c.p00 += innovation * innovation // another route, not another rate
	}
	sum := c.p00 + variance
	k0, k1 := c.p00/sum, c.p01/sum
	c.offset += k0 * innovation
	c.drift += k1 * innovation
	c.p11 -= k1 * c.p01
	c.p01 -= k0 * c.p01
	c.p00 -= k0 * c.p00
}

// roll follows the shortest round trip. A shorter one says that what was known before is less sure than it seemed.
func (c *Clock) roll(middle int64, trip float64) {
	if middle >= c.windowEnd {
		c.shortest = [2]float64{trip, c.shortest[0]}
		c.windowEnd = middle + windowTime*second
	}
	if better := c.RoundTrip() - trip; better > 0 {
		c.p00 += better * better / 4
	}
	c.shortest[0] = min(c.shortest[0], trip)
}

// predict moves the estimate to a later own time.
func (c *Clock) predict(local int64) {
	const walk = driftWalk * driftWalk
	dt := float64(local-c.at) / second
	c.at = local
	c.offset += c.drift * dt
	c.p00 += dt*(2*c.p01+dt*c.p11) + walk*dt*dt*dt/3
	c.p01 += dt*c.p11 + walk*dt*dt/2
	c.p11 += walk * dt
}

// estimate returns the estimated offset of session time at an own time [ns].
func (c *Clock) estimate(local int64) int64 {
	return c.base + int64((c.offset+c.drift*float64(local-c.at)/second)*second)
}

// Advance lets what At returns follow the estimate from an own time on. Call it some times a second.
func (c *Clock) Advance(local int64) {
	if !c.synced || local <= c.local {
		return
	}
	c.session = c.At(local)
	c.local = local
	wrong := float64(local+c.estimate(local)-c.session) / second
	c.rate = 1 + c.drift + max(-maxSlew, min(maxSlew, wrong/slewTime))
}

// At returns the session time at an own time [ns], 0 before the first ping. It never runs backwards, but for a Restart.
func (c *Clock) At(local int64) int64 {
	return c.session + int64(c.rate*float64(local-c.local))
}

// Uncertainty returns how far from the host's session time At may be at an own time [s]: half of the shortest round trip,
// what the clocks may have drifted apart since the last pings, what is being corrected, and a step that pings tell of and
// that is not believed yet. It is Inf before the first ping.
func (c *Clock) Uncertainty(local int64) float64 {
	if !c.synced {
		return math.Inf(1)
	}
	const sure = 2 // standard deviations
	later := *c
	later.predict(max(local, c.at))
	return c.RoundTrip()/2 + sure*math.Sqrt(later.p00) + math.Abs(float64(local+c.estimate(local)-c.At(local)))/second + c.doubt.apart
}
