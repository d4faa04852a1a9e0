package omct

import (
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/cueing"
)

// The head is one metre above and half a metre behind the reference point about which the platform
// rotates. Rotations are right-handed about x, y and z.
func TestSampleOf(t *testing.T) {
	head := [3]float64{-0.5, 0, 1}
	s, c := math.Sincos(0.1)
	tests := []struct {
		name                  string
		pose                  cueing.Pose
		displacement, gravity [3]float64
	}{
		{"neutral", cueing.Pose{}, [3]float64{}, [3]float64{0, 0, gravity}},
		{"moved", cueing.Pose{Surge: 0.1, Sway: -0.2, Heave: 0.3}, [3]float64{0.1, -0.2, 0.3}, [3]float64{0, 0, gravity}},
		{"right side down", cueing.Pose{Roll: 0.1}, [3]float64{0, -s, c - 1}, [3]float64{0, gravity * s, gravity * c}},
		{"nose down", cueing.Pose{Pitch: 0.1}, [3]float64{-0.5*c + s + 0.5, 0, 0.5*s + c - 1}, [3]float64{-gravity * s, 0, gravity * c}},
		{"to the left", cueing.Pose{Yaw: 0.1}, [3]float64{-0.5*c + 0.5, -0.5 * s, 0}, [3]float64{0, 0, gravity}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := sampleOf(tt.pose, head)
			for k := range 3 {
				if math.Abs(got.displacement[k]-tt.displacement[k]) > 1e-12 || math.Abs(got.gravity[k]-tt.gravity[k]) > 1e-12 {
					t.Errorf("displacement %v, gravity %v; want %v, %v", got.displacement, got.gravity, tt.displacement, tt.gravity)
					break
				}
			}
		})
	}
}

// A head that swings by 2 cm at 3 rad/s feels 0.18 m/s², against its way; its turn by 0.1 rad
// that comes a quarter later is where it is; nothing swings at twice the frequency.
func TestRespond(t *testing.T) {
	const n, periods, omega = 700, 3, 3.0
	samples := make([]sample, n)
	for i := range samples {
		sin, cos := math.Sincos(2 * math.Pi * periods * float64(i) / n)
		samples[i] = sample{displacement: [3]float64{0.02*cos + 0.7}, rotation: [3]float64{0, 0, 0.1 * sin}, gravity: [3]float64{0, cos, gravity}}
	}
	want := response{surge: -0.18, sway: 1, yaw: -0.1i}
	if got := respond(samples, periods, 1, omega); got.maxDifference(want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := respond(samples, periods, 2, omega); got.maxDifference(response{}) > 1e-9 {
		t.Errorf("%v at twice the frequency", got)
	}
}

// washoutDrive swings a vehicle along its x on the small hexapod.
func washoutDrive(t *testing.T, size, omega float64, change func(*cueing.Config)) *measurement {
	t.Helper()
	cfg := cueing.DefaultConfig()
	cfg.Mode = cueing.Washout
	change(&cfg)
	d, err := newMeasurement(plain(cfg, smallHexapod()), Options{Size: size, Dt: 1e-3}, surge, omega)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Drives share nothing that a step changes. They run at the same time, so that the race detector can check that.
func TestEqualDrivesAtOnceGiveEqualBits(t *testing.T) {
	var drives [2]*measurement
	for i := range drives {
		drives[i] = washoutDrive(t, 1, 10, func(*cueing.Config) {})
	}
	var got [2]outcome
	var shares []float64
	inParallel(2, func(share float64) { shares = append(shares, share) }, func(i int) { got[i] = drives[i].run() })
	if !slices.Equal(shares, []float64{0, 0.5}) {
		t.Errorf("showed the progress %v", shares)
	}
	if got[0] != got[1] {
		t.Errorf("%+v and %+v", got[0], got[1])
	}
}

func TestActiveLimitsAreMarked(t *testing.T) {
	small := washoutDrive(t, 1e-3, 1, func(*cueing.Config) {}).run()
	if small.distortion[surge] > 1e-3 || small.minScale != 1 {
		t.Errorf("in the linear range %g distorted, scale %g", small.distortion[surge], small.minScale)
	}
	slow := washoutDrive(t, 5, 2.5, func(c *cueing.Config) { c.Washout.MaxTiltRate = 0.5 }).run()
	if slow.distortion[pitch] < 0.05 { // a triangle is distorted by 0.12
		t.Errorf("a tilt at its top speed is %g distorted", slow.distortion[pitch])
	}
	far := washoutDrive(t, 10, 1, func(c *cueing.Config) {
		c.MaxSurge, c.MaxLinearSpeed, c.Washout.MaxForce[0], c.Washout.ForceGain[0], c.Washout.HighPass[0] = 1, 3, 20, 2, 0.5
	}).run()
	if far.minScale > 0.9 {
		t.Errorf("half a metre on a small hexapod: scale %g", far.minScale)
	}
}

// A rotation about the head changes a platform's force there where its own head is
// elsewhere: by the lever times the angular acceleration.
func TestHeadAboveThePlatform(t *testing.T) {
	d := washoutDrive(t, 0.01, 10, func(c *cueing.Config) { c.Washout.ForceGain = [3]float64{} })
	d.axis = pitch
	low := d.run()
	d = washoutDrive(t, 0.01, 10, func(c *cueing.Config) { c.Washout.ForceGain = [3]float64{} })
	d.axis, d.head = pitch, [3]float64{0, 0, 1}
	high := d.run()
	lever := high.response[surge] - low.response[surge]
	want := -complex(d.omega*d.omega, 0) * high.response[pitch]
	if cmplx.Abs(lever-want) > 1e-3*cmplx.Abs(want) {
		t.Errorf("a lever of 1 m adds %v m/s² per rad, want %v", lever, want)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		change     func(*Options)
	}{
		{"size", "--size 0", func(o *Options) { o.Size = 0 }},
		{"NaN", "--head-m z NaN", func(o *Options) { o.Head[2] = math.NaN() }},
		{"dt", "dt = 1", func(o *Options) { o.Dt = 1 }},
	} {
		o := DefaultOptions()
		tt.change(&o)
		if _, err := Run(plain(cueing.DefaultConfig(), cueing.DefaultGeometry()), o); err == nil || !strings.Contains(err.Error(), "omct: "+tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
