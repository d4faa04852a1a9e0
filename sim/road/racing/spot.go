package racing

import (
	"math"

	"rig.example/rig/sim/road"
)

// spot is what a place of a line does to a car.
type spot struct {
	bend     float64 // curvature seen from above [1/m]
	rise     float64 // curvature seen from the side [1/m], positive in a dip
	sin, cos float64 // of the bank
	up       float64 // sine of the slope
	level    float64 // its cosine
	stretch  float64 // length along the road for that seen from above
	grip     float64 // share of that of the road for which the limits are
}

// spotOf returns a place of l. The curvature seen from the side is over a car's length.
func spotOf(l *road.Line, s float64) spot {
	const half = 1.5 // [m]
	p := l.At(s)
	stretch := math.Sqrt(1 + p.Slope*p.Slope)
	st := spot{
		bend: p.Curvature, grip: 1, stretch: stretch, up: p.Slope / stretch, level: 1 / stretch,
		rise: (l.At(s+half).Slope - l.At(s-half).Slope) / (2 * half) / (stretch * stretch * stretch),
	}
	st.sin, st.cos = math.Sincos(p.Bank)
	return st
}

// across returns the acceleration that the tires must bring across the car, positive to
// the outside of the bend's centre inwards, and the one with which the road presses on the
// car [m/s²]: gravity and what bends and crests take, in the road's cross-section.
func (st *spot) across(v, gravity float64) (side, load float64) {
	plan := v * st.level // speed seen from above
	left := plan * plan * st.bend
	up := v*v*st.rise + gravity*st.level
	side, load = left*st.cos+up*st.sin, up*st.cos-left*st.sin
	if st.bend < 0 {
		side = -side
	}
	return side, load
}

// most returns what a limit on a level road [m/s²] becomes under a load [m/s²]: the part
// that it has at standstill goes with the load, the rest is the air's.
func (lim *Limits) most(of func(float64) float64, st *spot, v, load float64) float64 {
	if of == nil {
		return unlimited
	}
	most := of(v)
	if lim.Gravity > 0 {
		most += of(0) * (max(load, 0)/lim.Gravity - 1)
	}
	return sound(st.grip * most)
}

// sound returns a limit without the infinite, the negative and what is no number.
func sound(limit float64) float64 {
	if limit > 0 {
		return min(limit, unlimited)
	}
	return 0
}

// side returns the lateral acceleration that a car may need at a station [m/s²].
func (lim *Limits) side(st *spot, v, load float64) float64 {
	return min(lim.most(lim.Side, st, v, load), capped(lim.MostSide))
}

// unlimited is what nothing limits: an acceleration beyond all cars' [m/s²].
const unlimited = 1e3

func capped(most float64) float64 {
	if most == 0 {
		return unlimited
	}
	return most
}

// holds tells whether a car stays on the road at a station with a speed.
func (lim *Limits) holds(st *spot, v float64) bool {
	side, load := st.across(v, lim.Gravity)
	return load >= lim.Light*lim.Gravity && side <= lim.side(st, v, load)
}

// fastest returns the speed that a station allows [m/s], by halving.
func (lim *Limits) fastest(st *spot) float64 {
	const top, least, rounds = 200.0, 1.0, 50 // [m/s], [m/s]
	low, high := least, top
	if lim.Fastest > 0 {
		high = lim.Fastest
	}
	if lim.holds(st, high) {
		return high
	}
	low = min(low, high)
	for range rounds {
		if mid := (low + high) / 2; lim.holds(st, mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// spare returns the share of the grip along the car that a bend leaves, and the load.
func (lim *Limits) spare(st *spot, v float64) (share, load float64) {
	side, load := st.across(v, lim.Gravity)
	most := lim.side(st, v, load)
	used := 0.0
	if side != 0 {
		used = min(math.Abs(side)/max(most, 1e-9), 1)
	}
	if lim.Spare != nil {
		return min(sound(lim.Spare(used)), 1), load
	}
	return math.Sqrt(1 - used*used), load
}

func (lim *Limits) resist(v float64) float64 {
	if lim.Resist == nil {
		return 0
	}
	return sound(lim.Resist(v))
}

// slows returns how much the car loses at most at a station [m/s²].
func (lim *Limits) slows(st *spot, v float64) float64 {
	share, load := lim.spare(st, v)
	stop := share * lim.most(lim.Stop, st, v, load)
	return min(stop+lim.resist(v)+lim.Gravity*st.up, capped(lim.MostStop))
}

// gains returns how much the car wins at most at a station [m/s²]; it may be negative on a
// steep road.
func (lim *Limits) gains(st *spot, v float64) float64 {
	share, load := lim.spare(st, v)
	push := share * lim.most(lim.Push, st, v, load)
	if lim.Pull != nil {
		push = min(push, sound(lim.Pull(v)))
	}
	return min(push-lim.resist(v)-lim.Gravity*st.up, capped(lim.MostDrive))
}
