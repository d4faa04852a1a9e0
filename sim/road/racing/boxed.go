package racing

import "math"

// boxed is a convex quadratic problem with bounds: the least x'Hx/2 + slope'x for
// low < x < high.
type boxed struct {
	band
	slope     []float64
	low, high []float64
	x         []float64

	factors           band
	under, over       []float64 // forces of the lower and upper bounds
	right, step, work []float64
}

func newBoxed(n int) *boxed {
	list := func() []float64 { return make([]float64, n) }
	return &boxed{band: newBand(n), factors: newBand(n), slope: list(), low: list(), high: list(), x: list(),
		under: list(), over: list(), right: list(), step: list(), work: list()}
}

// clear forgets the problem.
func (q *boxed) clear() {
	clear(q.a)
	clear(q.slope)
}

// solve finds x by the primal-dual interior point method (Wright, Primal-Dual
// Interior-Point Methods, 1997), each step by a banded factorization.
func (q *boxed) solve() {
	const rounds, done, aim = 60, 1e-9, 0.15 // steps, shares of the first and of the last push
	push := q.start()
	least := done * push
	for range rounds {
		if !(push > least) {
			return
		}
		q.newton(aim * push)
		q.move(aim * push)
		push = q.push()
	}
}

// start puts x inside its bounds and returns the first push of the bounds against it.
func (q *boxed) start() float64 {
	const edge = 0.02 // of the room
	sum := 0.0
	for i := range q.x {
		room := q.high[i] - q.low[i]
		q.x[i] = min(max(0, q.low[i]+edge*room), q.high[i]-edge*room)
		sum += math.Abs(q.slope[i]) * room
	}
	push := max(sum/float64(q.n), 1e-12)
	for i := range q.x {
		q.under[i], q.over[i] = push/(q.x[i]-q.low[i]), push/(q.high[i]-q.x[i])
	}
	return push
}

// newton finds the step towards bounds that push by so much.
func (q *boxed) newton(push float64) {
	const firm = 1e-10 // added to the diagonal
	copy(q.factors.a, q.a)
	q.times(q.x, q.right)
	for i := range q.x {
		down, up := q.x[i]-q.low[i], q.high[i]-q.x[i]
		q.factors.add(i, i, firm+(q.under[i]/down+q.over[i]/up))
		q.right[i] = (push/down - push/up) - (q.right[i] + q.slope[i])
	}
	q.factors.factor()
	q.factors.solve(q.right, q.step, q.work)
}

// move goes as far along the step as the bounds and their forces allow.
func (q *boxed) move(push float64) {
	const most = 0.99
	far := 1.0
	for i := range q.step {
		d, under, over := q.forces(i, push)
		far = min(far, most*reaches(q.x[i]-q.low[i], d), most*reaches(q.high[i]-q.x[i], -d),
			most*reaches(q.under[i], under), most*reaches(q.over[i], over))
	}
	for i := range q.step {
		d, under, over := q.forces(i, push)
		q.under[i] += far * under
		q.over[i] += far * over
		q.x[i] += far * d
	}
}

// forces returns the whole step of x, and those of its bounds' forces.
func (q *boxed) forces(i int, push float64) (d, under, over float64) {
	d = q.step[i]
	down, up := q.x[i]-q.low[i], q.high[i]-q.x[i]
	return d, push/down - q.under[i] - q.under[i]/down*d, push/up - q.over[i] + q.over[i]/up*d
}

// reaches returns how often a change fits into a value that must stay positive.
func reaches(v, change float64) float64 {
	if change < 0 {
		return -v / change
	}
	return math.Inf(1)
}

// push returns the mean of what the bounds' forces are times the distances from them.
func (q *boxed) push() float64 {
	sum := 0.0
	for i, x := range q.x {
		sum += q.under[i]*(x-q.low[i]) + q.over[i]*(q.high[i]-x)
	}
	return sum / float64(2*q.n)
}

// times returns in out the product of the matrix with v.
func (q *boxed) times(v, out []float64) {
	for i := range v {
		q.work[q.row(i)] = v[i]
	}
	flat := q.step
	clear(flat)
	for i := range q.n {
		for k := 0; k <= min(reach, i); k++ {
			a := q.a[i*(reach+1)+k]
			flat[i] += a * q.work[i-k]
			if k > 0 {
				flat[i-k] += a * q.work[i]
			}
		}
	}
	for i := range v {
		out[i] = flat[q.row(i)]
	}
}
