// Package spectrum draws sounds. Its input is samples, its output a chart.Spectrogram. It reads and writes no files.
package spectrum

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"rig.example/rig/internal/lab/chart"
)

const (
	window  = 8192 // samples of a spectrum
	columns = 1200 // at most
	rows    = 300
	low     = 25.0 // [Hz]
	floor   = -90.0
)

// Draw returns a spectrogram of samples, full scale -1 to 1, at a rate [Hz]. Levels are those of sines: a sine of full
// scale has 0 dB.
func Draw(samples []float32, rate float64) chart.Spectrogram {
	high := rate * 0.45
	s := chart.Spectrogram{Seconds: float64(len(samples)) / rate, Low: low, High: high, Floor: floor}
	hop := max(window/8, len(samples)/columns)
	fft := fourier.NewFFT(window)
	windowed, bins := make([]float64, window), make([]complex128, window/2+1)
	for at := 0; at == 0 || at+hop <= len(samples); at += hop {
		for i := range windowed {
			windowed[i] = 0
			if k := at + i - window/2; k >= 0 && k < len(samples) {
				windowed[i] = float64(samples[k]) * (1 - math.Cos(2*math.Pi*float64(i)/window))
			}
		}
		s.Levels = append(s.Levels, column(fft.Coefficients(bins, windowed), rate, high))
	}
	return s
}

// column returns the level of each row [dB]: that of its strongest bin.
func column(bins []complex128, rate, high float64) []float64 {
	levels := make([]float64, rows)
	perBin := rate / window
	edge := func(row float64) float64 { return low * math.Pow(high/low, row/rows) / perBin }
	for row := range levels {
		from, to := int(math.Round(edge(float64(row)))), int(math.Round(edge(float64(row+1))))
		best := 0.0
		for i := from; i <= max(to-1, from) && i < len(bins); i++ {
			best = max(best, math.Hypot(real(bins[i]), imag(bins[i])))
		}
		levels[row] = 20 * math.Log10(max(2*best/window, 1e-9))
	}
	return levels
}
