package road

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"rig.example/rig/internal/kit/splitmix"
)

const (
	classAPower    = 16e-6 // power density G(n0) of class A: the geometric mean of its limits [m³]
	n0             = 0.1   // reference spatial frequency of ISO 8608 [cycles/m]
	minFrequency   = 0.011 // lowest spatial frequency of the ground [cycles/m]
	maxFrequency   = 2.83  // highest spatial frequency of the ground [cycles/m]
	splitFrequency = 0.1   // frequency between the layer of long waves and those of short waves [cycles/m]
)

// NewUnevenness returns the ground of a seed. Equal seeds give equal grounds.
//
// One layer holds the long waves, with nodes 4 m apart; it repeats after 2048 m. Two layers hold the short
// ones, with nodes 0.16 m apart, at 38° to each other.
func NewUnevenness(seed uint64) *Unevenness {
	var g Unevenness
	longWaves, _ := randomLayers(splitmix.Mix(seed), 4, minFrequency, splitFrequency, 1)
	short1, short2 := randomLayers(splitmix.Mix(seed+1), 0.16, splitFrequency, maxFrequency, 0.5)
	g.layers = [layerCount]layer{
		placeLayer(longWaves, 4, 0.29, 0.1), placeLayer(short1, 0.16, 0.53, 0.4), placeLayer(short2, 0.16, 1.19, 0.7),
	}
	return &g
}

// placeLayer returns the layer with these weights. Its nodes are step apart [m], its axes are turned by angle
// [rad], and the world's origin is at the fraction origin of its period.
func placeLayer(w *nodeWeights, step, angle, origin float64) layer {
	sin, cos := math.Sincos(angle)
	return layer{cos: cos / step, sin: sin / step, x: origin * nodeSide, y: origin * nodeSide, weights: w}
}

// randomLayers returns the weights of two independent layers with waves of frequencies from low to high
// [cycles/m]. Each layer has the fraction powerShare of the power of class A in this band. The nodes are
// step apart [m].
//
// The amplitude of each wave follows the spectrum, corrected for the attenuation by the splines; its phase
// is random. The real and the imaginary part of the sum are the two layers.
func randomLayers(seed uint64, step, low, high, powerShare float64) (first, second *nodeWeights) {
	amplitudes := waveAmplitudes(step, low, high, powerShare)
	waves := make([]complex128, nodeSide*nodeSide)
	for j := range nodeSide {
		for i := range nodeSide {
			amplitude := amplitudes[multiple(j)][multiple(i)]
			if amplitude == 0 {
				continue
			}
			sin, cos := math.Sincos(2 * math.Pi * randomFraction(splitmix.Mix(seed+uint64(j*nodeSide+i))))
			waves[j*nodeSide+i] = complex(amplitude*cos, amplitude*sin)
		}
	}
	sumWaves(waves)
	first, second = new(nodeWeights), new(nodeWeights)
	for k, v := range waves {
		first[k], second[k] = float32(real(v)), float32(imag(v))
	}
	return first, second
}

// waveAmplitudes returns the amplitudes of the waves [m] by their frequencies along both axes, in multiples of the
// lowest one. They do not depend on the sign of a frequency, nor on which axis has which.
func waveAmplitudes(step, low, high, powerShare float64) *[nodeSide/2 + 1][nodeSide/2 + 1]float64 {
	var amplitudes [nodeSide/2 + 1][nodeSide/2 + 1]float64
	df := 1 / (nodeSide * step) // distance between frequencies [cycles/m]
	for j := range amplitudes {
		fy := df * float64(j)
		for i := range j + 1 {
			fx := df * float64(i)
			f := math.Sqrt(fx*fx + fy*fy)
			if !(f >= low && f < high) {
				continue
			}
			amplitudes[j][i] = math.Sqrt(2*powerShare*planeSpectrum(f, df)) * df /
				(splineAttenuation(fx*step) * splineAttenuation(fy*step))
			amplitudes[i][j] = amplitudes[j][i]
		}
	}
	return &amplitudes
}

// multiple returns the size of the frequency, in multiples of the lowest one, that index i of a Fourier transform
// stands for. It is negative in the upper half of the indices.
func multiple(i int) int { return min(i, nodeSide-i) }

// planeSpectrum returns the two-sided power spectrum of a surface [m⁴] at the frequency f, so that
// every line on the surface has the spectrum of class A up to R = maxFrequency, and no power above:
//
//	S(f) = -1/π ∫ s'(n)/√(n²-f²) dn + s(R)/(π·√(R²-f²)), n from f to R,
//
// the inverse Abel transform with s(n) = G(n)/2 on each side, in closed form. Near its pole at R it
// is the mean over df, the distance between frequencies [cycles/m].
func planeSpectrum(f, df float64) float64 {
	const s = classAPower * n0 * n0 / 2 // s(n) = s/n²
	cos := f / maxFrequency
	angle := math.Acos(cos)
	sin := math.Sqrt(1 - cos*cos)
	root := math.Sqrt(max(maxFrequency*maxFrequency-f*f, maxFrequency*df/2))
	return s / math.Pi * ((angle+sin*cos)/(f*f*f) + 1/(maxFrequency*maxFrequency*root))
}

// splineAttenuation returns the factor on the amplitude of a wave that quadratic B-splines represent; f is
// the frequency in cycles per node.
func splineAttenuation(f float64) float64 {
	if f == 0 {
		return 1
	}
	sinc := math.Sin(math.Pi*f) / (math.Pi * f)
	return sinc * sinc * sinc
}

// sumWaves replaces the waves by their sum at each node: a two-dimensional inverse Fourier transform.
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

// randomFraction converts 64 random bits to a number from 0 to below 1.
func randomFraction(x uint64) float64 { return float64(x>>11) / (1 << 53) }
