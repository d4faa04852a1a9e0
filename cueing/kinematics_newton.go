package cueing

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	legTolerance   = 1e-12 // error of a leg's length at which the search ends [m]
	maxIterations  = 12
	minDeterminant = 1e-12 // determinant below which legs do not hold the platform [m³]
)

// jacobian has a row for each leg: the derivatives of its length by surge, sway, heave [-], roll,
// pitch and yaw [m/rad], and last the error of its length [m].
type jacobian [6][7]float64

// solvePose returns the pose in which the legs between base and platform joints have the given
// lengths. The search starts at a nearby pose; if that fails, or finds a pose beyond the bounds
// (the same leg lengths fit several poses), it starts again at neutral. solvePose reports whether a
// pose was found.
func solvePose(platform, base *[6]r3.Vec, lengths *[6]float64, start Pose, bounds *Pose) (Pose, bool) {
	p, ok := newton(platform, base, lengths, start)
	if !ok || !p.isWithin(bounds) {
		p, ok = newton(platform, base, lengths, Pose{})
	}
	if !ok || !p.isWithin(bounds) {
		return Pose{}, false
	}
	return p, true
}

// isWithin reports whether a pose is within 1.25 times the bounds.
func (p *Pose) isWithin(bounds *Pose) bool {
	within := func(v, limit float64) bool { return math.Abs(v) <= 1.25*limit }
	return within(p.Surge, bounds.Surge) && within(p.Sway, bounds.Sway) && within(p.Heave, bounds.Heave) &&
		within(p.Roll, bounds.Roll) && within(p.Pitch, bounds.Pitch) && within(p.Yaw, bounds.Yaw)
}

// newton searches, from p on, for the pose in which the legs have the given lengths, and reports
// whether it found one.
func newton(platform, base *[6]r3.Vec, lengths *[6]float64, p Pose) (Pose, bool) {
	for range maxIterations {
		j, maxError := jacobianAt(platform, base, lengths, p)
		if maxError <= legTolerance {
			return p, true
		}
		step, det := j.solve()
		if !(math.Abs(det) > minDeterminant) { // also for NaN
			return p, false
		}
		p.Surge += step[0]
		p.Sway += step[1]
		p.Heave += step[2]
		p.Roll += step[3]
		p.Pitch += step[4]
		p.Yaw += step[5]
		if !(math.Abs(p.Roll) < 1.4 && math.Abs(p.Pitch) < 1.4 && math.Abs(p.Yaw) < 1.6) {
			return p, false // another pose that fits the same lengths
		}
	}
	return p, false
}

// jacobianAt returns the matrix at a pose and the largest error of a leg's length [m].
func jacobianAt(platform, base *[6]r3.Vec, lengths *[6]float64, p Pose) (j jacobian, maxError float64) {
	r, t := rotationOf(p), r3.Vec{X: p.Surge, Y: p.Sway, Z: p.Heave}
	sin, cos := math.Sincos(p.Yaw)
	rollAxis, pitchAxis := r3.Vec{X: r.xx, Y: r.yx, Z: r.zx}, r3.Vec{X: -sin, Y: cos}
	for i := range j {
		arm := r.apply(platform[i])
		v := r3.Sub(r3.Add(t, arm), base[i])
		length := norm(v)
		n := r3.Scale(1/length, v)
		lengthByRotation := r3.Cross(arm, n) // derivative of the leg's length by rotation about each axis
		lengthError := lengths[i] - length
		j[i] = [7]float64{n.X, n.Y, n.Z, r3.Dot(lengthByRotation, rollAxis), r3.Dot(lengthByRotation, pitchAxis), lengthByRotation.Z, lengthError}
		maxError = max(maxError, math.Abs(lengthError))
	}
	return j, maxError
}

// solve eliminates with the largest pivot of each column and returns the solution and the
// determinant, which is 0 where the legs do not hold the platform.
func (j *jacobian) solve() (x [6]float64, det float64) {
	det = 1
	for c := range j {
		pivot := c
		for i := c + 1; i < 6; i++ {
			if math.Abs(j[i][c]) > math.Abs(j[pivot][c]) {
				pivot = i
			}
		}
		if pivot != c {
			j[c], j[pivot] = j[pivot], j[c]
			det = -det
		}
		det *= j[c][c]
		for i := c + 1; i < 6; i++ {
			factor := j[i][c] / j[c][c]
			for k := c + 1; k < 7; k++ {
				j[i][k] -= factor * j[c][k]
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

// stability returns the determinant of the jacobian in a pose, with rotations scaled by the joints'
// radius: the volume that the legs' directions span, which is close to 0 where the platform can
// move although all legs keep their length.
func (j joints) stability(base *[6]r3.Vec, p Pose) float64 {
	var noLengths [6]float64
	m, _ := jacobianAt(&j.platform, base, &noLengths, p)
	_, det := m.solve()
	radius := j.meanRadius()
	return det / (radius * radius * radius)
}

// meanRadius returns the mean distance of the platform's joints from their center [m].
func (j joints) meanRadius() float64 {
	var center r3.Vec
	for _, v := range j.platform {
		center = r3.Add(center, r3.Scale(1.0/6, v))
	}
	radius := 0.0
	for _, v := range j.platform {
		radius += norm(r3.Sub(v, center)) / 6
	}
	return radius
}
