package follow

import "math"

func add(a, b [3]float64) [3]float64 { return [3]float64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func sub(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func scale(k float64, a [3]float64) [3]float64 {
	return [3]float64{k * a[0], k * a[1], k * a[2]}
}
func length(a [3]float64) float64 { return math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2]) }

// isKnown reports whether no part is NaN.
func isKnown(a [3]float64) bool { return a[0] == a[0] && a[1] == a[1] && a[2] == a[2] }

// ToWorld turns a vector of the body into the world, by the quaternion body to world.
func ToWorld(q [4]float64, v [3]float64) [3]float64 {
	u := [3]float64{q[1], q[2], q[3]}
	t := scale(2, cross(u, v))
	return add(add(v, scale(q[0], t)), cross(u, t))
}

// ToBody turns a vector of the world into the body, by the quaternion body to world.
func ToBody(q [4]float64, v [3]float64) [3]float64 {
	return ToWorld([4]float64{q[0], -q[1], -q[2], -q[3]}, v)
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// rotation returns the rotation vector from a to b in the axes of a [rad]: the shortest way.
func rotation(a, b [4]float64) [3]float64 {
	w := a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]
	v := [3]float64{
		a[0]*b[1] - a[1]*b[0] - a[2]*b[3] + a[3]*b[2],
		a[0]*b[2] + a[1]*b[3] - a[2]*b[0] - a[3]*b[1],
		a[0]*b[3] - a[1]*b[2] + a[2]*b[1] - a[3]*b[0],
	}
	if w < 0 {
		w, v = -w, scale(-1, v)
	}
	sine := length(v)
	if sine == 0 {
		return [3]float64{}
	}
	return scale(2*math.Atan2(sine, w)/sine, v)
}

// normalized returns a unit quaternion; one of length 0 is none.
func normalized(q [4]float64) (unit [4]float64, ok bool) {
	n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(n > 1e-6 && n < 1e6) {
		return [4]float64{1, 0, 0, 0}, false
	}
	for i := range q {
		unit[i] = q[i] / n
	}
	return unit, true
}

// sameSide returns q or -q, the same rotation, whichever is closer to near.
func sameSide(q, near [4]float64) [4]float64 {
	if q[0]*near[0]+q[1]*near[1]+q[2]*near[2]+q[3]*near[3] < 0 {
		return [4]float64{-q[0], -q[1], -q[2], -q[3]}
	}
	return q
}
