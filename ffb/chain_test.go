package ffb

import (
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
)

// noise makes numbers of all kinds of what the fuzzer gives.
type noise struct {
	data []byte
	rng  *rand.Rand
}

func newNoise(data []byte, seed uint64) *noise {
	return &noise{data, rand.New(rand.NewPCG(seed, 9))}
}

func (n *noise) word() uint64 {
	if len(n.data) < 8 {
		return n.rng.Uint64()
	}
	var w uint64
	for _, b := range n.data[:8] {
		w = w<<8 | uint64(b)
	}
	n.data = n.data[8:]
	return w
}

// number is of any size, now and then none at all.
func (n *noise) number() float64 {
	w := n.word()
	switch w % 16 {
	case 0:
		return math.Float64frombits(w)
	case 1:
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 5e-324, 0}[(w>>8)%7]
	case 2, 3, 4:
		return (n.rng.Float64() - 0.5) * 2e4
	}
	return (n.rng.Float64() - 0.5) * 40
}

// sane is a number that a car may have.
func (n *noise) sane() float64 { return (n.rng.Float64() - 0.5) * 40 }

// fill puts a number into every field of v.
func (n *noise) fill(v reflect.Value, number func() float64) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				n.fill(v.Field(i), number)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			n.fill(v.Index(i), number)
		}
	case reflect.Float64:
		v.SetFloat(number())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(n.word() % 8))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(n.word() % 8)
	case reflect.Bool:
		v.SetBool(n.word()&1 == 1)
	}
}

var allowedRange = regexp.MustCompile(`= NaN: must be (?:0 \(off\) or )?(\S+) to ([^\s,]+)`)

// vary changes keys of c within what they may be, as Validate itself tells.
func (n *noise) vary(c *Config, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Struct {
			n.vary(c, f)
		}
		if f.Kind() != reflect.Float64 || n.word()&1 == 0 {
			continue
		}
		was := f.Float()
		f.SetFloat(math.NaN())
		m := allowedRange.FindStringSubmatch(c.Validate().Error())
		f.SetFloat(was)
		if m == nil {
			continue
		}
		low, _ := strconv.ParseFloat(m[1], 64)
		high, _ := strconv.ParseFloat(m[2], 64)
		if f.SetFloat(low + (high-low)*n.rng.Float64()); c.Validate() != nil {
			f.SetFloat(was)
		}
	}
}

func (n *noise) config() Config {
	c := DefaultConfig()
	n.vary(&c, reflect.ValueOf(&c).Elem())
	c.Strength = []string{Share, Peak, Auto}[n.word()%3]
	return c
}

func (n *noise) wheel() Wheel {
	w := Wheel{Angle: n.number(), Present: n.word()&1 == 1, Rated: n.rng.Float64() * 30,
		Rate: []float64{0, 60, 125, 250, 333, 500, 1000, 8000}[n.word()%8], Delay: n.rng.Float64() * 0.05}
	if n.word()%8 == 0 {
		w.Rated, w.Rate, w.Delay = n.number(), n.number(), n.number()
	}
	return w
}

// checkStep holds the promises of Torque for one tick.
func checkStep(t *testing.T, f *testChain, c *Config, w Wheel, last, got float64) {
	t.Helper()
	most, step := min(w.Rated, c.MaxTorque), c.SlewRate*1e3*dt+1e-12
	switch {
	case !valid.Finite(got):
		t.Fatalf("torque %g N·m", got)
	case f.Fault():
		if got != 0 {
			t.Fatalf("torque %g N·m in fault", got)
		}
	case math.Abs(got) > most:
		t.Fatalf("torque %g N·m of %g N·m", got, most)
	case math.Abs(got-last) > step && math.Abs(got) < most:
		t.Fatalf("torque jumps from %g to %g N·m, %g N·m in a tick are allowed", last, got, step)
	}
	checkFinite(t, reflect.ValueOf(f.Trace()).Elem())
}

func checkFinite(t *testing.T, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64:
			if !valid.Finite(f.Float()) {
				t.Fatalf("trace: %s is %g", v.Type().Field(i).Name, f.Float())
			}
		case reflect.Array:
			for k := range f.Len() {
				if !valid.Finite(f.Index(k).Float()) {
					t.Fatalf("trace: %s[%d] is %g", v.Type().Field(i).Name, k, f.Index(k).Float())
				}
			}
		}
	}
}

func FuzzChain(f *testing.F) {
	for seed := range uint64(30) {
		f.Add([]byte{}, seed)
	}
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x06\x01 and nothing else"), uint64(7))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		n := newNoise(data, seed)
		c := n.config()
		feel := newTestChain(t, c)
		last, rated := 0.0, 0.0
		for i := range 60 {
			var s sim.State
			number := n.number
			if i/10%2 == 0 {
				number = n.sane
			}
			n.fill(reflect.ValueOf(&s).Elem(), number)
			s.Tick = uint64(i)
			w := n.wheel()
			if i%10 != 0 {
				w.Rated = rated
			}
			rated = w.Rated
			for range 3 {
				got := feel.Torque(&s, w)
				checkStep(t, feel, &c, w, last, got)
				last = got
			}
		}
	})
}

// everything is a configuration with all that costs time.
func everything() Config {
	c := DefaultConfig()
	c.Strength, c.Knee = Auto, 0.3
	v := reflect.ValueOf(&c).Elem()
	for _, table := range []string{"Effects", "Rim", "SoftLock"} {
		turnOn(&c, v.FieldByName(table))
	}
	return c
}

