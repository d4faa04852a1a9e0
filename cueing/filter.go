package cueing

import "gonum.org/v1/gonum/mat"

// filter is a linear filter x' = A·x + B·u of up to three states, whose output is state 0.
//
// Its steps are exact for an input that goes in a straight line from tick to tick (a
// first-order hold), so it has neither a delay of half a tick nor warped frequencies: the
// error of a sine of angular frequency w is some (w·dt)²/12 of it.
type filter struct {
	step [states][states]float64 // of the states
	was  [states]float64         // of the input a tick ago
	is   [states]float64         // of the input now

	slope [states]float64 // of the state that the input drives, by the states
	moves bool            // state 1 is the speed of state 0
}

// filterState is where a filter is.
type filterState struct {
	x  [states]float64
	in float64 // a tick ago
}

const states = 3

// newFilter finds the steps of dt [s] by the exponential of the matrix that has the input
// and its slope as further states:
//
//	      | A·dt  B·dt  0 |     | step  held  ramp |
//	exp   |  0     0    1 |  =  |  0     1     1   |
//	      |  0     0    0 |     |  0     0     1   |
//
// so that x + = step·x + held·u + ramp·(u⁺ - u) (Franklin, Powell, Workman, Digital Control of
// Dynamic Systems, on the first-order hold).
//
// What the input drives by itself is state driven.
func newFilter(a [states][states]float64, b [states]float64, driven int, dt float64) filter {
	const n = states + 2
	m := mat.NewDense(n, n, nil)
	for i := range states {
		for j := range states {
			m.Set(i, j, a[i][j]*dt)
		}
		m.Set(i, states, b[i]*dt)
	}
	m.Set(states, states+1, 1)
	m.Exp(m)
	f := filter{slope: a[driven], moves: a[0][1] == 1}
	for i := range states {
		for j := range states {
			f.step[i][j] = m.At(i, j)
		}
		held, ramp := m.At(i, states), m.At(i, states+1)
		f.was[i], f.is[i] = held-ramp, ramp
	}
	return f
}

// next moves one tick, to an input, and returns the output.
func (f *filter) next(at *filterState, in float64) float64 {
	s, x, was := &f.step, at.x, at.in
	at.x = [states]float64{
		quiet(s[0][0]*x[0] + s[0][1]*x[1] + s[0][2]*x[2] + f.was[0]*was + f.is[0]*in),
		quiet(s[1][0]*x[0] + s[1][1]*x[1] + s[1][2]*x[2] + f.was[1]*was + f.is[1]*in),
		quiet(s[2][0]*x[0] + s[2][1]*x[1] + s[2][2]*x[2] + f.was[2]*was + f.is[2]*in),
	}
	at.in = in
	return at.x[0]
}

// hold keeps the output between two bounds, and takes away the speed (state 1) that would
// lead beyond them: what is not shown is not stored either.
func (s *filterState) hold(low, high float64) {
	switch {
	case s.x[0] > high:
		s.x[0], s.x[1] = high, min(s.x[1], 0)
	case s.x[0] < low:
		s.x[0], s.x[1] = low, max(s.x[1], 0)
	}
}

// speed returns how fast the driven state changes by itself, with no input.
func (f *filter) speed(s *filterState) float64 {
	return f.slope[0]*s.x[0] + f.slope[1]*s.x[1] + f.slope[2]*s.x[2]
}

// quiet ends a decay before its numbers become so small that they are slow.
func quiet(v float64) float64 {
	const nothing = 1e-30
	if v < nothing && v > -nothing {
		return 0
	}
	return v
}

// newTranslation returns the filter from an acceleration [m/s²] to a way [m] that a
// high-pass of the third order and two integrations are together,
//
//	       s²                s       1           s
//	--------------------- · ----- · --- = ---------------------------
//	s² + 2·z·w·s + w·w     s + b    s²    (s² + 2·z·w·s + w·w)·(s + b)
//
// where nothing is left to integrate, and so nothing drifts. States: way, speed, and the
// input's low-pass of b. With b = 0 the high-pass is of the second order.
func newTranslation(w, z, b, dt float64) filter {
	return newFilter([states][states]float64{
		{0, 1, 0},
		{-w * w, -2 * z * w, -1},
		{0, 0, -b},
	}, [states]float64{0, 1, b}, 1, dt)
}

// newRotation returns the filter from a rate [rad/s] to an angle [rad] that a high-pass of
// the second order and one integration are together, s/(s² + 2·z·w·s + w·w). States: angle,
// unused, and its integral.
func newRotation(w, z, dt float64) filter {
	return newFilter([states][states]float64{
		{-2 * z * w, 0, -w * w},
		{},
		{1, 0, 0},
	}, [states]float64{1, 0, 0}, 0, dt)
}

// newRotation1 is newRotation with a high-pass of the first order: 1/(s + w).
func newRotation1(w, dt float64) filter {
	return newFilter([states][states]float64{{-w, 0, 0}}, [states]float64{1, 0, 0}, 0, dt)
}

// newLowPass returns w·w/(s² + 2·z·w·s + w·w). States: output and its speed.
func newLowPass(w, z, dt float64) filter {
	return newFilter([states][states]float64{
		{0, 1, 0},
		{-w * w, -2 * z * w, 0},
	}, [states]float64{0, w * w, 0}, 1, dt)
}
