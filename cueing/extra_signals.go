package cueing

import "math"

// body tells how the body stands over its wheels. Where it stood first is rest; rest follows
// slowly, as load, fuel and downforce change.
type body struct {
	share float64 // of its way, that rest goes in a tick
}

type bodyState struct {
	base   [4]float64 // travel at rest [m]
	height float64    // of the body above rest [m]
	known  bool       // whether base is
}

func newBody(dt float64) body {
	const slow = 30 // [s]
	return body{share: dt / (slow + dt)}
}

// next returns how much further than at rest the left and the right suspensions are pressed
// together [m]. The first sound travel is what rest is.
func (b *body) next(s *bodyState, travel *[4]float64, sound bool) (left, right float64) {
	const most = 1 // of any suspension [m]
	var d [4]float64
	for i, t := range travel {
		t = min(max(t, -most), most)
		if sound && !s.known {
			s.base[i] = t
		}
		d[i] = t - s.base[i]
		s.base[i] += b.share * d[i]
	}
	s.known = s.known || sound
	left, right = (d[0]+d[2])/2, (d[1]+d[3])/2
	s.height = -(left + right) / 2
	return left, right
}

// rough passes what the road does to the suspension, and not what the body does: a high-pass
// of the second order between the two's natural frequencies.
type rough struct {
	low filter
	by  float64 // [s]
}

func newRough(dt float64) rough {
	const w, z = 2 * math.Pi * 3, 0.7 // [rad/s]
	return rough{low: newLowPass(w, z, dt), by: 2 * z / w}
}

func (r *rough) next(s *filterState, in float64) float64 {
	out := in - r.low.next(s, in)
	return out - r.by*s.x[1] // s² = the whole - w² - 2·z·w·s
}

// jolt is the push of a gear that takes hold: it rises within 80 ms to 1, forward when
// shifting up, and is gone half a second later.
type jolt struct {
	swing filter
	kick  float64 // speed at its start [1/s]
}

type joltState struct {
	swing filterState
	gear  int8 // last engaged; 0 none yet
}

func newJolt(dt float64) jolt {
	const w = 12 // [rad/s]: w·t·exp(1 - w·t) is 1 at t = 1/w
	return jolt{swing: newLowPass(w, 1, dt), kick: w * math.E}
}

func (j *jolt) next(s *joltState, gear int8) float64 {
	j.swing.next(&s.swing, 0)
	switch {
	case gear <= 0 || gear == s.gear:
		return s.swing.x[0]
	case s.gear != 0 && gear > s.gear:
		s.swing.x[1] = j.kick
	case s.gear != 0:
		s.swing.x[1] = -j.kick
	}
	s.gear = gear
	return s.swing.x[0]
}
