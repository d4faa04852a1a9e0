package opendrive

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Line is a road as a circuit: the middle of its driving lanes.
type Line struct {
	Points []Station
	Length float64 // along the points [m]
	Closed bool    // the line ends where it begins
}

// Station is a point on the line of a circuit.
type Station struct {
	S         float64 // distance along the line [m]
	RoadS     float64 // s along the reference line of the road [m]
	Pos       r3.Vec  // [m, world]
	Heading   float64 // [rad], 0 along x, positive to the left; not wrapped
	Curvature float64 // [1/m], positive to the left
	Left      float64 // distance to the left edge of the driving lanes [m]
	Right     float64 // distance to the right edge of the driving lanes [m]
	Bank      float64 // bank angle between both edges [rad], positive where the left one is higher
}

// drivenTypes are the types of driving lanes.
var drivenTypes = [...]string{
	"driving", "bidirectional", "entry", "exit", "onRamp", "offRamp", "connectingRamp", "slipLane",
}

// Line samples the middle of the road's driving lanes about every step metres. Without a driving lane it
// is the middle of all lanes.
func (r *Road) Line(step float64) Line {
	const finest, limit = 0.01, 1e6 // [m], points
	if !(step >= finest) {
		step = finest
	}
	step = max(step, r.Length/limit)
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
	line.Closed = r.isRing()
	return line
}

// station returns the middle of the driving lanes at s. Its heading and curvature are those of the circle through
// this point and two points near it.
func (r *Road) station(s float64) Station {
	halfChord := min(0.25, r.Length/2)
	mid := min(max(s, halfChord), r.Length-halfChord)
	a, m, z := r.middle(mid-halfChord), r.middle(mid), r.middle(mid+halfChord)
	p := r.middle(s)
	p.Heading = math.Atan2(z.Pos.Y-a.Pos.Y, z.Pos.X-a.Pos.X)
	u, v, w := r3.Sub(m.Pos, a.Pos), r3.Sub(z.Pos, m.Pos), r3.Sub(z.Pos, a.Pos)
	sides := math.Hypot(u.X, u.Y) * math.Hypot(v.X, v.Y) * math.Hypot(w.X, w.Y)
	if sides > 1e-12 {
		p.Curvature = 2 * (u.X*v.Y - u.Y*v.X) / sides
	}
	ahead := math.Hypot(p.Pos.X-m.Pos.X, p.Pos.Y-m.Pos.Y)
	p.Heading += p.Curvature * math.Copysign(ahead, s-mid)
	along := r.planPoint(s).heading
	p.Heading = along + math.Remainder(p.Heading-along, 2*math.Pi)
	return p
}

// middle returns the middle of the driving lanes at s, without heading and curvature.
func (r *Road) middle(s float64) Station {
	x := r.crossSection(r.section(s), s)
	low, high := x.edges(func(l *Lane) bool { return slices.Contains(drivenTypes[:], l.Type) })
	if high <= low {
		low, high = x.edges(func(*Lane) bool { return true })
	}
	if high < low {
		low, high = x.laneZeroT, x.laneZeroT
	}
	t := (low + high) / 2
	p := Station{RoadS: s, Pos: x.surface(t), Left: high - t, Right: t - low}
	across := r3.Sub(x.surface(high), x.surface(low))
	if flat := math.Hypot(across.X, across.Y); flat > 0 {
		p.Bank = math.Atan2(across.Z, flat)
	}
	return p
}

// edges returns the lowest and the highest t of the edges of the lanes for which wanted returns true [m]; low is
// above high if there is no such lane.
func (x *crossSection) edges(wanted func(*Lane) bool) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for side := range x.sides {
		for _, sp := range x.sides[side] {
			if wanted(sp.lane) {
				low, high = min(low, sp.inner, sp.outer), max(high, sp.inner, sp.outer)
			}
		}
	}
	return low, high
}

// surface returns the point of the surface at t.
func (x *crossSection) surface(t float64) r3.Vec {
	side, i, _ := x.laneAt(t)
	return x.frame.point(t, x.height(side, i, t))
}
