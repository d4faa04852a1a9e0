package motion

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/test/level"
)

var testLimits = limits{min: 0.1, max: 0.9, speed: 0.8, accel: 4, jerk: 100}

const hair = 1e-9 // rounding

// checkedStep steps l and holds it to its promises. The speed may be beyond a
// limit that has shrunk, but must not grow then once the acceleration has
// turned.
func checkedStep(t *testing.T, l *limiter, target float64, lim limits) {
	t.Helper()
	before := *l
	l.step(target, 0, lim)
	checkMove(t, &before, l, lim)
}

// chase is checkedStep behind a target of which each step hears.
func chase(t *testing.T, c *interpolation, l *limiter, target float64, lim limits) {
	t.Helper()
	before := *l
	c.advance(l.dt)
	c.update(target, 0, lim.speed)
	l.step(c.position, c.speed, lim)
	checkMove(t, &before, l, lim)
}

func checkMove(t *testing.T, before, l *limiter, lim limits) {
	t.Helper()
	low, high := min(lim.min, before.position), max(lim.max, before.position)
	if math.IsNaN(l.position) || l.position < low-hair || l.position > high+hair {
		t.Fatalf("position %g left %g..%g", l.position, low, high)
	}
	if v := math.Abs(l.velocity); v > max(lim.speed, math.Abs(before.velocity)+math.Abs(before.accel)*l.dt)*(1+hair) {
		t.Fatalf("speed %g above %g, was %g", l.velocity, lim.speed, before.velocity)
	}
	if math.Abs(l.accel) > lim.accel*(1+hair) {
		t.Fatalf("acceleration %g above %g", l.accel, lim.accel)
	}
	if jerk := (l.accel - before.accel) / l.dt; math.Abs(jerk) > lim.jerk*(1+hair)+hair {
		t.Fatalf("jerk %g above %g", jerk, lim.jerk)
	}
	velocity, position := before.velocity+l.accel*l.dt, before.position+l.velocity*l.dt
	if slack := 1e-12 + 2*hair*lim.jerk*l.dt*l.dt; math.Abs(l.velocity-velocity) > slack || math.Abs(l.position-position) > slack*l.dt+1e-14 {
		t.Fatalf("%+v does not follow from %+v", l, before)
	}
}

// A movement from rest to rest with limited jerk takes way/speed +
// speed/acceleration + acceleration/jerk where both limits are reached.
func TestLimiterTakesTheTimeOfAJerkLimitedMove(t *testing.T) {
	tests := []struct {
		name     string
		from, to float64
		want     float64 // [s]
	}{
		{"full speed is reached", 0.1, 0.9, 1.24},
		{"and downwards", 0.9, 0.1, 1.24},
		{"too short for full speed", 0.5, 0.6, 0.3588}, // 2·t with 0.1 = 4·t·(t−0.04)
		{"target beyond the end", 0.5, 7, 0.74},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := limiter{dt: 0.001}
			l.reset(tt.from)
			steps := 0
			for !l.isAt(tt.to, testLimits) && steps < 5000 {
				checkedStep(t, &l, tt.to, testLimits)
				steps++
			}
			if got := float64(steps) * l.dt; math.Abs(got-tt.want) > 0.006 {
				t.Errorf("took %.3f s, want %.3f s", got, tt.want)
			}
		})
	}
}

func TestLimiterNeverOvershootsAStandingTarget(t *testing.T) {
	for _, dt := range []float64{0.001, 0.004, 0.02} {
		for _, target := range []float64{0.100001, 0.3, 0.50001, 0.7777, 0.9} {
			l := limiter{dt: dt}
			l.reset(0.1)
			for range int(2 / dt) {
				checkedStep(t, &l, target, testLimits)
				if l.position > target+hair {
					t.Fatalf("dt %g: at %.9f, beyond %.9f", dt, l.position, target)
				}
			}
			if !l.isAt(target, testLimits) {
				t.Errorf("dt %g: stopped at %.9f, want %.9f", dt, l.position, target)
			}
		}
	}
}

// anyLimits returns a range, a step of time and limits of any sensible size.
func anyLimits(rng *rand.Rand) (lim limits, dt float64) {
	scale := func(low, high float64) float64 { return low * math.Pow(high/low, rng.Float64()) }
	lim = limits{min: 0.5 * rng.Float64(), max: 0.5 + 0.5*rng.Float64(), speed: scale(0.01, 10), accel: scale(0.05, 100), jerk: scale(0.5, 10_000)}
	if rng.IntN(10) == 0 {
		lim.min, lim.max = 0.5-1e-3*rng.Float64(), 0.5+1e-3*rng.Float64()
	}
	return lim, scale(0.001, 0.05)
}

