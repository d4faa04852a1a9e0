package cueing

import "gonum.org/v1/gonum/mat"

// filter is a linear filter x' = A·x + B·u of up to three states, whose output is state 0.
//
// Its steps are exact for an input that changes linearly from tick to tick (a first-order hold),
// so that it has neither a delay of half a tick nor warped frequencies: the error of a sine of
// angular frequency w is about (w·dt)²/12 of it.
type filter struct {
	step          [filterStates][filterStates]float64 // of the states
	lastInputGain [filterStates]float64               // of the input a tick ago
	inputGain     [filterStates]float64               // of the input now

	drivenRow [filterStates]float64 // row of A for the state that the input drives
	hasSpeed  bool                  // state 1 is the derivative of state 0
}

// filterState is the state of a filter.
type filterState struct {
	x         [filterStates]float64
	lastInput float64 // input a tick ago
}

const filterStates = 3

// newFilter computes the steps of dt [s] by the exponential of the matrix that has the input and
// its slope as further states:
//
//	      | A·dt  B·dt  0 |     | step  held  ramp |
//	exp   |  0     0    1 |  =  |  0     1     1   |
//	      |  0     0    0 |     |  0     0     1   |
//
// so that x + = step·x + held·u + ramp·(u⁺ - u) (Franklin, Powell, Workman, Digital Control of
// Dynamic Systems, on the first-order hold).
//
// driven is the state that the input drives directly.
func newFilter(a [filterStates][filterStates]float64, b [filterStates]float64, driven int, dt float64) filter {
	const n = filterStates + 2
	m := mat.NewDense(n, n, nil)
	for i := range filterStates {
		for j := range filterStates {
			m.Set(i, j, a[i][j]*dt)
		}
		m.Set(i, filterStates, b[i]*dt)
	}
	m.Set(filterStates, filterStates+1, 1)
	m.Exp(m)
	f := filter{drivenRow: a[driven], hasSpeed: a[0][1] == 1}
	for i := range filterStates {
		for j := range filterStates {
			f.step[i][j] = m.At(i, j)
		}
		held, ramp := m.At(i, filterStates), m.At(i, filterStates+1)
		f.lastInputGain[i], f.inputGain[i] = held-ramp, ramp
	}
	return f
}

// next advances by one tick to an input, and returns the output.
func (f *filter) next(state *filterState, in float64) float64 {
	s, x, last := &f.step, state.x, state.lastInput
	state.x = [filterStates]float64{
		flushDenormal(s[0][0]*x[0] + s[0][1]*x[1] + s[0][2]*x[2] + f.lastInputGain[0]*last + f.inputGain[0]*in),
		flushDenormal(s[1][0]*x[0] + s[1][1]*x[1] + s[1][2]*x[2] + f.lastInputGain[1]*last + f.inputGain[1]*in),
		flushDenormal(s[2][0]*x[0] + s[2][1]*x[1] + s[2][2]*x[2] + f.lastInputGain[2]*last + f.inputGain[2]*in),
	}
	state.lastInput = in
	return state.x[0]
}

// clamp limits the output to a range, and removes the speed (state 1) that would lead out of it,
// so that the filter stores no motion that is not shown.
func (s *filterState) clamp(low, high float64) {
	switch {
	case s.x[0] > high:
		s.x[0], s.x[1] = high, min(s.x[1], 0)
	case s.x[0] < low:
		s.x[0], s.x[1] = low, max(s.x[1], 0)
	}
}

// freeRate returns the rate of change of the driven state without input.
func (f *filter) freeRate(s *filterState) float64 {
	return f.drivenRow[0]*s.x[0] + f.drivenRow[1]*s.x[1] + f.drivenRow[2]*s.x[2]
}

// flushDenormal returns 0 for numbers so small that they may become denormal, which are slow to
// compute with.
func flushDenormal(v float64) float64 {
	const smallest = 1e-30
	if v < smallest && v > -smallest {
		return 0
	}
	return v
}

// newTranslation returns the filter from an acceleration [m/s²] to a position [m] that combines a
// third-order high-pass with two integrations,
//
//	       s²                s       1           s
//	--------------------- · ----- · --- = ---------------------------
//	s² + 2·z·w·s + w·w     s + b    s²    (s² + 2·z·w·s + w·w)·(s + b)
//
// in which no integrator is left, so that nothing drifts. States: position, speed, and the low-pass
// of the input with b. With b = 0 the high-pass is of second order.
func newTranslation(w, z, b, dt float64) filter {
	return newFilter([filterStates][filterStates]float64{
		{0, 1, 0},
		{-w * w, -2 * z * w, -1},
		{0, 0, -b},
	}, [filterStates]float64{0, 1, b}, 1, dt)
}

// newRotation returns the filter from a rate [rad/s] to an angle [rad] that combines a
// second-order high-pass with one integration, s/(s² + 2·z·w·s + w·w). States: angle, unused, and
// the integral of the angle.
func newRotation(w, z, dt float64) filter {
	return newFilter([filterStates][filterStates]float64{
		{-2 * z * w, 0, -w * w},
		{},
		{1, 0, 0},
	}, [filterStates]float64{1, 0, 0}, 0, dt)
}

// newFirstOrderRotation is newRotation with a first-order high-pass: 1/(s + w).
func newFirstOrderRotation(w, dt float64) filter {
	return newFilter([filterStates][filterStates]float64{{-w, 0, 0}}, [filterStates]float64{1, 0, 0}, 0, dt)
}

// newLowPass returns w·w/(s² + 2·z·w·s + w·w). States: output and its speed.
func newLowPass(w, z, dt float64) filter {
	return newFilter([filterStates][filterStates]float64{
		{0, 1, 0},
		{-w * w, -2 * z * w, 0},
	}, [filterStates]float64{0, w * w, 0}, 1, dt)
}
