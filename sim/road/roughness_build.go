package road

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

const (
	gentle   = 16e-6 // G(n0) of class A, the geometric mean [m³]
	n0       = 0.1   // [cycles/m]
	longest  = 0.011 // the least frequency of the ground [cycles/m]
	shortest = 2.83  // and its greatest
	parting  = 0.1   // between long waves and short ones, which layers of their own hold
)

// NewUnevenness returns the ground of a seed. Equal seeds give equal grounds.
//
// Long waves are one layer with nodes 4 m apart, which repeats after 2048 m; short
// ones are two with nodes 0.16 m apart, at 38° to each other.
func NewUnevenness(seed uint64) *Unevenness {
	var g Unevenness
	long, _ := weave(scatter(seed), 4, longest, parting, 1)
	one, other := weave(scatter(seed+1), 0.16, parting, shortest, 0.5)
	g.layers = [layers]layer{lay(long, 4, 0.29, 0.1), lay(one, 0.16, 0.53, 0.4), lay(other, 0.16, 1.19, 0.7)}
	return &g
}

// lay puts weights into the world, the nodes a step [m] apart and their axes turned
// by an angle [rad]; the world's origin is at a share of the period.
func lay(w *nodes, step, angle, origin float64) layer {
	sin, cos := math.Sincos(angle)
	return layer{cos: cos / step, sin: sin / step, x: origin * nodeSide, y: origin * nodeSide, weights: w}
}

// weave returns two independent layers with waves of frequencies from low to high
// [cycles/m] that hold a part of the power of class A, their nodes a step [m] apart.
//
// Every wave gets its amplitude by the spectrum, more by what the splines take from
// it, and a random phase. Real and imaginary part of the sum are the two layers.
func weave(seed uint64, step, low, high, part float64) (one, other *nodes) {
	waves := make([]complex128, nodeSide*nodeSide)
	pitch := 1 / (nodeSide * step) // between frequencies [cycles/m]
	for j := range nodeSide {
		fy := pitch * float64(signed(j))
		for i := range nodeSide {
			fx := pitch * float64(signed(i))
			f := math.Sqrt(fx*fx + fy*fy)
			if !(f >= low && f < high) {
				continue
			}
			size := math.Sqrt(2*part*planeSpectrum(f, pitch)) * pitch / (blur(fx*step) * blur(fy*step))
			sin, cos := math.Sincos(2 * math.Pi * randomShare(scatter(seed+uint64(j*nodeSide+i))))
			waves[j*nodeSide+i] = complex(size*cos, size*sin)
		}
	}
	sumWaves(waves)
	one, other = new(nodes), new(nodes)
	for k, v := range waves {
		one[k], other[k] = float32(real(v)), float32(imag(v))
	}
	return one, other
}

// signed returns the frequency that an index of a transform stands for.
func signed(i int) int {
	if i >= nodeSide/2 {
		return i - nodeSide
	}
	return i
}

// planeSpectrum returns the two-sided spectrum over the plane [m⁴] whose every line has
// that of class A up to the shortest wave and nothing beyond:
//
//	S(f) = -1/π ∫ s'(n)/√(n²-f²) dn + s(R)/(π·√(R²-f²)), n from f to R = shortest,
//
// the inverse of Abel's transform, with s(n) = G(n)/2 on each side, in closed form.
// Next to R, where it has a pole, it is the mean over the pitch of frequencies.
func planeSpectrum(f, pitch float64) float64 {
	const s = gentle * n0 * n0 / 2 // s(n) = s/n²
	cos := f / shortest
	angle := math.Acos(cos)
	sin := math.Sqrt(1 - cos*cos)
	rim := math.Sqrt(max(shortest*shortest-f*f, shortest*pitch/2))
	return s / math.Pi * ((angle+sin*cos)/(f*f*f) + 1/(shortest*shortest*rim))
}

// blur returns what a quadratic B-spline leaves of a wave, by its frequency in
// cycles for each node.
func blur(f float64) float64 {
	if f == 0 {
		return 1
	}
	sinc := math.Sin(math.Pi*f) / (math.Pi * f)
	return sinc * sinc * sinc
}

// sumWaves replaces waves by the sum of them at each node.
func sumWaves(waves []complex128) {
	fft := fourier.NewCmplxFFT(nodeSide)
	line := make([]complex128, nodeSide)
	for j := range nodeSide {
		row := waves[j*nodeSide : (j+1)*nodeSide]
		copy(row, fft.Sequence(line, row))
	}
	column := make([]complex128, nodeSide)
	for i := range nodeSide {
		for j := range nodeSide {
			column[j] = waves[j*nodeSide+i]
		}
		fft.Sequence(line, column)
		for j := range nodeSide {
			waves[j*nodeSide+i] = line[j]
		}
	}
}

// scatter turns a number into another one, as good as random: one step of
// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// randomShare returns a random number's place from 0 to below 1.
func randomShare(x uint64) float64 { return float64(x>>11) / (1 << 53) }