func TestLimiterKeepsItsPromisesOnWildTargets(t *testing.T) {
	level.SkipIfQuick(t)
	rng := rand.New(rand.NewPCG(1, 2))
	wild := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 0, 1}
	for range 1000 {
		lim, dt := anyLimits(rng)
		l := limiter{dt: dt}
		l.reset(lim.min + (lim.max-lim.min)*rng.Float64())
		full, target, drift := lim.speed, 0.5, 0.0
		for range 400 {
			switch rng.IntN(40) {
			case 0:
				target, drift = rng.Float64()*1.4-0.2, 0
			case 1:
				target = wild[rng.IntN(len(wild))]
			case 2:
				drift = full * dt * rng.NormFloat64()
			case 3:
				lim.speed = full * rng.Float64()
			case 4:
				lim.speed = full
			case 5:
				target = l.position + 1e-3*rng.NormFloat64()
			}
			target += drift
			checkedStep(t, &l, target, lim)
		}
	}
}

// Whatever it was doing, an axis comes to rest at a target that stands, within
// the time that the limits need.
func TestLimiterConverges(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		lim, dt := anyLimits(rng)
		l := limiter{dt: dt}
		l.reset(0.5)
		for range 50 {
			checkedStep(t, &l, rng.Float64(), lim)
		}
		target := min(max(rng.Float64(), lim.min), lim.max)
		limit := 3 * (1/lim.speed + lim.speed/lim.accel + lim.accel/lim.jerk + math.Cbrt(8/lim.jerk) + 2*math.Sqrt(1/lim.accel) + 20*dt)
		for left := limit; left > 0 && !l.isAt(target, lim); left -= dt {
			checkedStep(t, &l, target, lim)
		}
		if !l.isAt(target, lim) {
			t.Fatalf("%+v dt %g: at %+v after %.2f s, want rest at %g", lim, dt, l, limit, target)
		}
	}
}

func TestLimiterFollowsASlowTargetClosely(t *testing.T) {
	l, c := limiter{dt: 0.004}, interpolation{position: 0.5}
	l.reset(0.5)
	worst := 0.0
	for i := range 2500 {
		target := 0.5 + 0.1*math.Sin(2*math.Pi*0.5*float64(i)*l.dt)
		chase(t, &c, &l, target, testLimits)
		if i > 250 { // it has caught up with a target that began at full speed
			worst = max(worst, math.Abs(target-l.position))
		}
	}
	if worst > 0.0003 {
		t.Errorf("lags by %.5f of the stroke, want at most 0.0003", worst)
	}
}

// The axis may be on its way when the target jumps ahead a little, stays, and
// jumps again: none of that may carry it beyond.
func TestLimiterDoesNotOvershootATargetThatJumpsAhead(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	l := limiter{dt: 0.004}
	l.reset(0.1)
	for target := 0.15; target < 0.9; target += 0.03 * rng.Float64() {
		for range 2 + rng.IntN(60) {
			checkedStep(t, &l, target, testLimits)
			if l.position > target+hair {
				t.Fatalf("at %.9f, beyond %.9f", l.position, target)
			}
		}
	}
}

// A target that turns round is passed by the braking distance at most, v²/2a +
// va/2j, and the way of two steps that it takes to notice: from its own speed
// where the axis had caught up, from the highest where it turns again and again.
// It never leaves its range for it.
func TestLimiterPassesATargetThatTurnsByTheBrakingDistance(t *testing.T) {
	const ramp, dt = 0.6, 0.004
	tests := []struct {
		name        string
		low, turn   float64 // between which the target runs
		top         float64 // of the range
		braking, at float64 // braking distance from the speed at
	}{
		{"once it had caught up", 0.15, 0.6, 0.9, 0.36/8 + 0.6*4/200, 0.6},
		{"always catching up", 0.4, 0.6, 0.9, 0.64/8 + 0.8*4/200, 0.8},
		{"at the end of its range", 0.4, 0.6, 0.62, 0.02, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, c := limiter{dt: dt}, interpolation{position: tt.low}
			l.reset(tt.low)
			farthest, target, rise := 0.0, tt.low, ramp*dt
			for range 5000 {
				if target += rise; target >= tt.turn || target <= tt.low {
					rise = -rise
				}
				chase(t, &c, &l, target, limits{0.1, tt.top, 0.8, 4, 100})
				farthest = max(farthest, l.position)
			}
			if beyond := farthest - tt.turn; beyond > tt.braking+2*tt.at*dt {
				t.Errorf("passes the turn by %.4f, braking takes %.4f", beyond, tt.braking)
			}
		})
	}
}

