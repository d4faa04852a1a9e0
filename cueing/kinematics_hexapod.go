package cueing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// hexapod is a Gough-Stewart platform: six linear actuators between joints.
type hexapod struct {
	joints        joints
	neutralLength [6]float64 // length at neutral, joint to joint [m]
	stroke        float64
	inverseStroke float64 // 1/stroke
	limits        Pose
	legNames      []string
}

func newHexapod(g Geometry) (*hexapod, error) {
	joints := g.joints()
	height, err := joints.height(joints.base, g.ActuatorLength+g.Stroke/2, 0.02*g.Stroke)
	if err == nil { // the platform must not touch its base when all legs are retracted
		_, err = joints.height(joints.base, g.ActuatorLength, g.Stroke)
	}
	if err != nil {
		return nil, fmt.Errorf("actuator_length_m = %g: %w", g.ActuatorLength, err)
	}
	m := &hexapod{joints: joints.assembled(height, g.RotationCenter), stroke: g.Stroke, inverseStroke: 1 / g.Stroke, legNames: g.hexapodLegNames()}
	m.limits = m.joints.bounds(height)
	for i := range m.neutralLength {
		m.neutralLength[i] = norm(r3.Sub(m.joints.platform[i], m.joints.base[i]))
	}
	return m, nil
}

func (g Geometry) hexapodLegNames() []string {
	if g.hasListedJoints() {
		return []string{"leg 1", "leg 2", "leg 3", "leg 4", "leg 5", "leg 6"}
	}
	return []string{"front left", "middle left", "rear left", "rear right", "middle right", "front right"}
}

func (m *hexapod) names() []string { return m.legNames }

func (m *hexapod) bounds() Pose { return m.limits }

func (m *hexapod) stability(p Pose) float64 { return m.joints.stability(&m.joints.base, p) }

// bounds keeps the platform above the base and every leg from lying flat, so that the distance
// of a leg from neutral increases with the pose.
func (j joints) bounds(height float64) Pose {
	arm := 0.0
	for i := range j.platform {
		arm = max(arm, math.Hypot(j.platform[i].X, j.platform[i].Y))
	}
	tilt := math.Asin(min(0.3*height/arm, math.Sqrt2/2))
	return Pose{Surge: height, Sway: height, Heave: height / 2, Roll: tilt, Pitch: tilt, Yaw: math.Pi / 4}
}

// norm returns a vector's length; the order of the sum gives mirrored vectors the same bits.
func norm(v r3.Vec) float64 { return math.Sqrt(v.X*v.X + v.Y*v.Y + v.Z*v.Z) }

// legs returns l = |T + R·p - b| for each leg, as fractions of the stroke, and the load of the leg
// closest to an end of its stroke (0 at neutral, 1 at the end): D.
// Stewart, "A Platform with Six Degrees of Freedom", Proc. IMechE 180 (1965).
func (m *hexapod) legs(p Pose) (Legs, float64) {
	r, t, l, load := rotationOf(p), r3.Vec{X: p.Surge, Y: p.Sway, Z: p.Heave}, neutralLegs, 0.0
	for i := range m.neutralLength {
		v := r3.Sub(r3.Add(t, r.apply(m.joints.platform[i])), m.joints.base[i])
		offset := (norm(v) - m.neutralLength[i]) * m.inverseStroke
		l[i], load = neutral+offset, max(load, math.Abs(offset))
	}
	return l, load / neutral
}

// pose solves legs for the pose by Newton's method from a pose nearby, and if
// that fails from neutral.
func (m *hexapod) pose(l Legs, near Pose) (Pose, bool) {
	var lengths [6]float64
	for i := range lengths {
		lengths[i] = m.neutralLength[i] + (l[i]-neutral)*m.stroke
	}
	return solvePose(&m.joints.platform, &m.joints.base, &lengths, near, &m.limits)
}
