package cueing

import (
	"math"
	"testing"

	testlevel "rig.example/rig/test/level"
)

// wide returns a configuration whose limits are far away, with a published set.
func wide(t testing.TB, mode, set string) Config {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Mode = mode
	cfg.MaxSurge, cfg.MaxSway, cfg.MaxHeave, cfg.MaxLinearSpeed, cfg.MaxLinearAccel = 1, 1, 1, 3, 30
	cfg.MaxRoll, cfg.MaxPitch, cfg.MaxYaw, cfg.MaxAngularRate, cfg.MaxAngularAccel = 30, 30, 45, 200, 5000
	var err error
	if cfg.Washout, err = Preset(set); err != nil {
		t.Fatal(err)
	}
	return cfg
}

func made(t testing.TB, cfg Config) *session {
	t.Helper()
	return newSession(t, cfg)
}

// felt is a specific force on top of gravity [m/s²].
func felt(x, y, z float64) Inputs { return Inputs{Force: [3]float64{x, y, gravity + z}} }

// hold feeds the same inputs for some time [s].
func hold(c *session, in Inputs, seconds float64) (p Pose) {
	for range int(math.Round(seconds / dt)) {
		p = c.Next(&in)
	}
	return p
}

func TestHeaveAnswersAStepAsTheClosedFormDoes(t *testing.T) {
	c, in := made(t, wide(t, Washout, "rig")), felt(0, 0, 2)
	for i := range 10_000 {
		got := c.Next(&in).Heave
		// Behind the gain of 0.5 there is 1 m/s², through 1/((s+5)²·(s+0.3)).
		now := (float64(i) + 0.5) * dt
		want := (math.Exp(-0.3*now) - math.Exp(-5*now)*(1+4.7*now)) / (4.7 * 4.7)
		if math.Abs(got-want) > 1e-6 {
			t.Fatalf("%.9f m after %.3f s, want %.9f", got, now, want)
		}
	}
}

func TestYawAnswersASineAsTheClosedFormDoes(t *testing.T) {
	c, worst := made(t, wide(t, Washout, "rig")), 0.0
	for i := range 60_000 {
		now := float64(i) * dt
		in := felt(0, 0, 0)
		in.Rate[2] = 0.4 * math.Sin(1.5*now) // of which 0.2 rad/s pass, with the phase of i/(1+i)², which is 0
		got := c.Next(&in).Yaw
		if want := 0.2 / 3 * math.Sin(1.5*now); now > 30 {
			worst = max(worst, math.Abs(got-want))
		}
	}
	if worst > 1e-6 {
		t.Errorf("%.3g rad beside the closed form", worst)
	}
}

// By the set's parameters a lasting acceleration A moves a high-pass of the second order by
// A/w², and tilts by asin(A/g).
func TestShoaraiSetSettlesAtItsClosedForm(t *testing.T) {
	c := made(t, wide(t, Washout, "shoarai"))
	p := hold(c, felt(0, 0, 1), 20)
	if math.Abs(p.Heave-0.16) > 1e-6 {
		t.Errorf("heave %.7f m for 1 m/s², want 0.16", p.Heave)
	}
	c.Reset()
	p = hold(c, felt(1, 0, 0), 20)
	if math.Abs(p.Pitch+0.1021492) > 1e-6 {
		t.Errorf("pitch %.7f for 1 m/s² ahead, want -0.1021492", p.Pitch)
	}
	c.Reset()
	p = hold(c, felt(0, 2, 0), 30)
	if math.Abs(p.Roll-0.2053841) > 1e-6 {
		t.Errorf("roll %.7f for 2 m/s² to the left, want 0.2053841", p.Roll)
	}
}

// The table is that of TestFilter_translation of github.com/shoarai/washout (jaxfilter): what
// 1 m/s² ahead and to the left do in the fourth sample of 10 ms. Its filters are trapezoidal,
// each of its two sums is half a sample ahead, and its gravity is in mm/s², so that its tilt
// is in thousandths.
func TestShoaraiSetGivesItsPublishedTable(t *testing.T) {
	const way, tilt = 0.00092961765022037905, 1.4070899278669649e-06 * 1000
	move, pass := filtering{filter: newTranslation(2.5, 1, 0, 0.01)}, filtering{filter: newLowPass(5, 1, 0.01)}
	for range 4 {
		move.next(1)
		pass.next(1)
	}
	move.next(1) // its sums are ahead
	if math.Abs(move.x[0]/way-1) > 0.02 {
		t.Errorf("way %.3g m, published %.3g", move.x[0], way)
	}
	if got := math.Asin(pass.x[0] / gravity); math.Abs(got/tilt-1) > 0.02 {
		t.Errorf("tilt %.4g, published %.4g", got, tilt)
	}
}

