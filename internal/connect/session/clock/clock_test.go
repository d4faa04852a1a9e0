package clock

import (
	"math"
	"math/rand/v2"
	"testing"
)

// network is a host and the way to it, in virtual time. Times are in seconds of true time.
type network struct {
	random  *rand.Rand
	drift   float64 // of the member's clock against the host's
	start   float64 // session time at true time 0 [s]
	there   func(t float64) float64
	back    func(t float64) float64
	loss    float64
	lie     func(t float64) float64 // added to the host's times [s]
	clock   Clock
	worst   float64 // error after the first seconds [s]
	outside int     // times that the error was larger than the uncertainty
	back0   int64   // latest session time
	steps   int     // backwards
}

func (n *network) own(t float64) int64     { return int64((1000 + t*(1+n.drift)) * second) }
func (n *network) session(t float64) int64 { return int64((n.start + t) * second) }

func jitter(r *rand.Rand, mean, spread float64) func(float64) float64 {
	return func(float64) float64 { return mean + spread*(2*r.Float64()-1) }
}

func newNetwork(drift float64) *network {
	r := rand.New(rand.NewPCG(7, 11))
	return &network{random: r, drift: drift, start: 5000, there: jitter(r, 0.05, 0.02), back: jitter(r, 0.05, 0.02), loss: 0.02}
}

// run pings from true time a to b [s], and looks at the clock 60 times a second; errors count from settled on.
func (n *network) run(a, b, settled float64) {
	type pong struct {
		at                       float64
		sent, received, answered int64
	}
	var flying []pong
	nextPing := a
	for t := a; t < b; t += 1.0 / 60 {
		if t >= nextPing {
			nextPing += PingInterval / second
			there := t + n.there(t)
			answered := there + 0.0002
			lie := int64(0)
			if n.lie != nil {
				lie = int64(n.lie(t) * second)
			}
			if n.random.Float64() >= 2*n.loss {
				flying = append(flying, pong{answered + n.back(t), n.own(t), n.session(there) + lie, n.session(answered) + lie})
			}
		}
		for i := 0; i < len(flying); i++ {
			if p := flying[i]; p.at <= t {
				n.clock.Sample(p.sent, p.received, p.answered, n.own(p.at))
				flying = append(flying[:i], flying[i+1:]...)
				i--
			}
		}
		n.look(t, settled)
	}
}

func (n *network) look(t, settled float64) {
	n.clock.Advance(n.own(t))
	if !n.clock.Synced() {
		return
	}
	now := n.clock.At(n.own(t))
	if now < n.back0 {
		n.steps++
	}
	n.back0 = now
	wrong := math.Abs(float64(now-n.session(t)) / second)
	if wrong > n.clock.Uncertainty(n.own(t)) {
		n.outside++
	}
	if t >= settled {
		n.worst = max(n.worst, wrong)
	}
}

func (n *network) check(t *testing.T, limit float64) {
	t.Helper()
	if n.worst > limit || n.outside > 0 || n.steps > 0 {
		t.Errorf("worst error %.2f ms, want %.2f; %d times outside of the uncertainty, %d steps backwards", 1e3*n.worst, 1e3*limit, n.outside, n.steps)
	}
}

func TestADriftIsFollowed(t *testing.T) {
	for _, drift := range []float64{-1e-4, 0, 1e-4} {
		n := newNetwork(drift)
		n.run(0, 180, 20)
		n.check(t, 0.003)
		if _, got := n.clock.Offset(); math.Abs(got+drift) > 2e-5 {
			t.Errorf("drift %g, want %g", got, -drift)
		}
	}
}

func TestAQuietNetworkIsExact(t *testing.T) {
	n := newNetwork(5e-5)
	n.there, n.back = jitter(n.random, 0.0002, 0.00005), jitter(n.random, 0.0002, 0.00005)
	n.run(0, 60, 20)
	n.check(t, 0.0001)
	if u := n.clock.Uncertainty(n.own(60)); u > 0.0006 {
		t.Errorf("uncertainty %g", u)
	}
}

// A queue that fills in one direction makes round trips longer and their offsets wrong.
func TestARisingDelayDoesNotPull(t *testing.T) {
	n := newNetwork(3e-5)
	n.there, n.back = jitter(n.random, 0.02, 0.002), jitter(n.random, 0.02, 0.002)
	n.run(0, 60, 20)
	back := n.back
	n.back = func(t float64) float64 { return back(t) + min(0.3, (t-60)*0.02) }
	n.run(60, 85, 20)
	n.check(t, 0.001)
}

// Another route that takes longer in one direction cannot be seen; the uncertainty has it.
func TestAnotherRoute(t *testing.T) {
	n := newNetwork(3e-5)
	n.there, n.back = jitter(n.random, 0.02, 0.001), jitter(n.random, 0.02, 0.001)
	n.run(0, 60, 20)
	n.back = jitter(n.random, 0.06, 0.001)
	n.run(60, 300, 20)
	n.check(t, 0.021)
	n.there = jitter(n.random, 0.06, 0.001)
	n.worst = 0
	n.run(300, 500, 400)
	n.check(t, 0.001)
}

