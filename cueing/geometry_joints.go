package cueing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// joints are the places of a hexapod's or a rotary platform's joints: top under
// the platform, foot on the base, each from its own middle [m]. out is where
// the crank of a leg points when it is level, of length 1.
type joints struct {
	top, foot, out [6]r3.Vec
}

// joints returns the places as listed, or on two circles.
func (g Geometry) joints() joints {
	if !g.listed() {
		return g.circles()
	}
	var j joints
	for i := range j.top {
		j.top[i] = vector(g.PlatformJoints[i])
		j.foot[i] = vector(g.BaseJoints[i])
		if len(g.CrankDirections) > 0 {
			sin, cos := math.Sincos(g.CrankDirections[i] * degree)
			j.out[i] = r3.Vec{X: cos, Y: sin}
		}
	}
	return j
}

func vector(v []float64) r3.Vec { return r3.Vec{X: v[0], Y: v[1], Z: v[2]} }

// circles lays pairs of joints on two circles: the base's at 60°, 180° and 300°
// from ahead, the platform's at 0°, 120° and 240°. Legs go from the front left
// round by the left to the front right, and the right ones mirror the left
// ones to the bit.
func (g Geometry) circles() joints {
	d, e := g.BaseHalfAngle, g.PlatformHalfAngle
	away := 1.0
	if g.Cranks == "inward" {
		away = -1
	}
	left := [3]struct{ foot, top, pair, side float64 }{
		{60 - d, e, 60, -away}, {60 + d, 120 - e, 60, away}, {180 - d, 120 + e, 180, -away},
	}
	var j joints
	for i, l := range left {
		if g.Turned {
			l = left[2-i] // seen from behind, the last is the first
		}
		foot, top := g.around(g.BaseRadius, l.foot), g.around(g.PlatformRadius, l.top)
		out := g.around(l.side, l.pair+90)
		j.foot[i], j.top[i], j.out[i] = foot, top, out
		j.foot[5-i], j.top[5-i], j.out[5-i] = mirrored(foot), mirrored(top), mirrored(out)
	}
	return j
}

// around is a place on a circle, deg from ahead to the left; a turned
// platform's is the one mirrored to the rear.
func (g Geometry) around(radius, deg float64) r3.Vec {
	sin, cos := math.Sincos(deg * degree)
	if g.Turned {
		cos = -cos
	}
	return r3.Vec{X: radius * cos, Y: radius * sin}
}

func mirrored(v r3.Vec) r3.Vec { return r3.Vec{X: v.X, Y: -v.Y, Z: v.Z} }

// sideways is how far a and b lie apart as seen from above [m].
func sideways(a, b r3.Vec) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// raised returns the joints with the platform in its neutral place: both told
// from the rotation center there.
func (j joints) raised(height float64, center [3]float64) joints {
	c := vector(center[:])
	for i := range j.top {
		j.top[i] = r3.Sub(j.top[i], c)
		j.foot[i] = r3.Sub(r3.Sub(j.foot[i], c), r3.Vec{Z: height})
	}
	return j
}

// height returns how high the platform's joints lie over the base's where every
// leg spans length between from and top [m]. Legs of listed joints may differ by
// no more than slack, or the platform would be crooked when all are half out.
func (j joints) height(from [6]r3.Vec, length, slack float64) (float64, error) {
	var each [6]float64
	mean := 0.0
	for i := range j.top {
		side := sideways(j.top[i], from[i])
		if side >= length {
			return 0, fmt.Errorf("leg %d has to span %.3f m sideways with %.3f m: take a longer one, or joints less far apart", i+1, side, length)
		}
		each[i] = math.Sqrt(length*length-side*side) - (j.top[i].Z - from[i].Z)
		mean += each[i] / 6
	}
	worst := 0
	for i, h := range each {
		if math.Abs(h-mean) > math.Abs(each[worst]-mean) {
			worst = i
		}
	}
	if math.Abs(each[worst]-mean) > slack {
		return 0, fmt.Errorf("leg %d holds the platform at %.3f m, all together at %.3f m: correct its joints in base_joints_m or platform_joints_m", worst+1, each[worst], mean)
	}
	if mean < 0.05*length {
		return 0, fmt.Errorf("the platform would lie only %.3f m over the base: take longer legs, or joints less far apart", mean)
	}
	return mean, nil
}
