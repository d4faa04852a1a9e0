package omct

import (
	"math"
	"math/cmplx"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/test/level"
)

// The twelve frequencies, as the field quotes them.
func TestFrequencies(t *testing.T) {
	want := [Count]float64{0.1, 0.158, 0.251, 0.398, 0.631, 1, 1.585, 2.512, 3.981, 6.31, 10, 15.849}
	for i, w := range Frequencies() {
		if math.Abs(w-want[i]) > 0.0005 {
			t.Errorf("frequency %d is %.4f rad/s, want %.3f", i+1, w, want[i])
		}
	}
}

// answer returns what a vehicle's motion in one axis makes the platform do in another: the
// classical washout in the linear range, by its formulas. With the
// parameters of a set, s = jω, and
//
//	Hp = s³ / ((s² + 2·z·w·s + w²)·(s + b))   high-pass of translation
//	L  = w² / (s² + 2·z·w·s + w²)             low-pass of tilt coordination
//	Hr = s² / (s² + 2·z·w·s + w²)             high-pass of rotation, times the final low-pass
//
// a specific force f of the vehicle makes a tilt of kt·L·f/g, which shows kt·L·f, and a
// translation for what is left in level axes, (kf - z·kt·L)·f, where z = exp(-s·dt): the
// axes are those of the pose a tick ago. A vehicle that rotates by an angle a about the head
// feels the force g·a sideways, so that the platform rotates by kr·Hr·a + kt·L·a.
func answer(c cueing.WashoutConfig, from, to int, omega, dt float64) complex128 {
	s := complex(0, omega)
	z := cmplx.Exp(-s * complex(dt, 0))
	second := func(w, z float64) complex128 { return s*s + complex(2*z*w, 0)*s + complex(w*w, 0) }
	i := (from - surge) % 3
	low := complex(c.TiltLowPass*c.TiltLowPass, 0) / second(c.TiltLowPass, c.TiltDamping)
	high := func(i int) complex128 {
		return s * s / second(c.HighPass[i], c.HighDamping) * s / (s + complex(c.ReturnRate[i], 0))
	}
	turn := complex(c.RateGain[i], 0) * s * s / second(c.RotationHighPass[i], c.RotationDamping)
	if c.RotationOrder == 1 {
		turn = complex(c.RateGain[i], 0) * s / (s + complex(c.RotationHighPass[i], 0))
	}
	if f := c.FinalLowPass; f > 0 {
		turn *= complex(f*f, 0) / second(f, 0.707)
	}
	g := complex(gravity, 0)
	switch (channel{from, to}) {
	case channel{heave, heave}:
		return complex(c.ForceGain[2], 0) * high(2)
	case channel{yaw, yaw}:
		return turn
	case channel{surge, surge}, channel{sway, sway}:
		k, t := complex(c.ForceGain[i], 0), complex(c.TiltGain[i], 0)*low
		return high(i)*(k-z*t) + t
	case channel{surge, pitch}:
		return -complex(c.TiltGain[0], 0) * low / g
	case channel{sway, roll}:
		return complex(c.TiltGain[1], 0) * low / g
	case channel{roll, roll}:
		return turn + complex(c.TiltGain[1], 0)*low
	case channel{pitch, pitch}:
		return turn + complex(c.TiltGain[0], 0)*low
	case channel{roll, sway}: // right side down by a: the head feels g·a to the left
		a := turn + complex(c.TiltGain[1], 0)*low
		return g*a + high(1)*g*(complex(c.ForceGain[1], 0)-z*a)
	case channel{pitch, surge}: // nose down by a: the head feels g·a to the rear
		a := turn + complex(c.TiltGain[0], 0)*low
		return -g*a - high(0)*g*(complex(c.ForceGain[0], 0)-z*a)
	}
	return 0
}

// smallHexapod moves in all six degrees of freedom.
func smallHexapod() cueing.Geometry {
	g := cueing.DefaultGeometry()
	g.Kind = "hexapod"
	return g
}

// plain is a platform that nobody tuned, whose actuators go from end to end at any speed.
func plain(cfg cueing.Config, g cueing.Geometry) Platform {
	return Platform{Cueing: cfg, Tuning: cueing.UnitTuning(), Geometry: g, Span: cueing.FullStroke()}
}

// options are the standard's, with fewer ticks unless all tests run: a response at up to 16 rad/s does not need them.
func options() Options {
	o := DefaultOptions()
	o.Dt *= float64(level.Pick(4, 4, 1))
	return o
}

// In the linear range the measured response is the closed form's, in all channels.
func TestWashoutIsItsTransferFunction(t *testing.T) {
	level.SkipIfQuick(t)
	const close = 1e-3
	tests := []struct {
		name  string  // of the set: of the second order with a return, and of the first without
		final float64 // low-pass behind rotation [rad/s]
	}{{"rig", 4}, {"shoarai", 0}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := cueing.DefaultConfig()
			cfg.Mode = cueing.Washout
			var err error
			if cfg.Washout, err = cueing.Preset(tt.name); err != nil {
				t.Fatal(err)
			}
			cfg.Washout.MaxTiltRate, cfg.Washout.MaxTiltAccel, cfg.Washout.FinalLowPass = 60, 1000, tt.final
			o := options()
			o.Size = 1e-3 // far from every limit
			r, err := Run(plain(cfg, smallHexapod()), o)
			if err != nil {
				t.Fatal(err)
			}
			for i, test := range r.Tests {
				c := channels[i]
				for _, p := range test.Points {
					want := answer(cfg.Washout, c.from, c.to, p.Omega, o.Dt)
					if isRotation(c.from) {
						want /= degrees
					}
					if isRotation(c.to) {
						want *= degrees
					}
					if p.Phase == nil {
						t.Errorf("test %d, %.3f rad/s: no motion, want %.4g", test.Number, p.Omega, cmplx.Abs(want))
						continue
					}
					got := cmplx.Rect(p.Gain, *p.Phase/degrees)
					if d := cmplx.Abs(got - want); d > close {
						t.Errorf("test %d, %s → %s, %.3f rad/s: %.5f at %.2f°, want %.5f at %.2f°, %.1e away", test.Number, test.VehicleAxis, test.PlatformAxis,
							p.Omega, p.Gain, *p.Phase, cmplx.Abs(want), cmplx.Phase(want)*degrees, d)
					}
				}
			}
		})
	}
}
