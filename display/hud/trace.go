package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

const (
	traceTicks  = 50  // ticks of a sample
	traceLength = 200 // samples, of 10 s
)

// traceFreedoms are the degrees of freedom of a sample.
const traceFreedoms = frame.Yaw + 1

// sample is what a trace keeps of some ticks.
type sample struct {
	low, high float32                // torque at the rim [N·m], positive left
	pose      [traceFreedoms]float32 // target pose of the platform [m, rad]
	acc       [2]float32             // acceleration forward and to the left [g]
}

// trace holds the last seconds of the frames that were drawn, in a ring.
type trace struct {
	samples [traceLength]sample
	newest  int    // index of the newest sample
	count   int    // of samples
	period  uint64 // of the newest sample: its ticks over traceTicks
}

// add adds a frame. A frame from before the newest one, or long after it, begins a new trace, as after a jump in a replay.
func (t *trace) add(f *frame.Frame) {
	period := f.Tick / traceTicks
	s := sampleOf(f)
	switch {
	case t.count == 0 || period < t.period || period > t.period+traceLength:
		t.count, t.newest = 1, 0
		t.samples[0] = s
	case period == t.period:
		last := &t.samples[t.newest]
		s.low, s.high = min(last.low, s.low), max(last.high, s.high)
		*last = s
	default:
		for range period - t.period { // also for those of which no picture was drawn
			t.newest = (t.newest + 1) % traceLength
			t.count = min(t.count+1, traceLength)
			t.samples[t.newest] = s
		}
	}
	t.period = period
}

// at returns the sample of some periods ago, which must be less than count.
func (t *trace) at(ago int) *sample { return &t.samples[(t.newest-ago+traceLength)%traceLength] }

// sampleOf returns the sample of one frame, with 0 for what is NaN.
func sampleOf(f *frame.Frame) sample {
	s := sample{low: figure32(f.RimTorque), high: figure32(f.RimTorque), acc: [2]float32{figure32(f.Acc[0] / gravity), figure32(f.Acc[1] / gravity)}}
	for i := range s.pose {
		s.pose[i] = figure32(f.Pose[i])
	}
	return s
}

// gravity is the acceleration of 1 g [m/s²].
const gravity = 9.80665

// figure32 returns v within what has a place on a chart; 0 for NaN.
func figure32(v float64) float32 {
	if math.IsNaN(v) {
		return 0
	}
	return float32(valid.Clamp(v, -1e6, 1e6))
}
