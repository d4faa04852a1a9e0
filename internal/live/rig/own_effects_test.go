package rig

import (
	"math"
	"slices"
	"testing"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/road"
	"rig.example/rig/test/level"
)

// shaken is a wheel that keeps room for what it makes by itself, half of it for its vibration
// unless all is, and remembers what it was told last.
type shaken struct {
	room, peak, hz, allowed float64
	conditions              bool
}

func (s *shaken) Vibrate(peak, hz float64) { s.peak, s.hz = peak, hz }

func (s *shaken) EnableEffects(bool) {}

func (s *shaken) LimitEffects(nm float64) { s.allowed = nm }

func (s *shaken) EffectReserve() float64 { return s.room }

func (s *shaken) MaxVibration() float64 {
	if s.conditions {
		return s.room / 2
	}
	return s.room
}

func (s *shaken) EffectTorque() float64 { return s.allowed }

// The car's force and all that the wheel makes by itself never exceed what feel and guard
// allow, and nothing works by itself while the car stands still.
func TestForceAndOwnEffectsTogether(t *testing.T) {
	level.SkipIfQuick(t)
	for _, c := range []struct {
		name                          string
		room, rated, feel, guard      float64
		conditions                    bool
		wantPeak, wantOwn, wantTorque float64 // the highest
	}{
		{"a mild wheel", 0.5, 8, 8, 8, false, 0.4706, 0.4706, 7.5},
		{"a strong wheel, by the feel's limit", 5, 15, 2, 8, false, 0.5, 0.5, 1.5},
		{"a strong wheel, by the guard's limit", 5, 15, 8, 2, false, 0.5, 0.5, 1.5},
		{"a spring as well", 12.5, 12.5, 8, 8, true, 2, 4, 4},
		{"a wheel without effects of its own", 0, 15, 8, 8, false, 0, 0, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := config.Default()
			cfg.FFB.MaxTorque, cfg.Guard.MaxTorque, cfg.FFB.FullScale = c.feel, c.guard, 0.5 // which clips
			r, w := withPage(t, demoOf(t, cfg)), &shaken{room: c.room, conditions: c.conditions}
			r.ownEffects, r.wheel = w, &ratedRim{r.wheel, c.rated}
			shaking(r, slices.Repeat([]ffb.Pattern{{Pitch: 0.5, Strength: 1}}, 256)...) // kerbs everywhere
			most := min(c.feel, c.guard)
			var peak, own, torque float64
			for i := range 6000 {
				before := w.allowed
				run(t, r, 1)
				sum := math.Abs(r.out.Torque) + w.allowed
				if sum > most+1e-12 || w.peak > w.allowed || w.allowed > 0 && !r.drive.State.Guard.State().Moves() {
					t.Fatalf("tick %d, %v: %g N·m and %g, of them %g for the sine; allowed are %g", i, r.drive.State.Guard.State(), r.out.Torque, w.allowed, w.peak, most)
				}
				if got, want := r.out.Frame.Force.Total, math.Abs(r.out.Torque)+before; got != want {
					t.Fatalf("tick %d: %g N·m are shown, want %g", i, got, want)
				}
				peak, own, torque = max(peak, w.peak), max(own, w.allowed), max(torque, math.Abs(r.out.Torque))
			}
			if !near(peak, c.wantPeak, 0.01) || !near(own, c.wantOwn, 0.01) || !near(torque, c.wantTorque, 0.02) {
				t.Errorf("vibrates by %g N·m of %g beside %g, want %g, %g and %g", peak, own, torque, c.wantPeak, c.wantOwn, c.wantTorque)
			}
			if sum := r.summary(); sum.MaxTotalTorque < sum.MaxRimTorque || sum.MaxTotalTorque > most+1e-12 {
				t.Errorf("the summary says %g and %g N·m", sum.MaxRimTorque, sum.MaxTotalTorque)
			}
			r.orders.Give(operator.EmergencyStop, guard.ByCommand)
			run(t, r, 1)
			if w.peak != 0 || w.allowed != 0 {
				t.Errorf("%g N·m, %g for the sine in the tick of an emergency stop", w.allowed, w.peak)
			}
		})
	}
}

// shaking has a rig's wheel make effects by itself, on such ground.
func shaking(r *Rig, ground ...ffb.Pattern) {
	r.drive.EnableOwnEffects(ffb.NewVibration(r.drive.Setup.Dt, ground))
}

func near(got, want, share float64) bool { return math.Abs(got-want) <= share*want }

// ratedRim is a rim with this rated torque [N·m].
type ratedRim struct {
	steeringWheel
	rated float64
}

func (w *ratedRim) Rated() float64 { return w.rated }

func TestTickWithAVibrationAllocatesNothing(t *testing.T) {
	r := withPage(t, demo(t))
	r.ownEffects = &shaken{room: 1}
	shaking(r)
	run(t, r, 3000)
	if n := testing.AllocsPerRun(2000, func() { r.Tick() }); n != 0 {
		t.Errorf("a tick allocates %g times", n)
	}
}

func TestPatternsOfTheGround(t *testing.T) {
	list := drivesetup.Patterns(demo(t).drive.Setup.Circuit.Ground)
	for i, s := range road.SurfacesOf(demo(t).drive.Setup.Circuit.Ground) {
		if got := list[i]; s.Name == "kerb" && (got.Pitch != 0.5 || got.Strength != 0.5) || s.Name == "tarmac" && got.Pitch != 0 {
			t.Errorf("%s: %+v", s.Name, got)
		}
	}
	if len(list) < 2 {
		t.Errorf("%d surfaces", len(list))
	}
}
