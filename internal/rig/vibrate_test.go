package rig

import (
	"math"
	"slices"
	"testing"

	"rig/ffb"
	"rig/internal/config"
	"rig/sim/road"
)

// shaken is a wheel that keeps room for its own vibration, and remembers the last.
type shaken struct{ room, peak, hz float64 }

func (s *shaken) Shake(peak, hz float64) { s.peak, s.hz = peak, hz }

func (s *shaken) Headroom() float64 { return s.room }

// The car's force and the wheel's own vibration together never exceed what feel and guard
// allow, and nothing vibrates while the car stands still.
func TestForceAndVibrationTogether(t *testing.T) {
	for _, c := range []struct {
		name                    string
		room, feel, guard, want float64 // the last: highest peak
	}{
		{"a mild wheel", 0.5, 8, 8, 0.5},
		{"a strong wheel, by the feel's limit", 5, 2, 8, 0.5},
		{"a strong wheel, by the guard's limit", 5, 8, 2, 0.5},
		{"a wheel without a sine", 0, 8, 8, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := config.Default()
			cfg.FFB.MaxTorque, cfg.Guard.MaxTorque, cfg.FFB.FullScale = c.feel, c.guard, 0.5 // which clips
			r, w := demoOf(t, cfg), &shaken{room: c.room}
			r.shaker = w
			r.shake = ffb.NewShake(r.dt, slices.Repeat([]ffb.Pattern{{Pitch: 0.5, Strength: 1}}, 256)) // kerbs everywhere
			most, seen := min(c.feel, c.guard), 0.0
			for i := range 6000 {
				run(t, r, 1)
				if sum := math.Abs(r.torque) + w.peak; sum > most+1e-12 || w.peak > 0 && !r.guard.State().Moves() {
					t.Fatalf("tick %d, %v: %g and %g N·m, allowed are %g", i, r.guard.State(), r.torque, w.peak, most)
				}
				seen = max(seen, w.peak)
			}
			if math.Abs(seen-c.want) > 0.01*c.want {
				t.Errorf("vibrates by %g N·m, want %g", seen, c.want)
			}
			r.orders.stop.Store(true)
			run(t, r, 1)
			if w.peak != 0 {
				t.Errorf("%g N·m in the tick of an emergency stop", w.peak)
			}
		})
	}
}

func TestTickWithAVibrationAllocatesNothing(t *testing.T) {
	r := withPage(t, demo(t))
	r.shaker = &shaken{room: 1}
	run(t, r, 3000)
	if n := testing.AllocsPerRun(2000, func() { r.Tick() }); n != 0 {
		t.Errorf("a tick allocates %g times", n)
	}
}

func TestPatternsOfTheGround(t *testing.T) {
	list := patterns(demo(t).circuit.Ground)
	for i, s := range road.SurfacesOf(demo(t).circuit.Ground) {
		if got := list[i]; s.Name == "kerb" && (got.Pitch != 0.5 || got.Strength != 0.5) || s.Name == "tarmac" && got.Pitch != 0 {
			t.Errorf("%s: %+v", s.Name, got)
		}
	}
	if len(list) < 2 {
		t.Errorf("%d surfaces", len(list))
	}
}

func TestCheckTellsOfWhatIsFeltTwice(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		vibration, abs, limiter float64
		told                    bool
	}{
		{"effects alone", 0, 0.2, 0.3, false}, {"the wheel alone", 0.5, 0, 0, false},
		{"both for the brakes", 0.5, 0.2, 0, true}, {"both for the limiter", 0.5, 0, 0.3, true},
	} {
		cfg, told := config.Default(), false
		cfg.Wheel.Vibration, cfg.FFB.Effects.ABS, cfg.FFB.Effects.Limiter = tt.vibration, tt.abs, tt.limiter
		checkShakes(cfg, func(_, _, _, _ string) { told = true })
		if told != tt.told {
			t.Errorf("%s: told %v", tt.name, told)
		}
	}
}
