package racing

import "math"

// boundedQP is a convex quadratic program with bounds: minimize x'Hx/2 + gradient'x for low < x < high.
type boundedQP struct {
	bandMatrix // H
	gradient   []float64
	low, high  []float64 // bounds of x
	x          []float64 // solution

	factors              bandMatrix // Cholesky factor of the Newton system
	lowerMult, upperMult []float64  // Lagrange multipliers of the lower and upper bounds
	rhs, step, work      []float64  // right-hand side, Newton step, and scratch
}

// newBoundedQP returns an empty problem with n unknowns.
func newBoundedQP(n int) *boundedQP {
	list := func() []float64 { return make([]float64, n) }
	return &boundedQP{
		bandMatrix: newBandMatrix(n), factors: newBandMatrix(n), gradient: list(), low: list(), high: list(), x: list(),
		lowerMult: list(), upperMult: list(), rhs: list(), step: list(), work: list(),
	}
}

// clear sets the matrix and the gradient to zero.
func (q *boundedQP) clear() {
	clear(q.a)
	clear(q.gradient)
}

// solve finds x by the primal-dual interior point method (Wright, Primal-Dual Interior-Point Methods,
// 1997), each step by a banded factorization. mu is the barrier parameter.
func (q *boundedQP) solve() {
	const (
		rounds    = 60   // maximum number of Newton steps
		tolerance = 1e-9 // final mu relative to the first
		reduction = 0.15 // mu of each step relative to the one before
	)
	mu := q.initialize()
	target := tolerance * mu
	for range rounds {
		if !(mu > target) {
			return
		}
		q.newton(reduction * mu)
		q.advance(reduction * mu)
		mu = q.complementarity()
	}
}

// initialize puts x between its bounds and returns the first barrier parameter.
func (q *boundedQP) initialize() float64 {
	const margin = 0.02 // distance of x from its bounds, as a fraction of the distance between them
	sum := 0.0
	for i := range q.x {
		width := q.high[i] - q.low[i]
		q.x[i] = min(max(0, q.low[i]+margin*width), q.high[i]-margin*width)
		sum += math.Abs(q.gradient[i]) * width
	}
	mu := max(sum/float64(q.n), 1e-12)
	for i := range q.x {
		q.lowerMult[i], q.upperMult[i] = mu/(q.x[i]-q.low[i]), mu/(q.high[i]-q.x[i])
	}
	return mu
}

// newton computes the Newton step for a barrier parameter mu.
func (q *boundedQP) newton(mu float64) {
	const regularization = 1e-10 // is added to the diagonal, so that the matrix is positive definite
	copy(q.factors.a, q.a)
	q.multiply(q.x, q.rhs)
	for i := range q.x {
		toLower, toUpper := q.x[i]-q.low[i], q.high[i]-q.x[i]
		q.factors.add(i, i, regularization+(q.lowerMult[i]/toLower+q.upperMult[i]/toUpper))
		q.rhs[i] = (mu/toLower - mu/toUpper) - (q.rhs[i] + q.gradient[i])
	}
	q.factors.factor()
	q.factors.solve(q.rhs, q.step, q.work)
}

// advance moves x and the multipliers along the Newton step, as far as x stays within its bounds and the
// multipliers stay positive.
func (q *boundedQP) advance(mu float64) {
	const margin = 0.99 // fraction of the way to the bound
	fraction := 1.0
	for i := range q.step {
		dx, dLower, dUpper := q.multiplierSteps(i, mu)
		fraction = min(fraction, margin*maxStep(q.x[i]-q.low[i], dx), margin*maxStep(q.high[i]-q.x[i], -dx),
			margin*maxStep(q.lowerMult[i], dLower), margin*maxStep(q.upperMult[i], dUpper))
	}
	for i := range q.step {
		dx, dLower, dUpper := q.multiplierSteps(i, mu)
		q.lowerMult[i] += fraction * dLower
		q.upperMult[i] += fraction * dUpper
		q.x[i] += fraction * dx
	}
}

// multiplierSteps returns the full Newton step of x[i] (dx) and of the multipliers of its bounds.
func (q *boundedQP) multiplierSteps(i int, mu float64) (dx, dLower, dUpper float64) {
	dx = q.step[i]
	toLower, toUpper := q.x[i]-q.low[i], q.high[i]-q.x[i]
	dLower = mu/toLower - q.lowerMult[i] - q.lowerMult[i]/toLower*dx
	return dx, dLower, mu/toUpper - q.upperMult[i] + q.upperMult[i]/toUpper*dx
}

// maxStep returns the factor t at which v + t·slope becomes 0; Inf if it never does.
func maxStep(v, slope float64) float64 {
	if slope < 0 {
		return -v / slope
	}
	return math.Inf(1)
}

// complementarity returns the mean of the products of each multiplier and the distance of x from its bound,
// which is 0 at the solution.
func (q *boundedQP) complementarity() float64 {
	sum := 0.0
	for i, x := range q.x {
		sum += q.lowerMult[i]*(x-q.low[i]) + q.upperMult[i]*(q.high[i]-x)
	}
	return sum / float64(2*q.n)
}

// multiply sets out to the product of the matrix with v.
func (q *boundedQP) multiply(v, out []float64) {
	for i := range v {
		q.work[q.row(i)] = v[i]
	}
	product := q.step // used as scratch here
	clear(product)
	for i := range q.n {
		for k := 0; k <= min(bandwidth, i); k++ {
			a := q.a[i*(bandwidth+1)+k]
			product[i] += a * q.work[i-k]
			if k > 0 {
				product[i-k] += a * q.work[i]
			}
		}
	}
	for i := range v {
		out[i] = product[q.row(i)]
	}
}
