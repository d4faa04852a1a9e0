package chassis

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
)

// Params are the mass properties and the dimensions of the whole car. Units are part of the keys.
type Params struct {
	Mass float64 `toml:"mass_kg" range:"100..20000" valid:"-"` // mass of the whole car with its wheels
	// moment of inertia in roll, about the center of mass. None of the three moments may exceed the sum of the
	// other two by more than 3 % of it, which no body does
	InertiaXX float64 `toml:"inertia_xx_kgm2" range:"10..100000" valid:"-"`
	InertiaYY float64 `toml:"inertia_yy_kgm2" range:"10..100000" valid:"-"` // moment of inertia in pitch
	InertiaZZ float64 `toml:"inertia_zz_kgm2" range:"10..100000" valid:"-"` // moment of inertia in yaw
	// integral of x·z over the mass, x forward, y left, z up; at most 0.3 of `inertia_xx_kgm2`, of either sign
	InertiaXZ float64 `toml:"inertia_xz_kgm2" range:"-30000..30000" valid:"-"`
	// integral of x·y over the mass; 0 if left and right are alike; at most what a body with these moments can
	// have
	InertiaXY float64 `toml:"inertia_xy_kgm2"`
	// integral of y·z over the mass; 0 if left and right are alike; at most what a body with these moments can
	// have
	InertiaYZ float64 `toml:"inertia_yz_kgm2"`
	// height of the center of mass above the ground at rest
	CGHeight  float64 `toml:"cg_height_m" range:"0.1..2" valid:"-"`
	Wheelbase float64 `toml:"wheelbase_m" range:"1..8"` // from the front axle to the rear axle
	// from the front axle back to the center of mass; 0.1..0.9 of the wheelbase
	CGToFront float64 `toml:"cg_to_front_m" range:"0.1..7.2" valid:"-"`
	// distance of the center of mass to the left of the car's middle. The springs are set so that the car
	// stands level; at most 0.2 of the track
	CGLeft     float64 `toml:"cg_left_m" range:"-0.6..0.6" valid:"-"`
	TrackFront float64 `toml:"track_front_m" range:"0.5..3"` // distance between the left and the right contact
	TrackRear  float64 `toml:"track_rear_m" range:"0.5..3"`  // distance between the left and the right contact
	// length of the body, for the display and, without a hull, for contact with ground and walls
	Length float64 `toml:"length_m" range:"1..12"`
	// width of the body, for the display and, without a hull, for contact with ground and walls
	Width float64 `toml:"width_m" range:"0.5..3"`
	// height of the body, for the display and, without a hull, for contact with ground and walls
	Height float64 `toml:"height_m" range:"0.3..4"`
	// where the driver's eyes are, for the display
	Eye Eye `toml:"eye"`
	// drag coefficient times frontal area of the whole car; the force acts at its center of mass
	DragArea float64 `toml:"drag_area_m2" range:"0..10"`
	Gravity  float64 `toml:"gravity_mps2" range:"0..100" valid:"-"` // acceleration of gravity
	// spinning wheels act as gyroscopes: in a bend they move about 2 % more load to the outside. Set `false`
	// to compare with models that leave this out
	Gyroscopes bool `toml:"wheel_gyroscopes"`

	// parts of the car; if there are any, mass, center of mass and inertia follow from them
	Parts []Part `toml:"part" count:"0..256" valid:"-"`
	// shift of the center of mass by [x, y, z]; the moments of inertia stay the same; the height must be -1..2
	// after that
	ComOffset []float64 `toml:"com_offset_m" count:"0 or 3" valid:"-"`
}

// Eye is where the driver's eyes are. 0 takes a value from the size of the body.
type Eye struct {
	Ahead  float64 `toml:"ahead_m" range:"-6..6"` // ahead of the center of mass; negative behind it; 0: from the length of the body
	Left   float64 `toml:"left_m" range:"-2..2"`  // to the left of the car's middle; negative to the right; 0: from the width of the body
	Height float64 `toml:"height_m" range:"0..4"` // above the ground at rest; 0: from the height of the body
}

