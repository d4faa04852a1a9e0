package layout

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// run is a stretch of evenly changing curvature.
type run struct {
	length float64 // [m]
	from   float64 // curvature at its start [1/m]
	to     float64
}

// at returns heading and curvature d metres into the run, from its start.
func (r run) at(d float64) (turned, curvature float64) {
	slope := 0.0
	if r.length > 0 {
		slope = (r.to - r.from) / r.length
	}
	return d * (r.from + slope*d/2), r.from + slope*d
}

func (p Piece) runs() []run {
	if p.Turn == 0 {
		return []run{{length: p.Length}}
	}
	k := math.Copysign(1/p.Radius, p.Turn)
	return []run{{p.Ramp, 0, k}, {p.angle()*p.Radius - p.Ramp, k, k}, {p.Ramp, k, 0}} // each ramp turns half as far as the arc would
}

// length returns how long a piece is [m].
func (p Piece) length() float64 {
	if p.Turn == 0 {
		return p.Length
	}
	return p.angle()*p.Radius + p.Ramp
}

func flatten(pieces []Piece) []run {
	var all []run
	for _, p := range pieces {
		for _, r := range p.runs() {
			if r.length > 0 {
				all = append(all, r)
			}
		}
	}
	return all
}

// closeUp returns the pieces with the free straights as long as they must be
// for the line to end where it began. The end moves linearly with both. Pieces without
// a free straight must close by themselves.
func closeUp(pieces []Piece) ([]Piece, error) {
	out := append([]Piece(nil), pieces...)
	var free []int
	var headings []float64
	heading := 0.0
	for i, p := range out {
		if p.Free && p.Turn != 0 {
			return nil, fmt.Errorf("piece[%d]: free: a bend cannot be, only a straight", i)
		}
		if p.Free {
			free, headings = append(free, i), append(headings, heading)
		}
		heading += math.Copysign(p.angle(), p.Turn)
	}
	if math.Abs(math.Abs(heading)-2*math.Pi) > 1e-9 {
		return nil, fmt.Errorf("the bends turn by %.3f° altogether: must be 360° or -360°, as a road ends where it began", heading*180/math.Pi)
	}
	if n := len(free); n == 1 || n > 2 {
		return nil, fmt.Errorf("piece[%d].free: %d straights are free: must be two, which close the road, or none", free[n-1], n)
	}
	gap := end(flatten(out))
	if len(free) == 0 {
		if far := r3.Norm(gap); far > 1e-3 {
			return nil, fmt.Errorf("it ends %.3g m from where it begins: make two straights free, which close it", far)
		}
		return out, nil
	}
	s0, c0 := math.Sincos(headings[0])
	s1, c1 := math.Sincos(headings[1])
	det := c0*s1 - c1*s0
	if math.Abs(det) < 0.1 {
		return nil, errors.New("the free straights are nearly parallel: choose others")
	}
	out[free[0]].Length -= (gap.X*s1 - gap.Y*c1) / det
	out[free[1]].Length -= (c0*gap.Y - s0*gap.X) / det
	if out[free[0]].Length <= 0 || out[free[1]].Length <= 0 {
		return nil, fmt.Errorf("the free straights would need %.1f m and %.1f m: move a bend",
			out[free[0]].Length, out[free[1]].Length)
	}
	return out, nil
}

// end returns where the line of runs arrives.
func end(runs []run) r3.Vec {
	const steps = 1 << 16
	var total float64
	for _, r := range runs {
		total += r.length
	}
	line := trace(runs, total/steps, steps)
	return line[steps].Pos
}

// trace samples the line every step metres. The curve between two samples is
// integrated piece by piece with Gauss' three points.
func trace(runs []run, step float64, steps int) []road.Point {
	line := make([]road.Point, 1, steps+1)
	here := road.Point{Curvature: runs[0].from}
	line[0] = here
	i, done := 0, 0.0 // metres done of run i
	for range steps {
		for left := step; left > 0; {
			if rest := runs[i].length - done; rest <= 0 && i+1 < len(runs) {
				i, done = i+1, 0
				continue
			} else if part := left; rest > 0 {
				part = min(left, rest)
				here = advance(here, runs[i], done, part)
				done += part
				left -= part
			} else {
				break // the last run is used up but for rounding
			}
		}
		line = append(line, here)
	}
	return line
}

// advance moves p along a run from d metres into it by part metres.
func advance(p road.Point, r run, d, part float64) road.Point {
	start, _ := r.at(d)
	nodes := [3]float64{0.5 - math.Sqrt(0.15), 0.5, 0.5 + math.Sqrt(0.15)}
	weights := [3]float64{5.0 / 18, 8.0 / 18, 5.0 / 18}
	for i, node := range nodes {
		turned, _ := r.at(d + node*part)
		sin, cos := math.Sincos(p.Heading + turned - start)
		p.Pos.X += part * weights[i] * cos
		p.Pos.Y += part * weights[i] * sin
	}
	turned, curvature := r.at(d + part)
	p.Heading += turned - start
	p.Curvature = curvature
	return p
}
