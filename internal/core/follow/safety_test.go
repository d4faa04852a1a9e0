package follow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// steady is a car in a steady state that a platform shows: 4 m/s² to the left, nose up by 0.1 rad.
func steady(t float64) Sample {
	s := level(func(float64) float64 { return 4 })(t)
	s.Att = [4]float64{math.Cos(-0.05), 0, math.Sin(-0.05), 0}
	c, e := math.Cos(0.1), math.Sin(0.1)
	s.Pos = [3]float64{20 * c * t, 0, 20 * e * t}
	return s
}

// smooth fails unless force and rate change within their limits from tick to tick.
func smooth(t *testing.T, p *player, seconds float64) {
	t.Helper()
	before := p.out
	for range int(seconds / dt) {
		now := p.step()
		if d := length(sub(now.SpecificForce, before.SpecificForce)); before.PacketRate > 0 && d > maxJerk*dt*1.0001 {
			t.Fatalf("at %.3f s: the force jumps by %g m/s² in a tick", p.now, d)
		}
		if d := length(sub(now.Rate, before.Rate)); d > maxAngularAcc*dt*1.0001 {
			t.Fatalf("at %.3f s: the rate jumps by %g rad/s in a tick", p.now, d)
		}
		if d := math.Abs(now.Share - before.Share); d > 1.5*dt/fadeOut*1.0001 {
			t.Fatalf("at %.3f s: the fade jumps by %g", p.now, d)
		}
		before = now
	}
}

func (p *player) atRest() bool {
	m := p.out
	return m.Share == 0 && length(sub(m.SpecificForce, [3]float64{0, 0, gravity})) < 1e-9 && length(m.Rate) < 1e-9 && m.Roll == 0 && m.Pitch == 0
}

// shows reports whether the steady state is shown whole.
func (p *player) shows() bool {
	m := p.out
	return m.Share == 1 && math.Abs(m.SpecificForce[1]-4) < 0.01 && math.Abs(m.SpecificForce[0]-gravity*math.Sin(0.1)) < 0.01 && math.Abs(m.Pitch+0.1) < 1e-3 && m.Status == Ready
}

// Whatever ends the motion fades it out within half a second without a step, and it comes back only after packets have been good.
func TestWhatEndsTheMotion(t *testing.T) {
	phase := func(to Phase) func(int, *Sample) bool {
		return func(_ int, s *Sample) bool { s.Phase = to; return true }
	}
	var frozen *Sample
	for _, tt := range []struct {
		name string
		edit func(n int, s *Sample) bool // while it lasts
		want Status
	}{
		{"silence", func(int, *Sample) bool { return false }, Silent},
		{"pause", phase(Paused), NotLive},
		{"menu", phase(Menu), NotLive},
		{"replay", phase(Replay), NotLive},
		{"a menu without a car", func(_ int, s *Sample) bool {
			nan := math.NaN()
			s.Phase, s.Att, s.Pos, s.Vel, s.Acc = Menu, [4]float64{nan, nan, nan, nan}, [3]float64{nan, nan, nan}, [3]float64{nan, nan, nan}, [3]float64{nan, nan, nan}
			return true
		}, NotLive},
		{"NaN in the acceleration and no velocity", func(_ int, s *Sample) bool { s.Att = [4]float64{math.NaN()}; return true }, Bad},
		{"an acceleration that no car has", func(_ int, s *Sample) bool { s.Acc[2] = 2000; return true }, Bad},
		{"a speed that no car has", func(_ int, s *Sample) bool { s.Vel[0] = 900; return true }, Bad},
		{"Inf in the position", func(_ int, s *Sample) bool { s.Pos[1] = math.Inf(1); return true }, Bad},
		{"the same packet again and again", func(_ int, s *Sample) bool {
			if frozen == nil {
				kept := *s
				frozen = &kept
			}
			*s = *frozen
			return true
		}, Frozen},
		{"a packet that does not tell all, again and again", func(_ int, s *Sample) bool {
			nan := math.NaN()
			*s = Sample{Number: s.Number, Time: nan, RPM: nan, Rate: [3]float64{nan, nan, nan}, Att: [4]float64{1, 0, 0, 0}, Vel: [3]float64{20, 0, 0}}
			return true
		}, Frozen},
	} {
		p := newPlayer(60, 2e-3, steady)
		p.run(4)
		if !p.shows() {
			t.Fatalf("%s: before it %+v", tt.name, p.out)
		}
		p.edit = tt.edit
		smooth(t, p, 1.2)
		if p.out.Status != tt.want || !p.atRest() {
			t.Errorf("%s: status %v, %+v", tt.name, p.out.Status, p.out)
		}
		smooth(t, p, 10)
		p.edit = nil
		smooth(t, p, 0.3)
		if !p.atRest() {
			t.Errorf("%s: motion 0.3 s after it", tt.name)
		}
		if smooth(t, p, 4); !p.shows() {
			t.Errorf("%s: not back: %+v", tt.name, p.out)
		}
	}
}