// Part is a part of the car with a mass of its own, such as body, engine, driver or ballast. It is a
// homogeneous box whose edges are parallel to the car's axes.
type Part struct {
	Name string  `toml:"name"`                        // name of the part; it has no effect
	Mass float64 `toml:"mass_kg" range:"0.01..20000"` // mass of the part
	// center of the part ahead of the front axle; negative behind it
	X float64 `toml:"x_m" range:"-12..5"`
	// center of the part to the left of the car's middle
	Y float64 `toml:"y_m" range:"-2..2"`
	Z float64 `toml:"z_m" range:"0..4"` // center of the part above the ground at rest
	// size along x of the box that the mass fills evenly; 0 for a point mass
	Length float64 `toml:"length_m" range:"0..12"`
	Width  float64 `toml:"width_m" range:"0..4"`  // size along y
	Height float64 `toml:"height_m" range:"0..4"` // size along z
}

// Validate reports every parameter that is out of range.
func (k Part) Validate() error {
	return valid.Struct(k)
}

// Validate returns an error that names every parameter that is out of range, and every impossible property of
// the car that results from its parts.
func (p Params) Validate() error {
	return errors.Join(
		valid.Struct(p),
		p.checkMass(),
		p.ValidateParts(),
	)
}

// ValidateMass returns an error that names every mass property of a resolved car that is out of range.
func (p Params) ValidateMass() error { return errors.Join(p.checkMass(), p.checkAxleLoads()) }

// checkMass returns an error that names every mass property that is out of range or impossible.
func (p Params) checkMass() error {
	return errors.Join(
		valid.Fields(p, "mass_kg", "inertia_xx_kgm2", "inertia_yy_kgm2", "inertia_zz_kgm2", "cg_height_m"),
		valid.InRange("inertia_xz_kgm2", p.InertiaXZ, -0.3*p.InertiaXX, 0.3*p.InertiaXX),
		p.checkInertia(),
		p.checkAxleLoads(),
	)
}

// checkAxleLoads returns an error if the center of mass is so far out that an axle or a side hardly has load.
func (p Params) checkAxleLoads() error {
	side := min(p.TrackFront, p.TrackRear) / 5
	return errors.Join(
		valid.InRange("cg_to_front_m", p.CGToFront, 0.1*p.Wheelbase, 0.9*p.Wheelbase),
		valid.InRange("cg_left_m", p.CGLeft, -side, side),
	)
}

// checkInertia returns an error for moments and products of inertia that no body can have.
//
// The integrals of x², y², z², x·y, y·z and x·z over the mass form a matrix that has no negative eigenvalues.
// Its diagonal limits each moment of inertia to the sum of the other two, within the accuracy of published
// figures. Its minors limit the products of inertia.
func (p Params) checkInertia() error {
	x := (p.InertiaYY + p.InertiaZZ - p.InertiaXX) / 2
	y := (p.InertiaZZ + p.InertiaXX - p.InertiaYY) / 2
	z := (p.InertiaXX + p.InertiaYY - p.InertiaZZ) / 2
	sum := x + y + z
	if !(sum > 0 && sum < 1e6) { // checkMass has reported them as out of range
		return nil
	}
	const tolerance = 0.03 // published data combine roll and pitch of the sprung body with yaw of the whole car
	shortfall := max(0, -min(x, y, z))
	if shortfall > tolerance*sum {
		return fmt.Errorf("inertia_xx_kgm2 = %g, inertia_yy_kgm2 = %g, inertia_zz_kgm2 = %g: no body has these: none may exceed the sum of the other two",
			p.InertiaXX, p.InertiaYY, p.InertiaZZ)
	}
	x, y, z = x+shortfall, y+shortfall, z+shortfall
	slack := 1e-9 * sum // rounding error that is allowed, for flat bodies
	xy, yz, xz := p.InertiaXY, p.InertiaYZ, p.InertiaXZ
	limit := func(a, b float64) float64 { return math.Sqrt(max(a*b, 0)) + slack }
	if err := errors.Join(
		valid.InRange("inertia_xy_kgm2", xy, -limit(x, y), limit(x, y)),
		valid.InRange("inertia_yz_kgm2", yz, -limit(y, z), limit(y, z)),
	); err != nil {
		return err
	}
	volume := x*(y*z-yz*yz) - xy*(xy*z-yz*xz) + xz*(xy*yz-y*xz)
	if volume < -slack*sum*sum || p.principalRatio() < 1e-6 {
		return fmt.Errorf("inertia_xy_kgm2 = %g, inertia_yz_kgm2 = %g, inertia_xz_kgm2 = %g: no car with these moments has all three: make them smaller",
			xy, yz, xz)
	}
	return nil
}

