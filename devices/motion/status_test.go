package motion

import (
	"math"
	"sync"
	"testing"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// A reader gets each position with its own time, while the positions come as fast as they can.
func TestAPositionComesWithItsTime(t *testing.T) {
	const count = 200_000
	b := newSharedStatus()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 1; i <= count; i++ {
			b.store(wire.Answer{Kind: wire.AnswerPosition, Axis: 3, Position: float64(i) / count, Temperature: math.NaN()}, time.Duration(i))
		}
	})
	for p, ok := b.newestPosition(3); p.at < count; p, ok = b.newestPosition(3) {
		if ok && p.position != float64(p.at)/count {
			t.Fatalf("position %g came with the time of %g", p.position, float64(p.at)/count)
		}
	}
	wg.Wait()
}

// A cleared position is unknown until the next one, and the last one stays known.
func TestClearedPositions(t *testing.T) {
	b := newSharedStatus()
	report := func(position float64, now time.Duration) {
		b.store(wire.Answer{Kind: wire.AnswerPosition, Axis: 1, Position: position, Temperature: math.NaN()}, now)
	}
	want := func(feedback, last float64) {
		t.Helper()
		equal := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if s := b.snapshot(); !equal(s.Feedback[1], feedback) || !equal(s.LastFeedback[1], last) || !math.IsNaN(s.Feedback[0]) {
			t.Errorf("feedback %g, last %g; want %g and %g", s.Feedback[1], s.LastFeedback[1], feedback, last)
		}
	}
	want(math.NaN(), math.NaN())
	report(0.4, 1)
	want(0.4, 0.4)
	b.clearPositions()
	want(math.NaN(), 0.4)
	report(0.5, 2)
	want(0.5, 0.5)
	if n := testing.AllocsPerRun(100, func() { report(0.6, 3); b.newestPosition(1) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// A reader that finds the order to park done finds the platform parked too, however the two threads run: a drive that
// saw one without the other ended with an error.
func TestAnOrderToParkIsDoneWithTheStateParked(t *testing.T) {
	v := virtualSMC3(t)
	v.untilState(Ready)
	v.requests.park = true
	v.untilState(Parked)
	done, reads := make(chan struct{}), 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for m := v.machine; ; {
			select {
			case <-done:
				return
			default:
			}
			m.trajectory.state = Parking
			m.checkParked()
			m.publish(v.now)
			m.trajectory.state = Parked
			m.checkParked()
			m.publish(v.now)
		}
	})
	parked := 0
	for ; parked < 20_000 && reads < 5_000_000; reads++ {
		s := v.board.snapshot()
		if s.ParkDone {
			parked++
		}
		if s.ParkDone && s.State == Parking {
			t.Errorf("after %d reads: done, and %s", reads, s.State)
			break
		}
	}
	close(done)
	wg.Wait()
	if parked == 0 {
		t.Errorf("never done in %d reads", reads)
	}
}
