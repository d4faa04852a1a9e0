package chassis

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/valid"
)

// Params are the whole car's mass and measures. Units are in the keys.
type Params struct {
	Mass       float64 `toml:"mass_kg"`
	InertiaXX  float64 `toml:"inertia_xx_kgm2"` // roll, about the centre of mass
	InertiaYY  float64 `toml:"inertia_yy_kgm2"` // pitch
	InertiaZZ  float64 `toml:"inertia_zz_kgm2"` // yaw
	InertiaXZ  float64 `toml:"inertia_xz_kgm2"` // integral of x·z over the mass
	InertiaXY  float64 `toml:"inertia_xy_kgm2"` // of x·y; 0 where left and right are alike
	InertiaYZ  float64 `toml:"inertia_yz_kgm2"` // of y·z; the same
	CGHeight   float64 `toml:"cg_height_m"`     // above the ground at rest
	Wheelbase  float64 `toml:"wheelbase_m"`
	CGToFront  float64 `toml:"cg_to_front_m"` // centre of mass to front axle
	CGLeft     float64 `toml:"cg_left_m"`     // centre of mass to the left of the car's middle
	TrackFront float64 `toml:"track_front_m"`
	TrackRear  float64 `toml:"track_rear_m"`
	Length     float64 `toml:"length_m"` // of the body, drawn and scraped
	Width      float64 `toml:"width_m"`
	Height     float64 `toml:"height_m"`
	DragArea   float64 `toml:"drag_area_m2"` // drag coefficient times frontal area
	Gravity    float64 `toml:"gravity_mps2"`
	Gyroscopes bool    `toml:"wheel_gyroscopes"` // wheels that turn resist being turned about other axes; false as models without it

	Parts     []Part    `toml:"part" most:"256"` // where given, mass, centre of mass and inertia are theirs
	ComOffset []float64 `toml:"com_offset_m"`    // moves the centre of mass by x, y, z, and nothing else
}

// Part is a piece of the car's mass: body, engine, driver, ballast. It is a box
// that its mass fills evenly, along the car's axes.
type Part struct {
	Name   string  `toml:"name"`
	Mass   float64 `toml:"mass_kg"`
	X      float64 `toml:"x_m"`      // its centre ahead of the front axle, behind it negative
	Y      float64 `toml:"y_m"`      // to the left of the car's middle
	Z      float64 `toml:"z_m"`      // above the ground at rest
	Length float64 `toml:"length_m"` // along x; 0 for a point
	Width  float64 `toml:"width_m"`  // along y
	Height float64 `toml:"height_m"` // along z
}

// Validate reports every parameter that is out of range.
func (k Part) Validate() error {
	return errors.Join(
		valid.InRange("mass_kg", k.Mass, 0.01, 20e3),
		valid.InRange("x_m", k.X, -12, 5),
		valid.InRange("y_m", k.Y, -2, 2),
		valid.InRange("z_m", k.Z, 0, 4),
		valid.InRange("length_m", k.Length, 0, 12),
		valid.InRange("width_m", k.Width, 0, 4),
		valid.InRange("height_m", k.Height, 0, 4),
	)
}

// Validate reports every parameter that is out of range, and a car that no parts make.
func (p Params) Validate() error {
	return errors.Join(
		p.massInRange(),
		valid.InRange("wheelbase_m", p.Wheelbase, 1, 8),
		valid.InRange("track_front_m", p.TrackFront, 0.5, 3),
		valid.InRange("track_rear_m", p.TrackRear, 0.5, 3),
		valid.InRange("length_m", p.Length, 1, 12),
		valid.InRange("width_m", p.Width, 0.5, 3),
		valid.InRange("height_m", p.Height, 0.3, 4),
		valid.InRange("drag_area_m2", p.DragArea, 0, 10),
		p.ValidateParts(),
	)
}

// ValidateMass reports every property of the finished car's mass that is out of range.
func (p Params) ValidateMass() error { return errors.Join(p.massInRange(), p.standsOnAll()) }