// principalRatio returns the product of the principal moments of inertia over the product of the given moments
// xx, yy and zz. It is 1 without products of inertia and 0 for a thin rod.
func (p Params) principalRatio() float64 {
	xx, yy, zz := p.InertiaXX, p.InertiaYY, p.InertiaZZ
	xy, yz, xz := p.InertiaXY, p.InertiaYZ, p.InertiaXZ
	return (xx*(yy*zz-yz*yz) - xy*(xy*zz+yz*xz) - xz*(xy*yz+yy*xz)) / (xx * yy * zz)
}

// ValidateParts returns an error that names what is wrong with gravity, with the parts, and with the car that
// results from parts and com_offset_m.
func (p Params) ValidateParts() error {
	if err := valid.Fields(p, "gravity_mps2", "part", "com_offset_m"); err != nil {
		return err
	}
	if len(p.Parts) > 0 {
		p = p.SumParts()
		if err := valid.WithPrefix("parts", p.checkMass()); err != nil {
			return err
		}
	}
	if len(p.ComOffset) == 0 {
		return nil
	}
	p = p.withOffset()
	err := errors.Join(p.checkAxleLoads(), valid.InRange("cg_height_m", p.CGHeight, -1, 2))
	if err != nil {
		err = fmt.Errorf("com_offset_m makes %w", err)
	}
	return err
}

// Resolved returns p with Parts and ComOffset merged into mass, center of mass and inertia; both are empty in
// the result.
func (p Params) Resolved() Params {
	p = p.SumParts()
	if len(p.ComOffset) > 0 {
		p = p.withOffset()
	}
	return p
}

// SumParts returns p with the mass, the center of mass and the inertia of all its parts (by the parallel-axis
// theorem), and without parts. If p has no parts, it returns p unchanged.
func (p Params) SumParts() Params {
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

// withOffset returns p with its center of mass moved by ComOffset. The inertia stays the same, as the key
// promises, although that is not physical.
func (p Params) withOffset() Params {
	offset := p.ComOffset
	p.CGToFront -= offset[0]
	p.CGLeft += offset[1]
	p.CGHeight += offset[2]
	p.ComOffset = nil
	return p
}

// WithoutMass returns p without a point mass [kg] at the position r from the center of mass [m, body]. Mass,
// center of mass and inertia change by the parallel-axis theorem. p must come from Resolved, so that these
// values already include all parts.
func (p Params) WithoutMass(mass float64, r r3.Vec) Params {
	remaining := p.Mass - mass
	// About the new center of mass, the removed inertia is that of the reduced mass at r.
	reducedMass := mass * p.Mass / remaining
	p.InertiaXX -= reducedMass * (r.Y*r.Y + r.Z*r.Z)
	p.InertiaYY -= reducedMass * (r.Z*r.Z + r.X*r.X)
	p.InertiaZZ -= reducedMass * (r.X*r.X + r.Y*r.Y)
	p.InertiaXY -= reducedMass * r.X * r.Y
	p.InertiaYZ -= reducedMass * r.Y * r.Z
	p.InertiaXZ -= reducedMass * r.X * r.Z
	shift := r3.Scale(-mass/remaining, r) // shift of the center of mass
	p.Mass = remaining
	p.CGToFront -= shift.X
	p.CGLeft += shift.Y
	p.CGHeight += shift.Z
	return p
}
