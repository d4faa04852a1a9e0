package road

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// A straight track: 4.1 km in steps of 0.1 m, in pieces of 819.2 m that overlap by half.
const (
	trackStep   = 0.1
	trackPiece  = 8192
	trackPieces = 9
)

// track is the heights along a line that begins beside the origin [m] and leads
// along a heading [rad].
func track(g Ground, heading, beside float64) []float64 {
	sin, cos := math.Sincos(heading)
	z := make([]float64, trackPiece*(trackPieces+1)/2)
	for i := range z {
		s := trackStep * float64(i)
		z[i] = g.Touch(r3.Vec{X: s*cos - beside*sin, Y: s*sin + beside*cos}).Point.Z
	}
	return z
}

// welch returns the cross spectrum of two tracks, one-sided [m³], by Welch's method
// with Hann's window; index i is of i/819.2 cycles/m.
func welch(a, b []float64) []complex128 {
	fft := fourier.NewFFT(trackPiece)
	sum := make([]complex128, trackPiece/2+1)
	const hann = 3.0 / 8 // mean square of the window
	scale := complex(2*trackStep/(hann*trackPiece*trackPieces), 0)
	for k := range trackPieces {
		x, y := windowed(a[k*trackPiece/2:]), windowed(b[k*trackPiece/2:])
		p, q := fft.Coefficients(nil, x), fft.Coefficients(nil, y)
		for i := range sum {
			sum[i] += scale * p[i] * complex(real(q[i]), -imag(q[i]))
		}
	}
	return sum
}

func windowed(z []float64) []float64 {
	out := make([]float64, trackPiece)
	for i := range out {
		out[i] = z[i] * (1 - math.Cos(2*math.Pi*float64(i)/trackPiece)) / 2
	}
	return out
}

// octave returns the mean of G(n)·(n/n0)² from a frequency [cycles/m] to its double.
func octave(spectrum []complex128, from float64) float64 {
	sum, n := 0.0, 0.0
	for i := range spectrum {
		if f := float64(i) / (trackPiece * trackStep); f >= from && f < 2*from {
			sum += real(spectrum[i]) * (f / 0.1) * (f / 0.1)
			n++
		}
	}
	return sum / n
}

// ISO 8608: limits of the classes in G(n0 = 0.1 cycles/m), waviness 2, in every octave.
func TestEveryLineHasTheSpectrumOfItsClass(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, tt := range []struct {
		class     byte
		low, high float64 // [m³]
	}{
		{'A', 8e-6, 32e-6}, {'B', 32e-6, 128e-6}, {'C', 128e-6, 512e-6}, {'D', 512e-6, 2048e-6}, {'E', 2048e-6, 8192e-6},
	} {
		g := roughGround(t, tt.class, 1)
		for _, heading := range []float64{0, 0.29, 0.8, math.Pi / 2, 2.5} {
			beside := 300 * heading
			z := track(g, heading, beside)
			spectrum := welch(z, z)
			for k := range 8 {
				from := 0.011 * float64(int(1)<<k)
				if got := octave(spectrum, from); !(got > tt.low && got < tt.high) {
					t.Errorf("class %c along %.2f rad, %g m beside, from %.3f cycles/m: %.3g m³, want %g to %g",
						tt.class, heading, beside, from, got, tt.low, tt.high)
				}
			}
		}
	}
}

// roughGround is level, of a class.
func roughGround(t testing.TB, class byte, seed uint64) *Pavement {
	t.Helper()
	s := named(t, "tarmac")
	s.Roughness = Roughness{class, 1}
	return paved(t, Flat{}, seed, s)
}