// The set's steady tilt is atan(0.8·a/9.8) (tilt_coord_rl of github.com/robprojects/open6dofsim),
// which differs from the asin of what is felt by the third order.
func TestOpen6DOFSetTiltsAsPublished(t *testing.T) {
	c := made(t, wide(t, Washout, "open6dofsim"))
	if p := hold(c, felt(0, 1.5, 0), 60); math.Abs(p.Roll-0.1218) > 0.0015 {
		t.Errorf("roll %.4f, published atan(1.2/9.8) = 0.1218", p.Roll)
	}
	if got := c.Trace().Translation[1]; math.Abs(got) > 0.01 {
		t.Errorf("sway %.4f m is left, while gravity shows the force", got)
	}
}

func TestTiltShowsTheForceByGravity(t *testing.T) {
	c := made(t, wide(t, Washout, "shoarai"))
	p := hold(c, felt(-1.5, 2, 0), 60)
	head := [3]float64{ // what a head feels that rests at these angles
		-gravity * math.Sin(p.Pitch),
		gravity * math.Cos(p.Pitch) * math.Sin(p.Roll),
	}
	if math.Abs(head[0]+1.5) > 1e-3 || math.Abs(head[1]-2) > 1e-3 {
		t.Errorf("felt %.4f, %.4f m/s², want -1.5, 2", head[0], head[1])
	}
	// Both forces alone would move it by 0.24 and 0.32 m; what is left comes of a force that is
	// larger than gravity, which no tilt can show.
	if math.Abs(p.Surge) > 0.012 || math.Abs(p.Sway) > 0.012 {
		t.Errorf("surge %.4f, sway %.4f m are left", p.Surge, p.Sway)
	}
}

func TestOnsetsMoveThePlatformTheWayTheyPush(t *testing.T) {
	tests := []struct {
		name string
		in   Inputs
		of   func(Pose) float64
	}{
		{"forward", felt(2, 0, 0), func(p Pose) float64 { return p.Surge }},
		{"braked", felt(-2, 0, 0), func(p Pose) float64 { return -p.Surge }},
		{"to the left", felt(0, 2, 0), func(p Pose) float64 { return p.Sway }},
		{"up", felt(0, 0, 2), func(p Pose) float64 { return p.Heave }},
		{"rolls to the right", Inputs{Force: felt(0, 0, 0).Force, Rate: [3]float64{0.2, 0, 0}}, func(p Pose) float64 { return p.Roll }},
		{"nose drops", Inputs{Force: felt(0, 0, 0).Force, Rate: [3]float64{0, 0.2, 0}}, func(p Pose) float64 { return p.Pitch }},
		{"turns to the left", Inputs{Force: felt(0, 0, 0).Force, Rate: [3]float64{0, 0, 0.2}}, func(p Pose) float64 { return p.Yaw }},
	}
	for _, mode := range []string{Washout, Adaptive} {
		for _, tt := range tests {
			cfg := DefaultConfig()
			cfg.Mode = mode
			if got := tt.of(hold(made(t, cfg), tt.in, 0.2)); got < 1e-3 {
				t.Errorf("%s, %s: %.5f", mode, tt.name, got)
			}
		}
	}
}

func TestRigSetFitsASmallPlatform(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Mode, cfg.MaxPitch = Washout, 8
	c, in, far := made(t, cfg), felt(-gravity, 0, 0), 0.0
	for range 2300 {
		far = max(far, -c.Next(&in).Surge)
	}
	if p := c.Next(&in); far < 0.06 || far > 0.08 || math.Abs(p.Pitch-6*deg) > 0.1*deg {
		t.Errorf("braking with 1 g: %.4f m back, pitch %.2f°", far, p.Pitch/deg)
	}
}

// back counts the ticks from the end of the force until the platform is near neutral.
func back(c *session, near func(Pose) bool) int {
	rest := felt(0, 0, 0)
	for i := range 200_000 {
		if near(c.Next(&rest)) {
			return i
		}
	}
	return -1
}

