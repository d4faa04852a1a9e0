package motion

import "math"

// glide is how an axis moves, in the units of its limit of jerk: a step of
// time is one, and one is the most by which the acceleration changes in it. A
// step first changes the acceleration, then the velocity by the acceleration,
// then the position by the velocity.
type glide struct {
	velocity, accel float64
}

// next returns the movement one step later, with the acceleration given.
func (g glide) next(accel float64) glide { return glide{g.velocity + accel, accel} }

// reversed returns the movement as seen from the other side.
func (g glide) reversed() glide { return glide{-g.velocity, -g.accel} }

// change returns the acceleration closest to want that one step allows.
func (g glide) change(want, most float64) float64 {
	want = min(max(want, -most), most)
	return min(max(want, g.accel-1), g.accel+1)
}

// braking returns the next acceleration on the shortest way to rest.
func (g glide) braking(most float64) float64 {
	return g.change(-toward(g.velocity), most)
}

// toward returns the acceleration for the next step from which, falling by one
// with each step, the velocity changes by exactly v until the acceleration has
// gone.
//
// An acceleration u changes it by u + (u-1) + … = (n+1)·u − n(n+1)/2, with n =
// floor(u); this is the inverse. Who has taken it finds one less in the next
// step.
func toward(v float64) float64 {
	s := math.Abs(v)
	n := math.Floor((math.Sqrt(1+8*s) - 1) / 2)
	return math.Copysign((s+n*(n+1)/2)/(n+1), v)
}

// span is where the shortest way to rest leads, from where it begins.
type span struct {
	end       float64
	low, high float64 // what it touches on the way, both ends included
}

// rest returns the way to rest that braking takes step by step, in closed form.
func (g glide) rest(most float64) span {
	if g.velocity < 0 || (g.velocity == 0 && g.accel < 0) {
		s := g.reversed().rest(most)
		return span{-s.end, -s.high, -s.low}
	}
	if -g.accel-1 <= toward(g.velocity) {
		end := g.slowing(most)
		return span{end, 0, end}
	}
	return g.turning(most)
}

// turning is rest for an axis that brakes so hard that it turns round before
// the acceleration has gone.
func (g glide) turning(most float64) span {
	b := -g.accel - 0.5
	k := math.Ceil(b - math.Sqrt(max(0, b*b-2*g.velocity)))
	way := k*g.velocity + g.accel*k*(k+1)/2 + k*(k+1)*(k+2)/6
	after := glide{g.velocity + k*g.accel + k*(k+1)/2, g.accel + k}
	end := way - after.reversed().slowing(most)
	return span{end, min(0, end), max(0, way-after.velocity)}
}

// slowing returns how far an axis still goes that does not turn round: it
// changes its acceleration to full braking, brakes, and lets go in time.
func (g glide) slowing(most float64) float64 {
	n := g.rampSteps(most)
	way := n*g.velocity + g.accel*n*(n+1)/2 - n*(n+1)*(n+2)/6
	v := g.velocity + n*g.accel - n*(n+1)/2
	if over := v - covered(most); over > 0 {
		k := math.Ceil(over / most)
		way += k*v - most*k*(k+1)/2
		v -= k * most
	}
	return way + lettingGo(v)
}

// rampSteps returns for how many whole steps the acceleration falls by one:
// until full braking, or until braking must begin to be let go.
//
// After k of them the next would brake with u = k+1-accel, and is too much when
// the velocity left is less than covered(u). Both are quadratic in k: the part
// of covered that is not, f(1-f)/2, has the same f at each k.
func (g glide) rampSteps(most float64) float64 {
	f := -g.accel - math.Floor(-g.accel)
	n := math.Floor(g.accel)
	if root := (g.accel*g.accel-g.accel)/2 + g.velocity - f*(1-f)/2; root >= 0 {
		n = max(n, math.Floor(g.accel+math.Sqrt(root)))
	}
	return max(0, min(n, math.Floor(g.accel+most)))
}

// covered returns by how much an acceleration changes the velocity that falls
// by one with each step.
func covered(u float64) float64 {
	n := math.Floor(u)
	return (n+1)*u - n*(n+1)/2
}

// lettingGo returns the way that an axis goes from the velocity v on, while its
// braking falls by one with each step and takes all of v.
func lettingGo(v float64) float64 {
	u := toward(max(0, v))
	n := math.Floor(u)
	return (u-n)*n*(n+1)/2 + (n+1)*n*(n-1)/6
}

// meet returns the next acceleration after which the way to rest ends beside a
// target that will be at distance after the step and moves by along in each:
// rest is meant in the target's frame.
func (g glide) meet(distance, along, most float64) float64 {
	seen := glide{g.velocity - along, g.accel}
	return seen.solve(distance-along, most)
}

// solve returns the next acceleration after which the way to rest ends at
// distance, or the closest that a step allows. The end rises with the
// acceleration: false position in the Illinois variant finds it in a few steps.
func (g glide) solve(distance, most float64) float64 {
	tolerance := 1e-10 + 1e-15*math.Abs(distance)
	low, high := g.change(math.Inf(-1), most), g.change(math.Inf(1), most)
	short := distance - g.after(low, most).end
	long := g.after(high, most).end - distance
	switch {
	case short <= 0:
		return low
	case long <= 0:
		return high
	}
	side := 0 // on which the last try was, -1 short
	for range 60 {
		mid := low + (high-low)*short/(short+long)
		beyond := g.after(mid, most).end - distance
		switch {
		case math.Abs(beyond) <= tolerance || mid == low || mid == high:
			return mid
		case beyond < 0:
			if low, short = mid, -beyond; side < 0 {
				long /= 2
			}
			side = -1
		default:
			if high, long = mid, beyond; side > 0 {
				short /= 2
			}
			side = 1
		}
	}
	return (low + high) / 2
}

// after returns where the way to rest leads after a step with the acceleration
// given, from where the axis is before it.
func (g glide) after(accel, most float64) span {
	g = g.next(accel)
	s := g.rest(most)
	return span{g.velocity + s.end, g.velocity + s.low, g.velocity + s.high}
}

// withinSpeed returns want, or the closest acceleration from which the velocity
// stays within speed, or falls towards it.
func (g glide) withinSpeed(want, speed, most float64) float64 {
	want = max(want, toward(-speed-g.velocity))
	want = min(want, toward(speed-g.velocity))
	return g.change(want, most)
}

// withinRange returns want, or the closest acceleration to it from which the way
// to rest stays between low and high. Braking always does, or goes the least
// beyond.
func (g glide) withinRange(want, low, high, most float64) float64 {
	safe := g.braking(most)
	least := g.after(safe, most)
	low, high = min(low, least.low), max(high, least.high)
	within := func(accel float64) bool {
		s := g.after(accel, most)
		return s.low >= low && s.high <= high
	}
	if within(want) {
		return want
	}
	for range 40 {
		if mid := (safe + want) / 2; within(mid) {
			safe = mid
		} else {
			want = mid
		}
	}
	return safe
}
