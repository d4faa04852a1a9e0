package opendrive

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Line describes a road as a circuit: the middle of the lanes that are driven.
type Line struct {
	Points []Station
	Length float64 // along the points [m]
	Closed bool    // whether it ends where it begins
}

// Station is a place on a circuit's centre line.
type Station struct {
	S         float64 // along the centre line [m]
	Reference float64 // s along the road's reference line [m]
	Pos       r3.Vec  // [m, world]
	Heading   float64 // [rad], 0 along x, to the left; not wrapped
	Curvature float64 // [1/m], to the left
	Left      float64 // to the left edge of the lanes that are driven [m]
	Right     float64 // to the right edge [m]
	Bank      float64 // between both edges [rad], positive where the left one is higher
}

// driven are the types of lanes that cars drive on.
var driven = [...]string{
	"driving", "bidirectional", "entry", "exit", "onRamp", "offRamp", "connectingRamp", "slipLane",
}

// Line samples the road's centre line about every step metres. Without a lane
// to drive on, the middle is that of all lanes.
func (r *Road) Line(step float64) Line {
	const finest, most = 0.01, 1e6 // [m], points
	if !(step >= finest) {
		step = finest
	}
	step = max(step, r.Length/most)
	n := max(int(math.Ceil(r.Length/step)), 1)
	var line Line
	for k := range n + 1 {
		s := r.Length * float64(k) / float64(n)
		p := r.station(s)
		if k > 0 {
			line.Length += r3.Norm(r3.Sub(p.Pos, line.Points[k-1].Pos))
		}
		p.S = line.Length
		line.Points = append(line.Points, p)
	}
	line.Closed = r.ring()
	return line
}

// station returns the middle at s; heading and curvature are those of the
// circle through it and its neighbours.
func (r *Road) station(s float64) Station {
	reach := min(0.25, r.Length/2)
	mid := min(max(s, reach), r.Length-reach)
	a, m, z := r.middle(mid-reach), r.middle(mid), r.middle(mid+reach)
	p := r.middle(s)
	p.Heading = math.Atan2(z.Pos.Y-a.Pos.Y, z.Pos.X-a.Pos.X)
	u, v, w := r3.Sub(m.Pos, a.Pos), r3.Sub(z.Pos, m.Pos), r3.Sub(z.Pos, a.Pos)
	sides := math.Hypot(u.X, u.Y) * math.Hypot(v.X, v.Y) * math.Hypot(w.X, w.Y)
	if sides > 1e-12 {
		p.Curvature = 2 * (u.X*v.Y - u.Y*v.X) / sides
	}
	ahead := math.Hypot(p.Pos.X-m.Pos.X, p.Pos.Y-m.Pos.Y)
	p.Heading += p.Curvature * math.Copysign(ahead, s-mid)
	along := r.place(s).heading
	p.Heading = along + math.Remainder(p.Heading-along, 2*math.Pi)
	return p
}

// middle returns the middle of the driven lanes at s without its direction.
func (r *Road) middle(s float64) Station {
	x := r.cross(r.section(s), s)
	lo, hi := x.edges(func(l *Lane) bool { return slices.Contains(driven[:], l.Type) })
	if hi <= lo {
		lo, hi = x.edges(func(*Lane) bool { return true })
	}
	if hi < lo {
		lo, hi = x.middle, x.middle
	}
	t := (lo + hi) / 2
	p := Station{Reference: s, Pos: x.surface(t), Left: hi - t, Right: t - lo}
	across := r3.Sub(x.surface(hi), x.surface(lo))
	if flat := math.Hypot(across.X, across.Y); flat > 0 {
		p.Bank = math.Atan2(across.Z, flat)
	}
	return p
}

// edges returns the outermost edges of the lanes that are wanted; low is above
// high if there are none.
func (x *cross) edges(wanted func(*Lane) bool) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for side := range x.side {
		for _, sp := range x.side[side] {
			if wanted(sp.lane) {
				low, high = min(low, sp.in, sp.out), max(high, sp.in, sp.out)
			}
		}
	}
	return low, high
}

// surface returns the place at t.
func (x *cross) surface(t float64) r3.Vec {
	side, i, _ := x.find(t)
	return x.frame.point(t, x.height(side, i, t))
}
