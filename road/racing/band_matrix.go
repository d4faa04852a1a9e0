package racing

import "math"

// bandwidth is the number of entries of a row to the left of the diagonal. It is 4 because each point is
// coupled to two neighbours and the order of a ring's points doubles their distance.
const bandwidth = 4

// bandMatrix is a symmetric positive definite matrix over the points of a ring or row, in which each point
// is coupled to the two next to it. A ring is stored in the order 0, n-1, 1, n-2, …, which keeps
// neighbours near the diagonal.
type bandMatrix struct {
	n int
	a []float64 // row by row: the diagonal, then the entries to its left
}

// newBandMatrix returns a zero matrix for n points.
func newBandMatrix(n int) bandMatrix { return bandMatrix{n, make([]float64, n*(bandwidth+1))} }

// row returns the row of the matrix that belongs to point i.
func (b *bandMatrix) row(i int) int {
	if 2*i < b.n {
		return 2 * i
	}
	return 2*(b.n-1-i) + 1
}

// add adds v to the entry of points i and j, and to the symmetric entry of j and i.
func (b *bandMatrix) add(i, j int, v float64) {
	p, q := b.row(i), b.row(j)
	if p < q {
		p, q = q, p
	}
	b.a[p*(bandwidth+1)+p-q] += v
}

// factor replaces the matrix by its Cholesky factor.
func (b *bandMatrix) factor() {
	const w = bandwidth + 1
	for i := range b.n {
		row := b.a[i*w : i*w+w]
		for j := max(i-bandwidth, 0); j <= i; j++ {
			other := b.a[j*w : j*w+w]
			sum := row[i-j]
			for k := max(i-bandwidth, 0); k < j; k++ {
				sum -= row[i-k] * other[j-k]
			}
			if i == j {
				row[0] = math.Sqrt(max(sum, math.SmallestNonzeroFloat64))
			} else {
				row[i-j] = sum / other[0]
			}
		}
	}
}

// solve sets x to the solution for the right-hand side rhs. factor must have been called. work is scratch of
// the same length.
func (b *bandMatrix) solve(rhs, x, work []float64) {
	const w = bandwidth + 1
	for i := range b.n {
		work[b.row(i)] = rhs[i]
	}
	for i := range b.n {
		for k := 1; k <= min(bandwidth, i); k++ {
			work[i] -= b.a[i*w+k] * work[i-k]
		}
		work[i] /= b.a[i*w]
	}
	for i := b.n - 1; i >= 0; i-- {
		work[i] /= b.a[i*w]
		for k := 1; k <= min(bandwidth, i); k++ {
			work[i-k] -= b.a[i*w+k] * work[i]
		}
	}
	for i := range b.n {
		x[i] = work[b.row(i)]
	}
}
