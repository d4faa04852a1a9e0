package playout

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rig.example/rig/internal/connect/session"
)

// straight and bend are cars at constant speed.
func straight(at int64) session.State {
	t := float64(at) / second
	return session.State{Slot: 1, At: at, Pos: [3]float64{70 * t, 5, 0.5}, Vel: [3]float64{70}, Att: [4]float64{1}, Distance: 70 * t}
}

func bend(at int64) session.State {
	const speed, radius = 40.0, 80.0
	rate := speed / radius
	yaw := rate * float64(at) / second
	sin, cos := math.Sincos(yaw)
	return session.State{
		Slot: 1, At: at, Pos: [3]float64{radius * sin, -radius * cos, 0}, Vel: [3]float64{speed * cos, speed * sin}, Rate: [3]float64{0, 0, rate},
		Acc: [3]float64{-speed * rate * sin, speed * rate * cos}, Att: [4]float64{math.Cos(yaw / 2), 0, 0, math.Sin(yaw / 2)},
	}
}

// arrival is a state and when it arrives.
type arrival struct {
	at    int64
	state session.State
}

// net is what a network does: delays of each of the two ways [s], and shares of lost and doubled packets on each.
type net struct{ mean, spread, loss, double float64 }

// relay returns the states of a car from time 0 to end [s] as they arrive through a host that sends the newest 60 times a
// second, between times at which nothing passes.
func relay(r *rand.Rand, car func(int64) session.State, end float64, n net, silentFrom, silentTo float64) []arrival {
	way := func(list []arrival, at float64, s session.State) []arrival {
		copies := 1
		if r.Float64() < n.double {
			copies = 2
		}
		for range copies {
			if r.Float64() >= n.loss {
				list = append(list, arrival{int64((at + n.mean + n.spread*(2*r.Float64()-1)) * second), s})
			}
		}
		return list
	}
	byTime := func(list []arrival) {
		slices.SortStableFunc(list, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	}
	var atHost, all []arrival
	for t := 0.0; t < end; t += 1.0 / 60 {
		if t < silentFrom || t >= silentTo {
			atHost = way(atHost, t, car(int64(t*second)))
		}
	}
	byTime(atHost)
	next, newest := 0, session.State{At: -1}
	for t := 0.007; t < end; t += 1.0 / 60 {
		for ; next < len(atHost) && atHost[next].at <= int64(t*second); next++ {
			if s := atHost[next].state; s.At > newest.At {
				newest = s
			}
		}
		if newest.At >= 0 {
			all = way(all, t, newest)
		}
	}
	byTime(all)
	return all
}

// watchCar plays arrivals and calls look for each of the times at which cars are shown, 120 a second.
func watchCar(arrivals []arrival, end float64, look func(now int64, s Shown, shown bool)) *Player {
	p, next := &Player{}, 0
	for t := 0.0; t < end; t += 1.0 / 120 {
		now := int64(t * second)
		for ; next < len(arrivals) && arrivals[next].at <= now; next++ {
			p.Put(&arrivals[next].state, arrivals[next].at)
		}
		s, shown := p.Show(1, now)
		look(now, s, shown)
	}
	return p
}

// leaps returns a function that reports steps of the shown position that are larger than the car's speed allows.
func leaps(t *testing.T, speed float64) func(now int64, s Shown, shown bool) {
	var before Shown
	was := false
	return func(now int64, s Shown, shown bool) {
		if was && shown {
			step := norm([3]float64{s.State.Pos[0] - before.State.Pos[0], s.State.Pos[1] - before.State.Pos[1], s.State.Pos[2] - before.State.Pos[2]})
			if most := (speed+overSpeed+maxAcc*0.2+maxJoin)/120 + 1e-6; step > most {
				t.Errorf("at %.3f s: a step of %.3f m, at most %.3f", float64(now)/second, step, most)
			}
			if math.Abs(s.Opacity-before.Opacity) > 1.1/120/FadeTime {
				t.Errorf("at %.3f s: opacity from %g to %g", float64(now)/second, before.Opacity, s.Opacity)
			}
		}
		if !was && shown && s.Opacity > 1.1/120/FadeTime {
			t.Errorf("at %.3f s: appears with opacity %g", float64(now)/second, s.Opacity)
		}
		before, was = s, shown
	}
}

func distance(a, b [3]float64) float64 {
	return norm([3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]})
}

func TestACarIsWhereItWas(t *testing.T) {
	for name, car := range map[string]func(int64) session.State{"straight": straight, "bend": bend} {
		for _, n := range []net{{0.0002, 0.0001, 0, 0}, {0.02, 0.01, 0.02, 0.1}, {0.05, 0.02, 0.02, 0.1}} {
			t.Run(fmt.Sprint(name, " ", n.mean), func(t *testing.T) {
				worst, hidden, late := 0.0, 0, 0.0
				noLeap := leaps(t, 70)
				arrivals := relay(rand.New(rand.NewPCG(3, 5)), car, 240, n, 0, 0)
				watchCar(arrivals, 240, func(now int64, s Shown, shown bool) {
					noLeap(now, s, shown)
					if now < 3*second {
						return
					}
					if !shown {
						hidden++
						return
					}
					truth := car(now - int64(s.Late*second))
					worst, late = max(worst, distance(truth.Pos, s.State.Pos)), max(late, s.Late)
				})
				if worst > 0.3 || hidden > 0 || late > 0.15 || n.mean < 0.001 && late > LeastLate+1e-9 {
					t.Errorf("worst error %.3f m, %d times not shown, %.3f s late", worst, hidden, late)
				}
				t.Logf("worst error %.3f m, %.0f ms late", worst, 1e3*late)
			})
		}
	}
}

