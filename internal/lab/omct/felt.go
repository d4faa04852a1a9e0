package omct

import (
	"math"
	"math/cmplx"

	"rig.example/rig/cueing"
)

// sample is what the platform does at one moment: where the head is, what of gravity it
// feels there, and how the platform is turned.
//
// The specific force at the head is the rotation matrix' transpose times acceleration
// plus gravity. The part of the acceleration is taken along the axes of the level
// platform: what that leaves out is of second order in the platform's motion.
type sample struct {
	place [3]float64 // of the head, from where it is on the level platform [m]
	pull  [3]float64 // of gravity, along the platform's axes [m/s²]
	turn  [3]float64 // roll, pitch, yaw [rad]
}

// sampleOf tells what a pose is for a head at a place over the platform's reference point
// [m].
func sampleOf(p cueing.Pose, head [3]float64) sample {
	sr, cr := math.Sincos(p.Roll)
	sp, cp := math.Sincos(p.Pitch)
	sy, cy := math.Sincos(p.Yaw)
	x, y, z := head[0], head[1], head[2]
	u, v := cr*y-sr*z, sr*y+cr*z // rolled
	w, h := cp*x+sp*v, -sp*x+cp*v
	return sample{
		place: [3]float64{p.Surge + cy*w - sy*u - x, p.Sway + sy*w + cy*u - y, p.Heave + h - z},
		pull:  [3]float64{-gravity * sp, gravity * cp * sr, gravity * cp * cr},
		turn:  [3]float64{p.Roll, p.Pitch, p.Yaw},
	}
}

// response is the amplitude and phase of what is felt in each axis at one frequency [m/s²,
// rad].
type response [axes]complex128

// respond returns the response at a multiple of the frequency omega [rad/s] of samples
// that cover a number of whole periods: Fourier's sums. Places are differentiated twice by
// the factor -ω².
func respond(samples []sample, periods, multiple int, omega float64) (r response) {
	w := omega * float64(multiple)
	var place [3]complex128
	for i := range samples {
		angle := 2 * math.Pi * float64(i*periods%len(samples)*multiple%len(samples)) / float64(len(samples))
		turned := cmplx.Rect(2/float64(len(samples)), -angle)
		for k := range place {
			place[k] += complex(samples[i].place[k], 0) * turned
			r[surge+k] += complex(samples[i].pull[k], 0) * turned
			r[roll+k] += complex(samples[i].turn[k], 0) * turned
		}
	}
	for k := range place {
		r[surge+k] -= complex(w*w, 0) * place[k]
	}
	return r
}

// distance is the largest difference in an axis.
func (r response) distance(other response) (most float64) {
	for k := range r {
		most = math.Max(most, cmplx.Abs(r[k]-other[k]))
	}
	return most
}
