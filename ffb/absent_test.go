package ffb

import "testing"

// A wheel that goes takes the rim's past with it: the next one starts from rest.
func TestRimOfAnAbsentWheelIsForgotten(t *testing.T) {
	r := newRim(DefaultRim(), DefaultLock(), Car{Lock: 8}, 0.001)
	w := Wheel{Present: true, Rated: 10, Delay: 5e-3}
	var got Trace
	for range 500 {
		w.Angle += 0.005
		r.step(w, 30, 2, 2, 1, &got)
	}
	if got.RimSpeed < 4.9 || got.Damping == 0 {
		t.Fatalf("rim speed %g rad/s, damping %g N·m, want 5 rad/s that are damped", got.RimSpeed, got.Damping)
	}
	w.Present = false
	if sum := r.step(w, 30, 2, 2, 1, &got); sum != 0 || got != (Trace{}) {
		t.Errorf("an absent wheel gets %g N·m: %+v", sum, got)
	}
	w.Present, w.Angle = true, -3
	r.step(w, 30, 2, 2, 1, &got)
	if got.RimSpeed != 0 || got.Damping != 0 || got.Lead != 0 {
		t.Errorf("in its first tick the next wheel has a rim speed of %g rad/s, damping %g and lead %g N·m", got.RimSpeed, got.Damping, got.Lead)
	}
}
