package chassis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/road"
)

// AeroSurface is a wing, a splitter or whatever else of the car the air pushes
// at one place. Its forces grow with the square of the air's speed there,
// F = c·v², whatever way the air comes from: drag goes with the air, lift along
// the body's z.
//
// The place is counted from the middle of the front axle, on the ground below it,
// with the car at rest. Drag and lift are given as c or as an area, which is a
// coefficient times a reference area, c = density/2·area.
type AeroSurface struct {
	Name       string        `toml:"name"`
	X          float64       `toml:"x_m"`                   // ahead; all behind the front axle is negative
	Y          float64       `toml:"y_m"`                   // to the left
	Z          float64       `toml:"z_m"`                   // above the ground
	Drag       float64       `toml:"drag_ns2_per_m2"`       // c of the drag [N·s²/m²]
	Lift       float64       `toml:"lift_ns2_per_m2"`       // c of the lift, positive up: a wing that presses down has a negative one
	DragArea   float64       `toml:"drag_area_m2"`          // instead of c
	LiftArea   float64       `toml:"lift_area_m2"`          // instead of c, positive up
	RideHeight []HeightPoint `toml:"ride_height" most:"32"` // rising heights; none is a factor of 1 everywhere
}

// HeightPoint is a point of the factor on both forces of a surface over the
// height of its place above the ground: linear between the points, constant outside.
type HeightPoint struct {
	Height float64 `toml:"height_m"`
	Factor float64 `toml:"factor"`
}

// A tick has time for no more surfaces of a car, and points of each.
const (
	mostSurfaces = 32
	mostHeights  = 32
)

// Validate reports every parameter that is out of range.
func (a AeroSurface) Validate() error {
	return errors.Join(
		valid.InRange("x_m", a.X, -12, 5),
		valid.InRange("y_m", a.Y, -3, 3),
		valid.InRange("z_m", a.Z, 0, 4),
		valid.InRange("drag_ns2_per_m2", a.Drag, 0, 10),
		valid.InRange("lift_ns2_per_m2", a.Lift, -10, 10),
		valid.InRange("drag_area_m2", a.DragArea, 0, 15),
		valid.InRange("lift_area_m2", a.LiftArea, -15, 15),
		oneOf("drag_ns2_per_m2", a.Drag, "drag_area_m2", a.DragArea),
		oneOf("lift_ns2_per_m2", a.Lift, "lift_area_m2", a.LiftArea),
		validHeights(a.RideHeight),
	)
}

// oneOf reports a force that is given twice.
func oneOf(key string, v float64, other string, w float64) error {
	if v == 0 || w == 0 {
		return nil
	}
	return fmt.Errorf("%s = %g and %s = %g: give one of the two", key, v, other, w)
}

func validHeights(points []HeightPoint) error {
	errs := []error{valid.InRange("number of ride_height points", float64(len(points)), 0, mostHeights)}
	heights := curve.LineRange{List: "ride_height", X: "height_m", Least: 0, Most: 5, Gap: 1e-3, Y: "factor", Low: 0, High: 10}
	return errors.Join(append(errs, heights.Check(len(points),
		func(i int) (x, y float64) { return points[i].Height, points[i].Factor })...)...)
}

// ValidateSurfaces reports every surface that is out of range, and too many of them.
func ValidateSurfaces(list []AeroSurface) error {
	errs := []error{valid.InRange("number of aero surfaces", float64(len(list)), 0, mostSurfaces)}
	for i, a := range list {
		errs = append(errs, valid.Within(fmt.Sprintf("aero[%d]", i), a.Validate()))
	}
	return errors.Join(errs...)
}

// CloneSurfaces returns surfaces with lists of their own.
func CloneSurfaces(list []AeroSurface) []AeroSurface {
	list = slices.Clone(list)
	for i := range list {
		list[i].RideHeight = slices.Clone(list[i].RideHeight)
	}
	return list
}

// vane is a surface as a tick needs it.
type vane struct {
	at         r3.Vec     // from the centre of mass [m, body]
	drag, lift float64    // c [N·s²/m²]
	heights    curve.Line // factor over the height; empty without
	twin       bool       // the next one is its mirror image
}

