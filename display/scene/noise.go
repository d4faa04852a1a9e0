package scene

import "math"

// NoiseSize is the number of texels along an edge of the texture that Noise returns.
const NoiseSize = 512

// noiseOctaves holds the weight of each octave of the noise: the first has 16 cells along an edge of the texture, each
// other twice as many as the one before.
var noiseOctaves = [...]float64{0.16, 0.18, 0.20, 0.22, 0.26, 0.34}

// Noise returns a square texture of gray value noise that tiles, for grass and asphalt. Its mean is half of white, and its
// standard deviation a sixth.
func Noise() []uint8 {
	sum := make([]float64, NoiseSize*NoiseSize)
	for octave, weight := range noiseOctaves {
		addOctave(sum, 16<<octave, weight)
	}
	mean, square := 0.0, 0.0
	for _, v := range sum {
		mean, square = mean+v, square+v*v
	}
	mean /= float64(len(sum))
	deviation := math.Sqrt(square/float64(len(sum)) - mean*mean)
	out := make([]uint8, len(sum))
	for i, v := range sum {
		out[i] = uint8(255*min(max(0.5+(v-mean)/deviation/6, 0), 1) + 0.5)
	}
	return out
}

// addOctave adds weight times value noise to sum: the interpolated random values, 0..1, of a square lattice with this
// number of cells along an edge.
func addOctave(sum []float64, cells int, weight float64) {
	lattice := make([]float64, cells*cells)
	for i := range lattice {
		lattice[i] = hashFloat(uint32(i%cells+cells*1000), uint32(i/cells))
	}
	size := NoiseSize / cells // texels along an edge of a cell
	for y := range NoiseSize {
		low, high := lattice[y/size*cells:], lattice[(y/size+1)%cells*cells:]
		v := smoothstep(float64(y%size) / float64(size))
		for x := range NoiseSize {
			i, j := x/size, (x/size+1)%cells
			u := smoothstep(float64(x%size) / float64(size))
			sum[y*NoiseSize+x] += weight * ((low[i]*(1-u)+low[j]*u)*(1-v) + (high[i]*(1-u)+high[j]*u)*v)
		}
	}
}

// smoothstep returns the smoothstep of t in 0..1.
func smoothstep(t float64) float64 { return t * t * (3 - 2*t) }
