package ffb

import (
	"math"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
)

// kerbs has a kerb of teeth every half metre as its second surface.
var kerbs = []Pattern{{}, {Pitch: 0.5, Strength: 0.5}}

// shaking is a Shake with its state.
type shaking struct {
	*Vibration
	VibrationState
}

func newShaking(patterns []Pattern) *shaking {
	k := NewVibration(0.001, patterns)
	return &shaking{k, k.Start()}
}

func (k *shaking) Step(car *sim.State) (share, hz float64) {
	return k.Vibration.Step(&k.VibrationState, car)
}

// rolling is a car at a speed [m/s] with equal loads and its left front wheel on a surface.
func rolling(speed float64, material uint8) *sim.State {
	s := &sim.State{State: chassis.State{Speed: speed}}
	for i := range s.Wheels {
		s.Wheels[i].Load = 3000
	}
	s.Wheels[tire.FL].Material = material
	return s
}

func TestKerbsShakeByPitchAndSpeed(t *testing.T) {
	for _, c := range []struct {
		name      string
		s         *sim.State
		share, hz float64
	}{
		{"10 m/s", rolling(10, 1), 0.5, 20},
		{"backward", rolling(-10, 1), 0.5, 20},
		{"50 m/s, as fast as a sine can be", rolling(50, 1), 0.5, 100},
		{"100 m/s, twice that: half as strong", rolling(100, 1), 0.25, 100},
		{"1.25 m/s, half of the slowest", rolling(1.25, 1), 0.25, 5},
		{"standing on it", rolling(0, 1), 0, 0},
		{"beside it", rolling(10, 0), 0, 0},
		{"an unknown surface", rolling(10, 7), 0, 0},
	} {
		share, hz := newShaking(kerbs).Step(c.s)
		if math.Abs(share-c.share) > 1e-12 || math.Abs(hz-c.hz) > 1e-9 && c.share > 0 {
			t.Errorf("%s: %g at %g Hz, want %g at %g", c.name, share, hz, c.share, c.hz)
		}
	}
}

func TestKerbsShakeByTheLoadOnThem(t *testing.T) {
	s := rolling(10, 1)
	for _, c := range []struct{ load, want float64 }{{0, 0}, {1000, 0.2}, {3000, 0.5}, {9000, 0.5}} {
		s.Wheels[tire.FL].Load = c.load // of all: 10000, of which a quarter counts whole
		if got, _ := newShaking(kerbs).Step(s); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g N of %g: %g, want %g", c.load, c.load+9000, got, c.want)
		}
	}
	rear := rolling(10, 0)
	rear.Wheels[tire.RL].Material = 1
	if got, _ := newShaking(kerbs).Step(rear); got != 0 {
		t.Errorf("a rear wheel on a kerb shakes the rim by %g", got)
	}
}

func TestMirroredCarShakesTheSame(t *testing.T) {
	left, right := rolling(12.3, 1), rolling(12.3, 0)
	right.Wheels[tire.FR].Material = 1
	left.Wheels[tire.FL].Load, right.Wheels[tire.FR].Load = 1234, 1234
	a, hzA := newShaking(kerbs).Step(left)
	b, hzB := newShaking(kerbs).Step(right)
	if a != b || hzA != hzB {
		t.Errorf("%g at %g Hz on the left, %g at %g on the right", a, hzA, b, hzB)
	}
}

// The anti-lock brakes shake at the rate at which they let pressure go.
func TestAntilockShakesInItsOwnTime(t *testing.T) {
	const follows, builds, releases = 1, 2, 4
	k, s := newShaking(nil), rolling(20, 0)
	s.Brakes.PedalPulse = 0.6
	s.Brakes.Wheels[tire.FR].ABS.Phase = releases
	if share, hz := k.Step(s); share != 0.6 || hz != 10 {
		t.Errorf("at first %g at %g Hz, want 0.6 at 10", share, hz)
	}
	for i := range 1000 { // 8 Hz
		s.Brakes.Wheels[tire.FR].ABS.Phase = builds
		if i%125 < 30 {
			s.Brakes.Wheels[tire.FR].ABS.Phase = releases
		}
		k.Step(s)
	}
	if share, hz := k.Step(s); share != 0.6 || math.Abs(hz-8) > 0.1 {
		t.Errorf("%g at %g Hz, want 0.6 at 8", share, hz)
	}
	s.Brakes.PedalPulse, s.Brakes.Wheels[tire.FR].ABS.Phase = 0, follows
	if share, _ := k.Step(s); share != 0 {
		t.Errorf("off: %g", share)
	}
}

func TestLimiterShakesWhileItCuts(t *testing.T) {
	k, s := newShaking(nil), rolling(20, 0)
	if share, _ := k.Step(s); share != 0 {
		t.Errorf("before it cuts: %g", share)
	}
	for i := range 1000 { // 20 Hz
		s.Driveline.Engine.LimiterCut = i%50 < 40
		k.Step(s)
	}
	if share, hz := k.Step(s); share != 0.3 || math.Abs(hz-20) > 0.5 {
		t.Errorf("%g at %g Hz, want 0.3 at 20", share, hz)
	}
	s.Driveline.Engine.LimiterCut = false
	for range 80 {
		k.Step(s)
	}
	if share, _ := k.Step(s); share != 0 {
		t.Errorf("80 ms after the last cut: %g", share)
	}
}

func TestShakeOfNonsenseIsNone(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		s := rolling(bad, 1)
		s.Brakes.PedalPulse = bad
		s.Wheels[tire.FL].Load = bad
		if share, hz := newShaking(kerbs).Step(s); share != 0 || hz != 0 {
			t.Errorf("%g: %g at %g Hz", bad, share, hz)
		}
	}
}

func TestShakeAllocatesNothing(t *testing.T) {
	k, s := newShaking(kerbs), rolling(10, 1)
	if n := testing.AllocsPerRun(1000, func() { k.Step(s) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
