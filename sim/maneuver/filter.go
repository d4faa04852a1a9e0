package maneuver

import "math"

// phaseless filters samples of a rate [Hz] with a low-pass Butterworth filter of 6 poles, forward and then
// backward: 12 poles without delay, whose gain at the cutoff [Hz] is one half. Outside of the samples it takes
// their first and last value.
func phaseless(samples []float64, rate, cutoff float64) []float64 {
	y := append([]float64(nil), samples...)
	for range 2 {
		for _, pair := range [3]float64{1, 3, 5} {
			lowPass(y, rate, cutoff, math.Cos(pair*math.Pi/12))
		}
		for i, j := 0, len(y)-1; i < j; i, j = i+1, j-1 {
			y[i], y[j] = y[j], y[i]
		}
	}
	return y
}

// lowPass filters y in place with two poles of a damping ratio, by the bilinear transformation.
func lowPass(y []float64, rate, cutoff, damping float64) {
	if len(y) == 0 {
		return
	}
	k := math.Tan(math.Pi * cutoff / rate)
	norm := 1 / (1 + 2*damping*k + k*k)
	gain, back1, back2 := k*k*norm, 2*(k*k-1)*norm, (1-2*damping*k+k*k)*norm
	in1, in2, out1, out2 := y[0], y[0], y[0], y[0]
	for i, in := range y {
		out := gain*(in+2*in1+in2) - back1*out1 - back2*out2
		in1, in2, out1, out2 = in, in1, out, out1
		y[i] = out
	}
}
