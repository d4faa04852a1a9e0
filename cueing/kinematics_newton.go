package cueing

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	exact   = 1e-12 // [m] of a leg where the search ends
	rounds  = 12    // of the search at most
	loosest = 1e-12 // determinant below which legs do not hold the platform [m³]
)

// jacobian has a row for each leg: how its length grows with surge, sway, heave
// [-], roll, pitch and yaw [m/rad], and last what it lacks [m].
type jacobian [6][7]float64

// solved returns the pose in which joints top of the platform are at lengths from
// foot. It starts at a pose nearby; where that leads nowhere, or to another way to
// assemble the platform, beyond its box, it starts at neutral, and returns that if
// it fails too.
func solved(top, foot *[6]r3.Vec, lengths *[6]float64, start Pose, box *Pose) (Pose, bool) {
	p, ok := newton(top, foot, lengths, start)
	if !ok || !p.near(box) {
		p, ok = newton(top, foot, lengths, Pose{})
	}
	if !ok || !p.near(box) {
		return Pose{}, false
	}
	return p, true
}

// near tells whether a pose is in the box or a little beyond.
func (p *Pose) near(box *Pose) bool {
	in := func(v, most float64) bool { return math.Abs(v) <= 1.25*most }
	return in(p.Surge, box.Surge) && in(p.Sway, box.Sway) && in(p.Heave, box.Heave) &&
		in(p.Roll, box.Roll) && in(p.Pitch, box.Pitch) && in(p.Yaw, box.Yaw)
}

func newton(top, foot *[6]r3.Vec, lengths *[6]float64, p Pose) (Pose, bool) {
	for range rounds {
		j, lack := lacking(top, foot, lengths, p)
		if lack <= exact {
			return p, true
		}
		step, det := j.solve()
		if !(math.Abs(det) > loosest) { // also for NaN
			return p, false
		}
		p.Surge += step[0]
		p.Sway += step[1]
		p.Heave += step[2]
		p.Roll += step[3]
		p.Pitch += step[4]
		p.Yaw += step[5]
		if !(math.Abs(p.Roll) < 1.4 && math.Abs(p.Pitch) < 1.4 && math.Abs(p.Yaw) < 1.6) {
			return p, false // another way to assemble it
		}
	}
	return p, false
}

// lacking returns the matrix at a pose and the most that a leg lacks [m].
func lacking(top, foot *[6]r3.Vec, lengths *[6]float64, p Pose) (j jacobian, lack float64) {
	r, t := turned(p), r3.Vec{X: p.Surge, Y: p.Sway, Z: p.Heave}
	sin, cos := math.Sincos(p.Yaw)
	rollAxis, pitchAxis := r3.Vec{X: r.xx, Y: r.yx, Z: r.zx}, r3.Vec{X: -sin, Y: cos}
	for i := range j {
		arm := r.of(top[i])
		v := r3.Sub(r3.Add(t, arm), foot[i])
		length := span(v)
		n := r3.Scale(1/length, v)
		turn := r3.Cross(arm, n) // what an angular velocity gives along the leg
		miss := lengths[i] - length
		j[i] = [7]float64{n.X, n.Y, n.Z, r3.Dot(turn, rollAxis), r3.Dot(turn, pitchAxis), turn.Z, miss}
		lack = max(lack, math.Abs(miss))
	}
	return j, lack
}

// solve eliminates with the largest pivot of each column and returns the
// solution and the determinant, which is 0 where legs do not hold the platform.
func (j *jacobian) solve() (x [6]float64, det float64) {
	det = 1
	for c := range j {
		best := c
		for i := c + 1; i < 6; i++ {
			if math.Abs(j[i][c]) > math.Abs(j[best][c]) {
				best = i
			}
		}
		if best != c {
			j[c], j[best] = j[best], j[c]
			det = -det
		}
		det *= j[c][c]
		for i := c + 1; i < 6; i++ {
			share := j[i][c] / j[c][c]
			for k := c + 1; k < 7; k++ {
				j[i][k] -= share * j[c][k]
			}
		}
	}
	for c := 5; c >= 0; c-- {
		x[c] = j[c][6]
		for k := c + 1; k < 6; k++ {
			x[c] -= j[c][k] * x[k]
		}
		x[c] /= j[c][c]
	}
	return x, det
}

// firmness is the determinant of what legs between top and foot do in a pose, with
// turns counted by what they move the joints: the volume that their directions
// span, next to 0 where the platform can move while all legs keep their length.
func (j joints) firmness(foot *[6]r3.Vec, p Pose) float64 {
	var none [6]float64
	m, _ := lacking(&j.top, foot, &none, p)
	_, det := m.solve()
	size := j.size()
	return det / (size * size * size)
}

// size is how far the platform's joints lie from their middle, in the mean [m].
func (j joints) size() float64 {
	var middle r3.Vec
	for _, v := range j.top {
		middle = r3.Add(middle, r3.Scale(1.0/6, v))
	}
	size := 0.0
	for _, v := range j.top {
		size += span(r3.Sub(v, middle)) / 6
	}
	return size
}
