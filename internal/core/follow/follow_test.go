package follow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

const dt = 1e-3

// player plays packets of a motion at a rate, with arrivals that jitter.
type player struct {
	*Follower
	state  State
	rate   float64 // packets per second
	jitter float64 // largest deviation of an arrival [s]
	clock  bool    // the source tells its own time
	path   func(t float64) Sample
	edit   func(n int, s *Sample) bool // false loses the packet

	random *rand.Rand
	n      int     // of the next packet
	now    float64 // [s]
	in     Sample
	out    Motion
}

func newPlayer(rate, jitter float64, path func(t float64) Sample) *player {
	return &player{Follower: New(Config{}, dt), rate: rate, jitter: jitter, path: path, random: rand.New(rand.NewPCG(1, 2))}
}

// arrival returns when packet n arrives.
func (p *player) arrival(n int) float64 {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	return 0.1 + float64(n)/p.rate + p.jitter*(2*r.Float64()-1)
}

// step runs a tick.
func (p *player) step() Motion {
	p.now += dt
	for p.arrival(p.n) <= p.now {
		s := p.path(float64(p.n) / p.rate)
		s.Time = math.NaN()
		if p.clock {
			s.Time = 5 + float64(p.n)/p.rate
		}
		if p.edit == nil || p.edit(p.n, &s) {
			s.Number, s.Age = p.in.Number+1, p.now-p.arrival(p.n)
			p.in = s
		}
		p.n++
	}
	p.out = p.Step(&p.state, &p.in)
	return p.out
}

func (p *player) run(seconds float64) Motion {
	for range int(seconds / dt) {
		p.step()
	}
	return p.out
}

// level is a car at a velocity along x that accelerates by a(t) along y in its own axes and changes nothing else.
func level(acc func(t float64) float64) func(t float64) Sample {
	return func(t float64) Sample {
		return Sample{Phase: Live, Att: [4]float64{1, 0, 0, 0}, Pos: [3]float64{20 * t, 0, 0}, Vel: [3]float64{20, 0, 0}, Acc: [3]float64{0, acc(t), 0}, RPM: 1000 + t}
	}
}

// line returns the amplitude of a frequency in a signal sampled every dt.
func line(signal []float64, hz float64) float64 {
	var c, s float64
	for i, v := range signal {
		angle := 2 * math.Pi * hz * float64(i) * dt
		c += v * math.Cos(angle)
		s += v * math.Sin(angle)
	}
	return 2 * math.Hypot(c, s) / float64(len(signal))
}

// A sine of 5 Hz has no line at the packets' rate and its multiples, 5 Hz to either side: no buzz.
func TestPacketsDoNotBuzz(t *testing.T) {
	for _, tt := range []struct {
		rate, jitter float64
		clock        bool
	}{{60, 4e-3, false}, {60, 4e-3, true}, {60, 0, false}, {50, 4e-3, false}, {100, 2e-3, false}, {200, 1e-3, true}, {333, 1e-3, false}} {
		const hz, seconds = 5.0, 8
		p := newPlayer(tt.rate, tt.jitter, level(func(t float64) float64 { return 3 * math.Sin(2*math.Pi*hz*t) }))
		p.clock = tt.clock
		p.run(6)
		var signal []float64
		for range seconds * 1000 {
			signal = append(signal, p.step().SpecificForce[1])
		}
		own := line(signal, hz)
		worst := math.Inf(-1)
		for k := 1.0; k*tt.rate+hz < 480; k++ {
			for _, side := range []float64{-hz, hz} {
				worst = max(worst, 20*math.Log10(line(signal, k*tt.rate+side)/own))
			}
		}
		name := fmt.Sprintf("%g packets a second, ±%g ms, clock %v", tt.rate, 1e3*tt.jitter, tt.clock)
		t.Logf("figure: %s: worst line %.1f dB, the sine itself %.2f dB, delay %.1f ms", name, worst, 20*math.Log10(own/3), 1e3*p.out.Delay)
		if worst > -50 || math.Abs(own/3-1) > 0.1 {
			t.Errorf("%s: line at %.1f dB, the sine at %g of 3 m/s²", name, worst, own)
		}
	}
}
