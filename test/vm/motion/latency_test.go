package motion

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/acm"
	"rig.example/rig/test/vm/mono"
)

// slope is how fast the targets of the measurement rise [strokes/s]: below the
// limit, so that they are followed without lag, and fast enough that each has a
// number of its own on the wire.
const slope = 0.7

// arrival is a target of the first actuator, and the time at which its last byte arrived.
type arrival struct {
	at    time.Duration
	share float64
}

// smc3Targets decodes the targets for all three actuators in the recording: '[', 'A', high and low byte of 0..1023,
// ']', and the same for B and C. The time is that of the last byte.
func smc3Targets(tape []heard) []arrival {
	var found []arrival
	var buf []byte
	share := math.NaN()
	for _, h := range tape {
		buf = append(buf, h.bytes...)
		for len(buf) >= 5 {
			if buf[0] != '[' || buf[4] != ']' {
				buf = buf[1:]
				continue
			}
			switch buf[1] {
			case 'A':
				share = (float64(buf[2])*256 + float64(buf[3])) / 1023
			case 'C':
				found = append(found, arrival{h.at, share})
			}
			buf = buf[5:]
		}
	}
	return found
}

// A steadily rising target shows by its value when it was pushed. The latency is the time from the push until the last
// byte arrives at the board, over a line that transfers bytes at its bit rate.
func TestLatencyFromPushToLastByte(t *testing.T) {
	inGuest(t)
	rates := []int{115_200} // the slower rate
	if level.All() {
		rates = append(rates, 500_000)
	}
	for _, baud := range rates {
		t.Run(fmt.Sprint(baud), func(t *testing.T) {
			p := protocols[0]
			p.baud = baud
			b, _, cfg := p.connect(t, overUSB(acm.Options{}))
			for i := range cfg.MaxSpeed { // the trajectory must follow the targets without lag
				cfg.MaxSpeed[i], cfg.MaxAccel[i], cfg.MaxJerk[i] = 5, 50, 2000
			}
			x := newBench(t, b, cfg)
			x.state(20*time.Second, motion.Ready)
			x.want(0.25)
			x.state(time.Second, motion.Active)
			x.stands(0.25, 10*time.Second)
			start := mono.Now()
			x.rise(start, 850*time.Millisecond)
			took := latencies(smc3Targets(b.heardSince(start+350*time.Millisecond)), start)
			n := len(took)
			if n < 50 {
				t.Fatalf("%d targets arrived, want 50", n)
			}
			t.Logf("figure: %d bit/s: push to last byte p50 %v, p99 %v, max %v, of %d targets at %.0f a second; %.0f %% of the line",
				baud, took[n/2], took[n*99/100], took[n-1], n, x.platform.Status().Rate, 100*share(b.heardSince(start), start, baud))
			if took[n/2] > 15*time.Millisecond {
				t.Errorf("half of the targets take more than %v, want 15 ms", took[n/2])
			}
			x.end()
		})
	}
}

// rise pushes targets that rise steadily with the clock from 0.25, for some time.
func (x *bench) rise(start, length time.Duration) {
	x.rising.Store(int64(start))
	mono.SleepUntil(start + length)
	x.rising.Store(0)
}

// latencies returns the time from push to arrival of each rising target, sorted.
func latencies(got []arrival, start time.Duration) []time.Duration {
	var took []time.Duration
	for _, a := range got {
		pushed := start + time.Duration((a.share-0.25)/slope*float64(time.Second))
		if a.share < 0.25+slope*0.8 {
			took = append(took, a.at-pushed)
		}
	}
	slices.Sort(took)
	return took
}

// share returns the fraction of the line's capacity that the recorded bytes use.
func share(tape []heard, start time.Duration, baud int) float64 {
	const bitsPerByte = 10
	bytes := 0
	for _, h := range tape {
		bytes += len(h.bytes)
	}
	return float64(bytes*bitsPerByte) / float64(baud) / (tape[len(tape)-1].at - start).Seconds()
}
