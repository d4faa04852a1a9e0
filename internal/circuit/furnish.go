package circuit

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/config"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/crg"
	"rig.example/rig/sim/road/mesh"
)

// furnish puts walls and cones where the file says.
func (s *Site) furnish() error {
	walls, errs := collect(s, "wall", s.file.Walls, s.wall)
	cones, more := collect(s, "cone", s.file.Cones, s.cones)
	s.Circuit.Walls, s.Circuit.Cones = walls, cones
	if errs = append(errs, more...); len(errs) > 0 || len(s.Circuit.Walls) == 0 {
		return errors.Join(errs...)
	}
	fenced, err := road.Fence(s.Circuit.Ground, s.Circuit.Walls)
	if err != nil {
		return s.file.Fault(err)
	}
	s.Circuit.Ground = fenced
	return nil
}

// piecesMost is the most walls, and the most cones, that a circuit has: walls on both sides of 100 km.
const piecesMost = 10_000

// collect makes the pieces of all entries of a list, and stops after ten faults.
func collect[E, P any](s *Site, list string, entries []E, pieces func(*E) ([]P, error)) (all []P, errs []error) {
	for i := range entries {
		made, err := pieces(&entries[i])
		if all = append(all, made...); err == nil && len(all) > piecesMost {
			err = fmt.Errorf("from_m: with it there are %d of them: at most %d are possible; leave some out", len(all), piecesMost)
		}
		if err != nil {
			errs = append(errs, s.file.Fault(fmt.Errorf("%s[%d].%w", list, i, err)))
		}
		if len(errs) == 10 || len(all) > piecesMost {
			break
		}
	}
	return all, errs
}

const (
	wallHeight, wallThickness = 1.0, 2.0 // [m], where the file does not say
	coneEvery                 = 5.0      // [m]
	coneCar                   = 1.8      // width of the car that lanes are for [m]
)

// wall returns the walls of an entry: one, or as many as follow the road closely.
func (s *Site) wall(w *config.Wall) ([]road.Wall, error) {
	height, thick := cmp.Or(w.Height, wallHeight), cmp.Or(w.Thickness, wallThickness)
	if w.Start != nil {
		a, b := s.here(w.Start[0], w.Start[1]), s.here(w.End[0], w.End[1])
		from, to := s.foot(a.X, a.Y, 1e5), s.foot(b.X, b.Y, 1e5)
		made := road.Wall{From: from, To: to, Height: height, Thickness: thick}
		return []road.Wall{made}, s.checkWall(made)
	}
	stations, err := s.stretch(w.On, w.From, w.To, 2)
	if err != nil {
		return nil, err
	}
	var feet []r3.Vec
	for i, at := range stations {
		if p := s.beside(at, w); i == 0 || i == len(stations)-1 || s.bulges(feet[len(feet)-1], p, stations[i-1], w) {
			feet = append(feet, p)
		}
	}
	var walls []road.Wall
	for i := 1; i < len(feet); i++ {
		from, to := feet[i-1], feet[i]
		if w.Side == "left" { // its face looks to the left of its way: to the road
			from, to = to, from
		}
		made := road.Wall{From: from, To: to, Height: height, Thickness: thick}
		if err := s.checkWall(made); err != nil {
			return nil, err
		}
		walls = append(walls, made)
	}
	return walls, nil
}

func (s *Site) checkWall(w road.Wall) error {
	if err := w.Validate(); err != nil {
		return fmt.Errorf("from = %.1f, %.1f to %.1f, %.1f m: %s",
			w.From.X+s.Origin.X, w.From.Y+s.Origin.Y, w.To.X+s.Origin.X, w.To.Y+s.Origin.Y, config.OneLine(err))
	}
	return nil
}

// bulges tells whether a wall to p would leave its line at a station behind it, or is
// long enough.
func (s *Site) bulges(from, p r3.Vec, station float64, w *config.Wall) bool {
	const most, longest = 0.05, 20.0 // [m]
	way := r3.Sub(p, from)
	long := math.Hypot(way.X, way.Y)
	if long > longest {
		return true
	}
	mid := r3.Sub(s.beside(station, w), from)
	return math.Abs(way.X*mid.Y-way.Y*mid.X) > most*long
}

// beside returns a wall's foot beside the road.
func (s *Site) beside(station float64, w *config.Wall) r3.Vec {
	p := s.line.At(station)
	left := p.Left + p.KerbLeft + w.Offset
	if w.Side == "right" {
		left = -(p.Right + p.KerbRight + w.Offset)
	}
	at := p.Beside(left)
	return s.foot(at.X, at.Y, p.Pos.Z+10)
}

// foot returns the ground's place below; that of height 0 where there is none.
func (s *Site) foot(x, y, high float64) r3.Vec {
	z, _ := HeightBelow(s.Bare, x, y, high)
	return r3.Vec{X: x, Y: y, Z: z}
}

