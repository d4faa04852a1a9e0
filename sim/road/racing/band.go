package racing

import "math"

// reach is how far from its diagonal a band has entries: that of a ring whose members
// each know the two next to them on both sides, when it is pressed flat.
const reach = 4

// band is a symmetric matrix over the members of a ring or row, positive definite, in
// which each has to do with the two next to it. The ring is numbered to and fro, 0, n-1,
// 1, n-2 and so on, which keeps what is near in the ring near in the matrix.
type band struct {
	n int
	a []float64 // row by row, the diagonal first, then to the left of it
}

func newBand(n int) band { return band{n, make([]float64, n*(reach+1))} }

// row returns the row of a member.
func (b *band) row(i int) int {
	if 2*i < b.n {
		return 2 * i
	}
	return 2*(b.n-1-i) + 1
}

// add adds to the entry of two members, and to its mirror image.
func (b *band) add(i, j int, v float64) {
	p, q := b.row(i), b.row(j)
	if p < q {
		p, q = q, p
	}
	b.a[p*(reach+1)+p-q] += v
}

// factor replaces the matrix by its Cholesky factor.
func (b *band) factor() {
	const w = reach + 1
	for i := range b.n {
		row := b.a[i*w : i*w+w]
		for j := max(i-reach, 0); j <= i; j++ {
			other := b.a[j*w : j*w+w]
			sum := row[i-j]
			for k := max(i-reach, 0); k < j; k++ {
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

// solve returns in x the solution for a right side, after factor; work has the same length.
func (b *band) solve(right, x, work []float64) {
	const w = reach + 1
	for i := range b.n {
		work[b.row(i)] = right[i]
	}
	for i := range b.n {
		for k := 1; k <= min(reach, i); k++ {
			work[i] -= b.a[i*w+k] * work[i-k]
		}
		work[i] /= b.a[i*w]
	}
	for i := b.n - 1; i >= 0; i-- {
		work[i] /= b.a[i*w]
		for k := 1; k <= min(reach, i); k++ {
			work[i-k] -= b.a[i*w+k] * work[i]
		}
	}
	for i := range b.n {
		x[i] = work[b.row(i)]
	}
}
