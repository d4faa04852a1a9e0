package circuit

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/road/crg"
	"rig.example/rig/road/mesh"
)

// placeObjects adds the walls and cones of the circuit's file.
func (s *Site) placeObjects() error {
	walls, errs := buildAll(s, "wall", s.file.Walls, s.buildWalls)
	cones, more := buildAll(s, "cone", s.file.Cones, s.buildCones)
	s.Circuit.Walls, s.Circuit.Cones = walls, cones
	if errs = append(errs, more...); len(errs) > 0 || len(s.Circuit.Walls) == 0 {
		return errors.Join(errs...)
	}
	walled, err := road.WithWalls(s.Circuit.Ground, s.Circuit.Walls)
	if err != nil {
		return s.file.Locate(err)
	}
	s.Circuit.Ground = walled
	return nil
}

// maxObjects is the largest number of walls, and of cones, in a circuit: enough for walls on both sides of
// 100 km.
const maxObjects = 10_000

// buildAll returns the walls or cones of all entries of a list; pieces builds those of one entry. It stops after
// ten errors. listName is the list's key, for errors.
func buildAll[E, P any](s *Site, listName string, entries []E, pieces func(*E) ([]P, error)) (all []P, errs []error) {
	for i := range entries {
		built, err := pieces(&entries[i])
		if all = append(all, built...); err == nil && len(all) > maxObjects {
			err = fmt.Errorf("from_m: this entry makes %d of them: must be at most %d; leave some out", len(all), maxObjects)
		}
		if err != nil {
			errs = append(errs, s.file.Locate(fmt.Errorf("%s[%d].%w", listName, i, err)))
		}
		if len(errs) == 10 || len(all) > maxObjects {
			break
		}
	}
	return all, errs
}

const (
	wallHeight, wallThickness = 1.0, 2.0 // defaults [m]
	coneSpacing               = 5.0      // default [m]
	coneCarWidth              = 1.8      // default width of the car that the lanes are for [m]
)

// buildWalls returns the walls of an entry: a single straight one, or as many as are needed to follow the road.
func (s *Site) buildWalls(w *config.Wall) ([]road.Wall, error) {
	height, thick := cmp.Or(w.Height, wallHeight), cmp.Or(w.Thickness, wallThickness)
	if w.Start != nil {
		a, b := s.toLocal(w.Start[0], w.Start[1]), s.toLocal(w.End[0], w.End[1])
		from, to := s.foot(a.X, a.Y, 1e5), s.foot(b.X, b.Y, 1e5)
		wall := road.Wall{From: from, To: to, Height: height, Thickness: thick}
		return []road.Wall{wall}, s.checkWall(wall)
	}
	stations, err := s.stationsAlong(w.On, w.From, w.To, 2)
	if err != nil {
		return nil, err
	}
	var feet []r3.Vec
	for i, at := range stations {
		if p := s.wallFoot(at, w); i == 0 || i == len(stations)-1 || s.needsNewWall(feet[len(feet)-1], p, stations[i-1], w) {
			feet = append(feet, p)
		}
	}
	var walls []road.Wall
	for i := 1; i < len(feet); i++ {
		from, to := feet[i-1], feet[i]
		if w.Side == "left" { // the face of a wall is to the left of its direction and must face the road
			from, to = to, from
		}
		wall := road.Wall{From: from, To: to, Height: height, Thickness: thick}
		if err := s.checkWall(wall); err != nil {
			return nil, err
		}
		walls = append(walls, wall)
	}
	return walls, nil
}

// checkWall validates w; the error names its ends in the coordinates of the ground's file.
func (s *Site) checkWall(w road.Wall) error {
	if err := w.Validate(); err != nil {
		return fmt.Errorf("from = %.1f, %.1f to %.1f, %.1f m: %s",
			w.From.X+s.Origin.X, w.From.Y+s.Origin.Y, w.To.X+s.Origin.X, w.To.Y+s.Origin.Y, config.OneLine(err))
	}
	return nil
}

