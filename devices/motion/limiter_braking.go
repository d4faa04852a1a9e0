package motion

import "math"

// axisMotion is the velocity and acceleration of an axis in the units of its jerk limit: a time
// step is 1, and the acceleration changes by at most 1 in it. A step first changes the
// acceleration, then the velocity by the acceleration, then the position by the velocity.
// Accelerations are limited to ±maxAccel throughout.
type axisMotion struct {
	velocity, accel float64
}

// next returns the motion one step later, with acceleration accel in that step.
func (g axisMotion) next(accel float64) axisMotion { return axisMotion{g.velocity + accel, accel} }

// reversed returns the motion mirrored at the origin.
func (g axisMotion) reversed() axisMotion { return axisMotion{-g.velocity, -g.accel} }

// limitAccel returns the acceleration closest to wanted that is possible in the next step.
func (g axisMotion) limitAccel(wanted, maxAccel float64) float64 {
	wanted = min(max(wanted, -maxAccel), maxAccel)
	return min(max(wanted, g.accel-1), g.accel+1)
}

// brakeAccel returns the next acceleration on the shortest path to rest.
func (g axisMotion) brakeAccel(maxAccel float64) float64 {
	return g.limitAccel(-releaseAccel(g.velocity), maxAccel)
}

// releaseAccel returns the acceleration for the next step from which, decreasing by one in each
// step, the velocity changes by exactly v until the acceleration is 0.
//
// An acceleration u changes it by u + (u-1) + … = (n+1)·u − n(n+1)/2, with n = floor(u); this
// is the inverse. After a step with this acceleration it returns one less for the next.
func releaseAccel(v float64) float64 {
	s := math.Abs(v)
	n := math.Floor((math.Sqrt(1+8*s) - 1) / 2)
	return math.Copysign((s+n*(n+1)/2)/(n+1), v)
}

// stopRange describes the shortest path to rest, relative to the position now.
type stopRange struct {
	end       float64
	low, high float64 // lowest and highest position on the path, both ends included
}

// stopRange returns the path to rest that stepwise braking takes, in closed form.
func (g axisMotion) stopRange(maxAccel float64) stopRange {
	if g.velocity < 0 || (g.velocity == 0 && g.accel < 0) {
		s := g.reversed().stopRange(maxAccel)
		return stopRange{-s.end, -s.high, -s.low}
	}
	if -g.accel-1 <= releaseAccel(g.velocity) {
		end := g.stopDistance(maxAccel)
		return stopRange{end, 0, end}
	}
	return g.stopWithReversal(maxAccel)
}

// stopWithReversal is stopRange for an axis that brakes so hard that it reverses before its
// acceleration is 0.
func (g axisMotion) stopWithReversal(maxAccel float64) stopRange {
	b := -g.accel - 0.5
	k := math.Ceil(b - math.Sqrt(max(0, b*b-2*g.velocity)))
	distance := k*g.velocity + g.accel*k*(k+1)/2 + k*(k+1)*(k+2)/6
	after := axisMotion{g.velocity + k*g.accel + k*(k+1)/2, g.accel + k}
	end := distance - after.reversed().stopDistance(maxAccel)
	return stopRange{end, min(0, end), max(0, distance-after.velocity)}
}

// stopDistance returns how far an axis moves until it rests, if it does not reverse: it
// changes its acceleration to full braking, brakes, and releases the brake in time.
func (g axisMotion) stopDistance(maxAccel float64) float64 {
	n := g.rampSteps(maxAccel)
	distance := n*g.velocity + g.accel*n*(n+1)/2 - n*(n+1)*(n+2)/6
	v := g.velocity + n*g.accel - n*(n+1)/2
	if over := v - releasedSpeed(maxAccel); over > 0 {
		k := math.Ceil(over / maxAccel)
		distance += k*v - maxAccel*k*(k+1)/2
		v -= k * maxAccel
	}
	return distance + releaseDistance(v)
}

