// Package playout says where to show the other cars of a session: a little late, so that there is mostly a state before
// and one after; smoothly, whatever is lost, late, doubled, out of order or untrue; and for a short time only after the
// newest state. It is pure: states and times go in, positions come out. Times are session times [ns] unless noted.
package playout

import (
	"math"

	"rig.example/rig/internal/connect/session"
)

// How late and how long cars are shown [s].
const (
	LeastLate   = 2.0 / session.StatesPerSecond
	MostLate    = 0.25 // a car whose states arrive later than this allows is not shown
	Extrapolate = 0.1  // longest time after the newest state with all of its speed
	stopTime    = 0.2  // in which a car then stops
	FadeTime    = 0.5  // in which it fades then, and when it is heard again
)

const (
	second    = 1e9
	maxFuture = 0.25 // states are refused that are further ahead of session time [s]
	maxPast   = 1.0  // or older [s]
	lateRate  = 0.04 // change of how late a car is shown, per time
	peakTime  = 60.0 // in which the highest age of what arrives is forgotten [s]
	spare     = 0.02 // kept free of Extrapolate [s]

	maxStep     = 0.1  // between two calls of Show, in which a car moves on smoothly [s]
	joinTime    = 0.15 // in which a car gets back to where it should be [s]
	maxJoin     = 5.0  // fastest way back [m/s]
	maxApart    = 2.0  // further away it fades instead [m]
	overSpeed   = 5.0  // what a car may be faster between two states than in both [m/s]
	maxAcc      = 30.0 // that is extrapolated [m/s²]
	ringSize    = 64
	nearlyThere = 0.999 // opacity
)

// Shown is how a car is shown.
type Shown struct {
	State   session.State // at the shown time; Vel and Rate are those of what is shown
	Opacity float64       // 1; less while it fades; 0 is not shown
	Late    float64       // how long ago the car was there [s]
	Ahead   float64       // how far the shown car has driven since then, as its speed tells [m]
}

// Player plays the cars of a session. The zero value has none.
type Player struct {
	cars [session.MaxMembers]car
}

// car is another car: its newest states, and how it was shown last.
type car struct {
	ring  [ringSize]session.State // the first count, in the order of At
	count int

	last     int64   // time of the last Show
	late     float64 // [s]; 0 before the first state
	peak     float64 // highest age of the newest state lately [s]
	opacity  float64
	leaving  bool // it fades because it is too far from where it should be
	pos, vel [3]float64
	att      [4]float64
	rate     [3]float64
}

// Put takes a state that has arrived now. It reports false for one that is known already, or that comes from too far in
// the past or the future to be shown. s must have passed its Check.
func (p *Player) Put(s *session.State, now int64) bool {
	if ahead := float64(s.At-now) / second; !(ahead <= maxFuture && ahead >= -maxPast) {
		return false
	}
	return p.cars[s.Slot].put(s)
}

func (c *car) put(s *session.State) bool {
	i := c.count
	for i > 0 && c.ring[i-1].At > s.At {
		i--
	}
	if i > 0 && c.ring[i-1].At == s.At {
		return false
	}
	if c.count == ringSize {
		if i == 0 {
			return false
		}
		copy(c.ring[:], c.ring[1:i])
		c.ring[i-1] = *s
		return true
	}
	copy(c.ring[i+1:c.count+1], c.ring[i:c.count])
	c.ring[i] = *s
	c.count++
	return true
}

// Show returns how the car of a slot is shown now. It must be called again and again, with a now that does not go back.
// It reports false if the car is not shown.
func (p *Player) Show(slot int, now int64) (Shown, bool) {
	c := &p.cars[slot]
	dt := max(0, float64(now-c.last)/second)
	c.last = now
	c.forget(now)
	if c.count == 0 {
		c.opacity, c.late = 0, 0
		return Shown{}, false
	}
	before := c.late
	c.adaptLate(float64(now-c.ring[c.count-1].At)/second, dt)
	target, heard := c.at(now - int64(c.late*second))
	c.approach(&target, heard, dt, dt-(c.late-before))
	if c.opacity == 0 {
		return Shown{}, false
	}
	target.Pos, target.Vel, target.Att, target.Rate = c.pos, c.vel, c.att, c.rate
	return Shown{State: target, Opacity: c.opacity, Late: c.late, Ahead: c.late * norm(target.Vel)}, true
}

