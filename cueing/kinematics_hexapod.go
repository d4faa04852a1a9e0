package cueing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// hexapod is a Gough-Stewart platform: six linear actuators between joints.
type hexapod struct {
	at        joints
	rest      [6]float64 // length at neutral, joint to joint [m]
	stroke    float64
	perStroke float64 // 1/stroke
	reaches   Pose
	titles    []string
}

func newHexapod(g Geometry) (*hexapod, error) {
	at := g.joints()
	height, err := at.height(at.foot, g.Length+g.Stroke/2, 0.02*g.Stroke)
	if err == nil { // nor must it fall through its base when drawn in
		_, err = at.height(at.foot, g.Length, g.Stroke)
	}
	if err != nil {
		return nil, fmt.Errorf("actuator_length_m = %g: %w", g.Length, err)
	}
	m := &hexapod{at: at.raised(height, g.Center), stroke: g.Stroke, perStroke: 1 / g.Stroke, titles: g.sixNames()}
	m.reaches = m.at.box(height)
	for i := range m.rest {
		m.rest[i] = span(r3.Sub(m.at.top[i], m.at.foot[i]))
	}
	return m, nil
}

func (g Geometry) sixNames() []string {
	if g.listed() {
		return []string{"leg 1", "leg 2", "leg 3", "leg 4", "leg 5", "leg 6"}
	}
	return []string{"front left", "middle left", "rear left", "rear right", "middle right", "front right"}
}

func (m *hexapod) names() []string { return m.titles }

func (m *hexapod) box() Pose { return m.reaches }

func (m *hexapod) firmness(p Pose) float64 { return m.at.firmness(&m.at.foot, p) }

// box keeps the platform over the base and every leg from lying down, so that a
// leg's way from neutral grows with the pose.
func (j joints) box(height float64) Pose {
	arm := 0.0
	for i := range j.top {
		arm = max(arm, math.Hypot(j.top[i].X, j.top[i].Y))
	}
	tilt := math.Asin(min(0.3*height/arm, math.Sqrt2/2))
	return Pose{Surge: height, Sway: height, Heave: height / 2, Roll: tilt, Pitch: tilt, Yaw: math.Pi / 4}
}

// span is a vector's length, its square summed in the order in which mirrored
// vectors give the same bits.
func span(v r3.Vec) float64 { return math.Sqrt(v.X*v.X + v.Y*v.Y + v.Z*v.Z) }

// legs returns l = |T + R·p - b| for each leg, as shares of the stroke: D.
// Stewart, "A Platform with Six Degrees of Freedom", Proc. IMechE 180 (1965).
func (m *hexapod) legs(p Pose) (Legs, float64) {
	r, t, l, far := turned(p), r3.Vec{X: p.Surge, Y: p.Sway, Z: p.Heave}, level, 0.0
	for i := range m.rest {
		v := r3.Sub(r3.Add(t, r.of(m.at.top[i])), m.at.foot[i])
		off := (span(v) - m.rest[i]) * m.perStroke
		l[i], far = neutral+off, max(far, math.Abs(off))
	}
	return l, far / neutral
}

// pose solves legs for the pose by Newton's method from a pose nearby, and if
// that fails from neutral.
func (m *hexapod) pose(l Legs, near Pose) (Pose, bool) {
	var lengths [6]float64
	for i := range lengths {
		lengths[i] = m.rest[i] + (l[i]-neutral)*m.stroke
	}
	return solved(&m.at.top, &m.at.foot, &lengths, near, &m.reaches)
}