func TestLimiterBrakesOnNaN(t *testing.T) {
	l := limiter{dt: 0.001}
	l.reset(0.5)
	for range 300 {
		l.step(0.9, 0, testLimits)
	}
	for range 245 { // 0.8/4 + 4/100 s
		checkedStep(t, &l, math.NaN(), testLimits)
	}
	if !l.isAtRest() {
		t.Errorf("still moves at %g", l.velocity)
	}
}

// An axis that is faster than it may be all at once slows down within its other
// limits.
func TestLimiterSlowsToASpeedThatShrank(t *testing.T) {
	l, lim := limiter{dt: 0.004}, testLimits
	l.reset(0.1)
	for range 60 {
		checkedStep(t, &l, 0.9, lim)
	}
	lim.speed = 0.15
	for range 60 { // (0.8-0.15)/4 + 4/100 s, and a step of rounding
		checkedStep(t, &l, 0.9, lim)
	}
	if math.Abs(l.velocity-0.15) > hair || math.Abs(l.accel) > hair {
		t.Errorf("moves at %g with acceleration %g, want 0.15 and 0", l.velocity, l.accel)
	}
}

// A platform found outside its range comes in, and no faster than it may.
func TestLimiterComesInFromOutside(t *testing.T) {
	l := limiter{dt: 0.004}
	l.reset(0.02)
	for range 1000 {
		before := l.position
		checkedStep(t, &l, 0, testLimits)
		if l.position < before-hair {
			t.Fatalf("went from %g to %g", before, l.position)
		}
	}
	if math.Abs(l.position-testLimits.min) > hair {
		t.Errorf("stopped at %g, want %g", l.position, testLimits.min)
	}
}

// The closed form of the way to rest must be what braking step by step does:
// the promise of the range rests on it.
func TestWayToRestIsWhatBrakingTakes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		most := math.Exp(8*rng.Float64() - 3)
		g := axisMotion{rng.NormFloat64() * math.Exp(8*rng.Float64()-4), (2*rng.Float64() - 1) * most}
		if rng.IntN(3) == 0 { // where the steps come out even
			most = math.Ceil(most)
			g = axisMotion{math.Round(g.velocity), math.Round(g.accel)}
		}
		got, want := g.stopRange(most), restBySteps(g, most)
		tolerance := 1e-6 * (1 + want.high - want.low)
		if math.Abs(got.end-want.end) > tolerance || math.Abs(got.low-want.low) > tolerance || math.Abs(got.high-want.high) > tolerance {
			t.Fatalf("%+v, at most %g: %+v, want %+v", g, most, got, want)
		}
	}
}

func restBySteps(g axisMotion, most float64) (s stopRange) {
	for range 1_000_000 {
		g = g.next(g.brakeAccel(most))
		s.end += g.velocity
		s.low, s.high = min(s.low, s.end), max(s.high, s.end)
		if math.Abs(g.velocity) < hair && math.Abs(g.accel) < hair {
			return s
		}
	}
	return stopRange{end: math.NaN()}
}

func FuzzLimiter(f *testing.F) {
	seed := func(targets ...float64) []byte {
		var b []byte
		for _, v := range targets {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	f.Add(seed(0.9, 0.1, math.NaN()))
	f.Add(seed(math.Inf(1), math.Inf(-1), 0.5))
	f.Add(seed(5e-324, math.Copysign(0, -1), 1e308))
	f.Fuzz(func(t *testing.T, in []byte) {
		l := limiter{dt: 0.004}
		l.reset(0.5)
		for range min(len(in)/8, 64) {
			target := math.Float64frombits(binary.LittleEndian.Uint64(in))
			in = in[8:]
			for range 50 {
				checkedStep(t, &l, target, testLimits)
			}
		}
	})
}

// BenchmarkTrajectory is a step of all eight actuators on their way.
func BenchmarkTrajectory(b *testing.B) {
	p := readyTrajectory()
	for i := 0; b.Loop(); i++ {
		p.step(stepInput{elapsed: p.dt, hasNewTarget: true, target: wire.AllAt(0.5 + 0.3*math.Sin(float64(i)*0.006))})
	}
}

func BenchmarkLimiter(b *testing.B) {
	l := limiter{dt: 0.001}
	l.reset(0.5)
	for i := 0; b.Loop(); i++ {
		l.step(0.5+0.3*math.Sin(float64(i)*0.006), 1.8*math.Cos(float64(i)*0.006), testLimits)
	}
}