// stretch returns the stations along a part of the road, about so far apart.
func (s *Site) stretch(on string, from, to, every float64) ([]float64, error) {
	if s.line == nil {
		return nil, errors.New("from_m: there is no line to measure along; give [line]")
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

// cones returns the feet of an entry's cones.
func (s *Site) cones(k *config.Cones) ([]r3.Vec, error) {
	if k.Lanes == "" {
		list, err := s.stretch(k.On, k.From, k.To, cmp.Or(k.Every, coneEvery))
		var feet []r3.Vec
		for _, at := range list {
			feet = append(feet, s.cone(at, k.Left))
		}
		return feet, err
	}
	width, side := cmp.Or(k.CarWidth, coneCar), 1.0
	if k.Side == "right" {
		side = -1
	}
	lanes := obstacle(width)
	if k.Lanes == "iso-3888-1" {
		lanes = doubleChange(width)
	}
	last := lanes[len(lanes)-1]
	if _, err := s.stretch(k.On, k.From, k.From+last.to, last.to); err != nil {
		return nil, err
	}
	begin, err := s.station(k.On, 0)
	var feet []r3.Vec
	for _, l := range lanes {
		n := max(int(math.Round((l.to-l.from)/3)), 2)
		for i := range n + 1 {
			at := begin + k.From + l.from + (l.to-l.from)*float64(i)/float64(n)
			feet = append(feet, s.cone(at, k.Left+side*l.near), s.cone(at, k.Left+side*l.far))
		}
	}
	return feet, err
}

func (s *Site) cone(station, left float64) r3.Vec {
	p := s.line.At(station)
	at := p.Beside(left)
	return s.foot(at.X, at.Y, p.Pos.Z+10)
}

// lane is one between cones: from where to where, and its limits beside the middle of
// the first one, positive to the side that the car swerves to [m].
type lane struct{ from, to, near, far float64 }

// obstacle returns the lanes of ISO 3888-2 for a car of some width [m].
func obstacle(width float64) []lane {
	one, three, five := 1.1*width+0.25, width+1, max(1.3*width+0.25, 3)
	return []lane{
		{0, 12, -one / 2, one / 2},
		{25.5, 36.5, one/2 + 1, one/2 + 1 + three},
		{49, 61, -one / 2, five - one/2},
	}
}

// doubleChange returns the lanes of ISO 3888-1 for a car of some width [m]: 15, 25 and
// 30 m long with 30 and 25 m between them, 1.1, 1.2 and 1.3 times the width and 0.25 m
// wide. The second is 3.5 m beside the first; all are measured from the limit that is
// away from it.
func doubleChange(width float64) []lane {
	one, three, five := 1.1*width+0.25, 1.2*width+0.25, 1.3*width+0.25
	return []lane{
		{0, 15, -one / 2, one / 2},
		{45, 70, 3.5 - one/2, 3.5 - one/2 + three},
		{95, 125, -one / 2, five - one/2},
	}
}

// Extent returns the corners of the box about the ground, or about its line with room
// beside it [m].
func (s *Site) Extent() (low, high r3.Vec) {
	switch g := s.Bare.(type) {
	case *mesh.Mesh:
		return g.Bounds()
	case *road.Grid:
		low.X, low.Y, high.X, high.Y = g.Extent()
		return s.tall(low, high)
	case *crg.Road:
		if s.line == nil {
			return around(g)
		}
	}
	const room = 60.0 // [m]
	inf := math.Inf(1)
	low, high = r3.Vec{X: inf, Y: inf, Z: inf}, r3.Vec{X: -inf, Y: -inf, Z: -inf}
	for at := 0.0; at <= s.line.Length(); at += 5 {
		p := s.line.At(at)
		beyond := max(p.Left, p.Right) + room
		low = r3.Vec{X: min(low.X, p.Pos.X-beyond), Y: min(low.Y, p.Pos.Y-beyond), Z: min(low.Z, p.Pos.Z)}
		high = r3.Vec{X: max(high.X, p.Pos.X+beyond), Y: max(high.Y, p.Pos.Y+beyond), Z: max(high.Z, p.Pos.Z)}
	}
	return low, high
}

// around returns the corners of the box about an OpenCRG surface [m].
func around(g *crg.Road) (low, high r3.Vec) {
	const n = 200
	inf := math.Inf(1)
	low, high = r3.Vec{X: inf, Y: inf, Z: inf}, r3.Vec{X: -inf, Y: -inf, Z: -inf}
	begin, end, right, left := g.Extent()
	for i := range n + 1 {
		for _, v := range [3]float64{right, (right + left) / 2, left} {
			p, ok := g.Place(begin+(end-begin)*float64(i)/n, v)
			low.X, low.Y, high.X, high.Y = min(low.X, p.X), min(low.Y, p.Y), max(high.X, p.X), max(high.Y, p.Y)
			if ok {
				low.Z, high.Z = min(low.Z, p.Z), max(high.Z, p.Z)
			}
		}
	}
	if low.Z > high.Z { // all of it is holes
		low.Z, high.Z = 0, 0
	}
	return low, high
}

// tall finds the least and the greatest height of a grid.
func (s *Site) tall(low, high r3.Vec) (r3.Vec, r3.Vec) {
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
