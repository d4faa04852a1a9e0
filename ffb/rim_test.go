package ffb

import (
	"math"
	"testing"

	"rig.example/rig/internal/kit/valid"
)

// turned returns what the rim adds after it was turned at a steady speed [rad/s] for
// a second, about the middle, and what it traces.
func turned(t *testing.T, cfg RimConfig, w Wheel, speed float64) Trace {
	t.Helper()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	r, s := newRim(cfg, DefaultLock(), Car{}, dt), rimState{}
	var got Trace
	for i := range 1000 {
		w.Angle = speed * float64(i-500) * dt
		r.step(&s, w, 10, 0, 0, 0, &got)
	}
	return got
}

func TestRimResistsItsSpeed(t *testing.T) {
	tests := []struct {
		name              string
		change            func(*RimConfig)
		speed             float64
		damping, friction float64
	}{
		{"damping of a 10 N·m wheel", func(c *RimConfig) { c.Damping = 0.04 }, 2, -0.8, 0},
		{"to the right", func(c *RimConfig) { c.Damping = 0.04 }, -2, 0.8, 0},
		{"no more than the delay allows: π/4·0.03 kg·m²/(0.1 s)", func(c *RimConfig) { c.Damping, c.AssumedDelay = 0.5, 100 }, 1, -math.Pi / 4 * 0.3, 0},
		{"dry friction", func(c *RimConfig) { c.Friction = 0.02 }, 0.5, 0, -0.2},
		{"dry friction is the same when fast", func(c *RimConfig) { c.Friction = 0.02 }, 5, 0, -0.2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := still()
			tt.change(&c)
			got := turned(t, c, there(10), tt.speed)
			if math.Abs(got.RimSpeed-tt.speed) > 1e-6 || math.Abs(got.Damping-tt.damping) > 1e-6 || math.Abs(got.Friction-tt.friction) > 1e-6 {
				t.Errorf("speed %g rad/s, damping %g N·m, friction %g N·m", got.RimSpeed, got.Damping, got.Friction)
			}
		})
	}
}

func TestRimSpeedIsLateByTheStatedDelay(t *testing.T) {
	f, s := newDerivatives(60, dt), derivativesState{}
	var got rimMotion
	for i := range 1000 {
		x := float64(i) * dt
		got = f.next(&s, x*x/2*10) // 10 rad/s²
	}
	const at, lag = 0.999, 0.2251 / 60 // [s]
	if late := at - got.speed/10; math.Abs(late-lag) > 0.0005 {
		t.Errorf("late by %.2f ms, want %.2f ms", late*1e3, lag*1e3)
	}
	if math.Abs(got.accel-10) > 0.01 {
		t.Errorf("acceleration %g rad/s²", got.accel)
	}
}

func TestStepsOfTheSensorGiveNoKnocks(t *testing.T) {
	const step = 900. / 65536 * math.Pi / 180 // of a G29
	f, s := newDerivatives(60, dt), derivativesState{}
	worst := 0.0
	for i := range 3000 {
		const speed = 0.05 // [rad/s]
		got := f.next(&s, math.Floor(speed*float64(i)*dt/step)*step)
		if i > 500 {
			worst = max(worst, math.Abs(got.speed-speed))
		}
	}
	if worst > 0.05 {
		t.Errorf("speed is off by %g rad/s", worst)
	}
}

func TestFrictionHoldsAndDoesNotChatter(t *testing.T) {
	c := still()
	c.Friction = 0.1
	r, s := newRim(c, DefaultLock(), Car{}, dt), rimState{}
	var got Trace
	turns, was := 0, 0.0
	for i := range 3000 {
		angle := min(float64(i)*dt, 0.5)
		if i > 1000 {
			angle += 1e-4 * float64(i%2) // the last bit of the sensor
		}
		r.step(&s, Wheel{Angle: angle, Present: true, Rated: 10, Delay: 5e-3}, 0, 0, 0, 0, &got)
		if got.Friction*was < 0 {
			turns++
		}
		was = got.Friction
	}
	if turns > 0 || math.Abs(got.Friction+1) > 0.05 {
		t.Errorf("%d changes of sign, %g N·m in the end", turns, got.Friction)
	}
}

