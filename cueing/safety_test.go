package cueing

import (
	"math"
	"math/rand/v2"
	"testing"

	testlevel "rig.example/rig/test/level"
)

// watch holds what a cue does against what its configuration allows.
type watch struct {
	cfg        Config
	last, step [poseComponents]float64
	tilt, turn [2]float64
}

func (w *watch) check(t *testing.T, p Pose, tr *Trace) {
	c := &w.cfg
	way, speed, accel := c.MaxLinearSpeed, c.MaxLinearAccel, [3]float64{c.MaxRoll * deg, c.MaxPitch * deg, c.MaxYaw * deg}
	most := [poseComponents]float64{c.MaxSurge, c.MaxSway, c.MaxHeave, accel[0], accel[1], accel[2], c.MaxSlide, c.MaxBelt}
	fast := [poseComponents]float64{way, way, way, c.MaxAngularRate * deg, c.MaxAngularRate * deg, c.MaxAngularRate * deg, way, c.MaxBeltRate}
	hard := [poseComponents]float64{speed, speed, speed, c.MaxAngularAccel * deg, c.MaxAngularAccel * deg, c.MaxAngularAccel * deg, speed, c.MaxBeltAccel}
	for i, v := range fieldsOf(p) {
		step := v - w.last[i]
		if !(math.Abs(v) <= most[i]) || math.Abs(step) > fast[i]*dt*(1+1e-9) || math.Abs(step-w.step[i]) > hard[i]*dt*dt*(1+1e-6)+1e-15 {
			t.Helper() // here, as it is dear
			t.Fatalf("field %d at %g, speed %g, acceleration %g", i, v, step/dt, (step-w.step[i])/dt/dt)
		}
		w.last[i], w.step[i] = v, step
	}
	for i, v := range tr.Tilt {
		step := v - w.tilt[i]
		if c.Mode != Direct && (math.Abs(step) > c.Washout.MaxTiltRate*deg*dt*(1+1e-9) ||
			math.Abs(step-w.turn[i]) > c.Washout.MaxTiltAccel*deg*dt*dt*(1+1e-6)+1e-15) {
			t.Helper()
			t.Fatalf("tilt %d turns at %g °/s, changing by %g °/s²", i, step/dt/deg, (step-w.turn[i])/dt/dt/deg)
		}
		w.tilt[i], w.turn[i] = v, step
	}
}

// wild returns inputs of any size, some of them NaN or Inf.
func wild(r *rand.Rand) Inputs {
	v := func() float64 {
		switch r.IntN(24) {
		case 0:
			return math.NaN()
		case 1:
			return math.Inf(1 - 2*r.IntN(2))
		case 2:
			return 1e308 * (2*r.Float64() - 1)
		case 3:
			return 1e8 * (2*r.Float64() - 1)
		}
		return 30 * r.NormFloat64()
	}
	mostly := func() float64 {
		if r.IntN(6) == 0 {
			return v()
		}
		return r.NormFloat64()
	}
	return Inputs{
		Force: [3]float64{mostly(), mostly(), gravity + mostly()}, Rate: [3]float64{mostly(), mostly(), mostly()},
		Roll: mostly(), Pitch: mostly(), Travel: [4]float64{mostly(), mostly(), mostly(), mostly()},
		RearSlip: mostly(), Speed: 10 * mostly(), Gear: int8(r.IntN(9) - 2),
	}
}

// all returns a configuration in which every cue takes part.
func all(t testing.TB, mode, set string) Config {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Mode = mode
	var err error
	if cfg.Washout, err = Preset(set); err != nil {
		t.Fatal(err)
	}
	cfg.Direct.HeaveGain, cfg.Direct.BrakingPitch, cfg.Direct.CorneringRoll = 1, 5, -4
	cfg.Extra = ExtraConfig{RoadGain: 1, KerbGain: 0.5, ShiftSurge: 0.02, ShiftPitch: 1, SlideGain: 0.01, SlideThreshold: 2, BeltBraking: 1, BeltCornering: 0.3, SmoothingTime: 0.02}
	return cfg
}

