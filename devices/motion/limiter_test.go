package motion

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

var testLimits = limits{min: 0.1, max: 0.9, speed: 0.8, accel: 4}

const hair = 1e-9 // rounding

// checkedStep steps l and holds it to its promises.
func checkedStep(t *testing.T, l *limiter, target float64, lim limits) {
	t.Helper()
	before := *l
	l.step(target, lim)
	if math.IsNaN(l.position) || l.position < lim.min-hair || l.position > lim.max+hair {
		t.Fatalf("position %g left %g..%g", l.position, lim.min, lim.max)
	}
	if math.Abs(l.velocity) > lim.speed+hair {
		t.Fatalf("speed %g above %g", l.velocity, lim.speed)
	}
	if moved := l.position - before.position; math.Abs(moved) > lim.speed*l.dt+hair {
		t.Fatalf("moved %g in one step, at most %g", moved, lim.speed*l.dt)
	}
	if change := math.Abs(l.velocity - before.velocity); change > lim.accel*l.dt+hair {
		t.Fatalf("speed changed by %g in one step, at most %g", change, lim.accel*l.dt)
	}
}

// A trapezoid takes way/speed + speed/acceleration, a triangle
// 2·sqrt(way/acceleration).
func TestLimiterTakesTheTimeOfATrapezoid(t *testing.T) {
	tests := []struct {
		name     string
		from, to float64
		want     float64 // [s]
	}{
		{"full speed is reached", 0.1, 0.9, 1.2},
		{"and downwards", 0.9, 0.1, 1.2},
		{"too short for full speed", 0.5, 0.6, 0.316},
		{"target beyond the end", 0.5, 7, 0.7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := limiter{dt: 0.001}
			l.reset(tt.from)
			steps := 0
			for !l.still(tt.to, testLimits) && steps < 5000 {
				checkedStep(t, &l, tt.to, testLimits)
				steps++
			}
			if got := float64(steps) * l.dt; math.Abs(got-tt.want) > 0.005 {
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
			if math.Abs(l.position-target) > hair {
				t.Errorf("dt %g: stopped at %.9f, want %.9f", dt, l.position, target)
			}
		}
	}
}

func TestLimiterKeepsItsPromisesOnWildTargets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	wild := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 0, 1}
	l := limiter{dt: 0.004}
	l.reset(0.5)
	target := 0.5
	for i := range 200_000 {
		switch {
		case i%7 == 0:
			target = rng.Float64()*1.4 - 0.2
		case i%101 == 0:
			target = wild[rng.IntN(len(wild))]
		}
		checkedStep(t, &l, target, testLimits)
	}
}

func TestLimiterFollowsASlowTargetClosely(t *testing.T) {
	l := limiter{dt: 0.004}
	l.reset(0.5)
	worst := 0.0
	for i := range 2500 {
		target := 0.5 + 0.1*math.Sin(2*math.Pi*0.5*float64(i)*l.dt)
		checkedStep(t, &l, target, testLimits)
		if i > 250 { // it has caught up with a target that began at full speed
			worst = max(worst, math.Abs(target-l.position))
		}
	}
	if worst > 0.002 {
		t.Errorf("lags by %.4f of the stroke, want at most 0.002", worst)
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

func TestLimiterBrakesOnWhatIsNoNumber(t *testing.T) {
	l := limiter{dt: 0.001}
	l.reset(0.5)
	for range 300 {
		l.step(0.9, testLimits)
	}
	for range 200 { // 0.8 / 4 s
		checkedStep(t, &l, math.NaN(), testLimits)
	}
	if math.Abs(l.velocity) > hair {
		t.Errorf("still moves at %g", l.velocity)
	}
}

// A platform found outside its range comes in, and no faster than it may.
func TestLimiterComesInFromOutside(t *testing.T) {
	l := limiter{dt: 0.004}
	l.reset(0.02)
	for range 1000 {
		before := l.position
		l.step(0.0, testLimits)
		if l.position < before || l.position-before > testLimits.speed*l.dt+hair {
			t.Fatalf("went from %g to %g", before, l.position)
		}
	}
	if math.Abs(l.position-testLimits.min) > hair {
		t.Errorf("stopped at %g, want %g", l.position, testLimits.min)
	}
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