// massInRange reports every property of the mass that is out of range.
func (p Params) massInRange() error {
	return errors.Join(
		valid.InRange("mass_kg", p.Mass, 100, 20e3),
		valid.InRange("inertia_xx_kgm2", p.InertiaXX, 10, 100e3),
		valid.InRange("inertia_yy_kgm2", p.InertiaYY, 10, 100e3),
		valid.InRange("inertia_zz_kgm2", p.InertiaZZ, 10, 100e3),
		valid.InRange("inertia_xz_kgm2", p.InertiaXZ, -0.3*p.InertiaXX, 0.3*p.InertiaXX),
		p.possible(),
		valid.InRange("cg_height_m", p.CGHeight, 0.1, 2),
		p.standsOnAll(),
	)
}

// standsOnAll reports a centre of mass that leaves an axle or a side without load.
func (p Params) standsOnAll() error {
	side := min(p.TrackFront, p.TrackRear) / 5
	return errors.Join(
		valid.InRange("cg_to_front_m", p.CGToFront, 0.1*p.Wheelbase, 0.9*p.Wheelbase),
		valid.InRange("cg_left_m", p.CGLeft, -side, side),
	)
}

// possible refuses an inertia that no body has. The integrals of x², y², z² and
// of the products over the mass form a matrix without a negative eigenvalue:
// from its diagonal follows that no moment of inertia exceeds the sum of the
// other two by more than figures differ, from its minors how large the products can be.
func (p Params) possible() error {
	x := (p.InertiaYY + p.InertiaZZ - p.InertiaXX) / 2
	y := (p.InertiaZZ + p.InertiaXX - p.InertiaYY) / 2
	z := (p.InertiaXX + p.InertiaYY - p.InertiaZZ) / 2
	sum := x + y + z
	if !(sum > 0 && sum < 1e6) { // nothing to compare: out of range as they are
		return nil
	}
	const mixed = 0.03 // published sets give the sprung body's roll and pitch beside the whole car's yaw
	lack := max(0, -min(x, y, z))
	if lack > mixed*sum {
		return fmt.Errorf("inertia_xx_kgm2 = %g, inertia_yy_kgm2 = %g, inertia_zz_kgm2 = %g: no body has these: none may exceed the sum of the other two",
			p.InertiaXX, p.InertiaYY, p.InertiaZZ)
	}
	x, y, z = x+lack, y+lack, z+lack
	slack := 1e-9 * sum // of rounding, for flat bodies
	xy, yz, xz := p.InertiaXY, p.InertiaYZ, p.InertiaXZ
	most := func(a, b float64) float64 { return math.Sqrt(max(a*b, 0)) + slack }
	if err := errors.Join(
		valid.InRange("inertia_xy_kgm2", xy, -most(x, y), most(x, y)),
		valid.InRange("inertia_yz_kgm2", yz, -most(y, z), most(y, z)),
	); err != nil {
		return err
	}
	volume := x*(y*z-yz*yz) - xy*(xy*z-yz*xz) + xz*(xy*yz-y*xz)
	if volume < -slack*sum*sum || p.rounded() < 1e-6 {
		return fmt.Errorf("inertia_xy_kgm2 = %g, inertia_yz_kgm2 = %g, inertia_xz_kgm2 = %g: no car with these moments has all three: make them smaller",
			xy, yz, xz)
	}
	return nil
}

// rounded returns the product of the principal moments of inertia over that of
// the given ones: 1 without products, 0 for a needle.
func (p Params) rounded() float64 {
	xx, yy, zz := p.InertiaXX, p.InertiaYY, p.InertiaZZ
	xy, yz, xz := p.InertiaXY, p.InertiaYZ, p.InertiaXZ
	return (xx*(yy*zz-yz*yz) - xy*(xy*zz+yz*xz) - xz*(xy*yz+yy*xz)) / (xx * yy * zz)
}

