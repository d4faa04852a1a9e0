package sim

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
)

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

// validChassis reports what is wrong with gravity, the parts, and what they and
// the offset make of the car.
func (p Params) validChassis() error {
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
		p = p.summed()
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

// settled returns the car that p describes without parts and offset, as heavy as its
// fuel leaves it at the start, and with the torque curve that it drives by.
func (p Params) settled() Params {
	if len(p.Parts) > 0 {
		p = p.summed()
	}
	if len(p.ComOffset) > 0 {
		p = p.moved()
	}
	p.Driveline.Torque = p.Driveline.Curve()
	return p.filled()
}

// summed returns p with the mass, the centre of mass and the inertia of its
// parts, by the parallel-axis theorem.
func (p Params) summed() Params {
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
