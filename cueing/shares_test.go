package cueing

import (
	"math"
	"math/rand/v2"
	"testing"

	testlevel "rig.example/rig/test/level"
)

// shared returns a configuration with a share of every limit.
func shared(c Config, travel, speed, accel float64) Config {
	for _, v := range []*float64{&c.MaxSurge, &c.MaxSway, &c.MaxHeave, &c.MaxSlide, &c.MaxRoll, &c.MaxPitch, &c.MaxYaw, &c.MaxBelt} {
		*v *= travel
	}
	for _, v := range []*float64{&c.MaxLinearSpeed, &c.MaxAngularRate, &c.MaxBeltRate} {
		*v *= speed
	}
	for _, v := range []*float64{&c.MaxLinearAccel, &c.MaxAngularAccel, &c.MaxBeltAccel} {
		*v *= accel
	}
	return c
}

// limited is a cue whose limits get poses as they are.
type limited struct {
	*session
	watch watch
}

func newLimited(t *testing.T, cfg Config) *limited {
	cfg.Mode = Direct // in which a tilt is not watched
	return &limited{newSession(t, cfg), watch{cfg: cfg}}
}

// next steps towards a pose whose components are shares of the configured ends, and checks the limits.
func (l *limited) next(t *testing.T, wanted [poseComponents]float64) Pose {
	l.shares.next(l.cue.shareStep)
	for i := range wanted {
		wanted[i] *= l.cue.limits.axis[i].limit
	}
	p, _ := l.cue.limits.next(&l.limits, poseOf(wanted), &l.shares.current, 0)
	l.watch.check(t, p, &Trace{})
	return p
}

func poseOf(v [poseComponents]float64) Pose {
	return Pose{Surge: v[0], Sway: v[1], Heave: v[2], Roll: v[3], Pitch: v[4], Yaw: v[5], Slide: v[6], Belt: v[7]}
}

// Whatever is ordered and whatever pose is wanted: the configured limits hold at every tick, and the lowered ones
// soon after an order.
func TestLoweredLimitsHold(t *testing.T) {
	testlevel.SkipIfQuick(t)
	r := rand.New(rand.NewPCG(27, 1))
	cfg := all(t, Direct, "rig")
	quick := cfg
	quick.MaxLinearSpeed, quick.MaxLinearAccel, quick.MaxAngularRate, quick.MaxAngularAccel = 3, 30, 200, 500
	slow := cfg
	slow.MaxSurge, slow.MaxLinearSpeed, slow.MaxLinearAccel, slow.MaxAngularRate, slow.MaxAngularAccel = 0.4, 0.4, 0.4, 200, 40
	for _, cfg := range []Config{cfg, quick, slow} {
		l := newLimited(t, cfg)
		var wanted [poseComponents]float64
		for range testlevel.Pick(100, 100, 300) {
			mostly := r.Float64()
			step := func() {
				for i := range wanted {
					if r.Float64() < 0.02*mostly {
						wanted[i] = [...]float64{-1, 1, 1e300, 3 * r.NormFloat64(), r.NormFloat64()}[r.IntN(5)]
					}
				}
				l.next(t, wanted)
			}
			for range 1 + r.IntN(3) {
				for range r.IntN(400) {
					step()
				}
				l.Lower(Share(r.IntN(int(ShareCount))), [...]float64{0, 1, r.Float64(), 1.5, math.Inf(1), math.NaN()}[r.IntN(6)])
			}
			if r.IntN(3) > 0 {
				continue
			}
			for range 8000 {
				step()
			}
			target := &l.shares.target
			lowered := shared(cfg, target[TravelShare], target[SpeedShare], target[AccelShare])
			l.watch.cfg = lowered
			for range 300 {
				step()
			}
			l.watch.cfg = cfg
		}
	}
}

// A lowered travel brings the platform in at the pace of the share, and a raised one lets it out at that pace.
func TestALoweredTravelMovesThePlatformGently(t *testing.T) {
	cfg := all(t, Direct, "rig")
	l, ends := newLimited(t, cfg), [poseComponents]float64{1, 1, 1, 1, 1, 1, 1, 1}
	for range 3000 {
		l.next(t, ends)
	}
	for _, tt := range []struct{ order, want float64 }{{0.5, 0.5}, {0, 0.2}, {0.7, 0.7}, {3, 1}} {
		l.Lower(TravelShare, tt.order)
		var p Pose
		for range 2500 {
			before := l.limits[0].limiter.position
			if p = l.next(t, ends); math.Abs(p.Surge-before) > 2.5*shareRate*cfg.MaxSurge*dt {
				t.Fatalf("ordered %g: surge moves at %g m/s", tt.order, (p.Surge-before)/dt)
			}
		}
		if math.Abs(p.Surge-tt.want*cfg.MaxSurge) > 1e-9 || math.Abs(p.Belt-tt.want) > 1e-9 {
			t.Errorf("ordered %g: surge %g, belt %g, want %g of the configured", tt.order, p.Surge, p.Belt, tt.want)
		}
	}
}