// A car that is put elsewhere, or turned, or whose clock begins anew, is faded over: nothing of the jump passes.
func TestJumpsAreFadedOver(t *testing.T) {
	for _, tt := range []struct {
		name string
		jump func(s *Sample)
	}{
		{"put elsewhere", func(s *Sample) { s.Pos[1] += 300 }},
		{"put 5 m higher", func(s *Sample) { s.Pos[2] += 5 }},
		{"turned round", func(s *Sample) { s.Att = [4]float64{0, 0, 0, 1}; s.Pos = [3]float64{-s.Pos[0], 0, 0} }},
		{"stopped at once", func(s *Sample) { s.Vel = [3]float64{-20, 0, 0} }},
		{"turned round, without a rate", func(s *Sample) {
			s.Att, s.Pos = [4]float64{0, 0, 0, 1}, [3]float64{-s.Pos[0], 0, 0}
			s.Rate = [3]float64{math.NaN(), math.NaN(), math.NaN()}
		}},
		{"another car", func(s *Sample) { s.Car++ }},
		{"another version of the game", func(s *Sample) { s.Version++ }},
		{"another source", func(s *Sample) { s.Source++ }},
	} {
		p := newPlayer(60, 0, steady)
		p.run(4)
		if !p.shows() {
			t.Fatal("no motion before")
		}
		at := p.n
		p.edit = func(n int, s *Sample) bool {
			if n >= at {
				tt.jump(s)
				s.Acc[0] = 500 // of the jump itself
			}
			if n > at+3 {
				s.Acc[0] = 0
			}
			return true
		}
		most := 0.0
		before := p.out
		for range 480 {
			now := p.step()
			most = max(most, math.Abs(now.SpecificForce[0]-before.SpecificForce[0]))
		}
		if most > 1.2*gravity*math.Sin(0.1) || !p.atRest() {
			t.Errorf("%s: the force changed by %g m/s², at rest %v", tt.name, most, p.atRest())
		}
	}
	p := newPlayer(60, 0, steady)
	p.clock = true
	p.run(4)
	at := p.n
	p.edit = func(n int, s *Sample) bool {
		if n >= at {
			s.Time -= 1000
		}
		return true
	}
	if p.run(0.48); !p.atRest() {
		t.Errorf("the source's clock began anew: %+v", p.out)
	}
}

// Accelerations that change their sign from packet to packet pass only as quickly as the limit lets them.
func TestAShakenCarIsLimited(t *testing.T) {
	shaken := func(t float64) Sample {
		s := steady(t)
		s.Acc[1] = 50
		if int(math.Round(100*t))%2 == 0 {
			s.Acc[1] = -50
		}
		return s
	}
	p := newPlayer(100, 0, shaken)
	p.run(3)
	if p.out.Share != 1 {
		t.Fatalf("%+v", p.out)
	}
	smooth(t, p, 2)
}

// After a short silence what comes now is shown only once what was before is faded out.
func TestAShortSilenceIsFadedOver(t *testing.T) {
	other := func(t float64) Sample {
		s := steady(t)
		s.Acc[1] = -4
		return s
	}
	p := newPlayer(100, 0, steady)
	p.run(4)
	p.edit = func(int, *Sample) bool { return false }
	p.run(0.25)
	p.edit, p.path = nil, other
	for p.out.Share > 0 {
		if m := p.step(); m.SpecificForce[1] < -0.01 {
			t.Fatalf("at a share of %g the force is %g m/s² to the left, before the silence it was 4", m.Share, m.SpecificForce[1])
		}
	}
	if smooth(t, p, 3); math.Abs(p.out.SpecificForce[1]+4) > 0.01 {
		t.Errorf("afterwards %+v", p.out)
	}
}

