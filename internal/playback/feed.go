package playback

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/sound"
)

// kept is how many ticks a feed keeps: more than any device asks for at once.
const kept = 256

// heard is what a tick sounds like, and when the tick was due.
type heard struct {
	sense sound.Sense
	due   time.Duration // on CLOCK_MONOTONIC; 0 if unknown
}

// feed hands what each tick sounds like to the streams of all devices.
type feed struct {
	mu    sync.Mutex
	ticks [kept]heard
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
		// A look that comes late stands for the ticks that it missed, so that as many arrive as are played.
		for n := min(seq-last, kept/8); n > 0 && last > 0; n-- {
			f.add(heard{s, time.Duration(now.Due)})
		}
		last = seq
	}
}

func (f *feed) add(h heard) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ticks[f.count%kept] = h
	f.count++
}

// reader returns a reader that begins with the newest tick.
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
	current heard
	known   bool // current is valid
	held    int  // how many ticks current has gone on for
}

const (
	spare   = 6   // ticks that may wait, so that a late one does not show
	maxHeld = 100 // ticks after which nothing is known any more
)

// begin prepares for a number of ticks.
func (r *reader) begin(ticks int) {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	if limit := uint64(ticks + 2*spare); r.feed.count-r.at > limit {
		r.at = r.feed.count - uint64(min(ticks+spare, kept))
	}
}

// next returns the next tick, or nil if the rig has published none for maxHeld ticks.
func (r *reader) next() *sound.Sense {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	if r.at < r.feed.count {
		r.current, r.known, r.held = r.feed.ticks[r.at%kept], true, 0
		r.at++
		return &r.current.sense
	}
	if r.held++; !r.known || r.held > maxHeld {
		return nil
	}
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