func TestSilenceStopsAndFades(t *testing.T) {
	arrivals := relay(rand.New(rand.NewPCG(3, 5)), straight, 8, net{mean: 0.001}, 3, 5)
	noLeap := leaps(t, 70)
	var gone, back float64
	stopped := math.NaN()
	watchCar(arrivals, 8, func(now int64, s Shown, shown bool) {
		noLeap(now, s, shown)
		at := float64(now) / second
		switch {
		case at > 3 && at < 5 && !shown && gone == 0:
			gone = at
		case at > 3.35 && at < 5 && shown && norm(s.State.Vel) > 0:
			t.Errorf("at %.3f s it still moves with %g m/s", at, norm(s.State.Vel))
		case at > 3.35 && at < 5 && shown:
			if stopped == stopped && s.State.Pos[0]-stopped > maxJoin/120 {
				t.Errorf("at %.3f s it is at %g, was at %g", at, s.State.Pos[0], stopped)
			}
			stopped = s.State.Pos[0]
		case at > 5 && shown && s.Opacity == 1 && back == 0:
			back = at
		}
	})
	if gone < 3.1+FadeTime || gone > 3.2+FadeTime || back < 5+FadeTime || back > 5.2+FadeTime {
		t.Errorf("gone at %.3f s, back at %.3f s", gone, back)
	}
	if ahead := stopped - 3*70; ahead > (Extrapolate+stopTime/2)*70+0.5 {
		t.Errorf("stopped %.1f m after the last state", ahead)
	}
}

// A car that is lifted elsewhere fades out and in, and is never shown between.
func TestALiftedCarFades(t *testing.T) {
	lifted := func(at int64) session.State {
		s := straight(at)
		if at > 3*second {
			s.Pos[1] += 100
		}
		return s
	}
	noLeap := leaps(t, 70)
	watchCar(relay(rand.New(rand.NewPCG(3, 5)), lifted, 8, net{mean: 0.02, spread: 0.01}, 0, 0), 8, func(now int64, s Shown, shown bool) {
		noLeap(now, s, shown)
		if y := s.State.Pos[1]; shown && y > 8 && y < 102 {
			t.Errorf("at %.3f s: shown at %g", float64(now)/second, y)
		}
		if now > 6*second && (!shown || s.Opacity < 1) {
			t.Errorf("at %.3f s: not back", float64(now)/second)
		}
	})
}

// Whatever a rig says of its car, what is shown does not leap and has no NaN.
func TestHostileStates(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 9))
		car := func(at int64) session.State {
			s := bend(at + int64(r.NormFloat64()*float64(seed)*1e7))
			for i := range 3 {
				s.Pos[i] += r.NormFloat64() * float64(seed)
				s.Vel[i] = min(110, max(-110, s.Vel[i]*10*r.NormFloat64()))
				s.Acc[i] = 1e3 * (2*r.Float64() - 1)
				s.Rate[i] = 100 * (2*r.Float64() - 1)
			}
			return s
		}
		noLeap := leaps(t, 192) // √3 of 110 m/s
		watchCar(relay(r, car, 20, net{0.05, 0.05, 0.2, 0.3}, 0, 0), 20, func(now int64, s Shown, shown bool) {
			noLeap(now, s, shown)
			if !shown {
				return
			}
			if s.State.At = 0; s.State.Check() != nil || !(s.Opacity > 0 && s.Opacity <= 1) || norm(s.State.Vel) > 203 {
				t.Fatalf("%+v", s)
			}
		})
	}
}

func TestStatesOfOtherTimesAreRefused(t *testing.T) {
	p := Player{}
	for _, c := range []struct {
		at   int64
		want bool
	}{{10 * second, true}, {10 * second, false}, {10.3 * second, false}, {8.9 * second, false}, {9.9 * second, true}, {1 << 62, false}, {-1 << 62, false}, {9.9 * second, false}} {
		s := straight(c.at)
		if got := p.Put(&s, 10*second); got != c.want {
			t.Errorf("state of %d: %v", c.at, got)
		}
	}
}

func TestTheRingKeepsTheNewest(t *testing.T) {
	var c car
	order := rand.New(rand.NewPCG(1, 1)).Perm(200)
	for _, i := range order {
		s := straight(int64(i))
		c.put(&s)
	}
	for i := range c.count {
		if i > 0 && c.ring[i].At <= c.ring[i-1].At {
			t.Fatalf("out of order: %d after %d", c.ring[i].At, c.ring[i-1].At)
		}
	}
	if c.count != ringSize || c.ring[ringSize-1].At != 199 || c.ring[0].At < 199-2*ringSize {
		t.Errorf("%d states from %d to %d", c.count, c.ring[0].At, c.ring[c.count-1].At)
	}
}

// A process that was held up shows the cars where they are, when it goes on.
func TestACarAfterAGap(t *testing.T) {
	var p Player
	for at := int64(0); at < 3*second; at += 16_666_667 {
		s := bend(at)
		p.Put(&s, at)
		if now := at; now < second || now > 2.7*second {
			shown, ok := p.Show(1, now)
			want := bend(now - int64(shown.Late*second)).Pos
			if apart := math.Hypot(shown.State.Pos[0]-want[0], shown.State.Pos[1]-want[1]); ok && now > second/2 && apart > 0.01 {
				t.Fatalf("at %g s: %g m from where it is", float64(now)/second, apart)
			}
		}
	}
}
