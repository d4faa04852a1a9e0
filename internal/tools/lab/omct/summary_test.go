package omct

import (
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/test/level"
)

// measured runs the test in direct mode after a change.
func measured(t *testing.T, change func(*Platform)) *Result {
	t.Helper()
	p := plain(cueing.DefaultConfig(), cueing.DefaultGeometry())
	change(&p)
	r, err := Run(p, options())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The factors of [tuning] multiply what the platform gives, each its own.
func TestTuningChangesTheResult(t *testing.T) {
	level.SkipIfQuick(t)
	gain := func(axis int, tuning cueing.Tuning) float64 {
		p := plain(cueing.DefaultConfig(), cueing.DefaultGeometry())
		p.Tuning = tuning
		d, err := newMeasurement(p, DefaultOptions(), axis, 1)
		if err != nil {
			t.Fatal(err)
		}
		return cmplx.Abs(d.run().response[axis])
	}
	for _, tt := range []struct {
		name                string
		change              func(*cueing.Tuning)
		roll, pitch, braked float64 // times what they are untuned
	}{
		{"gain", func(t *cueing.Tuning) { t.Gain = 2 }, 2, 2, 2},
		{"off", func(t *cueing.Tuning) { t.Gain = 0 }, 0, 0, 0},
		{"roll", func(t *cueing.Tuning) { t.Roll = 0.5 }, 0.5, 1, 1},
		{"pitch, with the tilt of braking", func(t *cueing.Tuning) { t.Pitch = 0.5 }, 1, 0.5, 0.5},
	} {
		tuning := cueing.UnitTuning()
		tt.change(&tuning)
		for _, c := range []struct {
			axis int
			want float64
		}{{roll, tt.roll}, {pitch, tt.pitch}, {surge, tt.braked}} {
			if got, previous := gain(c.axis, tuning), gain(c.axis, cueing.UnitTuning()); math.Abs(got-c.want*previous) > 0.01*previous {
				t.Errorf("%s: %s %.4f, untuned %.4f, want %g times that", tt.name, axisNames[c.axis], got, previous, c.want)
			}
		}
	}
}

// What [motion] takes off the actuators' way and speed is taken off what is felt.
func TestActuatorLimitsChangeTheResult(t *testing.T) {
	level.SkipIfQuick(t)
	large := func(p *Platform) {
		p.Cueing.MaxRoll, p.Cueing.Direct.RollGain = 12, 2
		p.Tuning.Pitch = 0
	}
	whole := measured(t, large)
	narrow := measured(t, func(p *Platform) {
		large(p)
		for i := range p.Span.Low {
			p.Span.Low[i], p.Span.High[i] = 0.3, 0.7
		}
	})
	if a, b := whole.direct(roll).Points[0], narrow.direct(roll).Points[0]; !(b.Gain < 0.7*a.Gain) || a.Scale != 1 || b.Scale == 1 {
		t.Errorf("slow roll %.3f (scale %.2f) on the whole stroke, %.3f (%.2f) on two fifths of it", a.Gain, a.Scale, b.Gain, b.Scale)
	}
	held := measured(t, func(p *Platform) {
		large(p)
		p.NewInterpolator = func() func(cueing.Legs) cueing.Legs {
			return func(cueing.Legs) cueing.Legs { return cueing.Legs{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5} }
		}
	})
	if held.Summary != "You feel nothing of the car's motion." {
		t.Errorf("actuators that do not move: %s", held.Summary)
	}
}

// Direct mode shows how the body heaves over its wheels.
func TestHeaveOfTheBodyChangesTheResult(t *testing.T) {
	level.SkipIfQuick(t)
	r := measured(t, func(p *Platform) { p.Geometry.Kind, p.Cueing.Direct.HeaveGain = "corners", 0.5 })
	points := r.direct(heave).Points
	if slow, quick := points[0].Gain, points[9].Gain; slow > 1e-3 || math.Abs(quick-0.5) > 0.05 {
		t.Errorf("heave %.4f at 0.1 rad/s, %.4f at 6.3; want nothing and the gain of 0.5", slow, quick)
	}
	if i := slices.IndexFunc(r.Felt, func(f Felt) bool { return f.Axis == "heave" }); r.Felt[i].FromHz < 0.1 || r.Felt[i].Share == 0 {
		t.Errorf("%+v", r.Felt[i])
	}
}

func TestSummarySentence(t *testing.T) {
	gains := func(r *Result, axis int, list ...float64) {
		t := r.direct(axis)
		for i := range t.Points {
			t.Points[i].Hz, t.Points[i].Gain = []float64{0.1, 0.2, 1}[i], list[i]
		}
	}
	r := made()
	gains(r, roll, 0.62, 0.62, 0.62)
	gains(r, pitch, 0.5, 0.7, 0.9)
	gains(r, surge, 0.35, 0.35, 0.01)
	gains(r, sway, 0.01, 0.3, 0.5)
	gains(r, heave, 0.01, 0.01, 0)
	gains(r, yaw, 0, 0, 0)
	r.summarize()
	want := "You feel 62 % of roll, 70 % of pitch, 35 % of braking (surge), 40 % of cornering (sway), " +
		"nothing above 0.2 Hz in surge, nothing below 0.2 Hz in sway, nothing of heave, yaw."
	if r.Summary != want {
		t.Errorf("%s\nwant\n%s", r.Summary, want)
	}
	if f := r.Felt[3]; f != (Felt{"sway", 0.4, 0.2, 1}) {
		t.Errorf("%+v", f)
	}
}
