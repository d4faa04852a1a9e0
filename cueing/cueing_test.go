package cueing

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
)

const (
	dt  = 1e-3
	deg = math.Pi / 180
)

// doubling shows twice the car's lean, up to 8° of each.
func doubling() Config {
	c := DefaultConfig()
	c.Direct = DirectConfig{RollGain: 2, PitchGain: 2, SmoothingTime: 0.03}
	c.MaxPitch = 8
	return c
}

func cue(t testing.TB) *session {
	t.Helper()
	return newSession(t, doubling())
}

// leaning returns a car at a roll or a pitch [rad].
func leaning(roll, pitch float64) sim.State {
	sr, cr := math.Sincos(roll / 2)
	sp, cp := math.Sincos(pitch / 2)
	return sim.State{State: chassis.State{Att: quat.Mul(quat.Number{Real: cp, Jmag: sp}, quat.Number{Real: cr, Imag: sr})}}
}

func settled(c *session, s sim.State) (p Pose) {
	for range 5000 {
		p = c.Pose(&s)
	}
	return p
}

func TestPoseFollowsTheBody(t *testing.T) {
	tests := []struct {
		name        string
		roll, pitch float64 // of the car [deg]
		want        Pose    // [deg]
	}{
		{"level", 0, 0, Pose{}},
		{"right side down", 2, 0, Pose{Roll: 4}},
		{"left side down", -3, 0, Pose{Roll: -6}},
		{"nose down", 0, 1.5, Pose{Pitch: 3}},
		{"nose up", 0, -1, Pose{Pitch: -2}},
		{"rolled over", 170, 0, Pose{Roll: 8}},
		{"standing on its nose", 0, 80, Pose{Pitch: 8}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := settled(cue(t), leaning(tt.roll*deg, tt.pitch*deg))
			if math.Abs(got.Roll-tt.want.Roll*deg) > 1e-9 || math.Abs(got.Pitch-tt.want.Pitch*deg) > 1e-9 {
				t.Errorf("roll %.4f°, pitch %.4f°, want %g°, %g°", got.Roll/deg, got.Pitch/deg, tt.want.Roll, tt.want.Pitch)
			}
			if got.Surge != 0 || got.Sway != 0 || got.Heave != 0 || got.Yaw != 0 {
				t.Errorf("pose %+v moves otherwise", got)
			}
		})
	}
}

func TestDrivenCarMovesThePlatform(t *testing.T) {
	car, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	c, s := cue(t), car.Rest(r3.Vec{}, 0)
	drive := func(seconds float64, in sim.Input) (p Pose) {
		for range int(seconds / dt) {
			car.Step(&s, in)
			p = c.Pose(&s)
		}
		return p
	}
	driven := drive(4, sim.Input{Throttle: 0.7, Gear: 2, Assists: assist.Switches{AutoClutch: true}})
	lifted := drive(1, sim.Input{Gear: 2})
	if !(driven.Pitch < 0 && lifted.Pitch > driven.Pitch+0.2*deg && lifted.Pitch > 0) {
		t.Errorf("pitch driven %.3f°, throttle released %.3f°, want it forward", driven.Pitch/deg, lifted.Pitch/deg)
	}
	if left := drive(2, sim.Input{Throttle: 0.3, Gear: 2, Steer: 0.8}); left.Roll < 1*deg {
		t.Errorf("roll %.3f° in a left turn, want it to the right", left.Roll/deg)
	}
}

func TestNaNLevelsThePlatform(t *testing.T) {
	c := cue(t)
	before := settled(c, leaning(2*deg, 0))
	bad := sim.State{State: chassis.State{Att: quat.Number{Real: math.NaN()}}}
	if p := c.Pose(&bad); !c.Fault() || math.Abs(p.Roll-before.Roll) > 300*deg*dt*dt {
		t.Errorf("fault %t, roll from %g to %g", c.Fault(), before.Roll, p.Roll)
	}
	if p := settled(c, bad); math.Abs(p.Roll) > 1e-12 || p.Pitch != 0 {
		t.Errorf("settles at %+v", p)
	}
}

func TestResetIsLevel(t *testing.T) {
	c := cue(t)
	settled(c, leaning(3*deg, 3*deg))
	c.Reset()
	level := leaning(0, 0)
	if p := c.Pose(&level); p != (Pose{}) {
		t.Errorf("pose %+v", p)
	}
}

