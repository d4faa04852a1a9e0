package maneuver

import (
	"math"

	"rig/sim"
)

// steer returns the steering wheel angle [rad] for the bend a moment ahead: what the
// car takes at that lateral acceleration, corrected by where it would come to lie
// beside the line, and against a rear that slides.
func (d *Driver) steer(m *Memory, s *sim.State) float64 {
	speed := max(s.Speed, 0)
	m.bend = d.wanted(m, s, speed)
	most := d.limits.side.at(speed)
	road := m.bend*d.p.Wheelbase + d.limits.extra.at(speed*speed*m.bend/most)
	return d.hands.wheel(d.withinGrip(road+d.caught(m, s, most), s))
}

// wanted returns the bend to take [1/m]: the road's, and the arc that leads from the
// place beside the line where the car would come to lie back onto it.
func (d *Driver) wanted(m *Memory, s *sim.State, speed float64) float64 {
	const (
		reaction = 0.12 // [s]
		preview  = 0.55 // [s]
		least    = 4.0  // looked ahead at standstill [m]
		steepest = 0.6  // sine of the angle at which the line is met from afar
		tightest = 1.0 / 3
		carries  = 0.5 // share of the acceleration across that is expected to last
	)
	here := d.circuit.At(m.Station)
	ahead := least + preview*speed
	away := min(max(m.Lateral, -steepest*ahead), steepest*ahead)
	drift := (m.side - speed*speed*here.Curvature) / 2 // [m/s²], half
	reach := ahead / max(speed, 5)                     // [s]
	beside := away + ahead*math.Sin(course(s)-here.Heading) + carries*drift*reach*reach
	beside = min(max(beside, -tightest*ahead), tightest*ahead)
	return d.circuit.At(m.Station+reaction*speed).Curvature - 2*beside/(ahead*ahead)
}

// course returns the direction of travel [rad], or the heading when slow.
func course(s *sim.State) float64 {
	const slow = 3.0 // [m/s]
	if s.Speed > slow {
		return math.Atan2(s.Vel.Y, s.Vel.X)
	}
	return s.Yaw()
}

// caught returns the road wheel angle against a rear that slides more than the bend
// explains [rad].
func (d *Driver) caught(m *Memory, s *sim.State, most float64) float64 {
	const share, firm = 0.8, 1.2 // of the angle too much, and of that past the limit beside
	_, rear := slips(s)
	more := rear - d.limits.rear.at(m.side/most)
	over := math.Copysign(d.limits.loose*d.slide(s), rear)
	return quick(s.Speed) * (share*more + firm*over)
}

// withinGrip keeps the front tires' slip angle where more of it still turns the car.
func (d *Driver) withinGrip(road float64, s *sim.State) float64 {
	part := quick(s.Speed)
	if part == 0 {
		return road
	}
	m := motionOf(s)
	path := math.Atan2(m.vy+d.p.CGToFront*m.yaw, max(m.vx, 1)) // direction of the front axle
	most := d.limits.front * (1.1 + 3*(1-part))                // wider where slow, and a little past the peak
	return min(max(road, path-most), path+most)
}

// quick fades from 0 to 1 where slip angles begin to tell something.
func quick(speed float64) float64 {
	const from, to = 3.0, 7.0 // [m/s]
	return min(max((speed-from)/(to-from), 0), 1)
}