// ValidateParts reports what is wrong with gravity, the parts, and what they and
// the offset make of the car.
func (p Params) ValidateParts() error {
	errs := []error{valid.InRange("gravity_mps2", p.Gravity, 0, 100)}
	if n := len(p.ComOffset); n != 0 && n != 3 {
		errs = append(errs, fmt.Errorf("com_offset_m has %d values: give three, [x, y, z]", n))
	}
	for i, part := range p.Parts {
		errs = append(errs, valid.Within(fmt.Sprintf("part[%d]", i), part.Validate()))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if len(p.Parts) > 0 {
		p = p.Summed()
		if err := valid.Within("parts", p.massInRange()); err != nil {
			return err
		}
	}
	if len(p.ComOffset) == 0 {
		return nil
	}
	p = p.moved()
	err := errors.Join(p.standsOnAll(), valid.InRange("cg_height_m", p.CGHeight, -1, 2))
	if err != nil {
		err = fmt.Errorf("com_offset_m makes %w", err)
	}
	return err
}

// Settled returns the car that p describes without parts and offset.
func (p Params) Settled() Params {
	p = p.Summed()
	if len(p.ComOffset) > 0 {
		p = p.moved()
	}
	return p
}

// Summed returns p with the mass, the centre of mass and the inertia of its
// parts, by the parallel-axis theorem, and p itself where it has none.
func (p Params) Summed() Params {
	if len(p.Parts) == 0 {
		return p
	}
	var mass, x, y, z float64
	for i := range p.Parts {
		k := &p.Parts[i]
		mass += k.Mass
		x += k.Mass * k.X
		y += k.Mass * k.Y
		z += k.Mass * k.Z
	}
	x, y, z = x/mass, y/mass, z/mass
	var xx, yy, zz, xy, yz, xz float64 // integrals of x², y² … over the mass
	for i := range p.Parts {
		k := &p.Parts[i]
		dx, dy, dz := k.X-x, k.Y-y, k.Z-z
		xx += k.Mass * (dx*dx + k.Length*k.Length/12)
		yy += k.Mass * (dy*dy + k.Width*k.Width/12)
		zz += k.Mass * (dz*dz + k.Height*k.Height/12)
		xy += k.Mass * dx * dy
		yz += k.Mass * dy * dz
		xz += k.Mass * dx * dz
	}
	p.Mass, p.CGToFront, p.CGLeft, p.CGHeight = mass, -x, y, z
	p.InertiaXX, p.InertiaYY, p.InertiaZZ = yy+zz, zz+xx, xx+yy
	p.InertiaXY, p.InertiaYZ, p.InertiaXZ = xy, yz, xz
	p.Parts = nil
	return p
}

// moved returns p with its centre of mass moved as asked, and with the inertia
// left as it was: no real body does that.
func (p Params) moved() Params {
	by := p.ComOffset
	p.CGToFront -= by[0]
	p.CGLeft += by[1]
	p.CGHeight += by[2]
	p.ComOffset = nil
	return p
}

// Without returns a car without parts and offset that lacks a mass [kg] at a place [m, body,
// from the centre of mass]: it is taken out of mass, centre of mass and inertia, by the
// parallel-axis theorem.
func (p Params) Without(less float64, r r3.Vec) Params {
	left := p.Mass - less
	// About the new centre of mass, a point mass counts by the reduced mass.
	k := less * p.Mass / left
	p.InertiaXX -= k * (r.Y*r.Y + r.Z*r.Z)
	p.InertiaYY -= k * (r.Z*r.Z + r.X*r.X)
	p.InertiaZZ -= k * (r.X*r.X + r.Y*r.Y)
	p.InertiaXY -= k * r.X * r.Y
	p.InertiaYZ -= k * r.Y * r.Z
	p.InertiaXZ -= k * r.X * r.Z
	by := r3.Scale(-less/left, r) // of the centre of mass
	p.Mass = left
	p.CGToFront -= by.X
	p.CGLeft += by.Y
	p.CGHeight += by.Z
	return p
}
