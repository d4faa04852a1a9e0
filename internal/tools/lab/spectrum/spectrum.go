// Package spectrum draws sounds. Its input is samples as they come, its output a chart.Spectrogram. It reads and writes no
// files, and keeps no samples beyond a window.
package spectrum

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"rig.example/rig/internal/tools/lab/chart"
)

const (
	window  = 8192 // samples of a spectrum
	columns = 1200 // at most
	rows    = 300
	low     = 25.0 // [Hz]
	floor   = -90.0
)

// Recorder makes the spectrogram of a sound of known length.
type Recorder struct {
	rate, high float64
	length     int // samples in all
	hop        int // from column to column
	fft        *fourier.FFT
	ring       [window]float32 // the newest samples
	count      int             // samples so far
	windowed   []float64
	bins       []complex128
	levels     [][]float64
}

// New returns a recorder of a sound of a number of samples at a rate [Hz].
func New(samples int, rate float64) *Recorder {
	return &Recorder{
		rate: rate, high: 0.45 * rate, length: samples, hop: max(window/8, samples/columns), fft: fourier.NewFFT(window),
		windowed: make([]float64, window), bins: make([]complex128, window/2+1),
	}
}

// Add takes the next sample, full scale -1 to 1.
func (r *Recorder) Add(sample float32) {
	r.ring[r.count%window] = sample
	r.count++
	if r.count >= window/2 && (r.count-window/2)%r.hop == 0 {
		r.column()
	}
}

// Drawn returns the spectrogram of what was added. Levels are those of sines: a sine of full scale has 0 dB.
func (r *Recorder) Drawn() chart.Spectrogram {
	if len(r.levels) == 0 {
		r.column()
	}
	return chart.Spectrogram{Seconds: float64(r.length) / r.rate, Low: low, High: r.high, Floor: floor, Levels: r.levels}
}

// column adds the spectrum of the newest samples: of each row the level of its strongest bin [dB].
func (r *Recorder) column() {
	for i := range r.windowed {
		v := float64(r.ring[(r.count+i)%window]) // the oldest first
		r.windowed[i] = v * (1 - math.Cos(2*math.Pi*float64(i)/window))
	}
	bins, levels := r.fft.Coefficients(r.bins, r.windowed), make([]float64, rows)
	edge := func(row int) int {
		return int(math.Round(low * math.Pow(r.high/low, float64(row)/rows) * window / r.rate))
	}
	for row := range levels {
		best := 0.0
		for i := edge(row); i <= max(edge(row+1)-1, edge(row)) && i < len(bins); i++ {
			best = max(best, math.Hypot(real(bins[i]), imag(bins[i])))
		}
		levels[row] = 20 * math.Log10(max(2*best/window, 1e-9))
	}
	r.levels = append(r.levels, levels)
}