// rampSteps returns for how many whole steps the acceleration decreases by one: until full
// braking, or until braking must begin to be released.
//
// After k of them the next would brake with u = k+1-accel, which is too much if the remaining
// velocity is less than releasedSpeed(u). Both are quadratic in k: the part of releasedSpeed
// that is not, f(1-f)/2, has the same f at each k.
func (g axisMotion) rampSteps(maxAccel float64) float64 {
	f := -g.accel - math.Floor(-g.accel)
	n := math.Floor(g.accel)
	if root := (g.accel*g.accel-g.accel)/2 + g.velocity - f*(1-f)/2; root >= 0 {
		n = max(n, math.Floor(g.accel+math.Sqrt(root)))
	}
	return max(0, min(n, math.Floor(g.accel+maxAccel)))
}

// releasedSpeed returns by how much the velocity changes while an acceleration u decreases by
// one in each step until it is 0; the inverse of releaseAccel.
func releasedSpeed(u float64) float64 {
	n := math.Floor(u)
	return (n+1)*u - n*(n+1)/2
}

// releaseDistance returns the distance that an axis moves from velocity v while its braking
// decreases by one in each step and ends at rest.
func releaseDistance(v float64) float64 {
	u := releaseAccel(max(0, v))
	n := math.Floor(u)
	return (u-n)*n*(n+1)/2 + (n+1)*n*(n-1)/6
}

// accelToMovingTarget returns the next acceleration after which the path to rest ends at a
// target that is at distance after the step and moves by targetSpeed in each step: at rest in
// the target's frame.
func (g axisMotion) accelToMovingTarget(distance, targetSpeed, maxAccel float64) float64 {
	relative := axisMotion{g.velocity - targetSpeed, g.accel}
	return relative.accelToRestAt(distance-targetSpeed, maxAccel)
}

// accelToRestAt returns the next acceleration after which the path to rest ends at distance, or
// the closest possible. The end of the path increases with the acceleration: false position in
// the Illinois variant finds it in a few steps.
func (g axisMotion) accelToRestAt(distance, maxAccel float64) float64 {
	tolerance := 1e-10 + 1e-15*math.Abs(distance)
	low, high := g.limitAccel(math.Inf(-1), maxAccel), g.limitAccel(math.Inf(1), maxAccel)
	shortBy := distance - g.stopRangeAfter(low, maxAccel).end
	longBy := g.stopRangeAfter(high, maxAccel).end - distance
	switch {
	case shortBy <= 0:
		return low
	case longBy <= 0:
		return high
	}
	side := 0 // of the distance on which the last try ended: -1 short of it, 1 beyond it
	for range 60 {
		mid := low + (high-low)*shortBy/(shortBy+longBy)
		excess := g.stopRangeAfter(mid, maxAccel).end - distance
		switch {
		case math.Abs(excess) <= tolerance || mid == low || mid == high:
			return mid
		case excess < 0:
			if low, shortBy = mid, -excess; side < 0 {
				longBy /= 2
			}
			side = -1
		default:
			if high, longBy = mid, excess; side > 0 {
				shortBy /= 2
			}
			side = 1
		}
	}
	return (low + high) / 2
}

// stopRangeAfter returns the path to rest after a step with acceleration accel, relative to the
// position before that step.
func (g axisMotion) stopRangeAfter(accel, maxAccel float64) stopRange {
	g = g.next(accel)
	s := g.stopRange(maxAccel)
	return stopRange{g.velocity + s.end, g.velocity + s.low, g.velocity + s.high}
}

// withinSpeed returns wanted, or the closest acceleration with which the velocity stays within
// ±speed, or falls towards it.
func (g axisMotion) withinSpeed(wanted, speed, maxAccel float64) float64 {
	wanted = max(wanted, releaseAccel(-speed-g.velocity))
	wanted = min(wanted, releaseAccel(speed-g.velocity))
	return g.limitAccel(wanted, maxAccel)
}

// withinRange returns wanted, or the closest acceleration to it after which the path to rest
// stays within low..high. Braking always does, or leaves the range by the least.
func (g axisMotion) withinRange(wanted, low, high, maxAccel float64) float64 {
	safe := g.brakeAccel(maxAccel)
	brakingRange := g.stopRangeAfter(safe, maxAccel)
	low, high = min(low, brakingRange.low), max(high, brakingRange.high)
	within := func(accel float64) bool {
		s := g.stopRangeAfter(accel, maxAccel)
		return s.low >= low && s.high <= high
	}
	if within(wanted) {
		return wanted
	}
	for range 40 {
		if mid := (safe + wanted) / 2; within(mid) {
			safe = mid
		} else {
			wanted = mid
		}
	}
	return safe
}
