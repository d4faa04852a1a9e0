package packets

import "math"

// number is an element of the vectors of the formats.
type number interface{ float32 | float64 | int32 }

// The axes of Motion are right-handed: x ahead of a car of heading 0, y to its left, z up. Each function converts a
// vector from axes that the formats use.

func fromXRightYAhead[N number](v [3]N) [3]float64 {
	return [3]float64{float64(v[1]), -float64(v[0]), float64(v[2])}
}

func fromXRightYUpZAhead[N number](v [3]N) [3]float64 {
	return [3]float64{float64(v[2]), -float64(v[0]), float64(v[1])}
}

func fromXRightYUpZBack[N number](v [3]N) [3]float64 {
	return [3]float64{-float64(v[2]), -float64(v[0]), float64(v[1])}
}

// Axes are the directions of a car in the world: ahead, to its left, and up.
type Axes struct{ Ahead, Left, Up [3]float64 }

// axes returns the directions of the car: turned by Heading, then by NoseUp, then by RightDown.
func (m *Motion) axes() Axes {
	sh, ch := math.Sincos(m.Heading)
	sn, cn := math.Sincos(m.NoseUp)
	sr, cr := math.Sincos(m.RightDown)
	ahead := [3]float64{cn * ch, cn * sh, sn}
	levelLeft := [3]float64{-sh, ch, 0}
	levelUp := cross(ahead, levelLeft)
	a := Axes{Ahead: ahead}
	for i := range 3 {
		a.Left[i] = cr*levelLeft[i] + sr*levelUp[i]
		a.Up[i] = cr*levelUp[i] - sr*levelLeft[i]
	}
	return a
}

// setAttitude sets Heading, NoseUp and RightDown from the directions ahead and to the right of the car.
func (m *Motion) setAttitude(ahead, right [3]float64) {
	m.Heading = math.Atan2(ahead[1], ahead[0])
	m.NoseUp = math.Asin(min(max(ahead[2], -1), 1))
	m.RightDown = math.Atan2(-right[2], cross(right, ahead)[2])
}

// ToWorld converts a vector from the car's axes.
func (a *Axes) ToWorld(v [3]float64) (w [3]float64) {
	for i := range w {
		w[i] = v[0]*a.Ahead[i] + v[1]*a.Left[i] + v[2]*a.Up[i]
	}
	return w
}

// ToBody converts a vector to the car's axes.
func (a *Axes) ToBody(v [3]float64) [3]float64 {
	return [3]float64{dot(v, a.Ahead), dot(v, a.Left), dot(v, a.Up)}
}

// setWorldVelocity sets the velocities from that in the world. The attitude must be set.
func (m *Motion) setWorldVelocity(v [3]float64) {
	a := m.axes()
	body := a.ToBody(v)
	m.Vel, m.Forward, m.Left = v, body[0], body[1]
}

// setWorldAcceleration sets the acceleration along the car from that in the world. The attitude must be set.
func (m *Motion) setWorldAcceleration(v [3]float64) {
	a := m.axes()
	body := a.ToBody(v)
	m.AccForward, m.AccLeft, m.AccUp = body[0], body[1], body[2]
}

// setWorldRate sets the angular velocity from that in the world. The attitude must be set.
func (m *Motion) setWorldRate(v [3]float64) {
	a := m.axes()
	body := a.ToBody(v)
	m.RightDownRate, m.NoseUpRate, m.LeftRate = body[0], -body[1], body[2]
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
