package cueing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// rotary is the mechanism of a platform on six cranks with rods of fixed length.
type rotary struct {
	joints                 joints
	crankLength, rodLength float64    // [m]
	halfRange              float64    // of the crank's angle range [rad]
	neutralAngle           [6]float64 // crank angle at neutral [rad], 0 where joints are not listed
	neutralStraightness    [6]float64 // at neutral [-], see angle

	inverseHalfRange float64 // 1/halfRange
	// 1 over how far the straightness may rise above and fall below its value at neutral
	inverseStraightnessRoomUp, inverseStraightnessRoomDown [6]float64

	limits   Pose
	legNames []string
}

// maxStraightness is the largest amount of straightness (see angle) of a leg within its range: the crank then
// is still 18° from the line between its shaft and the platform joint, because acos(0.95) is 18°.
const maxStraightness = 0.95

func newRotary(g Geometry) (*rotary, error) {
	joints := g.joints()
	var tips [6]r3.Vec
	for i := range tips {
		tips[i] = r3.Add(joints.base[i], r3.Scale(g.CrankLength, joints.crank[i]))
	}
	height, err := joints.height(tips, g.RodLength, 0.02*g.CrankLength)
	if err != nil {
		return nil, fmt.Errorf("rod_length_m = %g: with the cranks level %w", g.RodLength, err)
	}
	m := &rotary{joints: joints.assembled(height, g.RotationCenter), crankLength: g.CrankLength, rodLength: g.RodLength, halfRange: g.CrankRange * degree / 2, legNames: g.hexapodLegNames()}
	m.inverseHalfRange = 1 / m.halfRange
	m.limits = m.joints.bounds(height)
	m.limits.Heave = min(m.limits.Heave, 2*g.CrankLength)
	r := rotationOf(Pose{})
	for i := range m.neutralAngle {
		m.neutralAngle[i], m.neutralStraightness[i] = m.angle(i, m.jointFromShaft(&r, Pose{}, i))
		m.inverseStraightnessRoomUp[i], m.inverseStraightnessRoomDown[i] = 1/(maxStraightness-m.neutralStraightness[i]), 1/(maxStraightness+m.neutralStraightness[i])
	}
	return m, m.check(g, height)
}

// check returns an error for cranks and rods that do not fit together.
func (m *rotary) check(g Geometry, height float64) error {
	for i, straightness := range m.neutralStraightness {
		if math.Abs(straightness) > 0.85 {
			return fmt.Errorf("rod_length_m = %g: at neutral rod and crank %d are nearly in line; use longer rods or the other value of cranks", g.RodLength, i+1)
		}
	}
	if drop := math.Sin(m.halfRange) * m.crankLength; drop > 0.8*height {
		return fmt.Errorf("crank_length_m = %g: lowered by %.3f m the platform meets its base, because it is %.3f m high; use longer rods or a smaller crank_range_deg", g.CrankLength, drop, height)
	}
	return nil
}

func (m *rotary) names() []string { return m.legNames }

func (m *rotary) bounds() Pose { return m.limits }

func (m *rotary) stability(p Pose) float64 {
	l, _ := m.legs(p)
	tips := m.crankTips(&l)
	return m.joints.stability(&tips, p)
}

// jointFromShaft returns the position of leg i's platform joint relative to its crank's shaft [m].
func (m *rotary) jointFromShaft(r *rotationMatrix, p Pose, i int) r3.Vec {
	t := r3.Vec{X: p.Surge, Y: p.Sway, Z: p.Heave}
	return r3.Sub(r3.Add(t, r.apply(m.joints.platform[i])), m.joints.base[i])
}

// angle returns the crank's angle, up from level [rad], that puts the rod's other end at v: the
// solution of e·sin α + f·cos α = g, α = asin(g/√(e²+f²)) - atan2(f, e), by R. Eisele, "Inverse
// Kinematics of a Stewart Platform" (2019), with the sines and cosines of both angles combined.
// straightness is g/√(e²+f²), the cosine of the angle at the shaft between crank and v, projected on the
// crank's plane: at 1 and -1 rod and crank are in a straight line; outside of -1..1 the rod is too long or too
// short, and the angle is the closest possible.
func (m *rotary) angle(i int, v r3.Vec) (angle, straightness float64) {
	e := 2 * m.crankLength * v.Z
	f := 2 * m.crankLength * (m.joints.crank[i].X*v.X + m.joints.crank[i].Y*v.Y)
	g := v.X*v.X + v.Y*v.Y + v.Z*v.Z - (m.rodLength*m.rodLength - m.crankLength*m.crankLength)
	squaredSum := e*e + f*f
	root := math.Sqrt(max(squaredSum-g*g, 0))
	return math.Atan2(e*g-f*root, f*g+e*root), g / math.Sqrt(squaredSum)
}

// legs returns crank angles as fractions of their range. The load is that of the crank closest to
// an end of its range, or of the rod closest to a straight line with its crank.
func (m *rotary) legs(p Pose) (Legs, float64) {
	r, l, load := rotationOf(p), neutralLegs, 0.0
	for i := range m.neutralAngle {
		angle, straightness := m.angle(i, m.jointFromShaft(&r, p, i))
		offset := (angle - m.neutralAngle[i]) * m.inverseHalfRange
		l[i] = neutral + offset*neutral
		straightnessChange := straightness - m.neutralStraightness[i]
		load = max(load, math.Abs(offset), straightnessChange*m.inverseStraightnessRoomUp[i], -straightnessChange*m.inverseStraightnessRoomDown[i])
	}
	return l, load
}

// crankTips returns the positions of the rods' lower ends [m].
func (m *rotary) crankTips(l *Legs) (tips [6]r3.Vec) {
	for i := range tips {
		sin, cos := math.Sincos(m.neutralAngle[i] + (l[i]-neutral)*2*m.halfRange)
		horizontal := r3.Scale(m.crankLength*cos, m.joints.crank[i])
		tips[i] = r3.Add(m.joints.base[i], r3.Vec{X: horizontal.X, Y: horizontal.Y, Z: m.crankLength * sin})
	}
	return tips
}

// pose solves for the pose in which the rods connect the crank tips with the platform's joints.
func (m *rotary) pose(l Legs, near Pose) (Pose, bool) {
	tips := m.crankTips(&l)
	var lengths [6]float64
	for i := range lengths {
		lengths[i] = m.rodLength
	}
	return solvePose(&m.joints.platform, &tips, &lengths, near, &m.limits)
}
