package cueing

import "math"

// lift is a platform that upright actuators raise: all but hexapods and cranks.
// They are fixed to it and push on the floor, so that their feet stay in one
// plane, whose slopes are linear in the strokes.
type lift struct {
	titles []string
	n      int
	x, y   [4]float64 // of each from the middle or the pivot [m]; left and right side by side
	stroke float64

	perStroke float64 // 1/stroke

	small bool // angles count as their own tangents, as seat movers are told
	joint bool // a joint or pivot holds it: it does not heave
}

// newLift returns the lift of a kind.
func newLift(g Geometry) *lift {
	m := &lift{stroke: g.Stroke, perStroke: 1 / g.Stroke, n: 2}
	left, ahead := g.Track/2, g.Wheelbase/2
	switch g.Kind {
	case kindSeat, kindRollPitch:
		m.titles = []string{"left", "right"}
		m.y, m.x = [4]float64{g.Spacing / 2, -g.Spacing / 2}, [4]float64{-g.Arm, -g.Arm}
		m.joint, m.small = g.Kind == kindRollPitch, g.Kind == kindSeat
	case kindHeave:
		m.n, m.titles = 3, []string{"front left", "front right", "rear"}
		if g.Single == "front" {
			ahead, m.titles = -ahead, []string{"rear left", "rear right", "front"}
		}
		m.y, m.x = [4]float64{left, -left}, [4]float64{ahead, ahead, -ahead}
	case kindCorners:
		m.n, m.titles = 4, []string{"front left", "front right", "rear left", "rear right"}
		m.y, m.x = [4]float64{left, -left, left, -left}, [4]float64{ahead, ahead, -ahead, -ahead}
	}
	return m
}

func (m *lift) names() []string { return m.titles }

// box keeps angles well below where their tangents run away.
func (m *lift) box() Pose {
	p := Pose{Heave: 2 * m.stroke, Roll: math.Pi / 4, Pitch: math.Pi / 4}
	if m.joint {
		p.Heave = 0
	}
	return p
}

func (m *lift) firmness(Pose) float64 { return 1 } // upright actuators always hold it

// legs lifts each actuator's place (x, y) by rise + y·leftUp + x·frontUp.
func (m *lift) legs(p Pose) (Legs, float64) {
	rise, leftUp, frontUp := m.plane(p)
	l, far := level, 0.0
	for i := range m.n {
		off := (rise + m.y[i]*leftUp + m.x[i]*frontUp) * m.perStroke
		l[i], far = neutral+off, max(far, math.Abs(off))
	}
	return l, far / neutral
}

// plane is the floor as the platform sees it, upside down: an actuator at (x, y)
// of the platform has to be longer by rise + y·leftUp + x·frontUp to stand on it,
// for the floor's normal is (-sin θ, cos θ·sin φ, cos θ·cos φ) to the platform.
func (m *lift) plane(p Pose) (rise, leftUp, frontUp float64) {
	if m.small {
		return p.Heave, p.Roll, -p.Pitch
	}
	sr, cr := math.Sincos(p.Roll)
	sp, cp := math.Sincos(p.Pitch)
	return p.Heave / (cp * cr), sr / cr, -sp / (cp * cr)
}

// pose finds the plane with the least squares of what is left, in closed form
// because actuators stand in mirrored pairs, and undoes plane.
func (m *lift) pose(l Legs, _ Pose) (Pose, bool) {
	rise, leftUp, frontUp := m.fit(&l)
	p := Pose{Heave: rise, Roll: leftUp, Pitch: -frontUp}
	if !m.small {
		p.Roll = math.Atan(leftUp)
		cr := math.Cos(p.Roll)
		p.Pitch = -math.Atan(frontUp * cr)
		p.Heave = rise * cr * math.Cos(p.Pitch)
	}
	return p, p.finite()
}

// fit sums left and right first, so that a mirrored platform has mirrored bits.
func (m *lift) fit(l *Legs) (rise, leftUp, frontUp float64) {
	var sum, sumX, xz, xx, yz, yy float64
	for i := 0; i < m.n; i += 2 {
		a, b := (l[i]-neutral)*m.stroke, 0.0
		if i+1 < m.n {
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
	if m.n == 2 { // behind a pivot
		return 0, leftUp, xz / xx
	}
	n := float64(m.n)
	frontUp = (xz - sumX*sum/n) / (xx - sumX*sumX/n)
	return (sum - frontUp*sumX) / n, leftUp, frontUp
}