// needsNewWall reports whether a straight wall between the points from and p would be longer than 20 m, or more
// than 5 cm away from the edge that w follows at a station between them [m].
func (s *Site) needsNewWall(from, p r3.Vec, station float64, w *config.Wall) bool {
	const maxOffset, maxLength = 0.05, 20.0 // [m]
	way := r3.Sub(p, from)
	long := math.Hypot(way.X, way.Y)
	if long > maxLength {
		return true
	}
	mid := r3.Sub(s.wallFoot(station, w), from)
	return math.Abs(way.X*mid.Y-way.Y*mid.X) > maxOffset*long
}

// wallFoot returns the foot of a wall beside the road at station.
func (s *Site) wallFoot(station float64, w *config.Wall) r3.Vec {
	p := s.line.At(station)
	left := p.Left + p.KerbLeft + w.Offset
	if w.Side == "right" {
		left = -(p.Right + p.KerbRight + w.Offset)
	}
	at := p.Offset(left)
	return s.foot(at.X, at.Y, p.Pos.Z+10)
}

// foot returns the point of the ground straight below x, y, high [m]; its height is 0 if there is no ground.
func (s *Site) foot(x, y, high float64) r3.Vec {
	z, _ := HeightBelow(s.Bare, x, y, high)
	return r3.Vec{X: x, Y: y, Z: z}
}

// stationsAlong returns evenly spaced stations between from and to, which are distances from the start of the
// piece on [m]. The stations are at most every metres apart.
func (s *Site) stationsAlong(on string, from, to, every float64) ([]float64, error) {
	if s.line == nil {
		return nil, errors.New("from_m: the circuit has no line to measure along; add [line]")
	}
	begin, err := s.station(on, 0)
	if err != nil {
		return nil, err
	}
	length := s.line.Length()
	if to-from > length || !s.line.Closed() && (begin+from < 0 || begin+to > length) {
		return nil, fmt.Errorf("from_m = %g, to_m = %g: the line is %.1f m long", from, to, length)
	}
	n := max(int(math.Ceil((to-from)/every)), 1)
	list := make([]float64, n+1)
	for i := range list {
		list[i] = begin + from + (to-from)*float64(i)/float64(n)
	}
	return list, nil
}

// buildCones returns the feet of the cones of an entry.
func (s *Site) buildCones(k *config.Cones) ([]r3.Vec, error) {
	if k.Lanes == "" {
		list, err := s.stationsAlong(k.On, k.From, k.To, cmp.Or(k.Every, coneSpacing))
		var feet []r3.Vec
		for _, at := range list {
			feet = append(feet, s.coneFoot(at, k.Left))
		}
		return feet, err
	}
	width, side := cmp.Or(k.CarWidth, coneCarWidth), 1.0
	if k.Side == "right" {
		side = -1
	}
	lanes := obstacleLanes(width)
	if k.Lanes == "iso-3888-1" {
		lanes = doubleLaneChange(width)
	}
	last := lanes[len(lanes)-1]
	if _, err := s.stationsAlong(k.On, k.From, k.From+last.to, last.to); err != nil {
		return nil, err
	}
	begin, err := s.station(k.On, 0)
	var feet []r3.Vec
	for _, l := range lanes {
		n := max(int(math.Round((l.to-l.from)/3)), 2)
		for i := range n + 1 {
			at := begin + k.From + l.from + (l.to-l.from)*float64(i)/float64(n)
			feet = append(feet, s.coneFoot(at, k.Left+side*l.near), s.coneFoot(at, k.Left+side*l.far))
		}
	}
	return feet, err
}

// coneFoot returns the point of the ground on which a cone stands, at a station and at the distance left to the
// left of the line [m].
func (s *Site) coneFoot(station, left float64) r3.Vec {
	p := s.line.At(station)
	at := p.Offset(left)
	return s.foot(at.X, at.Y, p.Pos.Z+10)
}

// lane is a lane between cones: its start and end along the road, and its lateral limits, which count from the
// middle of the first lane and are positive toward the side to which the car swerves [m].
type lane struct{ from, to, near, far float64 }

