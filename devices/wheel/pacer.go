package wheel

import (
	"math"
	"time"
)

const (
	effectLength  = 60 * time.Millisecond // after it the kernel or the device ends the force, unless it is renewed
	renewInterval = 20 * time.Millisecond // a third of effectLength, so that two renewals may be late
	maxTorqueAge  = 20 * time.Millisecond // an older torque counts as 0
	fullLevel     = 0x7fff                // level of full force
	untilPushed   = -1 * time.Millisecond // a wait until the next push
)

// pacer decides what the writer sends and when. It is pure: the time is an argument.
type pacer struct {
	driver       driverTraits
	limits       limits
	reportPeriod time.Duration // time that one report to the device takes

	lastPush  uint64        // number of the newest push
	pushedAt  time.Duration // when the pacer first received that push
	isFresh   bool          // the newest push is not older than maxTorqueAge
	torque    float64       // after clamp and slew limit [N·m]
	limitedAt time.Duration // when torque was limited last

	ditherError    float64       // integral of target level minus sent level [steps × update periods]
	ditherTarget   float64       // exact level, which the mean of the sent levels approaches [steps]
	ditherTargetAt time.Duration // when ditherTarget was set

	level    int16         // level that was sent last
	sentAt   time.Duration // when it was sent
	busy     time.Duration // time after sentAt during which the driver or the device would queue an update
	playedAt time.Duration // when the force was played last
}

// sendOrder is what the writer sends now, and how long it sleeps afterwards unless a torque is pushed.
type sendOrder struct {
	upload, play bool
	level        int16
	wait         time.Duration // time to sleep; below 0: until a push
	hold         bool          // sleep for all of wait even if a torque is pushed
}

// newPacer returns a pacer for a wheel whose uploaded level is 0. Pushes up to the
// number lastPush came before it and are ignored.
func newPacer(drv driverTraits, lim limits, lastPush uint64, now time.Duration) pacer {
	past := now - time.Second
	return pacer{driver: drv, limits: lim, lastPush: lastPush, pushedAt: past, limitedAt: past, sentAt: past, playedAt: past}
}

// decide takes the number of the newest push and its torque [N·m], and returns what to send.
func (p *pacer) decide(now time.Duration, seq uint64, requested float64) sendOrder {
	if seq != p.lastPush {
		p.lastPush, p.pushedAt, p.isFresh = seq, now, true
	}
	if now-p.pushedAt >= maxTorqueAge {
		p.isFresh = false
	}
	if busyLeft := p.sentAt + p.busy - now; busyLeft > 0 {
		return sendOrder{wait: busyLeft, hold: true}
	}
	p.limitTorque(now, requested)
	level := p.quantize(now, p.torque)
	o := sendOrder{level: level, upload: level != p.level}
	renew := now-p.playedAt >= renewInterval
	o.play = o.upload && p.driver.playEach || renew && (level != 0 || o.upload)
	if o.upload || o.play {
		p.level, p.sentAt, p.busy = level, now, p.busyTime(o)
	}
	if o.play {
		p.playedAt = now
	}
	o.wait = p.nextWait(now)
	return o
}

// busyTime returns how long driver and device are busy with an order. Drivers on the kernel's ff-memless
// send one report for upload and play together, the others send one for each.
func (p *pacer) busyTime(o sendOrder) time.Duration {
	reports := p.reportPeriod
	if o.upload && o.play && !p.driver.memless {
		reports *= 2
	}
	return max(p.driver.updatePeriod, reports)
}

// addReports adds the time that the reports of other effects take. The force then waits for them here,
// where a newer force can still replace it, and not in a queue behind them.
func (p *pacer) addReports(now time.Duration, reports int) {
	if reports == 0 {
		return
	}
	from := max(p.sentAt+p.busy, now)
	p.sentAt, p.busy = now, from-now+max(p.driver.updatePeriod, time.Duration(reports)*p.reportPeriod)
}

// limitTorque clamps the torque to the rated one and limits its slew. Only the drop to 0 is immediate: what is
// asked for after a stop or a fault is exactly 0.
func (p *pacer) limitTorque(now time.Duration, requested float64) {
	elapsed := now - p.limitedAt
	p.limitedAt = now
	if elapsed >= effectLength { // the writer was stopped for so long that the device has ended the force
		p.torque = 0
	}
	if requested == 0 || !p.isFresh || math.IsNaN(requested) {
		p.torque = 0
		return
	}
	dt := min(elapsed, p.driver.updatePeriod).Seconds() // after a pause the slew does not catch up
	target := clamp(requested, p.limits.rated)
	p.torque += clamp(target-p.torque, p.limits.slew*dt)
}

// quantize returns the level for a torque, rounded to the steps that the driver resolves. It never
// returns a level above the rated torque.
func (p *pacer) quantize(now time.Duration, torque float64) int16 {
	if p.limits.full <= 0 {
		return 0
	}
	step := float64(p.driver.step)
	steps := p.limits.levelOf(torque) * float64(p.limits.sign) * fullLevel / step
	if p.limits.dither {
		steps = p.dither(now, steps, float64(p.level)/step)
	}
	maxSteps := math.Floor(min(p.limits.levelOf(p.limits.rated), 1) * fullLevel / step)
	return int16(clamp(math.Round(steps), maxSteps) * step)
}

// dither returns steps, the exact level, plus the error that rounding has left so far, so that the mean
// of the sent levels over time is exact. actual is the level that was sent last [steps].
func (p *pacer) dither(now time.Duration, steps, actual float64) float64 {
	const minSteps = 1.0 / 16 // below this level, dither would only make the rim tick
	dt := min(now-p.ditherTargetAt, renewInterval).Seconds() / p.driver.updatePeriod.Seconds()
	p.ditherError = clamp(p.ditherError+(p.ditherTarget-actual)*dt, 1)
	p.ditherTargetAt, p.ditherTarget = now, steps
	if math.Abs(steps) < minSteps {
		p.ditherError, p.ditherTarget = 0, 0
		return 0
	}
	return steps + p.ditherError
}

// nextWait returns the time until something must be sent although nothing is pushed.
func (p *pacer) nextWait(now time.Duration) time.Duration {
	if p.level == 0 {
		return untilPushed
	}
	return max(0, min(p.playedAt+renewInterval, p.pushedAt+maxTorqueAge)-now)
}

func clamp(v, limit float64) float64 { return max(-limit, min(v, limit)) }
