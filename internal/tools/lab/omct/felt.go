package omct

import (
	"math"
	"math/cmplx"

	"rig.example/rig/cueing"
)

// sample is the motion of the platform at one moment, from which the specific force and the rotation at
// the driver's head follow.
//
// The exact specific force at the head is the transpose of the rotation matrix times the sum of
// acceleration and gravity. Here the acceleration is not rotated but taken along the axes of the level
// platform; the error is of second order in the platform's motion.
type sample struct {
	displacement [3]float64 // displacement of the head from its place on the level platform, x, y and z [m]
	gravity      [3]float64 // specific force by gravity along the platform's axes [m/s²]
	rotation     [3]float64 // roll, pitch and yaw of the platform [rad]
}

// sampleOf returns the sample of a pose for a head at a position relative to the platform's reference
// point [m].
func sampleOf(p cueing.Pose, head [3]float64) sample {
	sr, cr := math.Sincos(p.Roll)
	sp, cp := math.Sincos(p.Pitch)
	sy, cy := math.Sincos(p.Yaw)
	x, y, z := head[0], head[1], head[2]
	u, v := cr*y-sr*z, sr*y+cr*z // rolled
	w, h := cp*x+sp*v, -sp*x+cp*v
	return sample{
		displacement: [3]float64{p.Surge + cy*w - sy*u - x, p.Sway + sy*w + cy*u - y, p.Heave + h - z},
		gravity:      [3]float64{-gravity * sp, gravity * cp * sr, gravity * cp * cr},
		rotation:     [3]float64{p.Roll, p.Pitch, p.Yaw},
	}
}

// response is the complex amplitude of the specific force [m/s²] or rotation [rad] at the head, for each
// axis, at one frequency.
type response [axes]complex128

// respond returns the response at a multiple of the frequency omega [rad/s] by Fourier sums over the
// samples, which cover this number of whole periods. The factor -ω² turns displacements into
// accelerations.
func respond(samples []sample, periods, multiple int, omega float64) (r response) {
	w := omega * float64(multiple)
	var displacement [3]complex128
	for i := range samples {
		angle := 2 * math.Pi * float64(i*periods%len(samples)*multiple%len(samples)) / float64(len(samples))
		phasor := cmplx.Rect(2/float64(len(samples)), -angle)
		for k := range displacement {
			displacement[k] += complex(samples[i].displacement[k], 0) * phasor
			r[surge+k] += complex(samples[i].gravity[k], 0) * phasor
			r[roll+k] += complex(samples[i].rotation[k], 0) * phasor
		}
	}
	for k := range displacement {
		r[surge+k] -= complex(w*w, 0) * displacement[k]
	}
	return r
}

// maxDifference returns the largest absolute difference of two responses over all axes.
func (r response) maxDifference(other response) (largest float64) {
	for k := range r {
		largest = math.Max(largest, cmplx.Abs(r[k]-other[k]))
	}
	return largest
}
