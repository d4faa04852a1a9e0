package crg

import (
	"errors"
	"math"

	"rig.example/rig/road"
)

// Line returns the reference line as the line of a road. The grid's borders are its edges, and its bank is the
// angle between them.
func (g *Road) Line() (*road.Line, error) {
	begin, end, right, left := g.Extent()
	if !(end > begin) || !(left > right) {
		return nil, errors.New("road: crg: the grid has no length or no width, so it has no line")
	}
	closed := g.line.lapLength > 0
	if closed {
		begin, end = g.line.lapBegin, g.line.lapBegin+g.line.lapLength
	}
	// spacing is the distance between waypoints [m]. The splines between them smooth the corners of the file's
	// line.
	spacing := max(2.0, g.line.step)
	n := max(int((end-begin)/spacing), 4)
	const inset = 1e-6 // distance from the borders at which heights are read [m]
	var waypoints []road.Waypoint
	for i := range n + 1 {
		if closed && i == n {
			break // the last waypoint would be the first one
		}
		u := min(begin+(end-begin)*float64(i)/float64(n), end-inset)
		p, ok := g.At(u, 0)
		if !ok {
			continue // the line has a hole here
		}
		v := road.Waypoint{Pos: p, Left: left, Right: -right}
		a, okLeft := g.At(u, left-inset)
		b, okRight := g.At(u, right+inset)
		if okLeft && okRight {
			v.Bank = math.Atan((a.Z - b.Z) / (left - right))
		}
		waypoints = append(waypoints, v)
	}
	return road.LineThrough(waypoints, closed)
}
