package cueing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// joints has the positions of a hexapod's or a rotary platform's joints: platform has those under
// the platform, base those on the base, each relative to the center of its own circle [m]. crank has
// the unit vector along each leg's crank when the crank is level.
type joints struct {
	platform, base, crank [6]r3.Vec
}

// joints returns the configured joints: those listed one by one, or pairs on two circles.
func (g Geometry) joints() joints {
	if !g.hasListedJoints() {
		return g.circularJoints()
	}
	var j joints
	for i := range j.platform {
		j.platform[i] = vector(g.PlatformJoints[i])
		j.base[i] = vector(g.BaseJoints[i])
		if len(g.CrankDirections) > 0 {
			sin, cos := math.Sincos(g.CrankDirections[i] * degree)
			j.crank[i] = r3.Vec{X: cos, Y: sin}
		}
	}
	return j
}

func vector(v []float64) r3.Vec { return r3.Vec{X: v[0], Y: v[1], Z: v[2]} }

// circularJoints puts pairs of joints on two circles: the base's at 60°, 180° and 300° from ahead,
// the platform's at 0°, 120° and 240°. Legs are numbered from the front left past the rear to the
// front right; the right legs mirror the left ones exactly.
func (g Geometry) circularJoints() joints {
	baseHalfAngle, platformHalfAngle := g.BaseHalfAngle, g.PlatformHalfAngle
	outward := 1.0
	if g.CrankSide == "inward" {
		outward = -1
	}
	// Angles of a leg's joints on the base and the platform and of the base's pair [°], and the side
	// of the pair to which the crank points: 1 left, -1 right as seen from the center.
	leftLegs := [3]struct{ foot, top, pair, side float64 }{
		{60 - baseHalfAngle, platformHalfAngle, 60, -outward}, {60 + baseHalfAngle, 120 - platformHalfAngle, 60, outward}, {180 - baseHalfAngle, 120 + platformHalfAngle, 180, -outward},
	}
	var j joints
	for i, l := range leftLegs {
		if g.TurnedAround {
			l = leftLegs[2-i] // from the rear the order is reversed
		}
		foot, top := g.pointOnCircle(g.BaseRadius, l.foot), g.pointOnCircle(g.PlatformRadius, l.top)
		direction := g.pointOnCircle(l.side, l.pair+90)
		j.base[i], j.platform[i], j.crank[i] = foot, top, direction
		j.base[5-i], j.platform[5-i], j.crank[5-i] = mirrored(foot), mirrored(top), mirrored(direction)
	}
	return j
}

// pointOnCircle returns a point on a circle at an angle of deg from straight ahead, positive to the
// left; for a platform that is turned around, the point is mirrored front to rear.
func (g Geometry) pointOnCircle(radius, deg float64) r3.Vec {
	sin, cos := math.Sincos(deg * degree)
	if g.TurnedAround {
		cos = -cos
	}
	return r3.Vec{X: radius * cos, Y: radius * sin}
}

func mirrored(v r3.Vec) r3.Vec { return r3.Vec{X: v.X, Y: -v.Y, Z: v.Z} }

// horizontalDistance returns the distance of a and b as seen from above [m].
func horizontalDistance(a, b r3.Vec) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// assembled returns the joints with the platform at neutral, relative to the rotation center.
func (j joints) assembled(height float64, center [3]float64) joints {
	centerPoint := vector(center[:])
	for i := range j.platform {
		j.platform[i] = r3.Sub(j.platform[i], centerPoint)
		j.base[i] = r3.Sub(r3.Sub(j.base[i], centerPoint), r3.Vec{Z: height})
	}
	return j
}

// height returns the height of the platform's joints above the base's joints if every leg has the
// given length between from and its platform joint [m]. The heights that listed joints give may
// differ from their mean by no more than tolerance: otherwise the platform would not be level with
// all legs at half stroke.
func (j joints) height(from [6]r3.Vec, length, tolerance float64) (float64, error) {
	var heights [6]float64
	mean := 0.0
	for i := range j.platform {
		horizontal := horizontalDistance(j.platform[i], from[i])
		if horizontal >= length {
			return 0, fmt.Errorf("leg %d must span %.3f m sideways with a length of %.3f m: use longer legs, or joints closer together", i+1, horizontal, length)
		}
		heights[i] = math.Sqrt(length*length-horizontal*horizontal) - (j.platform[i].Z - from[i].Z)
		mean += heights[i] / 6
	}
	worst := 0
	for i, h := range heights {
		if math.Abs(h-mean) > math.Abs(heights[worst]-mean) {
			worst = i
		}
	}
	if math.Abs(heights[worst]-mean) > tolerance {
		return 0, fmt.Errorf("leg %d holds the platform at a height of %.3f m, the mean of all legs is %.3f m: correct its joints in base_joints_m or platform_joints_m", worst+1, heights[worst], mean)
	}
	if mean < 0.05*length {
		return 0, fmt.Errorf("the platform would be only %.3f m above the base: use longer legs, or joints closer together", mean)
	}
	return mean, nil
}