// forget drops states that are no longer needed: all once the newest is old, and those from the future, of a session time
// that has been set back.
func (c *car) forget(now int64) {
	for c.count > 0 && float64(c.ring[c.count-1].At-now)/second > maxFuture {
		c.count--
	}
	if c.count > 0 && float64(now-c.ring[c.count-1].At)/second > maxPast+MostLate {
		c.count = 0
	}
}

// adaptLate changes how late the car is shown, slowly. age is that of the newest state [s].
func (c *car) adaptLate(age, dt float64) {
	if c.late == 0 {
		c.late, c.peak = LeastLate, 0
	}
	if age < MostLate+Extrapolate { // else it is silence, which no delay makes up for
		c.peak = max(age, c.peak+(age-c.peak)*dt/peakTime)
	}
	want := max(LeastLate, min(c.peak-Extrapolate+spare, MostLate))
	step := lateRate * dt
	if c.opacity == 0 {
		step = MostLate // nobody sees it
	}
	c.late += max(-step, min(step, want-c.late))
}

// at returns the car at a time, and whether it can be shown: whether there is a state at most Extrapolate before.
func (c *car) at(t int64) (s session.State, heard bool) {
	i := c.count - 1
	for i > 0 && c.ring[i].At > t {
		i--
	}
	from := &c.ring[i]
	if i < c.count-1 && from.At <= t {
		return between(from, &c.ring[i+1], t), true
	}
	since := float64(t-from.At) / second
	if since < 0 { // the oldest is newer
		return extrapolate(from, max(since, -Extrapolate), 1), since >= -Extrapolate
	}
	run, speed := slowDown(since)
	return extrapolate(from, run, speed), since <= Extrapolate
}

// slowDown returns for how long a car goes on of the time since its newest state [s], and the share of its speed that it
// then has.
func slowDown(since float64) (run, speed float64) {
	u := max(0, min((since-Extrapolate)/stopTime, 1))
	return min(since, Extrapolate) + stopTime*(u-u*u*u+u*u*u*u/2), 1 - u*u*(3-2*u)
}

// approach moves the shown car on, with its speed and towards the target, and fades it. The car's own time has run for run
// instead of dt, because of how late it is shown. After more than maxStep, in which it was not seen to move, it is at the
// target at once.
func (c *car) approach(target *session.State, heard bool, dt, run float64) {
	if c.opacity == 0 || dt > maxStep {
		c.leaving = false
		c.pos, c.vel, c.att, c.rate = target.Pos, target.Vel, target.Att, target.Rate
	} else {
		c.follow(target, dt, run)
	}
	step := dt / FadeTime
	if !heard || c.leaving {
		step = -step
	}
	c.opacity = max(0, min(c.opacity+step, 1))
	if c.opacity > nearlyThere {
		c.opacity = 1
	}
}

// follow moves the shown car with the mean of its last and its present speed, and a part of what then separates it from the
// target. One that is far from it, because the car was lifted or its rig tells untrue things, stops and fades.
func (c *car) follow(target *session.State, dt, run float64) {
	goal, stay := *target, math.Exp(-dt/joinTime)
	if c.leaving {
		goal.Vel, goal.Rate = [3]float64{}, [3]float64{}
	}
	var apart [3]float64
	for i := range c.pos {
		c.pos[i] += (c.vel[i] + goal.Vel[i]) / 2 * run
		apart[i] = goal.Pos[i] - c.pos[i]
	}
	distance := norm(apart)
	if distance > maxApart {
		c.leaving = true
	}
	c.att = turn(c.att, goal.Rate, run)
	c.vel, c.rate = goal.Vel, goal.Rate
	if c.leaving {
		return
	}
	share := 1 - stay
	if distance > 0 {
		share = min(share, maxJoin*dt/distance)
	}
	for i := range c.pos {
		c.pos[i] += apart[i] * share
	}
	c.att = blend(c.att, goal.Att, 1-stay)
}