func TestSilenceMakesUnsure(t *testing.T) {
	n := newNetwork(1e-4)
	n.run(0, 60, 20)
	before := n.clock.Uncertainty(n.own(60))
	n.loss = 1
	n.run(60, 360, 20)
	n.check(t, 0.05)
	if after := n.clock.Uncertainty(n.own(360)); !(after > before+0.002) {
		t.Errorf("uncertainty %g, before the silence %g", after, before)
	}
}

// A host that starts again has a session time that is a little off.
func TestAHostThatRestarts(t *testing.T) {
	for _, off := range []float64{-0.4, 0.4} {
		n := newNetwork(1e-4)
		n.run(0, 30, 20)
		n.clock.Restart()
		n.start += off
		n.outside = 0
		n.run(30, 90, 60)
		n.outside = 0 // until the first ping
		n.check(t, 0.004)
	}
}

func TestAnotherTimeAfterARestart(t *testing.T) {
	n := newNetwork(0)
	n.run(0, 10, 5)
	n.clock.Restart()
	n.start -= 4000
	n.run(10, 40, 30)
	n.steps, n.outside = 0, 0
	n.check(t, 0.006)
}

// After the host's machine or the rig's stood still, session time has stepped. The clock is right again within 10 s, and its
// uncertainty has the error from the first ping on that tells of it.
func TestAStepOfSessionTime(t *testing.T) {
	for _, step := range []float64{-1.5, 1.5, -3, 3, 60} {
		n := newNetwork(1e-4)
		n.run(0, 30, 20)
		n.check(t, 0.004)
		n.start += step
		n.run(30, 31, math.Inf(1))
		if n.outside == 0 || n.clock.Refused() == 0 {
			t.Errorf("step %g s: %d times outside, %d pings refused", step, n.outside, n.clock.Refused())
		}
		n.outside = 0
		n.run(31, 40, math.Inf(1))
		if step < 0 && n.steps == 1 {
			n.steps = 0 // the one that is right
		}
		n.run(40, 90, 40)
		n.check(t, 0.006)
	}
}

// A few pings that tell of a step, or many that do not agree, change nothing.
func TestAStepThatIsTakenBack(t *testing.T) {
	n := newNetwork(1e-4)
	n.run(0, 30, 20)
	for at := 30.0; at < 60; at += 5 {
		n.lie = func(float64) float64 { return 5 }
		n.run(at, at+2.5, 20)
		n.lie = nil
		n.run(at+2.5, at+5, 20)
	}
	n.lie = func(t float64) float64 { return 10 + math.Mod(t, 2) }
	n.run(60, 70, 20)
	n.check(t, 0.01)
}

func TestALyingHostIsRefused(t *testing.T) {
	n := newNetwork(1e-5)
	n.there, n.back = jitter(n.random, 0.01, 0.001), jitter(n.random, 0.01, 0.001)
	n.run(0, 30, 10)
	n.lie = func(t float64) float64 { return 1e3 * (t - 20) }
	n.run(30, 40, 10)
	n.check(t, 0.001)
	if n.clock.Refused() < 50 {
		t.Errorf("only %d refused", n.clock.Refused())
	}
	c := n.clock
	for name, s := range map[string][4]int64{
		"before it was sent": {2000 * second, 100, 200, 1999 * second}, "answered before received": {2000 * second, 200, 100, 2001 * second},
		"minutes": {2000 * second, 100, 200, 2300 * second}, "negative": {-1, 100, 200, 300}, "far": {2000 * second, math.MaxInt64, math.MaxInt64, 2001 * second},
		"the lowest": {math.MinInt64, math.MinInt64, math.MaxInt64, math.MaxInt64},
	} {
		if c.Sample(s[0], s[1], s[2], s[3]) {
			t.Errorf("%s: believed", name)
		}
	}
}

// Whatever a host says, users get a time that runs forward, at nearly its rate.
func FuzzClock(f *testing.F) {
	f.Add(uint64(1), int64(0), int64(5e8))
	f.Fuzz(func(t *testing.T, seed uint64, low, high int64) {
		r, c := rand.New(rand.NewPCG(seed, 1)), Clock{}
		own, last := int64(1e12), int64(math.MinInt64)
		for range 500 {
			own += r.Int64N(2e8)
			received := low + int64(float64(high-low)*r.Float64())
			c.Sample(own-r.Int64N(3e8), received, received+r.Int64N(1e6), own)
			if c.Advance(own); !c.Synced() {
				continue
			}
			now := c.At(own)
			if now < last || math.IsNaN(c.Uncertainty(own)) {
				t.Fatalf("%d after %d, uncertainty %g", now, last, c.Uncertainty(own))
			}
			last = now
		}
	})
}