// A lost packet, one that comes twice and one that was overtaken change next to nothing.
func TestLossAndDisorder(t *testing.T) {
	p := newPlayer(100, 1e-3, steady)
	p.clock = true
	p.run(4)
	p.edit = func(n int, s *Sample) bool {
		if n%7 == 3 {
			s.Time -= 0.02 // overtaken
		}
		return n%5 != 0
	}
	for range 3000 {
		m := p.step()
		if m.Share != 1 || math.Abs(m.SpecificForce[1]-4) > 0.01 {
			t.Fatalf("at %.3f s: %+v", p.now, m)
		}
	}
	if p.out.Lost < 100 {
		t.Errorf("%d packets were lost, more than 100 are wanted", p.out.Lost)
	}
}

// What a source does not tell follows from the rest: rates from attitudes, accelerations from velocities.
func TestWhatIsNotToldFollows(t *testing.T) {
	const yawRate, speed = 0.5, 20.0
	nan := math.NaN()
	turn := func(t float64) Sample {
		yaw := yawRate * t
		r := speed / yawRate
		return Sample{Phase: Unknown, Att: [4]float64{math.Cos(yaw / 2), 0, 0, math.Sin(yaw / 2)}, Pos: [3]float64{r * math.Sin(yaw), r * (1 - math.Cos(yaw)), 0},
			Vel: [3]float64{speed, 0, 0}, Rate: [3]float64{nan, nan, nan}, Acc: [3]float64{nan, nan, nan}}
	}
	p := newPlayer(60, 1e-3, turn)
	m := p.run(6)
	if math.Abs(m.Rate[2]-yawRate) > 0.02 || math.Abs(m.SpecificForce[1]-speed*yawRate) > 0.4 || m.Share != 1 {
		t.Errorf("left turn: %+v", m)
	}
}

// Nothing flips where angles do: a looping and a whole turn give a steady rate.
func TestNothingFlips(t *testing.T) {
	for axis := range 3 {
		const rate = 2.0 // [rad/s]
		p := newPlayer(100, 1e-3, func(t float64) Sample {
			s := Sample{Phase: Live, Vel: [3]float64{}, Acc: [3]float64{math.Sin(t), 0, 0}}
			s.Att[0], s.Att[1+axis] = math.Cos(rate*t/2), math.Sin(rate*t/2)
			if int(10*t)%2 == 0 { // the same rotation
				for i := range s.Att {
					s.Att[i] = -s.Att[i]
				}
			}
			s.Rate = [3]float64{math.NaN(), math.NaN(), math.NaN()}
			return s
		})
		p.run(4)
		for range 5000 {
			m := p.step()
			if math.Abs(m.Rate[axis]-rate) > 0.3 || m.Share != 1 {
				t.Fatalf("axis %d at %.3f s: rate %v, share %g, %v", axis, p.now, m.Rate, m.Share, m.Status)
			}
		}
	}
}

// Prediction shows an interval earlier.
func TestPrediction(t *testing.T) {
	ramp := level(func(t float64) float64 { return 3 * math.Sin(2*math.Pi*t) })
	plain, early := newPlayer(60, 1e-3, ramp), newPlayer(60, 1e-3, ramp)
	early.Follower = New(Config{Predict: true}, dt)
	plain.run(6)
	early.run(6)
	late := func(p *player) float64 { // lag of the 1 Hz sine
		var c, s float64
		for i := range 4000 {
			m := p.step().SpecificForce[1]
			angle := 2 * math.Pi * (p.now - 0.1)
			c, s = c+m*math.Cos(angle), s+m*math.Sin(angle)
			_ = i
		}
		return -math.Atan2(c, s) / (2 * math.Pi)
	}
	a, b := late(plain), late(early)
	t.Logf("figure: delay at 60 packets a second: %.1f ms, told %.1f ms; predicted %.1f ms, told %.1f ms", 1e3*a, 1e3*plain.out.Delay, 1e3*b, 1e3*early.out.Delay)
	if math.Abs(a-plain.out.Delay) > 2e-3 || math.Abs(b-early.out.Delay) > 2e-3 || a-b < 0.014 {
		t.Errorf("delays %g s and %g s, told %g s and %g s", a, b, plain.out.Delay, early.out.Delay)
	}
}