func TestInertiaIsBoundedByHalfOfTheRimsOwn(t *testing.T) {
	for _, tt := range []struct{ asked, want float64 }{{0.01, 0.01}, {0.1, 0.015}, {-0.05, -0.015}, {0, 0}} {
		c := still()
		c.AddedInertia = tt.asked
		r, s := newRim(c, DefaultLock(), Car{}, dt), rimState{}
		var got Trace
		for i := range 1000 {
			x := float64(i) * dt
			r.step(&s, Wheel{Angle: 10 * x * x, Present: true, Rated: 10}, 0, 0, 0, 0, &got) // 20 rad/s²
		}
		if math.Abs(got.Inertia+20*tt.want) > 1e-3 {
			t.Errorf("%g kg·m² asked: %g N·m, want %g N·m", tt.asked, got.Inertia, -20*tt.want)
		}
	}
}

func TestLeadMakesUpForTheDelay(t *testing.T) {
	c := still()
	c.DelayCompensation = 1
	r, s := newRim(c, DefaultLock(), Car{}, dt), rimState{}
	var got Trace
	for i := range 2000 { // 4 N·m/s against 1 rad/s: a car of 4 N·m/rad; slow, with hands at the rim
		x := float64(i-1000) * dt
		r.step(&s, Wheel{Angle: x, Present: true, Rated: 10, Rate: 1000, Delay: 10e-3}, 10, -4*x, -4*x, 0, &got)
	}
	const late = 10e-3 + 1e-3 + 0.2251/60 // [s]
	if math.Abs(got.Lead+4*late) > 1e-4 || got.Damping != 0 {
		t.Errorf("lead of %g N·m, want %g N·m; damping %g N·m", got.Lead, -4*late, got.Damping)
	}
}

func TestSlopeLearnsTheCarsStiffness(t *testing.T) {
	for _, k := range []float64{2, 15, 60} {
		e, m := newStiffness(60, dt), newDerivatives(60, dt)
		var s stiffnessState
		var moved derivativesState
		var got float64
		for i := range 3000 {
			x := 0.1 * math.Sin(9*float64(i)*dt)
			got = e.next(&s, m.next(&moved, x).speed, -k*x, 8)
		}
		if math.Abs(got-k) > 0.02*k {
			t.Errorf("%g N·m/rad, want %g", got, k)
		}
	}
}

func TestFastRimIsDrivenNoFaster(t *testing.T) {
	r := newRim(DefaultRim(), DefaultLock(), Car{}, dt)
	limit := 1200 * math.Pi / 180 // [rad/s]
	tests := []struct {
		name                string
		torque, speed, want float64
	}{
		{"below the limit", 4, 0.9 * limit, 4},
		{"half way", 4, 1.25 * limit, 2},
		{"far above", 4, 3 * limit, 0},
		{"to the right", -4, -3 * limit, 0},
		{"that brakes stays", -4, 3 * limit, -4},
	}
	for _, tt := range tests {
		if got := tt.torque - r.overspeed(tt.torque, tt.speed); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %g N·m, want %g", tt.name, got, tt.want)
		}
	}
}

