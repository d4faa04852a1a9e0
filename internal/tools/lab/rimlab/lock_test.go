package rimlab

import (
	"math"
	"testing"

	"rig.example/rig/ffb"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

// knocked is what became of a rim that was turned into the lock.
type knocked struct {
	beyond float64 // the lock, at most [°]
	back   float64 // fastest speed inward in the first half second [rad/s]
	times  int     // it came over the lock from inside
	sweep  float64 // in the last second [°]
}

// knock turns a rim at a speed [rad/s] to the car's lock and lets it go there, with a
// torque that goes on pushing it outward [N·m]. Six seconds are watched.
func knock(t *testing.T, cfg ffb.Config, c Case, speed, push float64) (k knocked) {
	t.Helper()
	car := coupe(t)
	lock := car.Lock()
	feel, err := ffb.New(cfg, ffb.Car{Lock: lock}, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	b := newLoop(car, feel, c)
	for rotated := 0.0; rotated < lock-0.02; rotated += speed * sim.Dt {
		b.step(0)
		b.rim.angle, b.rim.speed = rotated, speed
	}
	const ticks = 6000
	low, high := math.Inf(1), math.Inf(-1)
	for i := range ticks {
		previous := b.rim.angle
		b.step(push)
		over := (b.rim.angle - lock) / degree
		k.beyond = max(k.beyond, over)
		if previous <= lock && b.rim.angle > lock {
			k.times++
		}
		if i < 500 {
			k.back = max(k.back, -b.rim.speed)
		}
		if i >= ticks-1000 {
			low, high = min(low, over), max(high, over)
		}
	}
	k.sweep = high - low
	return k
}

// Without the car's own torque, which would help to stop it.
func TestSoftLockStopsARimWithoutBounce(t *testing.T) {
	level.SkipIfQuick(t)
	const speed = 5.0 // [rad/s]
	cfg := ffb.DefaultConfig()
	cfg.Strength, cfg.Share = ffb.Share, 0
	for _, w := range Wheels() {
		for _, delay := range []float64{5e-3, 20e-3} {
			for _, push := range []float64{0, 0.5, 0.8} { // shares of what the wheel gives
				k := knock(t, cfg, Case{Wheel: w, Delay: delay, Speed: 3}, speed, push*w.RatedTorque)
				t.Logf("%s, %g ms, pushed by %.1f N·m: %.1f° beyond the lock, back at %.1f rad/s", w.Name, delay*1e3, push*w.RatedTorque, k.beyond, k.back)
				if k.times > 2 || k.sweep > 0.1 || k.back > 0.7*speed || push == 0 && k.beyond > 17 {
					t.Errorf("%s, %g ms, pushed by %.1f N·m: %+v", w.Name, delay*1e3, push*w.RatedTorque, k)
				}
			}
		}
	}
}

func TestSoftLockDoesNotOscillateInACar(t *testing.T) {
	level.SkipIfQuick(t)
	for _, w := range Wheels() {
		for _, delay := range []float64{5e-3, 20e-3} {
			for i, mps := range []float64{0, 3, 10} {
				if i == 1 && !level.All() {
					continue
				}
				k := knock(t, ffb.DefaultConfig(), Case{Wheel: w, Delay: delay, Speed: mps}, 5, 0.8*w.RatedTorque)
				if k.times > 2 || k.sweep > 8 {
					t.Errorf("%s, %g ms, %g m/s: %+v", w.Name, delay*1e3, mps, k)
				}
			}
		}
	}
}