// turning is a car that yaws [rad/s].
func turning(rate float64) Inputs {
	in := felt(0, 0, 0)
	in.Rate[2] = rate
	return in
}

func TestSaturationIsNotStored(t *testing.T) {
	testlevel.SkipIfQuick(t)
	t.Parallel()
	tests := []struct {
		name           string
		filling, heavy Inputs // what just fills the range, and what is far more
		near           func(Pose) bool
	}{
		{"heave", felt(0, 0, 0.1*2.5*2.5), felt(0, 0, 9), func(p Pose) bool { return math.Abs(p.Heave) < 1e-3 }},
		{"yaw", turning(8 * deg * 2.5), turning(2), func(p Pose) bool { return math.Abs(p.Yaw) < 0.1*deg }},
		{"tilt", felt(1.366, 0, 0), felt(9, 0, 0), func(p Pose) bool { return math.Abs(p.Pitch) < 0.1*deg }},
	}
	for _, tt := range tests {
		cfg := wide(t, Washout, "shoarai")
		cfg.MaxHeave, cfg.MaxPitch, cfg.MaxYaw = 0.1, 8, 8
		cfg.Washout.ForceGain[0] = 0
		light, short, long := made(t, cfg), made(t, cfg), made(t, cfg)
		hold(light, tt.filling, 30)
		hold(short, tt.heavy, 6)
		hold(long, tt.heavy, 300)
		want, brief, got := back(light, tt.near), back(short, tt.near), back(long, tt.near)
		if want < 0 || got != brief || math.Abs(float64(got-want)) > 0.05*float64(want) {
			t.Errorf("%s: back after %d ms, after 6 s of saturation %d, after 5 minutes %d", tt.name, want, brief, got)
		}
	}
}

func TestEverySetReturnsToNeutral(t *testing.T) {
	testlevel.SkipIfQuick(t)
	t.Parallel()
	for _, mode := range []string{Washout, Adaptive} {
		for _, set := range Presets() {
			c := made(t, wide(t, mode, set))
			in := felt(3, -4, 2)
			in.Rate = [3]float64{0.3, -0.2, 0.5}
			if p := hold(c, in, 3); p.Surge == 0 || p.Yaw == 0 {
				t.Errorf("%s %s: %+v does not move", mode, set, p)
			}
			if p := hold(c, felt(0, 0, 0), 200); largest(p) > 1e-6 {
				t.Errorf("%s %s: %+v", mode, set, p)
			}
		}
	}
}

// largest returns the size of a pose's largest field.
func largest(p Pose) float64 {
	m := 0.0
	for _, v := range fieldsOf(p) {
		m = max(m, math.Abs(v))
	}
	return m
}

func fieldsOf(p Pose) [poseComponents]float64 {
	return [poseComponents]float64{p.Surge, p.Sway, p.Heave, p.Roll, p.Pitch, p.Yaw, p.Slide, p.Belt}
}

func TestAttitudeTurnsVectorsAndRates(t *testing.T) {
	// A quarter to the left, then nose 30° down, then 90° to the right side.
	a := attitudeOf(&Pose{Roll: 90 * deg, Pitch: 30 * deg, Yaw: 90 * deg})
	ahead := a.toLevelAxes([3]float64{1, 0, 0}) // the nose points to the left, and down
	left := a.toLevelAxes([3]float64{0, 1, 0})  // the left side is up, and the nose's drop leans it forward: to the left
	want := [2][3]float64{{0, math.Sqrt(0.75), -0.5}, {0, 0.5, math.Sqrt(0.75)}}
	for i, v := range [2][3]float64{ahead, left} {
		for k := range v {
			if math.Abs(v[k]-want[i][k]) > 1e-15 {
				t.Errorf("axis %d at %v, want %v", i, v, want[i])
				break
			}
		}
	}
	// On its right side, what turns about the car's left side turns about the vertical.
	a = attitudeOf(&Pose{Roll: 90 * deg})
	if r := a.toEulerRates([3]float64{0, 1, 0}); math.Abs(r[2]-1) > 1e-15 || math.Abs(r[1]) > 1e-15 || r[0] != 0 {
		t.Errorf("rates %v, want a yaw of 1", r)
	}
}