// named returns a built-in surface.
func named(t testing.TB, name string) Surface {
	t.Helper()
	s, err := SurfaceNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func paved(t testing.TB, g Ground, seed uint64, list ...Surface) *Pavement {
	t.Helper()
	p, err := Pave(g, list, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Of an isotropic surface with a spectrum as 1/n² the cross spectrum of two tracks d
// apart is 2π·n·d·K1(2π·n·d) of that of one, K1 of Bessel's (Kamash and Robson,
// J. Sound Vib. 57, 1978): here for 1.5 m.
func TestTracksOfACarAreAlikeInLongWavesOnly(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	g := roughGround(t, 'C', 3)
	for _, tt := range []struct{ n, want, tolerance float64 }{
		{0.02, 0.959, 0.02}, {0.1, 0.627, 0.08}, {0.4, 0.062, 0.08}, {1.5, 0, 0.05},
	} {
		var one, both float64
		for _, heading := range []float64{0.1, 0.7, 1.9, 3} {
			a, b := track(g, heading, 200.75), track(g, heading, 199.25)
			one += octave(welch(a, a), tt.n/math.Sqrt2) + octave(welch(b, b), tt.n/math.Sqrt2)
			both += 2 * octave(welch(a, b), tt.n/math.Sqrt2)
		}
		near.Value(t, fmt.Sprintf("likeness at %g cycles/m", tt.n), both/one, tt.want, tt.tolerance)
	}
}

func TestUnevennessHasTheSlopesOfItsHeights(t *testing.T) {
	g := NewUnevenness(7)
	const d = 1e-5
	for i := range 2000 {
		x, y := 0.737*float64(i)-500, 431-1.13*float64(i)
		_, dx, dy := g.Height(x, y)
		east, _, _ := g.Height(x+d, y)
		west, _, _ := g.Height(x-d, y)
		north, _, _ := g.Height(x, y+d)
		south, _, _ := g.Height(x, y-d)
		near.Value(t, "slope along x", dx, (east-west)/(2*d), 1e-6)
		near.Value(t, "slope along y", dy, (north-south)/(2*d), 1e-6)
	}
}

func TestUnevennessIsSmooth(t *testing.T) {
	g := NewUnevenness(7)
	const d = 1e-6
	for i := range 20_000 {
		x := 0.001 * float64(i)
		_, dx, dy := g.Height(x, 2*x)
		_, ex, ey := g.Height(x+d, 2*x)
		if math.Abs(ex-dx)+math.Abs(ey-dy) > 1e-6 { // a curvature of 1/m at most
			t.Fatalf("at %g m the slopes jump by %g and %g", x, ex-dx, ey-dy)
		}
	}
}

// What is here is nowhere else within 4 km, not even where one of the layers repeats.
func TestUnevennessDoesNotRepeat(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	g := NewUnevenness(1)
	for _, l := range g.layers {
		for i := -50.0; i <= 50; i++ {
			for j := 0.0; j <= 50; j++ {
				if lag := l.period(i, j); (i != 0 || j != 0) && r3.Norm(lag) < 4000 {
					unlike(t, g, lag)
				}
			}
		}
	}
}

// period returns where in the world a layer repeats [m].
func (l *layer) period(i, j float64) r3.Vec {
	square := l.cos*l.cos + l.sin*l.sin
	return r3.Scale(nodeSide/square, r3.Vec{X: i*l.cos - j*l.sin, Y: i*l.sin + j*l.cos})
}

func unlike(t *testing.T, g *Unevenness, lag r3.Vec) {
	t.Helper()
	var same, all float64
	for i := range 100 {
		x, y := 1.37*float64(i), 0.61*float64(i)
		_, a, b := g.Height(x, y)
		_, c, d := g.Height(x+lag.X, y+lag.Y)
		same += (a-c)*(a-c) + (b-d)*(b-d)
		all += a*a + b*b + c*c + d*d
	}
	if same < 0.3*all {
		t.Errorf("slopes %.0f m off are alike: %.2f of what strangers differ by", r3.Norm(lag), same/all)
	}
}

func TestUnevennessIsOfItsSeedAndPlaceAlone(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	a, b, c := NewUnevenness(5), NewUnevenness(5), NewUnevenness(6)
	if *a.layers[1].weights != *b.layers[1].weights || a.layers[0].cos != b.layers[0].cos {
		t.Error("one seed, two grounds")
	}
	if *a.layers[0].weights == *c.layers[0].weights || *a.layers[1].weights == *a.layers[2].weights {
		t.Error("two seeds or layers, one ground")
	}
}

func TestUnevennessCostsNoMemoryInTheLoop(t *testing.T) {
	g := NewUnevenness(1)
	if n := testing.AllocsPerRun(100, func() { g.Height(3, 4) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkUnevenness(b *testing.B) {
	g := NewUnevenness(1)
	x := 0.0
	b.ReportAllocs()
	for b.Loop() {
		g.Height(x, 3)
		x += 0.05 // a millisecond at 180 km/h
	}
}

func BenchmarkNewUnevenness(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewUnevenness(1)
	}
}

func FuzzUnevenness(f *testing.F) {
	g := NewUnevenness(1)
	f.Add(1e300, -3.0)
	f.Add(math.NaN(), math.Inf(1))
	f.Add(-9.99e6, 9.99e6)
	f.Fuzz(func(t *testing.T, x, y float64) {
		z, dx, dy := g.Height(x, y)
		if !(math.Abs(z) < 0.1 && math.Abs(dx) < 0.3 && math.Abs(dy) < 0.3) {
			t.Fatalf("at (%g, %g): %g, %g, %g", x, y, z, dx, dy)
		}
	})
}
