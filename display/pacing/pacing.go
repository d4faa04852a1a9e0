// Package pacing predicts when a picture will be seen, and measures how evenly pictures come.
// In: the display mode's refresh rate, and for each picture when drawing began, when its swap was called and returned, and
// the time of the frame that it shows.
// Out: when the picture that is drawn now will be seen, by how much its car is extrapolated, and figures.
// It reads no clock and allocates nothing per picture.
package pacing

import (
	"time"

	"rig.example/rig/internal/core/frame"
)

// MaxAge is the longest extrapolation of a frame: four refreshes at 60 Hz, for a driver that queues three pictures. Beyond
// it a loop that has stopped shows a car that has stopped.
const MaxAge = 70 * time.Millisecond

// Pacer predicts for one window. All times are of one monotonic clock.
type Pacer struct {
	waits bool // swaps wait for a refresh, if the driver obeys
	grid  grid

	began    float64 // when drawing of the newest picture began [s]
	toCall   float64 // mean time from there to the call of its swap [s]
	toReturn float64 // mean time from there to the return of its swap [s]
	scanOut  int64   // number of the scan-out that shows the newest picture
	steps    [stepCount]int64
	picture  int // number of the newest picture

	early     int64   // swaps in a row that returned at once
	firstCall float64 // when the first of them was called [s]
	isFilled  bool    // a swap has waited, so the driver's queue was full
	depth     int64   // pictures in the queue then

	tick   uint64        // of the newest frame
	due    time.Duration // time of the first frame with that tick
	frozen bool          // frames come whose tick does not change
	age    time.Duration // extrapolation of the newest picture

	figures figures
}

const (
	stepCount = 8   // pictures whose steps predict the next one
	maxQueue  = 3   // pictures that a driver holds back at most, beside the one that is shown
	meanGain  = 0.1 // of the mean times

	atOnce = 500 * time.Microsecond // a swap that returns sooner has not waited
)

// New returns a pacer for a display with this refresh rate [Hz], 0 if unknown. waits reports whether swaps are asked to wait
// for a refresh.
func New(refresh float64, waits bool) *Pacer {
	return &Pacer{waits: waits, grid: newGrid(refresh), figures: figures{mode: refresh}}
}

// Seen returns when a picture will be seen whose drawing begins now.
//
// Where swaps wait for a refresh that is the next scan-out which no picture before it has taken; if every picture took
// several refreshes of late, it is as many later. Otherwise it is when its swap will return.
func (p *Pacer) Seen(now time.Duration) time.Duration {
	p.began = now.Seconds()
	if !p.onGrid() {
		return seconds(p.began + p.toReturn)
	}
	next := max(p.scanOut+p.shortestStep(), p.grid.numberAt(p.began+p.toCall)+1)
	return seconds(p.grid.time(next))
}

// onGrid reports whether pictures are seen at scan-outs of the grid.
func (p *Pacer) onGrid() bool { return p.waits && p.grid.locked }

// shortestStep returns the lowest number of refreshes from one picture to the next of late, at least 1.
func (p *Pacer) shortestStep() int64 {
	low := p.steps[0]
	for _, n := range p.steps {
		low = min(low, n)
	}
	return max(low, 1)
}

// Age returns by how much the car of a frame is extrapolated in a picture that will be seen at a time, 0 to MaxAge. due is
// the frame's time, 0 if unknown. A car whose simulation is frozen stays where it was shown last.
func (p *Pacer) Age(seen time.Duration, tick uint64, due time.Duration) time.Duration {
	switch {
	case due == 0:
		return 0
	case tick != p.tick:
		p.tick, p.due, p.frozen = tick, due, false
	case due != p.due:
		p.frozen = true
	}
	if !p.frozen {
		p.age = min(max(seen-due, 0), MaxAge)
	}
	return p.age
}

// Swapped takes a picture whose swap was called at one time and returned at another. due is the time of its frame, 0 if
// unknown.
func (p *Pacer) Swapped(called, returned, due time.Duration) {
	p.toCall = mean(p.toCall, called.Seconds()-p.began)
	p.toReturn = mean(p.toReturn, returned.Seconds()-p.began)
	before := p.scanOut
	if returned-called < atOnce {
		p.queue(called.Seconds())
	} else {
		p.wait(returned.Seconds())
	}
	p.steps[p.picture%stepCount] = p.scanOut - before
	p.picture++
	p.figures.take(p, returned, due, p.scanOut-before)
}

// queue takes a picture whose swap returned at once: the driver keeps it for the scan-out after that of the picture before,
// or for the next one.
func (p *Pacer) queue(called float64) {
	if p.early == 0 {
		p.firstCall = called
	}
	if p.early++; p.early > maxQueue {
		p.grid.setDistance(noDistance) // the driver does not wait
	}
	now := p.grid.numberAt(called)
	p.scanOut = min(max(p.scanOut, now)+1, now+maxQueue)
}

// wait takes a picture whose swap waited for a scan-out, which the picture of another swap before it may have taken.
func (p *Pacer) wait(returned float64) {
	g := &p.grid
	steps := g.take(returned)
	if g.taken <= 1 { // the grid begins here
		p.scanOut = g.number + p.queued(returned)
	} else if steps > 0 {
		p.scanOut++
	}
	p.scanOut = min(max(p.scanOut, g.number), g.number+maxQueue)
	p.early = 0
}

// queued returns how many pictures the driver holds back when the grid begins with a swap that returned now: those whose
// swaps returned at once when the window opened, less those that were shown since.
func (p *Pacer) queued(now float64) int64 {
	if p.isFilled {
		return p.depth
	}
	p.isFilled = true
	p.depth = p.early
	if p.early > 0 && p.grid.interval > 0 {
		p.depth -= int64((now - p.firstCall) / p.grid.interval)
	}
	p.depth = min(max(p.depth, 0), maxQueue)
	return p.depth
}

// mean moves a mean time on; the first time counts in full.
func mean(old, now float64) float64 {
	if old == 0 {
		return now
	}
	return old + meanGain*(now-old)
}

// Figures returns the figures of the pictures so far.
func (p *Pacer) Figures() frame.Display { return p.figures.shown }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
