package soundplayer

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/connect/sound"
	"rig.example/rig/internal/core/frame"
)

// feedSize is how many ticks a feed holds: more than any device asks for at once.
const feedSize = 256

// tick is what a tick of the rig sounds like, and when it was due.
type tick struct {
	sense sound.Sense
	due   time.Duration // on CLOCK_MONOTONIC; 0 if unknown
}

// feed hands what each tick sounds like to the streams of all devices.
type feed struct {
	mu    sync.Mutex
	ticks [feedSize]tick
	count uint64 // ticks so far
}

// pages are the frames of a running rig.
type pages interface {
	Seq() uint64
	Read(f *frame.Frame) bool
}

// run looks for a new frame each millisecond until ctx ends.
func (f *feed) run(ctx context.Context, p pages, tracker *sound.Tracker) {
	every := time.NewTicker(time.Millisecond)
	defer every.Stop()
	var now frame.Frame
	var s sound.Sense
	last := uint64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		seq := p.Seq()
		if seq == last || !p.Read(&now) {
			continue
		}
		tracker.Next(&now, &s)
		// One that comes late stands for the ticks that were missed too, so that as many arrive as are played.
		for missed := int(min(seq-last, feedSize/8)) - 1; missed > 0 && last > 0; missed-- {
			f.add(tick{s.Later(-missed), time.Duration(now.Due)})
		}
		if last > 0 {
			f.add(tick{s, time.Duration(now.Due)})
		}
		last = seq
	}
}

func (f *feed) add(t tick) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ticks[f.count%feedSize] = t
	f.count++
}

// reader returns a reader that begins with the next tick.
func (f *feed) reader() *reader {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &reader{feed: f, at: f.count}
}

// reader takes the ticks of a feed at the pace of a device, whose clock is not that of the rig: where the ticks do not
// suffice the newest one goes on, where there are too many the oldest are left out.
type reader struct {
	feed    *feed
	at      uint64 // next tick
	current tick
	known   bool // current is valid
	held    int  // how many ticks current has gone on for
}

const (
	maxWaiting = 6   // ticks that may wait, so that a late one does not show
	maxHeld    = 100 // ticks after which nothing is known any more
)

// begin prepares for a number of ticks.
func (r *reader) begin(ticks int) {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	if limit := uint64(ticks + 2*maxWaiting); r.feed.count-r.at > limit {
		r.at = r.feed.count - uint64(min(ticks+maxWaiting, feedSize))
	}
}

// next returns the next tick, or nil if the rig has published none for maxHeld ticks.
func (r *reader) next() *sound.Sense {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	if r.at < r.feed.count {
		r.current, r.known, r.held = r.feed.ticks[r.at%feedSize], true, 0
		r.at++
		return &r.current.sense
	}
	if r.held++; !r.known || r.held > maxHeld {
		return nil
	}
	r.current.sense = r.current.sense.Later(1)
	return &r.current.sense
}

// age returns how old the newest tick taken is.
func (r *reader) age() time.Duration {
	if !r.known || r.current.due == 0 {
		return 0
	}
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano()) - r.current.due
}