// obstacleLanes returns the lanes of ISO 3888-2, obstacle avoidance, for a car of this width [m].
func obstacleLanes(width float64) []lane {
	first, second, third := 1.1*width+0.25, width+1, max(1.3*width+0.25, 3) // widths of the lanes [m]
	return []lane{
		{0, 12, -first / 2, first / 2},
		{25.5, 36.5, first/2 + 1, first/2 + 1 + second},
		{49, 61, -first / 2, third - first/2},
	}
}

// doubleLaneChange returns the lanes of ISO 3888-1, double lane change, for a car of this width [m]. They are
// 15, 25 and 30 m long, with gaps of 30 and 25 m, and 1.1, 1.2 and 1.3 times the car's width plus 0.25 m
// wide. The second lane is offset by 3.5 m, measured between the limits that are away from it.
func doubleLaneChange(width float64) []lane {
	first, second, third := 1.1*width+0.25, 1.2*width+0.25, 1.3*width+0.25 // widths of the lanes [m]
	return []lane{
		{0, 15, -first / 2, first / 2},
		{45, 70, 3.5 - first/2, 3.5 - first/2 + second},
		{95, 125, -first / 2, third - first/2},
	}
}

// Extent returns the corners of the bounding box of the ground, or of the line with 60 m beside it if the ground
// has no limits [m].
func (s *Site) Extent() (low, high r3.Vec) {
	switch g := s.Bare.(type) {
	case *mesh.Mesh:
		return g.Bounds()
	case *road.Grid:
		low.X, low.Y, high.X, high.Y = g.Extent()
		return s.heightRange(low, high)
	case *crg.Road:
		if s.line == nil {
			return crgExtent(g)
		}
	}
	const room = 60.0 // [m]
	inf := math.Inf(1)
	low, high = r3.Vec{X: inf, Y: inf, Z: inf}, r3.Vec{X: -inf, Y: -inf, Z: -inf}
	for at := 0.0; at <= s.line.Length(); at += 5 {
		p := s.line.At(at)
		half := max(p.Left, p.Right) + room
		low = r3.Vec{X: min(low.X, p.Pos.X-half), Y: min(low.Y, p.Pos.Y-half), Z: min(low.Z, p.Pos.Z)}
		high = r3.Vec{X: max(high.X, p.Pos.X+half), Y: max(high.Y, p.Pos.Y+half), Z: max(high.Z, p.Pos.Z)}
	}
	return low, high
}

// crgExtent returns the corners of the bounding box of an OpenCRG surface [m].
func crgExtent(g *crg.Road) (low, high r3.Vec) {
	const n = 200
	inf := math.Inf(1)
	low, high = r3.Vec{X: inf, Y: inf, Z: inf}, r3.Vec{X: -inf, Y: -inf, Z: -inf}
	begin, end, right, left := g.Extent()
	for i := range n + 1 {
		for _, v := range [3]float64{right, (right + left) / 2, left} {
			p, ok := g.At(begin+(end-begin)*float64(i)/n, v)
			low.X, low.Y, high.X, high.Y = min(low.X, p.X), min(low.Y, p.Y), max(high.X, p.X), max(high.Y, p.Y)
			if ok {
				low.Z, high.Z = min(low.Z, p.Z), max(high.Z, p.Z)
			}
		}
	}
	if low.Z > high.Z { // all heights are unknown
		low.Z, high.Z = 0, 0
	}
	return low, high
}

// heightRange returns the corners low and high with Z set to the lowest and the highest height of a grid [m].
func (s *Site) heightRange(low, high r3.Vec) (r3.Vec, r3.Vec) {
	const n = 200
	low.Z, high.Z = math.Inf(1), math.Inf(-1)
	for i := range n + 1 {
		for j := range n + 1 {
			x, y := low.X+(high.X-low.X)*float64(i)/n, low.Y+(high.Y-low.Y)*float64(j)/n
			if z, ok := HeightBelow(s.Bare, x, y, 0); ok {
				low.Z, high.Z = min(low.Z, z), max(high.Z, z)
			}
		}
	}
	if low.Z > high.Z {
		low.Z, high.Z = 0, 0
	}
	return low, high
}