// newVanes places the surfaces. A surface and its mirror image on the other side
// become neighbours, which are summed first, so that a mirrored car adds the same numbers.
func newVanes(k *Spec) []vane {
	rest := slices.Clone(k.Aero)
	var list []vane
	for len(rest) > 0 {
		a := rest[0]
		rest = rest[1:]
		twin := slices.IndexFunc(rest, a.mirrors)
		list = append(list, a.vane(k, twin >= 0))
		if twin >= 0 {
			list = append(list, rest[twin].vane(k, false))
			rest = slices.Delete(rest, twin, twin+1)
		}
	}
	return list
}

// mirrors reports whether b is the same on the other side of the car.
func (a AeroSurface) mirrors(b AeroSurface) bool {
	return a.Y != 0 && a.Y == -b.Y && a.X == b.X && a.Z == b.Z && a.Drag == b.Drag && a.Lift == b.Lift &&
		a.DragArea == b.DragArea && a.LiftArea == b.LiftArea && slices.Equal(a.RideHeight, b.RideHeight)
}

func (a AeroSurface) vane(k *Spec, twin bool) vane {
	half := k.Air.Density / 2
	var heights curve.Line
	for _, at := range a.RideHeight {
		heights.Add(at.Height, at.Factor)
	}
	return vane{
		at:      r3.Vec{X: a.X + k.CGToFront, Y: a.Y - k.CGLeft, Z: a.Z - k.CGHeight},
		drag:    a.Drag + half*a.DragArea, // one of the two is 0
		lift:    a.Lift + half*a.LiftArea,
		heights: heights,
		twin:    twin,
	}
}

// Air adds to sum what the air does to the body in a tick: the drag of the whole, which
// attacks at the centre of mass, and each surface at its place. shelter is the share
// of all this that another car ahead keeps off, 0..1.
func (c *Body) Air(sum *Wrench, s *State, b *Axes, tick uint64, shelter float64) {
	flow := r3.Sub(s.Vel, c.wind.at(tick))
	open := 1 - shelter
	sum.Force = r3.Add(sum.Force, r3.Scale(open, c.drag(flow)))
	if len(c.vanes) == 0 {
		return
	}
	spin := b.Out(s.Rate)
	for i := 0; i < len(c.vanes); i++ {
		push := c.vane(&c.vanes[i], s.Pos, flow, spin, b, open)
		if c.vanes[i].twin {
			i++
			push = push.Plus(c.vane(&c.vanes[i], s.Pos, flow, spin, b, open))
		}
		*sum = sum.Plus(push)
	}
}

// drag returns the force of the air on the whole body [N, world]; flow is the
// body's velocity through the air [m/s, world].
func (c *Body) drag(flow r3.Vec) r3.Vec {
	speed := math.Sqrt(r3.Dot(flow, flow))
	return r3.Scale(-0.5*c.dense*c.p.DragArea*speed, flow)
}

// vane returns what the air does to one surface of a body at pos that moves by
// flow through the air and turns by spin, all in the world; open is the share of
// the air that meets it.
func (c *Body) vane(v *vane, pos, flow, spin r3.Vec, b *Axes, open float64) Wrench {
	arm := b.Out(v.at)
	flow = r3.Add(flow, r3.Cross(spin, arm))
	square := r3.Dot(flow, flow)
	if len(v.heights.X) > 0 {
		open *= v.heights.At(height(c.ground, r3.Add(pos, arm)))
	}
	drag := r3.Scale(-open*v.drag*math.Sqrt(square), flow)
	up := r3.Dot(flow, b.Z) // makes no lift: a car that falls gains nothing from its wings
	force := r3.Add(drag, r3.Scale(open*v.lift*(square-up*up), b.Z))
	return Wrench{Force: force, Moment: r3.Cross(arm, force)}
}

// height returns how far a place is above the ground [m].
func height(g road.Ground, at r3.Vec) float64 { return -g.Touch(at).Depth }
