package pacing

import (
	"math"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/loop"
)

// figures sums up the pictures of a window.
type figures struct {
	mode     float64       // refresh rate of the display mode [Hz]; 0 if unknown
	returned time.Duration // when the swap of the newest picture returned; 0 before the first one
	run      loop.Histogram
	block    loop.Histogram // frame times of the present block
	blockEnd time.Duration
	sumAt    time.Duration // when the frame times are summed up again
	shown    frame.Display
}

const (
	blockTime = 4 * time.Second // whose frame times are shown until the next block ends
	sumEvery  = time.Second
	ageGain   = 0.05 // of the mean age
)

// take counts the newest picture of p, whose swap returned at a time, steps refreshes after that of the picture before.
func (f *figures) take(p *Pacer, returned, due time.Duration, steps int64) {
	if due > 0 {
		f.takeAge((returned - due).Seconds())
	}
	frameTime, first := returned-f.returned, f.returned == 0
	f.returned = returned
	if first {
		f.sumAt, f.blockEnd = returned+sumEvery, returned+blockTime
		return
	}
	f.run.Add(frameTime)
	f.block.Add(frameTime)
	switch {
	case p.onGrid():
		f.shown.Dropped = uint64(max(int64(f.shown.Dropped)+steps-1, 0)) // a miscount of one refresh is taken back by the next picture
	case f.mode > 0:
		f.shown.Dropped += uint64(max(math.Round(frameTime.Seconds()*f.mode)-1, 0))
	}
	if returned >= f.sumAt {
		f.sumAt = returned + sumEvery
		f.sumUp(p)
	}
}

// takeAge averages the age of the car's state at a swap [s].
func (f *figures) takeAge(age float64) {
	if age = math.Max(age, 0); f.shown.Age > 0 {
		age = f.shown.Age + ageGain*(age-f.shown.Age)
	}
	f.shown.Age = age
}

// sumUp sets the refresh rate and the frame times that are shown.
func (f *figures) sumUp(p *Pacer) {
	d := &f.shown
	d.Refresh = f.mode
	if p.onGrid() {
		d.Refresh = 1 / p.grid.interval
	}
	isFirst := d.RunP50 == 0
	d.RunP50, d.RunP99 = f.run.Quantile(0.5).Seconds(), f.run.Quantile(0.99).Seconds()
	if f.returned >= f.blockEnd || isFirst {
		d.P50, d.P99 = f.block.Quantile(0.5).Seconds(), f.block.Quantile(0.99).Seconds()
	}
	if f.returned >= f.blockEnd {
		f.blockEnd, f.block = f.returned+blockTime, loop.Histogram{}
	}
}
