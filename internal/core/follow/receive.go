package follow

import "math"

// Limits of what a car can do; beyond them a packet is refused.
const (
	maxPos   = 1e7    // [m]
	maxSpeed = 200.0  // [m/s]
	maxRate  = 30.0   // [rad/s]
	maxForce = 1000.0 // acceleration [m/s²]: 100 g, a crash into a wall

	maxTime       = 1e9  // of the source's clock [s]
	maxGap        = 0.5  // longest time between packets that are joined [s]
	jumpDistance  = 2.0  // [m]
	jumpAngle     = 0.5  // [rad]
	jumpVelocity  = 25.0 // change of the velocity from one packet to the next [m/s]
	jumpOfTheRoad = 0.5  // share of the way by which the position may differ from it
)

// receive takes a packet.
func (f *Follower) receive(s *State, packet *Sample) {
	in, now := *packet, s.now
	if in.Age >= 0 && in.Age <= maxGap {
		now -= in.Age
	}
	if !finite(maxTime, in.Time) {
		in.Time = math.NaN()
	}
	switch ahead := in.Time - s.raw.Time; {
	case s.number == 0 || in.Source != s.source || in.Version != s.version || in.Car != s.car || now-s.arrivedAt > maxGap:
		s.begin(&in, now)
	case ahead < 0 && ahead > -maxGap: // overtaken by a newer one
		s.number = in.Number
		s.lost++
		return
	case math.Abs(ahead) > maxGap: // the source's clock was set anew
		s.interrupt(Jumped, now)
		s.begin(&in, now)
	}
	isSame := sameContents(&in, &s.raw)
	isDouble := isSame && (s.clock.interval == 0 || now-s.arrivedAt < s.clock.interval/2)
	s.number, s.phase, s.arrivedAt = in.Number, in.Phase, now
	if s.phase > Live {
		s.goodSince = now
	}
	if !isSame { // a game in a menu may repeat a packet for ever
		s.changedAt = now
	}
	if s.raw = in; isDouble {
		return
	}
	p, ok := s.complete(&in)
	if !ok && s.count > 0 { // what follows from a change since the packet before says nothing after a jump
		s.interrupt(Jumped, now)
		s.count = 0
		p, ok = s.complete(&in)
	}
	if !ok && s.phase > Live { // a menu, where there is no car
		s.begin(&in, now)
		return
	}
	if !ok {
		s.lost++
		s.interrupt(Bad, now)
		return
	}
	s.good = min(s.good+1, badUntil)
	place, skipped, known := s.clock.next(now, in.Time)
	s.lost += skipped
	p.time = place
	if s.count > 0 && s.isJump(&s.points[ringSize-1], &p) {
		s.interrupt(Jumped, now)
		s.count = 0
	}
	copy(s.points[:], s.points[1:])
	s.points[ringSize-1] = p
	if known {
		s.count = min(s.count+1, ringSize)
	}
}

// begin forgets the packets of another source or session.
func (s *State) begin(in *Sample, now float64) {
	s.source, s.version, s.car, s.count, s.goodSince = in.Source, in.Version, in.Car, 0, now
	s.clock.restart(now, in.Time)
	s.raw, s.changedAt = Sample{Time: math.NaN()}, now
}

// interrupt ends the motion until packets have been good for a while.
func (s *State) interrupt(why Status, now float64) {
	s.goodSince = now
	if why == Bad {
		s.good = 0
	}
	if s.status != Bad || s.good == badUntil || why == Bad {
		s.status = why
	}
}

// sameContents reports whether two packets tell the same motion. What neither tells is the same.
func sameContents(a, b *Sample) bool {
	return same(a.Pos[:], b.Pos[:]) && same(a.Att[:], b.Att[:]) && same(a.Vel[:], b.Vel[:]) && same(a.Rate[:], b.Rate[:]) && same(a.Acc[:], b.Acc[:]) &&
		same([]float64{a.RPM, a.Time}, []float64{b.RPM, b.Time})
}

// same is == with NaN equal to itself.
func same(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return true
}

// complete returns the packet's point, with what the source does not tell from the packet before. ok is false for values
// that no car has.
func (s *State) complete(in *Sample) (p point, ok bool) {
	before, interval := &s.points[ringSize-1], s.clock.interval
	hasBefore := s.count > 0 && interval > 0
	p = point{pos: in.Pos, vel: in.Vel, rate: in.Rate, acc: in.Acc}
	if p.att, ok = normalized(in.Att); !ok {
		return p, false
	}
	if !isKnown(p.pos) {
		p.pos = [3]float64{}
	}
	if !isKnown(p.rate) {
		p.rate = [3]float64{}
		if hasBefore {
			p.rate = scale(1/interval, rotation(before.att, p.att))
		}
	}
	fromVelocity := [3]float64{}
	if hasBefore && isKnown(p.vel) {
		change := sub(ToWorld(p.att, p.vel), ToWorld(before.att, before.vel))
		fromVelocity = ToBody(p.att, scale(1/interval, change))
	}
	for i, v := range p.acc {
		if v != v {
			p.acc[i] = fromVelocity[i]
		}
	}
	if !isKnown(p.vel) {
		p.vel = [3]float64{}
	}
	return p, finite(maxPos, p.pos[:]...) && length(p.vel) <= maxSpeed && length(p.rate) <= maxRate && length(p.acc) <= maxForce
}

// isJump reports whether the car was put elsewhere between two points.
func (s *State) isJump(a, b *point) bool {
	time := math.Max(b.time-a.time, minInterval)
	va, vb := ToWorld(a.att, a.vel), ToWorld(b.att, b.vel)
	way := scale(time/2, add(va, vb))
	if a.pos != b.pos && length(sub(sub(b.pos, a.pos), way)) > jumpDistance+jumpOfTheRoad*length(way) {
		return true
	}
	turned := scale(time/2, add(a.rate, b.rate))
	return length(sub(vb, va)) > jumpVelocity || length(sub(rotation(a.att, b.att), turned)) > jumpAngle
}
