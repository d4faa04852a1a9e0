package ffb

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// only is one effect at 1 N·m, or fully.
func only(e Effect) EffectsConfig {
	c := EffectsConfig{Cylinders: 4}
	for i, gain := range []*float64{&c.Scrub, &c.RearSlip, &c.Road, &c.ABS, &c.LockUp, &c.Shift, &c.Engine, &c.Limiter, &c.Collision} {
		if Effect(i) == e {
			*gain = 1
		}
	}
	return c
}

func every() EffectsConfig {
	return EffectsConfig{Understeer: 1, Scrub: 1, RearSlip: 1, Road: 1, ABS: 1, LockUp: 1, Shift: 1, Engine: 1, Cylinders: 4, Limiter: 1, Collision: 1}
}

// at is a car at 20 m/s that stands on four tires and does nothing else; its axles are 1.3 m
// in front of and behind its center of mass.
func at() sim.State {
	s := sim.State{State: chassis.State{Speed: 20}, Driveline: driveline.State{Fuel: 10, Gear: 3}}
	for i := range s.Wheels {
		s.Wheels[i].Load = 4000
		s.Wheels[i].Hub = r3.Vec{X: 1.3 - 2.6*float64(i/2), Y: 0.75 - 1.5*float64(i%2)}
	}
	return s
}

// trace runs the effects over some ticks of a state that change writes for each, and returns
// what one of them gave.
func trace(t *testing.T, cfg EffectsConfig, of Effect, ticks int, change func(s *sim.State, i int)) []float64 {
	t.Helper()
	e, s := NewEffects(cfg, dt), at()
	all := make([]float64, ticks)
	var out [EffectCount]float64
	for i := range all {
		change(&s, i)
		sum, total := e.Step(&s, &out), 0.0
		for _, v := range out {
			total += v
		}
		if sum != total {
			t.Fatalf("sum %g N·m of effects that come to %g", sum, total)
		}
		all[i] = out[of]
	}
	return all
}

// settledTail is the second half of a trace.
func settledTail(all []float64) []float64 { return all[len(all)/2:] }

func highest(all []float64) (most float64) {
	for _, v := range all {
		most = max(most, math.Abs(v))
	}
	return most
}

// steepest returns the largest change from one tick to the next.
func steepest(all []float64) (most float64) {
	last := 0.0
	for _, v := range all {
		most, last = max(most, math.Abs(v-last)), v
	}
	return most
}

// hertz counts zero crossings upwards.
func hertz(all []float64) float64 {
	n, first, last := 0, 0, 0
	for i := 1; i < len(all); i++ {
		if all[i-1] < 0 && all[i] >= 0 {
			if n == 0 {
				first = i
			}
			n, last = n+1, i
		}
	}
	return float64(n-1) / (float64(last-first) * dt)
}

// stirred is a state in which every effect has something to tell.
func stirred(s *sim.State, i int) {
	w := &s.Wheels
	w[tire.FL].TravelSpeed, w[tire.FR].TravelSpeed = math.Sin(float64(i)/7), 0.3*math.Cos(float64(i)/9)
	w[tire.RL].Alpha, w[tire.RR].Alpha = 0.3*math.Sin(float64(i)/40), 0.28*math.Sin(float64(i)/41)
	for k := range w {
		w[k].Roll.NormalizedSlip, w[k].Fx, w[k].Fy = 1+0.1*float64(k), -1500, 2500
		w[k].Roll.SlipEnergy += 4 + float64(k)
		w[k].Kappa = -0.9 - 0.02*float64(k)
		s.Brakes.Wheels[k].ABS.Phase = int8(i/(30+k)%5 + 0)
		s.Driveline.Shafts[k].Torque = 400 * math.Sin(float64(i)/11)
	}
	s.Driveline.Gear = int8(1 + i/200%5)
	s.Driveline.EngineSpeed, s.Driveline.Engine.Running, s.Driveline.Engine.Torque, s.Driveline.Engine.LimiterCut = 600, true, 200, i/40%2 == 1
	s.Impact = chassis.Impact{Force: r3.Vec{Y: 3000 * math.Sin(float64(i)/30)}, YawMoment: 1000}
}

func mirrored(s sim.State) sim.State {
	w := &s.Wheels
	w[0], w[1], w[2], w[3] = w[1], w[0], w[3], w[2]
	for i := range w {
		w[i].Alpha, w[i].Fy, w[i].Hub.Y = -w[i].Alpha, -w[i].Fy, -w[i].Hub.Y
	}
	b, k := &s.Brakes.Wheels, &s.Driveline.Shafts
	b[0], b[1], b[2], b[3] = b[1], b[0], b[3], b[2]
	k[0], k[1], k[2], k[3] = k[1], k[0], k[3], k[2]
	s.Impact.Force.Y, s.Impact.YawMoment = -s.Impact.Force.Y, -s.Impact.YawMoment
	return s
}

