package maneuver

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// The functions of this file evaluate a closed loop: the values of some signals in a cycle, at equal steps of
// time, whose last sample is followed by the first.

// amplitudeOf returns half the difference of the largest and the smallest value.
func amplitudeOf(y []float64) float64 { return (slices.Max(y) - slices.Min(y)) / 2 }

// crossings returns y where x passes a level while it rises and while it falls, interpolated linearly. Each is
// the mean of all such places, NaN without one.
func crossings(x, y []float64, level float64) (rising, falling float64) {
	var sums, counts [2]float64
	for i := range x {
		next := (i + 1) % len(x)
		a, b := x[i]-level, x[next]-level
		way := 0
		switch {
		case a < 0 && b >= 0:
		case a > 0 && b <= 0:
			way = 1
		default:
			continue
		}
		sums[way] += y[i] + (y[next]-y[i])*a/(a-b)
		counts[way]++
	}
	return sums[0] / counts[0], sums[1] / counts[1]
}

// hysteresis returns by how much y is larger where x rises through 0 than where it falls through 0.
func hysteresis(x, y []float64) float64 {
	rising, falling := crossings(x, y, 0)
	return rising - falling
}

// slope returns the gradient of y over x, by least squares, where the signal by is within a half window of a
// level. It is the mean of the gradients where by rises and where it falls, so that the distance between the
// two does not count. It is NaN if by does not cross the whole window.
func slope(x, y, by []float64, level, halfWindow float64) float64 {
	if level-halfWindow < slices.Min(by) || level+halfWindow > slices.Max(by) {
		return math.NaN()
	}
	var xs, ys [2][]float64
	for i, v := range by {
		if math.Abs(v-level) > halfWindow {
			continue
		}
		change := by[(i+1)%len(by)] - by[(i+len(by)-1)%len(by)]
		way := 0
		if change < 0 {
			way = 1
		}
		xs[way], ys[way] = append(xs[way], x[i]), append(ys[way], y[i])
	}
	sum := 0.0
	for way := range xs {
		if len(xs[way]) < 3 {
			return math.NaN()
		}
		_, gradient := stat.LinearRegression(xs[way], ys[way], nil, false)
		sum += gradient
	}
	return sum / 2
}

// lag returns the time [s] by which y is behind x, by their components of the frequency of the weave.
func lag(x, y []float64) float64 {
	var in, out [2]float64
	for i := range x {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(x)))
		in[0], in[1] = in[0]+sin*x[i], in[1]+cos*x[i]
		out[0], out[1] = out[0]+sin*y[i], out[1]+cos*y[i]
	}
	_, phase := transfer(in, out)
	return -phase / (2 * math.Pi * weaveFreq)
}

// work returns the work of a torque [N·m] along an angle [rad] while the angle grows to either side, mean of
// both sides, and that of the whole loop [J].
func work(angle, torque []float64) (out, loop float64) {
	for i := range angle {
		next := (i + 1) % len(angle)
		part := (torque[i] + torque[next]) / 2 * (angle[next] - angle[i])
		loop += part
		if math.Abs(angle[next]) > math.Abs(angle[i]) {
			out += part / 2
		}
	}
	return out, loop
}
