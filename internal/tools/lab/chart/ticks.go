package chart

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"rig.example/rig/internal/kit/printable"
)

// ticks places about six labeled ticks at round numbers.
type ticks struct{}

// Ticks implements plot.Ticker.
func (ticks) Ticks(low, high float64) []plot.Tick {
	step := roundStep((high - low) / 5)
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	var list []plot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		text := strconv.FormatFloat(i*step+0, 'f', decimals, 64)
		list = append(list, plot.Tick{Value: i * step, Label: printable.Minus(text)})
	}
	return list
}

// roundStep returns the number 1, 2 or 5 times a power of ten that is nearest to v.
func roundStep(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	switch share := v / unit; {
	case share < 1.5:
		return unit
	case share < 3.5:
		return 2 * unit
	case share < 7.5:
		return 5 * unit
	}
	return 10 * unit
}

// logTicks places the ticks of a logarithmic axis at 1, 2 and 5 times powers of ten.
type logTicks struct{}

// Ticks implements plot.Ticker.
func (logTicks) Ticks(low, high float64) []plot.Tick {
	var list []plot.Tick
	for unit := math.Pow(10, math.Floor(math.Log10(low))); unit <= high; unit *= 10 {
		for _, times := range []float64{1, 2, 5} {
			if v := unit * times; v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				list = append(list, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)})
			}
		}
	}
	return list
}