// turnOn gives each key that is 0 a tenth of what it may be at most.
func turnOn(c *Config, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() != reflect.Float64 || f.Float() != 0 {
			continue
		}
		f.SetFloat(math.NaN())
		m := allowedRange.FindStringSubmatch(c.Validate().Error())
		f.SetFloat(0)
		if m == nil {
			continue
		}
		high, _ := strconv.ParseFloat(m[2], 64)
		if f.SetFloat(high / 10); c.Validate() != nil {
			f.SetFloat(0)
		}
	}
}

// busy is a state in which a car has much to tell.
func busy(i int) sim.State {
	x := float64(i) * dt
	s := sim.State{Tick: uint64(i), State: chassis.State{Speed: 40, Rate: r3.Vec{Z: 0.3 * math.Cos(2*x)}}, ColumnTorque: 9 * math.Sin(6*x), Steer: 0.5 * math.Sin(2*x), Driveline: driveline.State{EngineSpeed: 500, Gear: 3}}
	for k := range s.Wheels {
		w := &s.Wheels[k]
		w.Load, w.Kappa, w.Alpha, w.Fx, w.Fy, w.TravelSpeed = 4000, -0.1, 0.2*math.Sin(2*x), -2000, -3000*math.Sin(2*x), 0.3*math.Sin(90*x+float64(k))
	}
	return s
}

func TestSameInputsGiveTheSameBits(t *testing.T) {
	a, b := newTestChain(t, everything()), newTestChain(t, everything())
	for i := range 3000 {
		s := busy(i)
		w := Wheel{Angle: s.Steer, Present: true, Rated: 6, Rate: 250, Delay: 0.01}
		if x, y := a.Torque(&s, w), b.Torque(&s, w); math.Float64bits(x) != math.Float64bits(y) || *a.Trace() != *b.Trace() {
			t.Fatalf("tick %d: %v and %v", i, x, y)
		}
	}
}

func TestAMirroredColumnGivesMirroredBits(t *testing.T) {
	for _, strength := range []string{Share, Peak, Auto} {
		c := DefaultConfig()
		c.Strength, c.Knee = strength, 0.3
		silence(&c, reflect.ValueOf(&c).Elem().FieldByName("Effects"))
		left, right := newTestChain(t, c), newTestChain(t, c)
		for i := range 5000 {
			x := float64(i) * dt
			s := sim.State{Tick: uint64(i), State: chassis.State{Speed: 30, Rate: r3.Vec{Z: 0.2}}, ColumnTorque: 14 * math.Sin(7*x)}
			m := s
			m.ColumnTorque, m.Rate.Z = -s.ColumnTorque, -s.Rate.Z
			w := Wheel{Angle: math.Sin(3 * x), Present: true, Rated: 6, Rate: 333}
			v := w
			v.Angle = -w.Angle
			if l, r := left.Torque(&s, w), right.Torque(&m, v); l != -r {
				t.Fatalf("%s, tick %d: %v to one side, %v to the other", strength, i, l, r)
			}
		}
	}
}

func TestTraceShowsEachStage(t *testing.T) {
	c := plainConfig()
	c.Knee, c.SlewRate, c.Reconstruction = 0.5, 0.5, 0.4
	f := newTestChain(t, c)
	s := sim.State{Tick: 1, State: chassis.State{Speed: 20}, ColumnTorque: -12}
	w := Wheel{Present: true, Rated: 4, Rate: 250}
	f.Torque(&s, w)
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"column", f.Trace().Column, -12}, {"scale", f.Trace().Scale, 0.4}, {"gained", f.Trace().Gained, -4.8},
		{"felt", f.Trace().Felt, -4.8}, {"asked", f.Trace().Asked, -4.8},
		{"limited", f.Trace().Limited, -2 - 2*2.8/4.8}, {"slewed", f.Trace().Slewed, -0.5}, {"peak", f.Trace().Peak, 10},
	} {
		if math.Abs(tt.got-tt.want) > 1e-12 {
			t.Errorf("%s %g, want %g", tt.name, tt.got, tt.want)
		}
	}
	if sent := f.Trace().Sent; !(sent < 0 && sent > -0.5) {
		t.Errorf("sent %g N·m, want less than what the slew limit let through", sent)
	}
}

func TestNoOvershootPassesTheLimits(t *testing.T) {
	c := plainConfig()
	c.Reconstruction, c.SlewRate = 0.4, 1
	f := newTestChain(t, c)
	w := Wheel{Present: true, Rated: 3, Rate: 250}
	last, top := 0.0, 0.0
	for i := range 400 {
		s := sim.State{State: chassis.State{Speed: 20}, ColumnTorque: 40}
		if i >= 200 {
			s.ColumnTorque = -40
		}
		got := f.Torque(&s, w)
		top = max(top, math.Abs(got))
		if math.Abs(got) > 3 || math.Abs(got-last) > 1+1e-12 {
			t.Fatalf("tick %d: %g after %g N·m", i, got, last)
		}
		last = got
	}
	if top != 3 {
		t.Errorf("at most %g N·m, want 3 N·m", top)
	}
}

func TestTorqueAllocatesNothing(t *testing.T) {
	f := newTestChain(t, everything())
	i := 0
	if n := testing.AllocsPerRun(2000, func() {
		s := busy(i)
		f.Torque(&s, Wheel{Angle: s.Steer, Present: true, Rated: 8, Rate: []float64{250, 333}[i/500%2], Delay: 0.01})
		i++
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// BenchmarkChain is a tick of the whole chain with everything on.
func BenchmarkChain(b *testing.B) {
	f := newTestChain(b, everything()).Chain
	force := f.Start()
	var states [256]sim.State
	for i := range states {
		states[i] = busy(i)
	}
	w := Wheel{Present: true, Rated: 8, Rate: 250, Delay: 0.01}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		s := &states[i%len(states)]
		s.Tick, w.Angle = uint64(i), s.Steer
		f.Torque(&force, s, w)
		i++
	}
}
