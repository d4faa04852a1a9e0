package maneuver

import (
	"math"

	"rig.example/rig/sim/trial"
)

// dwellData are the channels of a run of the sine with dwell, evaluated as S7.11 of FMVSS 126 (49 CFR 571.126)
// asks. Angles, yaw rates and accelerations are positive to the side of the first steering.
//
// The steering wheel has no sensor that S7.11.1 would have to filter: its angle is the commanded one.
type dwellData struct {
	t     []float64 // [s]
	steer []float64 // steering wheel angle [rad]
	yaw   []float64 // yaw rate [rad/s], filtered and zeroed
	ay    []float64 // lateral acceleration of the center of mass, level [m/s²], filtered and zeroed
	begin float64   // beginning of steer (BOS) [s], NaN if the angle does not reach 5°
}

// newDwellData returns the channels of the last run of t. side is 1 if its first steering is to the left, -1
// if it is to the right.
func newDwellData(t *run, side float64) *dwellData {
	const cutoff = 6.0 // of yaw rate (S7.11.2) and lateral acceleration (S7.11.3) [Hz]
	rows := t.Fine.Rows
	channel := func(f signal) []float64 { return values(rows, func(q *trial.Row) float64 { return side * f(q) }) }
	d := &dwellData{
		t:     values(rows, timeOf),
		steer: channel(func(q *trial.Row) float64 { return t.SteeringWheelFor(q.Steer) }),
		yaw:   phaseless(channel(yawRateOf), trial.FineRate, cutoff),
		ay:    phaseless(channel(ayOf), trial.FineRate, cutoff),
	}
	end := d.zeroingEnd()
	for _, y := range [][]float64{d.steer, d.yaw, d.ay} {
		d.zero(y, end)
	}
	d.begin = d.reach(end, 5*degree)
	return d
}

// zeroingEnd returns the end of the zeroing range (S7.11.5.1) [s]: the first instant at which the steering
// wheel rate exceeds 75 °/s, if it does so for at least 200 ms. The rate is averaged over 0.1 s (S7.11.4). A
// small amplitude is never that fast: then it is the start of the sine.
func (d *dwellData) zeroingEnd() float64 {
	const fast, average, minTime = 75 * degree, 0.1, 0.2 // [rad/s], [s], [s]
	half := int(math.Round(average / 2 * trial.FineRate))
	since := math.NaN()
	for i := half; i+half < len(d.t); i++ {
		rate := (d.steer[i+half] - d.steer[i-half]) / (d.t[i+half] - d.t[i-half])
		switch {
		case rate <= fast:
			since = math.NaN()
		case math.IsNaN(since):
			since = d.t[i]
		case d.t[i]-since >= minTime-1e-9:
			return since
		}
	}
	return dwellStart
}

// zero subtracts the mean over the zeroing range, the second before its end (S7.11.5.2).
func (d *dwellData) zero(y []float64, end float64) {
	sum, n := 0.0, 0.0
	for i, at := range d.t {
		if at >= end-1-1e-9 && at <= end+1e-9 {
			sum, n = sum+y[i], n+1
		}
	}
	for i := range y {
		y[i] -= sum / max(n, 1)
	}
}

// reach returns when the steering wheel angle first reaches a level after a time, interpolated (S7.11.6); NaN
// if it never does.
func (d *dwellData) reach(after, level float64) float64 {
	for i := 1; i < len(d.t); i++ {
		if a, b := d.steer[i-1], d.steer[i]; d.t[i] > after && b >= level {
			return d.t[i-1] + (d.t[i]-d.t[i-1])*min(max((level-a)/(b-a), 0), 1)
		}
	}
	return math.NaN()
}

// secondPeak returns the second peak of the yaw rate, positive away from the first steering: the first local
// peak that the reversal of the steering wheel produces (S7.11.8), or the largest value where it only grows.
func (d *dwellData) secondPeak() float64 {
	largest := math.NaN()
	for i := 1; i+1 < len(d.t); i++ {
		v := -d.yaw[i]
		if d.t[i] < dwellStart+0.5/dwellFreq || v <= 0 {
			continue
		}
		if !(v <= largest) {
			largest = v
		}
		if v >= -d.yaw[i-1] && v > -d.yaw[i+1] {
			return v
		}
	}
	return largest
}

// yawRatio returns the yaw rate at a time [s] after the completion of steer (COS, S7.11.7) over its second
// peak; negative if it has the direction of the first steering. It is NaN if the run ended before.
func (d *dwellData) yawRatio(after float64) float64 {
	const completion = dwellStart + dwellTime // the steering wheel is back at 0
	for i := 1; i < len(d.t); i++ {
		if when := completion + after; when >= d.t[i-1] && when <= d.t[i] {
			share := (when - d.t[i-1]) / (d.t[i] - d.t[i-1])
			return -(d.yaw[i-1] + (d.yaw[i]-d.yaw[i-1])*share) / d.secondPeak()
		}
	}
	return math.NaN()
}

// displacement returns the lateral displacement 1.07 s after the beginning of steer [m]: the lateral
// acceleration integrated twice from there on (S7.11.9). It is NaN if the run ended before.
func (d *dwellData) displacement() float64 {
	end := d.begin + 1.07
	if math.IsNaN(d.begin) || d.t[len(d.t)-1] < end {
		return math.NaN()
	}
	y, vy := 0.0, 0.0
	for i := 1; i < len(d.t); i++ {
		from, to := max(d.t[i-1], d.begin), min(d.t[i], end)
		if from >= to {
			continue
		}
		slope, h := (d.ay[i]-d.ay[i-1])/(d.t[i]-d.t[i-1]), to-from
		ay := d.ay[i-1] + slope*(from-d.t[i-1])
		y += h * (vy + h*(ay/2+h*slope/6))
		vy += h * (ay + h*slope/2)
	}
	return y
}
