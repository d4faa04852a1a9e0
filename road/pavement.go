package road

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/tire"
)

// Locator is a ground that can locate a point along its road. Locate is called in every tick.
type Locator interface {
	// Locate returns the station of p and its distance to the left of the road's center line [m].
	Locate(p r3.Vec) (along, across float64)
}

// Pavement is a ground plus the heights of its surfaces: their random roughness and their profiles.
// Profiles run along the road or, if the ground is no Locator, along the world's x.
//
// Heights are added along the ground's normal at the contact point of the ground below, and the normal is
// tilted by their slopes. The contact is the tangent plane of the result, exact up to second order in the
// slope.
//
// A profile ends in a step where its surface ends. The roughness of all surfaces is the same random
// ground, scaled by each surface's class: between surfaces of one class there is no step.
type Pavement struct {
	ground          Ground
	surfaces        []Surface
	contactSurfaces []contactSurface // by material
	locator         Locator          // nil if profiles run along the world's x
	unevenness      *Unevenness      // nil if no surface is rough
	smooth          bool             // no surface adds a height
}

// contactSurface holds the properties of a surface that Touch uses.
type contactSurface struct {
	tire      tire.Surface
	roughness float64 // factor on the unevenness of class A
	profile   Profile
}

// isSmooth reports whether the surface adds no height.
func (k *contactSurface) isSmooth() bool { return k.roughness == 0 && k.profile.Kind == "" }

// maxSurfaces is the number of values that Contact.Material can have.
const maxSurfaces = 256

// Pave adds the heights of surfaces to a ground. list is in the order of Contact.Material; nil means the
// ground's own Surfaces. seed selects the random roughness. To add walls, pass the result to WithWalls.
func Pave(g Ground, list []Surface, seed uint64) (*Pavement, error) {
	return PaveWith(g, list, func() *Unevenness { return NewUnevenness(seed) })
}

// PaveWith is Pave with random roughness that the caller may have already. It calls unevenness once if a surface is
// rough, else never. An Unevenness does not change, so it may serve any number of grounds.
func PaveWith(g Ground, list []Surface, unevenness func() *Unevenness) (*Pavement, error) {
	if _, walls := g.(*GroundWithWalls); walls {
		return nil, errors.New("road: pave: the ground already has walls: pave it first, then add walls")
	}
	if list == nil {
		list = SurfacesOf(g)
	}
	if n := len(list); n == 0 || n > maxSurfaces {
		return nil, fmt.Errorf("road: pave: %d surfaces: must be 1 to %d", n, maxSurfaces)
	}
	p := &Pavement{ground: g, smooth: true}
	p.locator, _ = g.(Locator)
	for _, s := range list {
		if err := s.Validate(); err != nil {
			return nil, valid.WithPrefix("road: surface."+s.Name, err)
		}
		p.surfaces = append(p.surfaces, s.clone())
		k := contactSurface{s.Tire, s.Roughness.heightFactor(), s.Profile}
		if k.roughness != 0 && p.unevenness == nil {
			p.unevenness = unevenness()
		}
		p.smooth = p.smooth && k.isSmooth()
		p.contactSurfaces = append(p.contactSurfaces, k)
	}
	return p, nil
}

// Surfaces returns a copy of the list of surfaces.
func (p *Pavement) Surfaces() []Surface {
	list := slices.Clone(p.surfaces)
	for i := range list {
		list[i] = list[i].clone()
	}
	return list
}

// Base returns the ground below.
func (p *Pavement) Base() Ground { return p.ground }

// Touch returns the contact of the ground below, raised and tilted by the surface there. Materials without
// a surface add nothing.
func (p *Pavement) Touch(at r3.Vec) (c Contact) {
	p.touch(&c, at)
	return c
}

func (p *Pavement) touch(c *Contact, at r3.Vec) {
	Touch(p.ground, c, at)
	if int(c.Material) >= len(p.contactSurfaces) {
		return
	}
	k := &p.contactSurfaces[c.Material]
	c.Surface = k.tire
	if k.isSmooth() {
		return
	}
	z, gradient := p.height(k, c.Point)
	c.raise(at, z, gradient)
}

// height returns the height that a surface adds at a position [m], and the gradient of this height along
// the world's x and y.
func (p *Pavement) height(k *contactSurface, at r3.Vec) (z float64, gradient r3.Vec) {
	if k.roughness != 0 {
		z, gradient.X, gradient.Y = p.unevenness.Height(at.X, at.Y)
		z, gradient = k.roughness*z, r3.Scale(k.roughness, gradient)
	}
	if k.profile.Kind != "" {
		h, x, y := p.profileHeight(&k.profile, at)
		z, gradient.X, gradient.Y = z+h, gradient.X+x, gradient.Y+y
	}
	return z, gradient
}

// profileHeight returns the height of a profile at a position [m], and its slopes along the world's x and
// y.
func (p *Pavement) profileHeight(profile *Profile, at r3.Vec) (z, slopeX, slopeY float64) {
	if p.locator == nil {
		return profile.At(at.X, at.Y)
	}
	const step = 5e-3 // step of the finite difference [m]; the curve of a road is negligible over it
	along, across := p.locator.Locate(at)
	z, slopeAlong, slopeAcross := profile.At(along, across)
	if slopeAlong == 0 && slopeAcross == 0 {
		return z, 0, 0
	}
	along2, across2 := p.locator.Locate(r3.Vec{X: at.X + step, Y: at.Y, Z: at.Z})
	slopeX = slopeAlong*derivative(along, along2, step) + slopeAcross*derivative(across, across2, step)
	along2, across2 = p.locator.Locate(r3.Vec{X: at.X, Y: at.Y + step, Z: at.Z})
	slopeY = slopeAlong*derivative(along, along2, step) + slopeAcross*derivative(across, across2, step)
	return z, slopeX, slopeY
}

// derivative returns (to-from)/step, or 0 where the coordinate jumps, as a station does at the start of a
// lap.
func derivative(from, to, step float64) float64 {
	const maxDerivative = 3 // larger than at the inside of the tightest bend that a car can take
	s := (to - from) / step
	if !(math.Abs(s) <= maxDerivative) {
		return 0
	}
	return s
}

// raise moves c, the contact of p, along its normal by z [m] and tilts it by the gradient of z.
func (c *Contact) raise(p r3.Vec, z float64, gradient r3.Vec) {
	n := c.Normal
	gradient = r3.Sub(gradient, r3.Scale(r3.Dot(gradient, n), n))
	up := 1 / math.Sqrt(1+r3.Dot(gradient, gradient))
	c.Point = r3.Add(c.Point, r3.Scale(z, n))
	c.Normal = r3.Scale(up, r3.Sub(n, gradient))
	c.Depth = r3.Dot(r3.Sub(c.Point, p), c.Normal)
}
