package screens

import "math"

// Pose is how far a platform has moved: surge, sway, heave [m], roll (right side down), pitch (nose down), yaw (to the left) [rad].
type Pose = [6]float64

// OnPlatform returns the head of a driver on a platform that has moved, turned in the order of ISO 8855. eye is where the eye is at
// rest, from the point about which the platform turns [m].
func OnPlatform(p Pose, eye vector) Head {
	sr, cr := math.Sincos(p[3])
	sp, cp := math.Sincos(p[4])
	sy, cy := math.Sincos(p[5])
	h := Head{Turn: [3]vector{
		{cy * cp, sy * cp, -sp},
		{cy*sp*sr - sy*cr, sy*sp*sr + cy*cr, cp * sr},
		{cy*sp*cr + sy*sr, sy*sp*cr - cy*sr, cp * cr},
	}}
	h.Place = vector{p[0], p[1], p[2]}
	for i, along := range h.Turn {
		h.Place = add(h.Place, scale(eye[i], along))
	}
	h.Place = sub(h.Place, eye)
	return h
}

// Platform remembers where a platform was sent, so that its pose is known a little later.
type Platform struct {
	poses [256]Pose
	times [256]float64 // [s]
	count int
}

// Now takes the pose that the platform is sent now, and returns where it is: as measured, and where that is NaN as it was sent
// delay [s] ago.
func (p *Platform) Now(sent, measured Pose, now, delay float64) Pose {
	pose := p.delayed(sent, now, delay)
	for i, m := range measured {
		if m == m {
			pose[i] = m
		}
	}
	return pose
}

// delayed returns the pose that the platform was sent delay [s] ago, on a straight line between those that were taken.
func (p *Platform) delayed(sent Pose, now, delay float64) (pose Pose) {
	n := len(p.poses)
	p.poses[p.count%n], p.times[p.count%n] = sent, now
	p.count++
	newer, then := (p.count-1)%n, now-delay
	for back := 2; back <= min(p.count, n); back++ {
		older := (p.count - back) % n
		if span := p.times[newer] - p.times[older]; p.times[older] <= then && span > 0 {
			share := min((then-p.times[older])/span, 1)
			for i := range pose {
				pose[i] = p.poses[older][i] + share*(p.poses[newer][i]-p.poses[older][i])
			}
			return pose
		}
		newer = older
	}
	return p.poses[newer]
}
