package road

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/tire"
)

// Stationed is a ground that knows where along a road a place is. It is called in
// the loop.
type Stationed interface {
	// Locate returns the station of p and how far p is to the left of the road's
	// middle [m].
	Locate(p r3.Vec) (along, across float64)
}

// Pavement is a ground with the heights of its surfaces laid on it: their roughness,
// and their patterns along the road or, where the ground is not Stationed, along
// the world's x.
//
// Heights are added along the ground's normal, at the place that the ground itself
// gives as nearest, and the normal is tilted by their slopes. So a contact is the
// tangent of what is laid there, as exact as that of a wave on a plane: up to terms
// in the square of the slope.
//
// A surface begins where the ground says: its pattern ends there in a step. The
// roughness of all surfaces is one and the same ground, scaled by each one's class,
// so that a step from class to class is a share of a height, and none at all where
// the class stays.
type Pavement struct {
	ground   Ground
	surfaces []Surface
	coats    []coat
	road     Stationed // nil where the patterns lie along the world's x
	uneven   *Unevenness
	even     bool // no surface adds any height
}

// coat is a surface as a contact needs it.
type coat struct {
	tire    tire.Surface
	rough   float64 // factor on the unevenness
	profile Profile
}

func (k *coat) even() bool { return k.rough == 0 && k.profile.Kind == "" }

// mostSurfaces is what Contact.Material can count.
const mostSurfaces = 256

// Pave lays surfaces on a ground, in the order in which its contacts count them;
// nil stands for those that the ground tells of itself. The seed is that of the
// roughness. Walls go about the whole: Fence what Pave returns.
func Pave(g Ground, list []Surface, seed uint64) (*Pavement, error) {
	if _, walls := g.(*Fenced); walls {
		return nil, errors.New("road: pave: the ground has walls already: pave it first, then fence it")
	}
	if list == nil {
		list = SurfacesOf(g)
	}
	if n := len(list); n == 0 || n > mostSurfaces {
		return nil, fmt.Errorf("road: pave: %d surfaces: give 1 to %d", n, mostSurfaces)
	}
	p := &Pavement{ground: g, even: true}
	p.road, _ = g.(Stationed)
	for _, s := range list {
		if err := s.Validate(); err != nil {
			return nil, valid.Within("road: surface."+s.Name, err)
		}
		p.surfaces = append(p.surfaces, s.clone())
		k := coat{s.Tire, s.Rough.scale(), s.Profile}
		if k.rough != 0 && p.uneven == nil {
			p.uneven = NewUnevenness(seed)
		}
		p.even = p.even && k.even()
		p.coats = append(p.coats, k)
	}
	return p, nil
}

// Surfaces lists what the ground is made of.
func (p *Pavement) Surfaces() []Surface {
	list := slices.Clone(p.surfaces)
	for i := range list {
		list[i] = list[i].clone()
	}
	return list
}

// Base returns the ground below.
func (p *Pavement) Base() Ground { return p.ground }

// Touch returns the tangent of the surface laid where the ground below has its
// contact with p. A material beyond the list is bare ground.
func (p *Pavement) Touch(at r3.Vec) Contact {
	c := p.ground.Touch(at)
	if int(c.Material) >= len(p.coats) {
		return c
	}
	k := &p.coats[c.Material]
	c.Surface = k.tire
	if k.even() {
		return c
	}
	z, rise := p.height(k, c.Point)
	c.raise(at, z, rise)
	return c
}

// height returns what a coat adds to the ground at a place [m], and how that grows
// along the world's x and y.
func (p *Pavement) height(k *coat, at r3.Vec) (z float64, rise r3.Vec) {
	if k.rough != 0 {
		z, rise.X, rise.Y = p.uneven.Height(at.X, at.Y)
		z, rise = k.rough*z, r3.Scale(k.rough, rise)
	}
	if k.profile.Kind != "" {
		h, x, y := p.pattern(&k.profile, at)
		z, rise.X, rise.Y = z+h, rise.X+x, rise.Y+y
	}
	return z, rise
}

// pattern returns the height of a profile at a place of the road, and its slopes
// along the world's x and y.
func (p *Pavement) pattern(profile *Profile, at r3.Vec) (z, x, y float64) {
	if p.road == nil {
		return profile.At(at.X, at.Y)
	}
	const step = 5e-3 // [m], over which a road hardly bends
	along, across := p.road.Locate(at)
	z, a, b := profile.At(along, across)
	if a == 0 && b == 0 {
		return z, 0, 0
	}
	ahead, aside := p.road.Locate(r3.Vec{X: at.X + step, Y: at.Y, Z: at.Z})
	x = a*growth(along, ahead, step) + b*growth(across, aside, step)
	ahead, aside = p.road.Locate(r3.Vec{X: at.X, Y: at.Y + step, Z: at.Z})
	y = a*growth(along, ahead, step) + b*growth(across, aside, step)
	return z, x, y
}

// growth returns how a coordinate grows over a step; not where it jumps, as it does at
// the start of a lap.
func growth(from, to, step float64) float64 {
	const most = 3 // the inside of any bend that a car can take
	s := (to - from) / step
	if !(math.Abs(s) <= most) {
		return 0
	}
	return s
}

// raise makes c, the contact of p, one with the ground of c once it is higher by z
// along its normal, where z grows with the way over it by rise.
func (c *Contact) raise(p r3.Vec, z float64, rise r3.Vec) {
	n := c.Normal
	rise = r3.Sub(rise, r3.Scale(r3.Dot(rise, n), n))
	up := 1 / math.Sqrt(1+r3.Dot(rise, rise))
	c.Point = r3.Add(c.Point, r3.Scale(z, n))
	c.Normal = r3.Scale(up, r3.Sub(n, rise))
	c.Depth = r3.Dot(r3.Sub(c.Point, p), c.Normal)
}