// drive is one in pieces, during each of which wild inputs stand still.
func drive(t *testing.T, cfg Config, seed uint64, pieces int) (*session, *watch) {
	t.Helper()
	c, w, r := made(t, cfg), &watch{cfg: cfg}, rand.New(rand.NewPCG(seed, 10))
	for range pieces {
		in := wild(r)
		if r.IntN(4) == 0 {
			c.Tune(Tuning{Gain: 4 * r.Float64(), Surge: r.Float64(), Heave: 1, Roll: 3 * r.Float64(), Pitch: 1, Yaw: 2, Road: 1, Belt: math.NaN()})
		}
		if r.IntN(3) == 0 {
			c.Lower(Share(r.IntN(int(ShareCount))), [...]float64{-1, 0.2, r.Float64(), 1, 7, math.NaN()}[r.IntN(6)])
		}
		for range 1 + r.IntN(1500) {
			w.check(t, c.Next(&in), c.Trace())
		}
	}
	return c, w
}

func TestWildDrivesStayWithinLimitsAndReturn(t *testing.T) {
	testlevel.SkipIfQuick(t)
	t.Parallel()
	for m, mode := range []string{Direct, Washout, Adaptive} {
		for i, set := range Presets() {
			if (mode == Direct && i > 0 || mode != Direct && (i+m)%2 != 0) && !testlevel.All() {
				continue // direct mode reads nothing of a set, and the two others share the sets
			}
			c, w := drive(t, all(t, mode, set), uint64(i), 60)
			c.Tune(UnitTuning())
			rest := felt(0, 0, 0)
			for range 200_000 {
				w.check(t, c.Next(&rest), c.Trace())
			}
			near := 2e-5
			if mode == Direct {
				near = 2e-3 // where the body stood at rest is forgotten within 30 s
			}
			if p := c.Next(&rest); !(largest(p) < near) {
				t.Errorf("%s %s: rests at %+v", mode, set, p)
			}
		}
	}
}

func FuzzDrives(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(0))
	f.Add(uint64(2), uint8(1), uint8(1))
	f.Add(uint64(3), uint8(2), uint8(2))
	f.Fuzz(func(t *testing.T, seed uint64, mode, set uint8) {
		modes := []string{Direct, Washout, Adaptive}
		drive(t, all(t, modes[int(mode)%3], Presets()[int(set)%3]), seed, 5)
	})
}

func TestMirroredInputGivesMirroredBits(t *testing.T) {
	for _, mode := range []string{Direct, Washout, Adaptive} {
		cfg := all(t, mode, "rig")
		plain, mirror, r := made(t, cfg), made(t, cfg), rand.New(rand.NewPCG(7, 7))
		for range 40 {
			in := wild(r)
			m := in
			m.Force[1], m.Rate[0], m.Rate[2], m.Roll, m.RearSlip = -in.Force[1], -in.Rate[0], -in.Rate[2], -in.Roll, -in.RearSlip
			m.Travel = [4]float64{in.Travel[1], in.Travel[0], in.Travel[3], in.Travel[2]}
			for range 300 {
				p, q := plain.Next(&in), mirror.Next(&m)
				q.Sway, q.Roll, q.Yaw, q.Slide = -q.Sway, -q.Roll, -q.Yaw, -q.Slide
				if p != q {
					t.Fatalf("%s: %+v, mirrored %+v", mode, p, q)
				}
			}
		}
	}
}

func TestNextAllocatesNothing(t *testing.T) {
	for _, mode := range []string{Direct, Washout, Adaptive} {
		c, s, in := made(t, all(t, mode, "open6dofsim")), leaning(0.02, 0.01), felt(2, 3, 1)
		n := testing.AllocsPerRun(200, func() {
			c.Pose(&s)
			c.Next(&in)
			c.Tune(Tuning{Gain: 2})
			c.Lower(TravelShare, 0.5)
			c.Lower(FilterShare, 0.5)
			_ = c.Trace().Limits
		})
		if n != 0 {
			t.Errorf("%s: %g allocations", mode, n)
		}
	}
}
