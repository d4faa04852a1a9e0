package driver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/trial"
)

// reaction is how far ahead a driver looks for what is to be done now [s].
const reaction = 0.12

// steer returns the steering wheel angle [rad] for the bend a moment ahead: what the
// car takes at that lateral acceleration, corrected by where it would come to lie
// beside the line, and against a rear that slides.
func (d *Model) steer(m *Memory, s *sim.State) float64 {
	speed := max(s.Speed, 0)
	m.bend = d.wanted(m, s, speed)
	most, lean := d.leaning(m, speed)
	road := m.bend*d.p.Wheelbase + d.limits.extra.at((speed*speed*m.bend+lean)/most)
	return d.hands.Wheel(d.withinGrip(road+d.caught(s, (m.side+lean)/most), s))
}

// wanted returns the bend to take [1/m]: the road's, and the arc that leads from the
// place beside the line where the car would come to lie back onto it.
func (d *Model) wanted(m *Memory, s *sim.State, speed float64) float64 {
	const (
		preview  = 0.55 // [s]
		answer   = 0.1  // [s], beside the car's lag
		least    = 4.0  // looked ahead at standstill [m]
		gentle   = 3.0  // way for each metre beside the line at least, on the road
		far      = 12.0 // of that [m]
		steepest = 0.6  // sine of the angle at which the line is met from afar
		tightest = 1.0 / 3
		carries  = 0.5 // share of the acceleration across that is expected to last
	)
	here := d.line.At(m.Along)
	ahead := least + max(preview, answer+2*d.lag(speed))*speed
	if d.beyond(m.Station, m.Lateral) < 0 {
		ahead = max(ahead, min(gentle*math.Abs(m.Aside), far))
	}
	away := min(max(m.Aside, -steepest*ahead), steepest*ahead)
	drift := (m.side - speed*speed*here.Curvature) / 2 // [m/s²], half
	reach := ahead / max(speed, 5)                     // [s]
	beside := away + ahead*math.Sin(course(s)-here.Heading) + carries*drift*reach*reach
	beside = min(max(beside, -tightest*ahead), tightest*ahead)
	return d.line.At(m.Along+reaction*speed).Curvature - 2*beside/(ahead*ahead)
}

// lag returns how long the car takes to answer at a speed [s]: until the rear axle has the
// slip angle for the acceleration asked of it.
func (d *Model) lag(speed float64) float64 {
	const longest = 1.0
	half := d.limits.side.at(speed) / 2
	return min(max(-d.limits.rear.at(0.5)/half*speed, 0), longest)
}

// leaning returns the most lateral acceleration of the tires on the road's bank, whose
// bends press the car onto it or lift it, and what the bank asks of them, to the left [m/s²].
func (d *Model) leaning(m *Memory, speed float64) (most, lean float64) {
	const lightest, heaviest = 0.5, 2.0 // share of the weight
	p, g := d.line.At(m.Along+reaction*speed), max(d.p.Gravity, 0.1)
	sin, cos := math.Sincos(p.Bank)
	load := min(max(cos-speed*speed*p.Curvature*sin/g, lightest), heaviest)
	side := &d.limits.side
	return max(d.grip(m.Along)*(side.still*load+side.air*speed*speed), 0.5), d.p.Gravity * sin
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
// explains, which takes a share of the grip [rad].
func (d *Model) caught(s *sim.State, used float64) float64 {
	const share, firm = 0.8, 1.2 // of the angle too much, and of that past the limit beside
	_, rear := slips(s)
	more := rear - d.limits.rear.at(used)
	over := math.Copysign(d.limits.loose*d.slide(s), rear)
	return quick(s.Speed) * (share*more + firm*over)
}

// withinGrip keeps the front tires' slip angle where more of it still turns the car.
func (d *Model) withinGrip(road float64, s *sim.State) float64 {
	part := quick(s.Speed)
	if part == 0 {
		return road
	}
	m := trial.MotionOf(s)
	path := math.Atan2(m.Vy+d.p.CGToFront*m.YawRate, max(m.Vx, 1)) // direction of the front axle
	most := d.limits.front * (1.1 + 3*(1-part))                    // wider where slow, and a little past the peak
	return min(max(road, path-most), path+most)
}

// quick fades from 0 to 1 where slip angles begin to tell something.
func quick(speed float64) float64 {
	const from, to = 3.0, 7.0 // [m/s]
	return min(max((speed-from)/(to-from), 0), 1)
}