func TestWhatIsOffIsExactlyNothing(t *testing.T) {
	for of := range EffectCount {
		on := trace(t, only(of), of, 1000, stirred)
		if highest(on) < 0.05 {
			t.Errorf("%v: at most %.3g N·m although it is on", of, highest(on))
		}
		cfg := every()
		for i, gain := range []*float64{&cfg.Scrub, &cfg.RearSlip, &cfg.Road, &cfg.ABS, &cfg.LockUp, &cfg.Shift, &cfg.Engine, &cfg.Limiter, &cfg.Collision} {
			if Effect(i) == of {
				*gain = 0
			}
		}
		if off := highest(trace(t, cfg, of, 1000, stirred)); off != 0 {
			t.Errorf("%v: %g N·m although it is off", of, off)
		}
	}
	e, s := NewEffects(EffectsConfig{Cylinders: 4}, dt), at()
	stirred(&s, 500)
	if got := e.Understeer(&s, 3.25); got != 3.25 {
		t.Errorf("%g of 3.25 N·m without the cue", got)
	}
}

// Effects with a side turn round with the car, and vibrations, which have none, stay as they are.
func TestAMirroredCarGivesMirroredBits(t *testing.T) {
	one, other := NewEffects(every(), dt), NewEffects(every(), dt)
	s := at()
	var a, b [EffectCount]float64
	for i := range 3000 {
		stirred(&s, i)
		image := mirrored(s)
		one.Step(&s, &a)
		other.Step(&image, &b)
		for of := range EffectCount {
			want := a[of]
			if of == RearSlip || of == Road || of == Collision {
				want = -want
			}
			if b[of] != want {
				t.Fatalf("tick %d, %v: %g N·m, mirrored %g N·m", i, of, a[of], b[of])
			}
		}
		if l, r := one.Understeer(&s, 4), other.Understeer(&image, -4); l != -r {
			t.Fatalf("tick %d: %g N·m of the column, mirrored %g N·m", i, l, r)
		}
	}
}

func TestTheUndersteerCueOnlyTakes(t *testing.T) {
	tests := []struct {
		name                 string
		cue, strain, speed   float64
		column, want, within float64
	}{
		{"off", 0, 3, 20, -5, -5, 0},
		{"grips", 1, 0.5, 20, -5, -5, 0},
		{"at the peak", 1, 1, 20, -5, -5 * (1 - 0.8*20.0/27), 1e-6}, // 2/3 of the way: x²(3-2x) = 20/27
		{"slides", 1, 1.25, 20, -5, -1, 1e-6},
		{"slides far", 1, 40, 20, -5, -1, 1e-6},
		{"half a cue", 0.5, 2, 20, 4, 2.4, 1e-6},
		{"backward", 1, 2, -20, 4, 0.8, 1e-6},
		{"parking", 1, 2, 1, 6, 6, 0},
		{"NaN", 1, math.NaN(), 20, -5, -5, 0},
		{"no torque", 1, 2, 20, math.NaN(), 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, s := NewEffects(EffectsConfig{Understeer: tt.cue}, dt), at()
			s.Speed = tt.speed
			s.Wheels[tire.FL].Roll.NormalizedSlip, s.Wheels[tire.FR].Roll.NormalizedSlip = tt.strain, tt.strain
			got, last := 0.0, tt.column
			for range 300 {
				got = e.Understeer(&s, tt.column)
				if math.Abs(got) > math.Abs(last) || got*tt.column < 0 {
					t.Fatalf("%g after %g N·m of %g", got, last, tt.column)
				}
				last = got
			}
			near.Value(t, "torque", got, tt.want, tt.within)
		})
	}
}

func TestWhatCarriesDecidesHowTheAxleSlides(t *testing.T) {
	s := at()
	l, r := &s.Wheels[tire.FL], &s.Wheels[tire.FR]
	l.Load, l.Roll.NormalizedSlip, r.Load, r.Roll.NormalizedSlip = 1000, 2, 3000, 1
	near.Value(t, "strain", axleStrain(l, r), 1.25, 1e-15)
	l.Load, r.Load = 0, 0
	near.Value(t, "in the air", axleStrain(l, r), 0, 0)
}

// slide has both front tires slide at a speed, at a friction.
func slide(speed, friction, strain float64) func(*sim.State, int) {
	return func(s *sim.State, _ int) {
		for i := range 2 {
			w := &s.Wheels[i]
			w.Fy, w.Roll.NormalizedSlip = friction*w.Load, strain
			w.Roll.SlipEnergy += w.Fy * speed * dt
		}
	}
}

