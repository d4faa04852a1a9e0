package crg

import (
	"errors"
	"math"

	"rig.example/rig/sim/road"
)

// Course returns the reference line as the line of a road with the grid's borders as
// its edges, and the bank between them.
func (g *Road) Course() (*road.Line, error) {
	begin, end, right, left := g.Extent()
	if !(end > begin) || !(left > right) {
		return nil, errors.New("road: crg: no length or no width: it has no course")
	}
	closed := g.line.loop > 0
	if closed {
		begin, end = g.line.from, g.line.from+g.line.loop
	}
	every := max(2.0, g.line.step) // places [m]; between those of the file the line has corners
	n := max(int((end-begin)/every), 4)
	const inside = 1e-6 // of the borders [m]
	var places []road.Via
	for i := range n + 1 {
		if closed && i == n {
			break // the first again
		}
		u := min(begin+(end-begin)*float64(i)/float64(n), end-inside)
		p, ok := g.Place(u, 0)
		if !ok {
			continue // a hole on the line: it goes on behind it
		}
		v := road.Via{Pos: p, Left: left, Right: -right}
		a, okLeft := g.Place(u, left-inside)
		b, okRight := g.Place(u, right+inside)
		if okLeft && okRight {
			v.Bank = math.Atan((a.Z - b.Z) / (left - right))
		}
		places = append(places, v)
	}
	return road.Through(places, closed)
}
