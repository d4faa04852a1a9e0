package cueing

import (
	"math"
	"testing"
)

func TestTuningIsFollowedWithinHalfASecondAndWithoutAJump(t *testing.T) {
	tests := []struct {
		name string
		mode string
		t    func(*Tuning)
		of   func(Pose) float64
	}{
		{"all", Direct, func(t *Tuning) { t.Gain = 2 }, func(p Pose) float64 { return p.Roll }},
		{"roll", Direct, func(t *Tuning) { t.Roll = 2 }, func(p Pose) float64 { return p.Roll }},
		{"pitch", Direct, func(t *Tuning) { t.Pitch = 2 }, func(p Pose) float64 { return p.Pitch }},
		{"slide", Direct, func(t *Tuning) { t.Slide = 2 }, func(p Pose) float64 { return p.Slide }},
		{"belt", Washout, func(t *Tuning) { t.Belt = 2 }, func(p Pose) float64 { return p.Belt }},
		{"heave", Washout, func(t *Tuning) { t.Heave = 2 }, func(p Pose) float64 { return p.Heave }},
		{"surge", Washout, func(t *Tuning) { t.Surge = 2 }, func(p Pose) float64 { return p.Surge }},
		{"sway", Washout, func(t *Tuning) { t.Sway = 2 }, func(p Pose) float64 { return p.Sway }},
	}
	in := felt(-0.2, 0.1, 0.2)
	in.Roll, in.Pitch, in.RearSlip, in.Speed = 1*deg, 1*deg, 6*deg, 20
	for _, tt := range tests {
		cfg := wide(t, tt.mode, "shoarai")
		cfg.Washout.TiltGain = [2]float64{}
		c := made(t, cfg)
		before := tt.of(hold(c, in, 20))
		tuning := UnitTuning()
		tt.t(&tuning)
		c.Tune(tuning)
		last := before
		for i := range 3000 {
			now := tt.of(c.Next(&in))
			if math.Abs(now-last) > 0.02*math.Abs(before) {
				t.Fatalf("%s: jumps from %g to %g at tick %d", tt.name, last, now, i)
			}
			last = now
		}
		if math.Abs(last-2*before) > 1e-3*math.Abs(before) || before == 0 {
			t.Errorf("%s: from %g to %g, want twice as much", tt.name, before, last)
		}
	}
}

func TestTuningReachesItsFactorsInTime(t *testing.T) {
	u, s := newTuner(dt), tunerState{current: UnitTuning(), target: Tuning{Gain: 3}}
	for range 500 {
		u.next(&s)
	}
	if s.current != s.target {
		t.Errorf("%+v after half a second", s.current)
	}
}

func TestTuningIsHeldWithinItsRange(t *testing.T) {
	got := Tuning{Gain: 7, Surge: -1, Sway: math.NaN(), Heave: math.Inf(1), Roll: 2}.clamped()
	if want := (Tuning{Gain: 3, Sway: 1, Heave: 3, Roll: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Factors on what is tilt coordination's must not turn it any faster.
func TestTuningKeepsTheTiltsRate(t *testing.T) {
	c := made(t, wide(t, Washout, "shoarai"))
	hold(c, felt(1, 1, 0), 10)
	tuning := UnitTuning()
	tuning.Gain, tuning.Roll, tuning.Pitch = 3, 3, 3
	c.Tune(tuning)
	last := c.Trace().Tilt
	in := felt(1, 1, 0)
	for range 8000 {
		c.Next(&in)
		now := c.Trace().Tilt
		if math.Abs(now[0]-last[0]) > 3*deg*dt*(1+1e-9) || math.Abs(now[1]-last[1]) > 3*deg*dt*(1+1e-9) {
			t.Fatalf("tilt from %v to %v", last, now)
		}
		last = now
	}
	if last[0] < 20*deg {
		t.Errorf("tilt %.1f°, want more", last[0]/deg)
	}
}

// Twice the gain is twice the platform's motion while no limit is near: what the tilt shows is
// taken from the translation in the same measure, at every frequency.
func TestGainScalesTranslationAndTiltAlike(t *testing.T) {
	cfg := wide(t, Washout, "rig")
	cfg.Washout.MaxTiltRate, cfg.Washout.MaxTiltAccel = 60, 1000
	plain, louder := made(t, cfg), made(t, cfg)
	tuning := UnitTuning()
	tuning.Gain = 2
	louder.Tune(tuning)
	hold(louder, felt(0, 0, 0), 1)
	for i := range 20_000 {
		now := float64(i) * dt
		in := felt(0.1*math.Sin(0.7*now)+0.05*math.Sin(4*now), 0.1*math.Sin(1.3*now), 0)
		p, q := plain.Next(&in), louder.Next(&in)
		if math.Abs(q.Surge-2*p.Surge) > 1e-5 || math.Abs(q.Sway-2*p.Sway) > 1e-5 || math.Abs(q.Pitch-2*p.Pitch) > 1e-5 {
			t.Fatalf("after %.1f s %+v with a gain of 2, %+v with 1", now, q, p)
		}
	}
	if p := plain.Next(&Inputs{Force: [3]float64{0, 0, gravity}}); math.Abs(p.Surge) < 1e-4 {
		t.Errorf("%+v does not move", p)
	}
}

// A tilt that a factor has brought to its end comes back as soon as the force ends: the
// low-pass has not stored what the end kept from being shown.
func TestTuningStoresNoTiltBeyondItsEnd(t *testing.T) {
	cfg := wide(t, Washout, "shoarai")
	cfg.MaxPitch = 8
	c, tuning := made(t, cfg), UnitTuning()
	tuning.Pitch = 3
	c.Tune(tuning)
	if hold(c, felt(9, 0, 0), 20); math.Abs(c.Trace().Tilt[1]+8*deg) > 1e-9 {
		t.Fatalf("tilt %.3f°, want its end at -8°", c.Trace().Tilt[1]/deg)
	}
	// Accelerated by 10 °/s² it goes 0.2° in 0.2 s.
	if hold(c, felt(0, 0, 0), 0.2); c.Trace().Tilt[1] < -7.85*deg {
		t.Errorf("tilt still at %.3f°", c.Trace().Tilt[1]/deg)
	}
}
