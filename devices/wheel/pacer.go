package wheel

import (
	"math"
	"time"
)

const (
	effectLength = 60 * time.Millisecond // the kernel's or the device's dead-man
	renewEvery   = 20 * time.Millisecond // a third of it: two renewals may be late
	maxAge       = 20 * time.Millisecond // a torque older than this is nobody's
	fullLevel    = 0x7fff
	forever      = -1 * time.Millisecond // a wait that only a push ends
)

// pacer decides what the writer sends and when. It is pure: times come in.
type pacer struct {
	drv    driver
	lim    limits
	report time.Duration // what one report to the device takes

	seq    uint64        // of the newest push seen
	fresh  time.Duration // when it was seen
	alive  bool          // it is not older than maxAge
	torque float64       // after clamp and slew [N·m]
	at     time.Duration // when torque was settled

	owed  float64       // what dither has not given yet [steps of the level, for a period]
	asked float64       // the level that is wanted [steps]
	since time.Duration // when the level was settled

	level    int16
	sentAt   time.Duration
	busy     time.Duration // after sentAt: sooner, the driver or the device would queue
	playedAt time.Duration
}

// order is what the writer does now, and how long it sleeps then unless
// something is pushed.
type order struct {
	upload, play bool
	level        int16
	wait         time.Duration
	hold         bool // sleep the wait out even if something is pushed
}

// newPacer starts with a wheel that has a level of 0 uploaded and no push
// newer than seq.
func newPacer(drv driver, lim limits, seq uint64, now time.Duration) pacer {
	past := now - time.Second
	return pacer{drv: drv, lim: lim, seq: seq, fresh: past, at: past, sentAt: past, playedAt: past}
}

// decide takes the newest push: its number and the torque asked for [N·m].
func (p *pacer) decide(now time.Duration, seq uint64, asked float64) order {
	if seq != p.seq {
		p.seq, p.fresh, p.alive = seq, now, true
	}
	if now-p.fresh >= maxAge {
		p.alive = false
	}
	if rest := p.sentAt + p.busy - now; rest > 0 {
		return order{wait: rest, hold: true}
	}
	p.settle(now, asked)
	level := p.quantise(now, p.torque)
	o := order{level: level, upload: level != p.level}
	renew := now-p.playedAt >= renewEvery
	o.play = o.upload && p.drv.playEach || renew && (level != 0 || o.upload)
	if o.upload || o.play {
		p.level, p.sentAt, p.busy = level, now, p.takes(o)
	}
	if o.play {
		p.playedAt = now
	}
	o.wait = p.sleep(now)
	return o
}

// takes is how long the driver and the device are busy with an order. Drivers on
// ff-memless make one report of both, the others one of each.
func (p *pacer) takes(o order) time.Duration {
	reports := p.report
	if o.upload && o.play && !p.drv.memless {
		reports *= 2
	}
	return max(p.drv.period, reports)
}

// spend counts reports of another effect: the force waits for them here, where a newer one
// can take its place, rather than behind them in a queue.
func (p *pacer) spend(now time.Duration, reports int) {
	if reports == 0 {
		return
	}
	from := max(p.sentAt+p.busy, now)
	p.sentAt, p.busy = now, from-now+max(p.drv.period, time.Duration(reports)*p.report)
}

// settle clamps the torque and limits its slew. Only letting go is sudden.
func (p *pacer) settle(now time.Duration, asked float64) {
	pause := now - p.at
	p.at = now
	if pause >= effectLength { // a writer that stood still: the device has ended the force
		p.torque = 0
	}
	if !p.alive || math.IsNaN(asked) {
		p.torque = 0
		return
	}
	dt := min(pause, p.drv.period).Seconds() // after a pause the slew starts anew
	want := clamp(asked, p.lim.rated)
	p.torque += clamp(want-p.torque, p.lim.slew*dt)
}

// quantise turns a torque into a level the driver can tell apart, the highest of which is
// the last that stays within what the wheel is rated.
func (p *pacer) quantise(now time.Duration, torque float64) int16 {
	if p.lim.full <= 0 {
		return 0
	}
	step := float64(p.drv.step)
	steps := p.lim.levelOf(torque) * float64(p.lim.sign) * fullLevel / step
	if p.lim.fine {
		steps = p.dither(now, steps, float64(p.level)/step)
	}
	most := math.Floor(min(p.lim.levelOf(p.lim.rated), 1) * fullLevel / step)
	return int16(clamp(math.Round(steps), most) * step)
}

// dither adds to a wish what the wheel was given too little of it so far, or takes away
// what was too much, for as long as each level lasted: the mean is what was asked for.
func (p *pacer) dither(now time.Duration, steps, given float64) float64 {
	const least = 1.0 / 16 // what is smaller would only tick
	dt := min(now-p.since, renewEvery).Seconds() / p.drv.period.Seconds()
	p.owed = clamp(p.owed+(p.asked-given)*dt, 1)
	p.since, p.asked = now, steps
	if math.Abs(steps) < least {
		p.owed, p.asked = 0, 0
		return 0
	}
	return steps + p.owed
}

// sleep is the time until something is due though nobody pushes.
func (p *pacer) sleep(now time.Duration) time.Duration {
	if p.level == 0 {
		return forever
	}
	return max(0, min(p.playedAt+renewEvery, p.fresh+maxAge)-now)
}

func clamp(v, limit float64) float64 { return max(-limit, min(v, limit)) }