func TestSoftLock(t *testing.T) {
	l := newSoftLock(LockConfig{Ramp: 10, Damping: 0.1}, 5)
	const degree = math.Pi / 180
	tests := []struct {
		name               string
		angle, speed, felt float64
		want               float64 // with what is felt
	}{
		{"inside", 4.9, 3, 2, 2},
		{"at the lock", 5, 0, 2, 2},
		{"half of the ramp", 5 + 5*degree, 0, 0, -4},
		{"all of the ramp whatever is felt", 5 + 10*degree, 0, 6, -8},
		{"no more beyond", 5 + 40*degree, 0, 6, -8},
		{"to the right", -5 - 5*degree, 0, 0, 4},
		{"outward it is damped", 5 + 5*degree, 1, 0, -4.8},
		{"inward it pushes less", 5 + 5*degree, -1, 0, -3.2},
		{"but never pulls outward", 5 + 5*degree, -20, 0, 0},
		{"outward to the right", -5 - 5*degree, -1, 0, 4.8},
	}
	for _, tt := range tests {
		got := tt.felt + l.torque(rimMotion{angle: tt.angle, speed: tt.speed}, tt.felt, 8, 0.03, 5e-3)
		if math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %g N·m, want %g", tt.name, got, tt.want)
		}
	}
}

func TestHandsAreFelt(t *testing.T) {
	tests := []struct {
		name        string
		hand, given float64 // [N·m]
		on          bool
	}{
		{"nobody, the rim is driven", 0, 1, false},
		{"held against the motor", -1.5, 1.5, true},
		{"turned without a motor", 1.5, 0, true},
		{"nobody at all", 0, 0, false},
	}
	for _, tt := range tests {
		h, s := newHands(RimConfig{RimInertia: 0.03, RimFriction: 0.05}, dt), handsState{}
		m := rimMotion{}
		for range 300 { // a free rim of the inertia that the estimate has
			m.accel = (tt.hand + tt.given) / 0.03
			m.speed += m.accel * dt
			h.step(&s, m, tt.given, 1e-3, 8)
		}
		if on := s.estimate > 0.5; on != tt.on {
			t.Errorf("%s: %g", tt.name, s.estimate)
		}
	}
}

func TestRimMirrors(t *testing.T) {
	r := newRim(DefaultRim(), DefaultLock(), Car{Lock: 1}, dt)
	var left, right rimState
	var a, b Trace
	for i := range 5000 {
		x := 1.1 * math.Sin(20*float64(i)*dt)
		w := Wheel{Angle: x, Present: true, Rated: 8, Delay: 8e-3}
		l := r.step(&left, w, 50, -7*x, -7*x, 3*x, &a)
		w.Angle = -x
		if other := r.step(&right, w, 50, 7*x, 7*x, -3*x, &b); l != -other || a.HandsOn != b.HandsOn {
			t.Fatalf("tick %d: %g and %g N·m", i, l, other)
		}
	}
}

func FuzzRim(f *testing.F) {
	f.Add(0.3, 8.0, 333.0, 0.02, 50.0, 3.0)
	f.Add(math.NaN(), math.Inf(1), -1.0, math.NaN(), math.Inf(-1), 1e308)
	f.Add(1e308, 1e308, 1e-308, 1e308, -1e308, -1e308)
	f.Fuzz(func(t *testing.T, angle, rated, rate, delay, speed, felt float64) {
		if rated < 0 {
			return // the chain refuses it
		}
		r, s := newRim(DefaultRim(), DefaultLock(), Car{Lock: 5}, dt), rimState{}
		var trace Trace
		for i := range 60 {
			w := Wheel{Angle: angle, Present: true, Rated: rated, Rate: rate, Delay: delay}
			if i/20 == 1 {
				w = there(8)
			}
			got := r.step(&s, w, speed, felt, felt, felt, &trace)
			if !valid.Finite(got) || !valid.Finite(trace.Lead+trace.Damping+trace.Friction+trace.Inertia+trace.Lock+trace.RimSpeed+trace.HandsOn) {
				t.Fatalf("%g N·m", got)
			}
		}
	})
}

// still is a rim without dynamics of its own.
func still() RimConfig {
	c := DefaultRim()
	c.Damping, c.Friction, c.DelayCompensation, c.HandsOffDamping, c.MaxSpeed, c.RimInertia = 0, 0, 0, 0, 0, 0.03
	return c
}

// there is a wheel in the middle.
func there(rated float64) Wheel { return Wheel{Present: true, Rated: rated} }
