package motion

import (
	"context"
	"log/slog"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/test/vm/mono"
)

// bench holds a platform, its board and the line between them, and sends targets.
type bench struct {
	t        *testing.T
	cfg      motion.Config
	board    *board
	platform *motion.Platform
	log      *logbook
	locates  bool       // the board reports the positions of its actuators
	ended    chan error // what Run returned
	target   atomic.Pointer[wire.Legs]
	rising   atomic.Int64 // time at which the targets began to rise steadily, 0: they do not rise [ns]
	quit     chan struct{}

	mu      sync.Mutex
	samples []sample
}

// sample holds states and positions at one moment.
type sample struct {
	at     time.Duration // CLOCK_MONOTONIC
	state  motion.State
	target wire.Legs
	stands []float64
}

// newBench creates a bench and runs its platform.
func newBench(t *testing.T, b *board, cfg motion.Config) *bench {
	t.Helper()
	log := &logbook{}
	p, err := motion.New(cfg, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	x := &bench{t: t, cfg: cfg, board: b, platform: p, log: log, ended: make(chan error, 1), quit: make(chan struct{})}
	p.OrderHome()
	go func() { x.ended <- p.Run(context.Background()) }()
	var others sync.WaitGroup
	others.Go(x.push)
	others.Go(x.watch)
	t.Cleanup(func() {
		p.Close()
		close(x.quit)
		others.Wait()
		if t.Failed() {
			t.Logf("state %v; the platform said:\n%s", p.Status().State, log)
		}
	})
	return x
}

// every calls f once per period until the bench ends.
func (x *bench) every(period time.Duration, f func()) {
	runtime.LockOSThread()
	for next := mono.Now(); ; next += period {
		select {
		case <-x.quit:
			return
		default:
		}
		mono.SleepUntil(next)
		f()
	}
}

// push sends the last target of want to the platform, a thousand times per second.
func (x *bench) push() {
	x.every(time.Millisecond, func() {
		if start := x.rising.Load(); start != 0 {
			x.want(0.25 + slope*(mono.Now()-time.Duration(start)).Seconds())
		}
		if l := x.target.Load(); l != nil {
			x.platform.Push(*l)
		}
	})
}

// want sets the target of all actuators.
func (x *bench) want(share float64) {
	var l wire.Legs
	for i := range l {
		l[i] = share
	}
	x.target.Store(&l)
}

// watch records samples, and orders a platform home that waits.
func (x *bench) watch() {
	x.every(5*time.Millisecond, func() {
		s := x.platform.Status()
		if s.AwaitsHome && s.State != motion.Fault && s.State != motion.Halted {
			x.platform.OrderHome()
		}
		now := sample{mono.Now(), s.State, s.Target, x.board.Positions()}
		x.mu.Lock()
		x.samples = append(x.samples, now)
		x.mu.Unlock()
	})
}

// since returns the samples since a time.
func (x *bench) since(at time.Duration) []sample {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := len(x.samples)
	for i > 0 && x.samples[i-1].at >= at {
		i--
	}
	return append([]sample(nil), x.samples[i:]...)
}

// state waits until the platform is in one of these states.
func (x *bench) state(limit time.Duration, states ...motion.State) time.Duration {
	x.t.Helper()
	return until(x.t, states[0].String(), limit, func() bool {
		now := x.platform.Status().State
		for _, s := range states {
			if now == s {
				return true
			}
		}
		return false
	})
}

// stands waits until all actuators of the board are at this position.
func (x *bench) stands(share float64, limit time.Duration) {
	x.t.Helper()
	const near = 0.02
	until(x.t, "board where it was sent", limit, func() bool {
		for _, at := range x.board.Positions() {
			if math.Abs(at-share) > near {
				return false
			}
		}
		return true
	})
}

// drive homes the platform and waits until it follows the targets.
func (x *bench) drive() {
	x.t.Helper()
	x.state(20*time.Second, motion.Ready)
	x.want(0.65)
	x.state(time.Second, motion.Active)
	x.stands(0.65, 10*time.Second)
}

// sway moves the platform back and forth for some time.
func (x *bench) sway(length time.Duration) {
	const period, swing = 2.0, 0.15
	start := mono.Now()
	for mono.Now()-start < length {
		x.want(0.5 + swing*math.Sin(2*math.Pi/period*(mono.Now()-start).Seconds()))
		mono.SleepUntil(mono.Now() + 2*time.Millisecond)
	}
}

// gently fails the test unless the homing that began after at starts at the board's position and keeps the homing
// speed. If the board does not report its position, homing starts at the assumed one and may end immediately.
func (x *bench) gently(at time.Duration) {
	x.t.Helper()
	const near = 0.05 // the board may move while it is queried
	homing := homed(x.since(at))
	if len(homing) == 0 {
		if x.locates {
			x.t.Error("it was not homed")
		}
		return
	}
	first, worst := homing[0], 0.0
	for axis, stands := range first.stands {
		if x.locates && math.Abs(first.target[axis]-stands) > near {
			x.t.Errorf("actuator %d: homing begins at %.3f, the board stands at %.3f", axis, first.target[axis], stands)
		}
		worst = max(worst, fastest(homing, func(s sample) float64 { return s.target[axis] }))
	}
	if worst > x.cfg.HomeSpeed*1.15 {
		x.t.Errorf("homed at %.2f strokes/s, want at most %.2f", worst, x.cfg.HomeSpeed)
	}
	x.t.Logf("homed within %v from %.3f, the board stood at %.3f, at up to %.2f strokes/s",
		homing[len(homing)-1].at-first.at, first.target[:len(first.stands)], first.stands, worst)
}

// homed returns the samples of the first homing.
func homed(all []sample) (homing []sample) {
	for _, s := range all {
		if s.state == motion.Homing && !math.IsNaN(s.target[0]) {
			homing = append(homing, s)
		} else if len(homing) > 0 {
			break
		}
	}
	return homing
}

// moved returns the highest speed of the board's actuators [strokes/s].
func moved(all []sample) float64 {
	worst := 0.0
	for axis := range all[0].stands {
		worst = max(worst, fastest(all, func(s sample) float64 { return s.stands[axis] }))
	}
	return worst
}

// fastest returns the highest speed of a value [1/s], over times so long that one target more or less matters little.
func fastest(all []sample, of func(sample) float64) float64 {
	const window = 100 * time.Millisecond
	worst := 0.0
	for i, j := 0, 0; j < len(all); j++ {
		for all[j].at-all[i].at > window {
			i++
		}
		if d := all[j].at - all[i].at; d > window*8/10 {
			worst = max(worst, math.Abs(of(all[j])-of(all[i]))/d.Seconds())
		}
	}
	return worst
}

// end parks the platform and closes it. An error fails the test.
func (x *bench) end() {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := x.platform.Park(ctx); err != nil {
		x.t.Error(err)
	}
	x.stands(park, 2*time.Second)
	x.platform.Close()
	if err := <-x.ended; err != nil {
		x.t.Error(err)
	}
	if s := x.platform.Status().State; s != motion.Parked {
		x.t.Errorf("it was left %v, want parked", s)
	}
}
