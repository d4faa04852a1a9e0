package screens

import "math"

// vector is a place or a direction from the eye at rest [m]: ahead, left, up.
type vector = [3]float64

// Facet is a flat rectangle of a screen.
type Facet struct {
	Screen            int     // index of its screen
	From, To          float64 // part of the screen's width that it is, 0..1 from the left
	LowLeft           vector  // lower left corner
	LowRight, TopLeft vector
}

func (f *Facet) across() vector  { return sub(f.LowRight, f.LowLeft) }
func (f *Facet) upright() vector { return sub(f.TopLeft, f.LowLeft) }

// At returns a point of the facet by shares of its width from the left and of its height from below.
func (f *Facet) At(x, y float64) vector {
	return add(f.LowLeft, add(scale(x, f.across()), scale(y, f.upright())))
}

// facetAngle is how much of a bend one facet stands for, at most [rad]: its middle is then off by less than 1/800 of the radius.
const facetAngle = 0.1

// Facets returns the facets of screens.
func Facets(list []Screen) (facets []Facet) {
	for i := range list {
		facets = append(facets, list[i].facets(i)...)
	}
	return facets
}

// facets returns the facets of a screen with an index.
func (s *Screen) facets(index int) []Facet {
	count := 1
	if s.Radius > 0 {
		count = max(1, int(math.Ceil(s.Width/s.Radius/facetAngle)))
	}
	facets := s.facetsOf(count)
	for i := range facets {
		facets[i].Screen = index
	}
	return facets
}

// facetsOf returns a number of facets of a screen.
func (s *Screen) facetsOf(count int) []Facet {
	facets := make([]Facet, count)
	for i := range facets {
		f := &facets[i]
		f.From, f.To = float64(i)/float64(count), float64(i+1)/float64(count)
		f.LowLeft, f.LowRight = s.edge(f.From, -s.Height/2), s.edge(f.To, -s.Height/2)
		f.TopLeft = s.edge(f.From, s.Height/2)
	}
	return facets
}

// edge returns the place of a point of the screen, by its share of the width from the left and its height above the middle.
func (s *Screen) edge(share, height float64) vector {
	ahead, left := s.Distance, s.Width*(0.5-share)
	if s.Radius > 0 { // bent towards the driver
		sin, cos := math.Sincos(left / s.Radius)
		ahead, left = s.Distance-s.Radius*(1-cos), s.Radius*sin
	}
	left += s.Left
	sin, cos := math.Sincos(s.Angle * math.Pi / 180)
	return vector{ahead*cos - left*sin, ahead*sin + left*cos, s.Up + height}
}

// Head is where the driver's head is, compared with its rest.
type Head struct {
	Place vector    // [m]
	Turn  [3]vector // directions of its own axes ahead, left and up
}

// AtRest is a head that has not moved.
func AtRest() Head { return Head{Turn: [3]vector{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}} }

// own returns a place as the head has it.
func (h *Head) own(at vector) vector {
	d := sub(at, h.Place)
	return vector{dot(d, h.Turn[0]), dot(d, h.Turn[1]), dot(d, h.Turn[2])}
}

// Lens is how the world is drawn on a facet: through a rectangle at right angles to Back, seen from the eye. Directions are in
// the axes of the head: ahead, left, up.
type Lens struct {
	Right, Up, Back          vector  // unit directions; Back points from the facet to the eye
	West, East, South, North float64 // edges of the rectangle at distance 1, along Right and Up; an eye off its middle makes them unequal
}

// Through returns the lens of a facet for a head. ok is false for an eye behind the facet or on it.
//
// After R. Kooima, Generalized Perspective Projection (2008).
func (f *Facet) Through(h *Head) (l Lens, ok bool) {
	low, right, top := h.own(f.LowLeft), h.own(f.LowRight), h.own(f.TopLeft)
	l.Right, l.Up = unit(sub(right, low)), unit(sub(top, low))
	l.Back = cross(l.Right, l.Up)
	distance := -dot(l.Back, low)
	const nearest = 0.02 // of an eye to a screen [m]
	if !(distance > nearest) {
		return l, false
	}
	l.West, l.East = dot(l.Right, low)/distance, dot(l.Right, right)/distance
	l.South, l.North = dot(l.Up, low)/distance, dot(l.Up, top)/distance
	return l, true
}

// Straight returns the lens of a picture straight ahead with a vertical field of view [rad], whose width is aspect times its height.
func Straight(fov, aspect float64) Lens {
	high := math.Tan(fov / 2)
	return Lens{
		Right: vector{0, -1, 0}, Up: vector{0, 0, 1}, Back: vector{-1, 0, 0},
		West: -high * aspect, East: high * aspect, South: -high, North: high,
	}
}

// Place returns where a direction from the eye, in the head's axes, meets the picture: shares of its width from the left and of
// its height from below. ok is false behind the eye.
func (l *Lens) Place(direction vector) (x, y float64, ok bool) {
	depth := -dot(direction, l.Back)
	if !(depth > 0) {
		return 0, 0, false
	}
	return (dot(direction, l.Right)/depth - l.West) / (l.East - l.West), (dot(direction, l.Up)/depth - l.South) / (l.North - l.South), true
}

func add(a, b vector) vector           { return vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func sub(a, b vector) vector           { return vector{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func scale(k float64, a vector) vector { return vector{k * a[0], k * a[1], k * a[2]} }
func dot(a, b vector) float64          { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func unit(a vector) vector             { return scale(1/math.Sqrt(dot(a, a)), a) }

func cross(a, b vector) vector {
	return vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func angleBetween(a, b vector) float64 { return math.Acos(min(max(dot(unit(a), unit(b)), -1), 1)) }
