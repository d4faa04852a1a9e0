package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
)

// section is one of the lanes between cones. Lateral positions are positive to the left.
type section struct {
	from, to  float64 // begin and end along the course [m]
	low, high float64 // lateral limits [m]
}

// middle returns the lateral position of the middle [m].
func (s section) middle() float64 { return (s.low + s.high) / 2 }

// coneCourse is the course of ISO 3888-2: two lane changes around an obstacle. Its first cones are at 0.
type coneCourse struct {
	sections   [3]section
	length     float64 // [m]
	detourSide float64 // side of the detour around the obstacle: 1 left, -1 right
}

// obstacleCourse returns the course of ISO 3888-2 for a car's width [m]. Its five sections are 12, 13.5,
// 11, 12.5 and 12 m long. The first, third and fifth are lanes between cones:
//
//   - the first is 1.1 times the width plus 0.25 m wide;
//   - the third is the width plus 1 m wide, and begins 1 m beside the edge of the first;
//   - the fifth is 1.3 times the width plus 0.25 m wide, at least 3 m. On the side away from the third
//     it ends where the first does.
func obstacleCourse(width, side float64) coneCourse {
	first, third, fifth := 1.1*width+0.25, width+1, max(1.3*width+0.25, 3)
	const offset = 1.0 // [m]
	lane := func(from, to, nearEdge, laneWidth float64) section {
		a, b := side*nearEdge, side*(nearEdge+laneWidth)
		return section{from, to, min(a, b), max(a, b)}
	}
	return coneCourse{
		sections: [3]section{
			lane(0, 12, -first/2, first),
			lane(25.5, 36.5, first/2+offset, third),
			lane(49, 61, -first/2, fifth),
		},
		length:     61,
		detourSide: side,
	}
}

const (
	coneRow   = 5               // cones on each side of a section, evenly spaced
	coneCount = 3 * coneRow * 2 // all cones
)

// cones returns, for each section and pair of cones, the points where the base circles touch the limits
// of the section. The first cone of each pair is on the side of the detour around the obstacle.
func (c *coneCourse) cones() [3][coneRow][2]r3.Vec {
	var all [3][coneRow][2]r3.Vec
	for i, s := range c.sections {
		first, second := s.high, s.low
		if c.detourSide < 0 {
			first, second = second, first
		}
		for k := range coneRow {
			x := s.from + (s.to-s.from)*float64(k)/(coneRow-1)
			all[i][k] = [2]r3.Vec{{X: x, Y: first}, {X: x, Y: second}}
		}
	}
	return all
}

// outline is the rectangle of the car's body seen from above [m].
type outline struct {
	middle     float64 // position of the rectangle's center ahead of the center of mass
	halfLength float64
	halfWidth  float64
}

// outlineOf returns the outline of a car.
func outlineOf(p *sim.Params) outline {
	return outline{p.CGToFront - p.Wheelbase/2, p.Length / 2, p.Width / 2}
}

// coneWatch measures the distances between the body and the cones.
type coneWatch struct {
	side      float64
	cones     [3][coneRow][2]r3.Vec
	clearance [3][coneRow][2]float64 // least distance between body and cone, towards the inside of the lane [m]; +Inf until the body is beside the cone
}

// newConeWatch returns a watch over the cones of a course that have not been reached.
func newConeWatch(c *coneCourse) coneWatch {
	m := coneWatch{side: c.detourSide, cones: c.cones()}
	for i := range m.clearance {
		for k := range m.clearance[i] {
			m.clearance[i][k] = [2]float64{math.Inf(1), math.Inf(1)}
		}
	}
	return m
}

// update takes in the car's position after a tick.
func (m *coneWatch) update(s *sim.State, o outline) {
	sin, cos := math.Sincos(s.Yaw())
	x, y := s.Pos.X+o.middle*cos, s.Pos.Y+o.middle*sin
	maxCornerDistance := o.halfLength + o.halfWidth // more than the distance from the middle to any corner
	for i := range m.cones {
		for k := range m.cones[i] {
			pair, clearance := &m.cones[i][k], &m.clearance[i][k]
			if math.Abs(pair[0].X-x) > maxCornerDistance {
				continue
			}
			for j, inward := range [2]float64{m.side, -m.side} {
				dx, dy := pair[j].X-x, pair[j].Y-y
				if math.Abs(dx*cos+dy*sin) < o.halfLength {
					clearance[j] = min(clearance[j], inward*(dy*cos-dx*sin)-o.halfWidth)
				}
			}
		}
	}
}

// overlaps returns, for each cone, the largest overlap of body and cone [m]: negative where there was
// clearance, and 3 m for a cone that the body did not reach.
func (m *coneWatch) overlaps() (all [coneCount]float64) {
	const notReached = 3.0 // [m]
	n := 0
	for i := range m.clearance {
		for k := range m.clearance[i] {
			for _, clearance := range m.clearance[i][k] {
				all[n] = -clearance
				if math.IsInf(clearance, 1) {
					all[n] = notReached
				}
				n++
			}
		}
	}
	return all
}

// hits returns the number of cones that were touched or passed on the wrong side.
func (m *coneWatch) hits() int {
	n := 0
	for _, section := range m.clearance {
		for _, pair := range section {
			for _, clearance := range pair {
				if clearance < 0 {
					n++
				}
			}
		}
	}
	return n
}

// isClean reports whether the car passed every pair of cones without touching one.
func (m *coneWatch) isClean() bool {
	for _, over := range m.overlaps() {
		if over > 0 {
			return false
		}
	}
	return true
}