// A speed that is lowered sooner than the lowered acceleration allows waits for it.
func TestALoweredSpeedIsReachedWithinTheAcceleration(t *testing.T) {
	cfg := all(t, Direct, "rig")
	cfg.MaxSurge, cfg.MaxLinearSpeed, cfg.MaxLinearAccel = 1, 0.4, 0.4
	l := newLimited(t, cfg)
	l.Lower(AccelShare, 0.3)
	for range 10_000 {
		l.next(t, [poseComponents]float64{-1})
	}
	l.watch.cfg = shared(cfg, 1, 1, 0.3)
	for range 3400 {
		l.next(t, [poseComponents]float64{1})
	}
	if v := l.limits[0].limiter.step / dt; v < 0.39 {
		t.Fatalf("only %g m/s", v)
	}
	l.Lower(SpeedShare, 0.2)
	for range 1500 {
		l.next(t, [poseComponents]float64{1})
	}
}

// The low-pass answers a step as one that is critically damped, and is exactly absent at a share of 1.
func TestTheFilterIsCriticallyDamped(t *testing.T) {
	cfg := all(t, Direct, "rig")
	cfg.MaxLinearSpeed, cfg.MaxLinearAccel, cfg.MaxSurge = 3, 30, 1
	const share, size = 0.2, 0.01
	tau := (1 - share) * maxFilterTime
	plain, soft := newLimited(t, cfg), newLimited(t, cfg)
	soft.Lower(FilterShare, share)
	for range 2000 {
		soft.next(t, [poseComponents]float64{})
	}
	for i := range 1500 {
		plain.next(t, [poseComponents]float64{size})
		x := float64(i) * dt / tau
		if got, want := soft.next(t, [poseComponents]float64{size}).Surge, size*(1-(1+x)*math.Exp(-x)); math.Abs(got-want) > 0.02*size {
			t.Fatalf("after %.3f s at %g, want %g", float64(i)*dt, got, want)
		}
	}
	soft.Lower(FilterShare, 1)
	for range 2500 {
		plain.next(t, [poseComponents]float64{size})
		soft.next(t, [poseComponents]float64{size})
	}
	for i := range 3000 {
		wanted := [poseComponents]float64{0.05 * math.Sin(float64(i)/100), 1e-320, 0.3}
		if p, q := plain.next(t, wanted), soft.next(t, wanted); p != q {
			t.Fatalf("%+v without a filter, %+v at a share of 1", p, q)
		}
	}
}

// While the filter's share moves either way, the pose moves little faster than what is wanted.
func TestTheFilterComesAndGoesGently(t *testing.T) {
	cfg := all(t, Direct, "rig")
	cfg.MaxLinearSpeed, cfg.MaxLinearAccel, cfg.MaxSurge = 3, 30, 1
	l := newLimited(t, cfg)
	last, at := 0.0, 0.0
	const speed = 0.05 // [m/s]
	for _, order := range []float64{1, 0, 1, 0.5, 1} {
		l.Lower(FilterShare, order)
		for range 2500 {
			at += speed * dt
			p := l.next(t, [poseComponents]float64{at}).Surge
			if v := (p - last) / dt; at > speed && !(v > 0.6*speed && v < 1.4*speed) {
				t.Fatalf("ordered %g: at %g of %g m with %g m/s", order, p, at, v)
			}
			last = p
		}
	}
}

// The filter stores nothing of a pose that is wanted beyond the end: it is back soon after it.
func TestTheFilterStoresNothingBeyondTheEnd(t *testing.T) {
	cfg := all(t, Direct, "rig")
	l := newLimited(t, cfg)
	l.Lower(FilterShare, 0)
	for range 3000 {
		l.next(t, [poseComponents]float64{1e6})
	}
	var p Pose
	for range 1500 { // ten time constants
		p = l.next(t, [poseComponents]float64{})
	}
	if math.Abs(p.Surge) > 0.01*cfg.MaxSurge {
		t.Errorf("still at %g m", p.Surge)
	}
}

// A share stays what was ordered through a fault, and is no more than 1 and no less than its lowest.
func TestSharesHaveARange(t *testing.T) {
	s := newSession(t, all(t, Washout, "rig"))
	in := felt(1, 0, 0)
	for i := range ShareCount {
		for _, tt := range [][2]float64{{0.5, 0.5}, {-3, i.Lowest()}, {0, i.Lowest()}, {1.0001, 1}, {0.3, 0.3}, {math.NaN(), 1}, {math.Inf(1), 1}} {
			s.Lower(i, tt[0])
			for range 2500 {
				if s.Next(&in); s.Share(i) > 1 {
					t.Fatalf("share %d is %g", i, s.Share(i))
				}
			}
			if s.Reset(); math.Abs(s.Share(i)-tt[1]) > 1e-12 {
				t.Errorf("share %d: ordered %g, is %g", i, tt[0], s.Share(i))
			}
		}
	}
}