func TestLimiterGoesStraightToItsTarget(t *testing.T) {
	for _, target := range []float64{1, -0.37, 0.0123, 1e-6, 3} {
		l := newLimiting(2, 0.5, 2, 0.01)
		want := min(max(target, -2), 2)
		for i := range 2000 {
			before := l.position
			l.next(target)
			if (l.position-before)*target < -1e-15 || math.Abs(l.position) > math.Abs(want)+1e-12 {
				t.Fatalf("target %g: from %.15g to %.15g at tick %d", target, before, l.position, i)
			}
		}
		if math.Abs(l.position-want) > 1e-12 || math.Abs(l.step) > 1e-12 {
			t.Errorf("target %g: settled at %.15g, step %g", target, l.position, l.step)
		}
	}
}

func TestLimiterIsAsQuickAsItMayBe(t *testing.T) {
	l := newLimiting(2, 0.5, 2, 0.001)
	ticks := 0
	for l.position < 1-1e-9 {
		l.next(1)
		ticks++
	}
	// Speed up 0.25 s, cruise, slow down 0.25 s: 1/0.5 + 0.25 s in all.
	if ticks < 2240 || ticks > 2260 {
		t.Errorf("%d ms, want 2250", ticks)
	}
}

func TestLimiterFollowsWhatItCanWithoutLag(t *testing.T) {
	l := newLimiting(0.2, 0.5, 5, dt)
	for i := range 5000 {
		now := float64(i) * dt
		target := 0.1 * (1 - math.Cos(4*now)) // up to 0.4 m/s and 1.6 m/s²
		if at := l.next(target); math.Abs(at-target) > 1e-5 {
			t.Fatalf("at %g after %g s, its target at %g", at, now, target)
		}
	}
}

func TestLimiterStopsBeforeTheEndOfItsRange(t *testing.T) {
	l := newLimiting(0.2, 0.5, 5, dt)
	for i := range 2000 {
		before := l.step
		at := l.next(0.5 * float64(i) * dt) // as fast as it may be, and then no further
		if at > 0.2 || math.Abs(l.step-before) > 5*dt*dt*(1+1e-9) {
			t.Fatalf("at %g, from a step of %g to %g", at, before, l.step)
		}
	}
	if math.Abs(l.position-0.2) > 1e-12 {
		t.Errorf("at %g, want the end", l.position)
	}
}

func FuzzLimiter(f *testing.F) {
	f.Add(1.0, -1.0, 0.3, uint8(10), uint8(50))
	f.Add(1e300, -1e300, 0.0, uint8(1), uint8(1))
	f.Add(0.1, 0.11, 0.1, uint8(3), uint8(200))
	f.Fuzz(func(t *testing.T, a, b, c float64, first, second uint8) {
		if a != a || b != b || c != c {
			return // Pose never asks for NaN or Inf
		}
		const most, fast, accel, dt = 0.2, 0.5, 5.0, 1e-3
		l := newLimiting(most, fast, accel, dt)
		last, lastStep := 0.0, 0.0
		check := func(target float64, ticks int) {
			for range ticks {
				at := l.next(target)
				step := at - last
				if math.Abs(at) > most || math.Abs(step) > fast*dt*(1+1e-9) || math.Abs(step-lastStep) > accel*dt*dt*(1+1e-6) {
					t.Fatalf("target %g: at %g, speed %g, acceleration %g", target, at, step/dt, (step-lastStep)/dt/dt)
				}
				last, lastStep = at, step
			}
		}
		check(a, int(first)*3)
		check(b, int(second)*3)
		check(c, 3000)
		if want := min(max(c, -most), most); math.Abs(last-want) > 1e-12 {
			t.Fatalf("settled at %g, want %g", last, want)
		}
	})
}

func TestConfigNamesEveryBadField(t *testing.T) {
	c := DefaultConfig()
	c.MaxRoll, c.Direct.SmoothingTime = 45, math.NaN()
	err := c.Validate()
	if err == nil || !strings.Contains(err.Error(), "max_roll_deg = 45: must be 0 to 30") ||
		!strings.Contains(err.Error(), "direct.smoothing_s = NaN") {
		t.Errorf("error %v", err)
	}
	if _, err := New(c, dt); err == nil || !strings.HasPrefix(err.Error(), "cueing: ") {
		t.Errorf("error %v", err)
	}
}
