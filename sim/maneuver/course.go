package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim"
)

// section is one of the lanes between cones, on the world's level ground.
type section struct {
	from, to  float64 // [m]
	low, high float64 // its limits across [m]
}

func (s section) middle() float64 { return (s.low + s.high) / 2 }

// coneCourse is a track between cones.
type coneCourse struct {
	sections [3]section
	length   float64 // [m]
	side     float64 // 1: the obstacle is avoided to the left, -1: to the right
}

// obstacleCourse is the track of ISO 3888-2 for a car of some width [m]: sections
// of 12, 13.5, 11, 12.5 and 12 m, of which the first, third and fifth are lanes of
// 1.1 times the width and 0.25 m, of the width and 1 m, and of 1.3 times the width
// and 0.25 m, but no less than 3 m. The third begins 1 m beside where the first
// ends; the fifth has the first's limit on the side away from the third.
func obstacleCourse(width, side float64) coneCourse {
	one, three, five := 1.1*width+0.25, width+1, max(1.3*width+0.25, 3)
	const offset = 1.0 // [m]
	lane := func(from, to, near, wide float64) section {
		a, b := side*near, side*(near+wide)
		return section{from, to, min(a, b), max(a, b)}
	}
	return coneCourse{
		sections: [3]section{
			lane(0, 12, -one/2, one),
			lane(25.5, 36.5, one/2+offset, three),
			lane(49, 61, -one/2, five),
		},
		length: 61,
		side:   side,
	}
}

const coneRow = 5 // cones on each side of a section, evenly spaced

// cones returns where the base circles of the cones touch the limits of their
// sections, lower side first, and for each the other side's.
func (c *coneCourse) cones() [3][coneRow][2]r3.Vec {
	var all [3][coneRow][2]r3.Vec
	for i, s := range c.sections {
		for k := range coneRow {
			x := s.from + (s.to-s.from)*float64(k)/(coneRow-1)
			all[i][k] = [2]r3.Vec{{X: x, Y: s.low}, {X: x, Y: s.high}}
		}
	}
	return all
}

// outline is the body as seen from above.
type outline struct{ middle, half, side float64 } // ahead of the centre of mass, half the length, half the width [m]

func outlineOf(p *sim.Params) outline {
	return outline{p.CGToFront - p.Wheelbase/2, p.Length / 2, p.Width / 2}
}

// marshal watches the cones.
type marshal struct {
	cones  [3][coneRow][2]r3.Vec
	passed [3][coneRow]bool // by the body's middle, and between the two
	hits   int
	fallen [3][coneRow][2]bool
}

// watch looks at the car once.
func (m *marshal) watch(s *sim.State, o outline) {
	sin, cos := math.Sincos(s.Yaw())
	x, y := s.Pos.X+o.middle*cos, s.Pos.Y+o.middle*sin
	for i := range m.cones {
		for k := range m.cones[i] {
			pair := &m.cones[i][k]
			if x > pair[0].X+2*o.half || x < pair[0].X-2*o.half {
				continue
			}
			if x >= pair[0].X && !m.passed[i][k] {
				m.passed[i][k] = true
				if y < pair[0].Y || y > pair[1].Y { // it went round the lane
					m.hits++
				}
			}
			for j := range pair {
				dx, dy := pair[j].X-x, pair[j].Y-y
				along, across := dx*cos+dy*sin, dy*cos-dx*sin
				if !m.fallen[i][k][j] && math.Abs(along) < o.half && math.Abs(across) < o.side {
					m.fallen[i][k][j] = true
					m.hits++
				}
			}
		}
	}
}

// clean tells whether the car passed every pair of cones and touched none.
func (m *marshal) clean() bool {
	for i := range m.passed {
		for _, passed := range m.passed[i] {
			if !passed {
				return false
			}
		}
	}
	return m.hits == 0
}
