package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
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

const (
	coneRow   = 5               // cones on each side of a section, evenly spaced
	coneCount = 3 * coneRow * 2 // of all
)

// cones returns where the base circles of the cones touch the limits of their
// sections, of each pair first the one on the side of the detour.
func (c *coneCourse) cones() [3][coneRow][2]r3.Vec {
	var all [3][coneRow][2]r3.Vec
	for i, s := range c.sections {
		first, second := s.high, s.low
		if c.side < 0 {
			first, second = second, first
		}
		for k := range coneRow {
			x := s.from + (s.to-s.from)*float64(k)/(coneRow-1)
			all[i][k] = [2]r3.Vec{{X: x, Y: first}, {X: x, Y: second}}
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
	side  float64
	cones [3][coneRow][2]r3.Vec
	room  [3][coneRow][2]float64 // least between body and cone, inside the lane [m]; +Inf until the body is beside it
}

func newMarshal(c *coneCourse) marshal {
	m := marshal{side: c.side, cones: c.cones()}
	for i := range m.room {
		for k := range m.room[i] {
			m.room[i][k] = [2]float64{math.Inf(1), math.Inf(1)}
		}
	}
	return m
}

// watch looks at the car once.
func (m *marshal) watch(s *sim.State, o outline) {
	sin, cos := math.Sincos(s.Yaw())
	x, y := s.Pos.X+o.middle*cos, s.Pos.Y+o.middle*sin
	far := o.half + o.side // more than from the middle to any corner
	for i := range m.cones {
		for k := range m.cones[i] {
			pair, room := &m.cones[i][k], &m.room[i][k]
			if math.Abs(pair[0].X-x) > far {
				continue
			}
			for j, inward := range [2]float64{m.side, -m.side} {
				dx, dy := pair[j].X-x, pair[j].Y-y
				if math.Abs(dx*cos+dy*sin) < o.half {
					room[j] = min(room[j], inward*(dy*cos-dx*sin)-o.side)
				}
			}
		}
	}
}

// over returns how far the body was beyond each cone [m], negative where there was
// room, and unseen for cones that it never came to.
func (m *marshal) over() (all [coneCount]float64) {
	const unseen = 3.0 // [m]
	at := 0
	for i := range m.room {
		for k := range m.room[i] {
			for _, room := range m.room[i][k] {
				all[at] = -room
				if math.IsInf(room, 1) {
					all[at] = unseen
				}
				at++
			}
		}
	}
	return all
}

// hits counts the cones that were touched or passed on the wrong side.
func (m *marshal) hits() int {
	n := 0
	for _, section := range m.room {
		for _, pair := range section {
			for _, room := range pair {
				if room < 0 {
					n++
				}
			}
		}
	}
	return n
}

// clean tells whether the car passed every pair of cones and touched none.
func (m *marshal) clean() bool {
	for _, over := range m.over() {
		if over > 0 {
			return false
		}
	}
	return true
}