func TestScrubSoundsOfTreadBlocks(t *testing.T) {
	tests := []struct {
		name                    string
		speed, friction, strain float64
		hertz, size             float64
	}{
		{"1.5 m/s over blocks of 30 mm", 1.5, 1, 1, 50, 1},
		{"3 m/s on ice", 3, 0.1, 2, 100, 0.1},
		{"more grip than 1", 1.5, 1.4, 1, 50, 1},
		{"begins to slide", 1.5, 1, 0.75, 50, 0.5},
		{"no faster than 0.4 of the ticks", 30, 1, 5, 400, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := settledTail(trace(t, only(Scrub), Scrub, 4000, slide(tt.speed, tt.friction, tt.strain)))
			near.Value(t, "frequency [Hz]", hertz(all), tt.hertz, 0.01*tt.hertz)
			near.Value(t, "amplitude [N·m]", highest(all), tt.size, 0.06*tt.size) // of 2.5 samples a period
		})
	}
	for name, grips := range map[string]func(*sim.State, int){
		"grips": slide(1.5, 1, 0.5), "in the air": func(s *sim.State, _ int) { s.Wheels[0].Load, s.Wheels[1].Load = 0, 0 },
		"too slow to be a vibration": slide(0.25, 1, 1),
	} {
		if most := highest(trace(t, only(Scrub), Scrub, 1000, grips)); most != 0 {
			t.Errorf("%s: %g N·m", name, most)
		}
	}
}

func TestLockedFrontWheelsRumble(t *testing.T) {
	lock := func(left, right, speed float64) func(*sim.State, int) {
		return func(s *sim.State, _ int) { s.Wheels[0].Kappa, s.Wheels[1].Kappa, s.Speed = left, right, speed }
	}
	tests := []struct {
		name        string
		change      func(*sim.State, int)
		hertz, size float64
	}{
		{"both, at 10 m/s over waves of 0.1 m", lock(-1, -1, 10), 100, 1},
		{"one", lock(-1, 0, 10), 100, 0.5},
		{"backward", lock(1, 1, -5), 50, 1},
		{"half way", lock(-0.65, -0.65, 10), 65, 0.5},
		{"fast", lock(-1, -1, 60), 400, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := settledTail(trace(t, only(LockUp), LockUp, 4000, tt.change))
			near.Value(t, "frequency [Hz]", hertz(all), tt.hertz, 0.01*tt.hertz)
			near.Value(t, "amplitude [N·m]", highest(all), tt.size, 0.06*tt.size)
		})
	}
	for name, free := range map[string]func(*sim.State, int){
		"rolls": lock(-0.5, -0.5, 20), "spins": lock(2, 2, 20), "stands": lock(-1, -1, 0),
	} {
		if most := highest(trace(t, only(LockUp), LockUp, 1000, free)); most != 0 {
			t.Errorf("%s: %g N·m", name, most)
		}
	}
}

// On, off and on again: no tick changes a vibration by more than its sine and a straight line
// of 15 ms do.
func TestVibrationsFadeWithoutSteps(t *testing.T) {
	for _, of := range []Effect{Scrub, LockUp, Engine} {
		all := trace(t, only(of), of, 2000, func(s *sim.State, i int) {
			slide(1.5, 1, 1)(s, i)
			s.Speed, s.Driveline.EngineSpeed, s.Driveline.Engine.Running, s.Driveline.Engine.Torque = 5, 150, true, 300 // 50 Hz each
			if i/100%2 == 1 {
				s.Wheels[0].Roll.NormalizedSlip, s.Wheels[1].Roll.NormalizedSlip, s.Driveline.Engine.Running = 0, 0, false
			}
			for k := range 2 {
				s.Wheels[k].Kappa = -float64(1 - i/100%2)
			}
		})
		sine := 2 * math.Pi * 50 * dt
		if of == Engine {
			sine *= 1 + 2*0.27 + 3*0.25
		}
		if most := steepest(all); most > sine+1.6*dt/0.015 {
			t.Errorf("%v: a step of %.3f N·m", of, most)
		}
		for i := 160; i < 200; i++ {
			if all[i] != 0 {
				t.Fatalf("%v: %g N·m %d ms after its end", of, all[i], i-100)
			}
		}
		if highest(all[100:116]) == 0 {
			t.Errorf("%v: ends at once", of)
		}
	}
}

func TestEveryVibrationEndsBelowTheTicks(t *testing.T) {
	e, level := newFiring(12, dt), firingState{}
	s := at()
	s.Driveline.EngineSpeed, s.Driveline.Engine.Running = 950, true // 907 Hz
	for range 100 {
		if got := e.next(&level, &s); got != 0 {
			t.Fatalf("%g of a vibration that no tick can follow", got)
		}
	}
}

func TestConfigOfEffectsNamesEveryBadField(t *testing.T) {
	if err := DefaultEffects().Validate(); err != nil {
		t.Error(err)
	}
	err := EffectsConfig{Understeer: 2, Road: math.NaN(), Scrub: -1, Cylinders: 17}.Validate()
	for _, want := range []string{"understeer = 2: must be 0 to 1", "road_nm = NaN", "scrub_nm = -1", "engine_cylinders = 17"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

func TestEffectsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for of := range EffectCount {
		seen[of.String()] = true
	}
	if len(seen) != int(EffectCount) || seen["unknown"] || Effect(-1).String() != "unknown" || EffectCount.String() != "unknown" {
		t.Errorf("names %v", seen)
	}
}
