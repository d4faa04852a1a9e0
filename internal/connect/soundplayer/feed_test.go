package soundplayer

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/internal/connect/sound"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// ticksOf is a feed to which ticks are added whose speed is their number.
func ticksOf(f *feed, n int) {
	for range n {
		f.add(tick{sense: sound.Sense{Speed: float64(f.count)}})
	}
}

// A device whose clock is 2 % off the rig's, either way, gets each tick at most twice, in order, and never one that is
// older than what may wait; after a rig that publishes nothing it gets nothing.
func TestAReaderKeepsPace(t *testing.T) {
	for _, drift := range []float64{-0.02, 0, 0.02} {
		f := &feed{}
		ticksOf(f, 1)
		r := f.reader()
		due, last, repeated, longest := 0.0, -1.0, 0, 0
		for range 2000 {
			ticksOf(f, 10)
			due += 10 * (1 + drift)
			n := int(due)
			due -= float64(n)
			r.begin(n)
			for range n {
				s := r.next()
				if s == nil || s.Speed < last {
					t.Fatalf("drift %g: %+v after %g", drift, s, last)
				}
				if repeated++; s.Speed > last {
					repeated = 1
				}
				longest, last = max(longest, repeated), s.Speed
			}
			if waits := float64(f.count-1) - last; waits > 10+2*maxWaiting {
				t.Fatalf("drift %g: %g ticks wait", drift, waits)
			}
		}
		if longest > 2 {
			t.Errorf("drift %g: a tick was played %d times", drift, longest)
		}
		for r.at < f.count {
			r.next()
		}
		for n := range 2 * maxHeld {
			if s := r.next(); (s == nil) != (n >= maxHeld) {
				t.Fatalf("drift %g: %+v %d ticks after the last", drift, s, n)
			}
		}
	}
}

// fakePages publishes a frame each millisecond of virtual time, but for a stretch in which nobody looks.
type fakePages struct{ start time.Time }

func (p *fakePages) Seq() uint64 { return uint64(time.Since(p.start)/time.Millisecond) + 1 }

func (p *fakePages) Read(f *frame.Frame) bool {
	*f = frame.Frame{Tick: p.Seq(), State: uint64(guard.Driving), Speed: float64(p.Seq()), Due: int64(p.Seq())}
	return true
}

// As many ticks are fed as the rig publishes, also where a look comes late.
func TestAFeedHasAllTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		f, p := &feed{}, &fakePages{time.Now()}
		go f.run(ctx, p, sound.NewTracker(sound.ExampleCar()))
		time.Sleep(500*time.Millisecond + time.Microsecond)
		f.mu.Lock()
		before := f.count
		f.mu.Unlock()
		if before < 498 || before > 501 {
			t.Errorf("%d ticks in 500 ms", before)
		}
		cancel()
		synctest.Wait()
	})
}

// A tick that goes on, because the next is late, is further along the road each time and begins nothing again.
func TestATickThatGoesOn(t *testing.T) {
	f, tracker, s := &feed{}, sound.NewTracker(sound.NewCar(&frame.Scene{LapLength: 100})), sound.Sense{}
	r := f.reader()
	tracker.Next(&frame.Frame{State: uint64(guard.Driving), Speed: 50, Station: 7}, &s)
	s.Shift = true
	f.add(tick{sense: s})
	for n := range 5 {
		now := r.next()
		if want := 7 + 0.05*float64(n); math.Abs(now.Station-want) > 1e-9 || now.Shift != (n == 0) {
			t.Errorf("%d ticks on: station %g, want %g; shift %t", n, now.Station, want, now.Shift)
		}
	}
}

// What is filled is neither allocated nor left over from before.
func TestFillAllocatesNothing(t *testing.T) {
	f := &feed{}
	ticksOf(f, 200)
	m := testMix(t, f)
	buf := make([]float32, 4*480)
	if n := testing.AllocsPerRun(100, func() { ticksOf(f, 10); m.fill(buf) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