// Nothing that packets say gives NaN, a force beyond what is limited, or a step.
func FuzzPackets(f *testing.F) {
	f.Add(uint64(1), 60.0, 0.1)
	f.Add(uint64(2), 333.0, 0.9)
	f.Fuzz(func(t *testing.T, seed uint64, rate, wild float64) {
		if !(rate >= 1 && rate <= 2000) || !(wild >= 0 && wild <= 1) {
			return
		}
		checkWild(t, seed, rate, wild)
	})
}

func TestWildPackets(t *testing.T) {
	for seed := range uint64(40) {
		checkWild(t, seed, 20+float64(seed)*9, float64(seed%10)/10)
	}
}

func checkWild(t *testing.T, seed uint64, rate, wild float64) {
	random := rand.New(rand.NewPCG(seed, 3))
	values := []float64{0, 1, -1, 1e3, -1e300, math.NaN(), math.Inf(1), math.Inf(-1), 50, 0.1}
	p := newPlayer(rate, 0.3/rate, steady)
	p.clock = seed%2 == 0
	p.edit = func(_ int, s *Sample) bool {
		for _, v := range []*float64{&s.Pos[0], &s.Pos[2], &s.Att[0], &s.Att[2], &s.Vel[0], &s.Vel[1], &s.Rate[1], &s.Acc[0], &s.Acc[1], &s.Acc[2], &s.Time} {
			if random.Float64() < wild/8 {
				*v = values[random.IntN(len(values))]
			}
		}
		if random.Float64() < wild/10 {
			s.Phase, s.Car = Phase(random.IntN(6)), random.Uint64N(2)
		}
		return random.Float64() > wild/4
	}
	before := p.out
	for range 4000 {
		m := p.step()
		for _, v := range []float64{m.SpecificForce[0], m.SpecificForce[1], m.SpecificForce[2], m.Rate[0], m.Acc[1], m.Pos[0], m.Att[0], m.Roll, m.Pitch, m.Delay, m.Share, m.PacketRate} {
			if v-v != 0 {
				t.Fatalf("seed %d at %.3f s: %+v", seed, p.now, m)
			}
		}
		if length(sub(m.SpecificForce, [3]float64{0, 0, gravity})) > maxAcc+2*gravity || p.now > 0.01 && length(sub(m.SpecificForce, before.SpecificForce)) > maxJerk*dt*1.0001 {
			t.Fatalf("seed %d at %.3f s: force %v after %v", seed, p.now, m.SpecificForce, before.SpecificForce)
		}
		before = m
	}
}

// A copied state goes on to the same bits.
func TestACopyGoesOnAlike(t *testing.T) {
	p := newPlayer(60, 4e-3, steady)
	p.run(3)
	q := *p
	for range 2000 {
		if a, b := p.step(), q.step(); a != b {
			t.Fatalf("%+v, the copy %+v", a, b)
		}
	}
	if fmt.Sprint(p.state) != fmt.Sprint(q.state) { // NaN is not equal to itself
		t.Error("states differ")
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	p := newPlayer(333, 1e-3, steady)
	p.run(2)
	in := p.in
	if n := testing.AllocsPerRun(1000, func() { in.Number++; p.Step(&p.state, &in) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkStep(b *testing.B) {
	p := newPlayer(333, 1e-3, steady)
	p.run(2)
	b.ReportAllocs()
	for b.Loop() {
		p.in.Number++
		p.Step(&p.state, &p.in)
	}
}

// A network may double packets: neither their rate nor what is lost changes by it.
func TestAPacketThatComesTwiceChangesNothing(t *testing.T) {
	f, now := New(Config{}, dt), State{}
	var m Motion
	for tick := range 6000 {
		n := tick / 10
		s := steady(float64(n) / 100)
		s.Number, s.RPM, s.Time = uint64(n)+1, float64(n), math.NaN()
		if tick%10 > 2 { // the same again, a little later
			s.Number += 1000
		}
		m = f.Step(&now, &s)
	}
	if math.Abs(m.PacketRate-100) > 0.5 || m.Lost > 0 || m.Status != Ready {
		t.Errorf("%+v", m)
	}
}
