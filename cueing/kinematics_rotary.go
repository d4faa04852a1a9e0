package cueing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// rotary is a platform on six cranks with rods of fixed length.
type rotary struct {
	at         joints
	crank, rod float64    // [m]
	half       float64    // of the crank's angle range [rad]
	rest       [6]float64 // crank angle at neutral [rad], 0 where joints are not listed
	reach      [6]float64 // at neutral, see angle

	perHalf          float64    // 1/half
	perMore, perLess [6]float64 // one over how far reach may rise and fall from neutral

	reaches Pose
	titles  []string
}

// stretch is the most that angle's reach may be: rod and crank still have 18° to
// a line.
const stretch = 0.95

func newRotary(g Geometry) (*rotary, error) {
	at := g.joints()
	var tips [6]r3.Vec
	for i := range tips {
		tips[i] = r3.Add(at.foot[i], r3.Scale(g.Crank, at.out[i]))
	}
	height, err := at.height(tips, g.Rod, 0.02*g.Crank)
	if err != nil {
		return nil, fmt.Errorf("rod_length_m = %g: with the cranks level %w", g.Rod, err)
	}
	m := &rotary{at: at.raised(height, g.Center), crank: g.Crank, rod: g.Rod, half: g.CrankRange * degree / 2, titles: g.sixNames()}
	m.perHalf = 1 / m.half
	m.reaches = m.at.box(height)
	m.reaches.Heave = min(m.reaches.Heave, 2*g.Crank)
	r := turned(Pose{})
	for i := range m.rest {
		m.rest[i], m.reach[i] = m.angle(i, m.joint(&r, Pose{}, i))
		m.perMore[i], m.perLess[i] = 1/(stretch-m.reach[i]), 1/(stretch+m.reach[i])
	}
	return m, m.check(g, height)
}

// check refuses cranks and rods that do not fit each other.
func (m *rotary) check(g Geometry, height float64) error {
	for i, reach := range m.reach {
		if math.Abs(reach) > 0.85 {
			return fmt.Errorf("rod_length_m = %g: at neutral rod and crank %d are nearly in line; take longer rods or the other choice of cranks", g.Rod, i+1)
		}
	}
	if down := math.Sin(m.half) * m.crank; down > 0.8*height {
		return fmt.Errorf("crank_length_m = %g: lowered by %.3f m the platform meets its base, for it is %.3f m high; take longer rods or a smaller crank_range_deg", g.Crank, down, height)
	}
	return nil
}

func (m *rotary) names() []string { return m.titles }

func (m *rotary) box() Pose { return m.reaches }

func (m *rotary) firmness(p Pose) float64 {
	l, _ := m.legs(p)
	tips := m.tips(&l)
	return m.at.firmness(&tips, p)
}

// joint is where leg i's joint under the platform is from its crank's shaft.
func (m *rotary) joint(r *rotation, p Pose, i int) r3.Vec {
	t := r3.Vec{X: p.Surge, Y: p.Sway, Z: p.Heave}
	return r3.Sub(r3.Add(t, r.of(m.at.top[i])), m.at.foot[i])
}

// angle returns the crank's angle, up from level [rad], that puts the rod's
// other end at v: the solution of e·sin α + f·cos α = g, α = asin(g/√(e²+f²)) -
// atan2(f, e), by R. Eisele, "Inverse Kinematics of a Stewart Platform" (2019),
// with both angles' sines and cosines taken together. reach is g/√(e²+f²): beyond
// -1..1 the rod is too long or too short, and the angle stays at the nearest.
func (m *rotary) angle(i int, v r3.Vec) (angle, reach float64) {
	e := 2 * m.crank * v.Z
	f := 2 * m.crank * (m.at.out[i].X*v.X + m.at.out[i].Y*v.Y)
	g := v.X*v.X + v.Y*v.Y + v.Z*v.Z - (m.rod*m.rod - m.crank*m.crank)
	whole := e*e + f*f
	w := math.Sqrt(max(whole-g*g, 0))
	return math.Atan2(e*g-f*w, f*g+e*w), g / math.Sqrt(whole)
}

// legs returns crank angles as shares of their range. The load is that of the
// crank that is nearest to an end of its range, or of the rod nearest to a line.
func (m *rotary) legs(p Pose) (Legs, float64) {
	r, l, load := turned(p), level, 0.0
	for i := range m.rest {
		angle, reach := m.angle(i, m.joint(&r, p, i))
		off := (angle - m.rest[i]) * m.perHalf
		l[i] = neutral + off*neutral
		more := reach - m.reach[i]
		load = max(load, math.Abs(off), more*m.perMore[i], -more*m.perLess[i])
	}
	return l, load
}

// tips are where the rods begin.
func (m *rotary) tips(l *Legs) (tips [6]r3.Vec) {
	for i := range tips {
		sin, cos := math.Sincos(m.rest[i] + (l[i]-neutral)*2*m.half)
		level := r3.Scale(m.crank*cos, m.at.out[i])
		tips[i] = r3.Add(m.at.foot[i], r3.Vec{X: level.X, Y: level.Y, Z: m.crank * sin})
	}
	return tips
}

// pose solves legs for the pose: the rods' lower ends are known, and their length.
func (m *rotary) pose(l Legs, near Pose) (Pose, bool) {
	tips := m.tips(&l)
	var lengths [6]float64
	for i := range lengths {
		lengths[i] = m.rod
	}
	return solved(&m.at.top, &tips, &lengths, near, &m.reaches)
}
