package cueing

import "math"

// uprightPlatform is the mechanism of a platform on upright actuators: every kind but hexapod, rotary and pose.
// The actuators are fixed to the platform and push against the floor, so that their feet are in one
// plane, whose slopes are linear in the strokes.
type uprightPlatform struct {
	legNames  []string
	actuators int
	x, y      [4]float64 // of each actuator relative to the middle or the pivot [m]; left and right actuators in pairs
	stroke    float64

	inverseStroke float64 // 1/stroke

	smallAngles bool // the tangent of an angle is approximated by the angle, as is usual for seat movers
	noHeave     bool // a joint fixes the height: the platform cannot heave
}

// newUprightPlatform returns the mechanism for a geometry with upright actuators.
func newUprightPlatform(g Geometry) *uprightPlatform {
	m := &uprightPlatform{stroke: g.Stroke, inverseStroke: 1 / g.Stroke, actuators: 2}
	halfTrack, halfWheelbase := g.Track/2, g.Wheelbase/2
	switch g.Kind {
	case kindSeat, kindRollPitch:
		m.legNames = []string{"left", "right"}
		m.y, m.x = [4]float64{g.ActuatorSpacing / 2, -g.ActuatorSpacing / 2}, [4]float64{-g.ActuatorArm, -g.ActuatorArm}
		m.noHeave, m.smallAngles = g.Kind == kindRollPitch, g.Kind == kindSeat
	case kindHeave:
		m.actuators, m.legNames = 3, []string{"front left", "front right", "rear"}
		if g.SingleActuatorEnd == "front" {
			halfWheelbase, m.legNames = -halfWheelbase, []string{"rear left", "rear right", "front"}
		}
		m.y, m.x = [4]float64{halfTrack, -halfTrack}, [4]float64{halfWheelbase, halfWheelbase, -halfWheelbase}
	case kindCorners:
		m.actuators, m.legNames = 4, []string{"front left", "front right", "rear left", "rear right"}
		m.y, m.x = [4]float64{halfTrack, -halfTrack, halfTrack, -halfTrack}, [4]float64{halfWheelbase, halfWheelbase, -halfWheelbase, -halfWheelbase}
	}
	return m
}

func (m *uprightPlatform) names() []string { return m.legNames }

// bounds limits angles to 45°, well below those at which tangents grow without limit.
func (m *uprightPlatform) bounds() Pose {
	p := Pose{Heave: 2 * m.stroke, Roll: math.Pi / 4, Pitch: math.Pi / 4}
	if m.noHeave {
		p.Heave = 0
	}
	return p
}

func (m *uprightPlatform) stability(Pose) float64 { return 1 } // upright actuators always hold it

// legs extends each actuator at (x, y) by rise + y·leftUp + x·frontUp.
func (m *uprightPlatform) legs(p Pose) (Legs, float64) {
	rise, leftUp, frontUp := m.slopes(p)
	l, load := neutralLegs, 0.0
	for i := range m.actuators {
		offset := (rise + m.y[i]*leftUp + m.x[i]*frontUp) * m.inverseStroke
		l[i], load = neutral+offset, max(load, math.Abs(offset))
	}
	return l, load / neutral
}

// slopes returns the floor's plane relative to the platform, inverted: an actuator at (x, y) of the
// platform is longer by rise + y·leftUp + x·frontUp, because the floor's normal in platform axes
// is (-sin θ, cos θ·sin φ, cos θ·cos φ).
func (m *uprightPlatform) slopes(p Pose) (rise, leftUp, frontUp float64) {
	if m.smallAngles {
		return p.Heave, p.Roll, -p.Pitch
	}
	sr, cr := math.Sincos(p.Roll)
	sp, cp := math.Sincos(p.Pitch)
	return p.Heave / (cp * cr), sr / cr, -sp / (cp * cr)
}

// pose fits the plane by least squares, in closed form because actuators stand in mirrored pairs,
// and inverts slopes.
func (m *uprightPlatform) pose(l Legs, _ Pose) (Pose, bool) {
	rise, leftUp, frontUp := m.fitPlane(&l)
	p := Pose{Heave: rise, Roll: leftUp, Pitch: -frontUp}
	if !m.smallAngles {
		p.Roll = math.Atan(leftUp)
		cr := math.Cos(p.Roll)
		p.Pitch = -math.Atan(frontUp * cr)
		p.Heave = rise * cr * math.Cos(p.Pitch)
	}
	return p, p.isFinite()
}

// fitPlane sums left and right first, so that a mirrored platform gives mirrored bits.
func (m *uprightPlatform) fitPlane(l *Legs) (rise, leftUp, frontUp float64) {
	var sum, sumX, xz, xx, yz, yy float64
	for i := 0; i < m.actuators; i += 2 {
		a, b := (l[i]-neutral)*m.stroke, 0.0
		if i+1 < m.actuators {
			b = (l[i+1] - neutral) * m.stroke
		}
		sum += a + b
		sumX += m.x[i] + m.x[i+1] // 0 where there is none
		xz += m.x[i]*a + m.x[i+1]*b
		xx += m.x[i]*m.x[i] + m.x[i+1]*m.x[i+1]
		yz += m.y[i]*a + m.y[i+1]*b
		yy += m.y[i]*m.y[i] + m.y[i+1]*m.y[i+1]
	}
	leftUp = yz / yy
	if m.actuators == 2 { // behind a pivot
		return 0, leftUp, xz / xx
	}
	n := float64(m.actuators)
	frontUp = (xz - sumX*sum/n) / (xx - sumX*sumX/n)
	return (sum - frontUp*sumX) / n, leftUp, frontUp
}
