package chassis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim/curve"
)

// AeroSurface is a wing, a splitter or any other part of the car on which the air acts
// at one point. Its forces grow with the square of the air's speed there, F = c·v²,
// from whatever direction the air comes: drag acts along the flow, lift along the body's z.
//
// The point is given from the middle of the front axle, on the ground below it, with the
// car at rest. Drag and lift are given as c or as an area, which is a coefficient times a
// reference area: c = density/2·area.
type AeroSurface struct {
	Name string `toml:"name"` // name of the part; it has no effect
	// position ahead of the front axle with the car at rest; negative behind it
	X float64 `toml:"x_m" range:"-12..5"`
	Y float64 `toml:"y_m" range:"-3..3"` // position to the left of the car's middle
	Z float64 `toml:"z_m" range:"0..4"`  // height above the ground at rest
	// drag force in N for each (m/s)² of airspeed, against the airflow
	Drag float64 `toml:"drag_ns2_per_m2" range:"0..10"`
	// lift force along the body's z in N for each (m/s)² of the airspeed in the body's x-y plane; negative for
	// downforce
	Lift float64 `toml:"lift_ns2_per_m2" range:"-10..10"`
	// drag coefficient times area, instead of drag_ns2_per_m2. Half the air's density makes N for each (m/s)²
	// of it; never give both
	DragArea float64 `toml:"drag_area_m2" range:"0..15"`
	// lift coefficient times area, instead of lift_ns2_per_m2; negative for downforce
	LiftArea float64 `toml:"lift_area_m2" range:"-15..15"`
	// list of `{ height_m, factor }` with rising heights: factor (0..10) on both forces while the surface is
	// at that height (0..5) above the ground; linear between the points, constant outside
	RideHeight []HeightPoint `toml:"ride_height" count:"0..32"`
}

// HeightPoint is a point of the curve of the factor on both forces of a surface over its
// height above the ground: linear between the points, constant outside.
type HeightPoint struct {
	Height float64 `toml:"height_m" range:"0..5" valid:"-"` // height of the surface above the ground
	Factor float64 `toml:"factor" range:"0..10"`            // factor on drag and lift at this height
}

// Validate reports every parameter that is out of range.
func (a AeroSurface) Validate() error {
	return errors.Join(
		valid.Struct(a),
		checkNotBoth("drag_ns2_per_m2", a.Drag, "drag_area_m2", a.DragArea),
		checkNotBoth("lift_ns2_per_m2", a.Lift, "lift_area_m2", a.LiftArea),
		curve.CheckRising("ride_height", "height_m", a.RideHeight,
			func(p HeightPoint) float64 { return p.Height }, 1e-3),
	)
}

// checkNotBoth returns an error if both of two keys that exclude each other are given. v and w are their
// values.
func checkNotBoth(key string, v float64, other string, w float64) error {
	if v == 0 || w == 0 {
		return nil
	}
	return fmt.Errorf("%s = %g and %s = %g: give one of the two", key, v, other, w)
}

// CloneSurfaces returns a deep copy.
func CloneSurfaces(list []AeroSurface) []AeroSurface {
	list = slices.Clone(list)
	for i := range list {
		list[i].RideHeight = slices.Clone(list[i].RideHeight)
	}
	return list
}

// surface is an AeroSurface in the form that a tick needs.
type surface struct {
	at         r3.Vec     // from the center of mass [m, body]
	drag, lift float64    // c [N·s²/m²]
	heights    curve.Line // factor over the height; empty for a factor of 1
	paired     bool       // the next surface is its mirror image
}

// newSurfaces prepares the surfaces of a body for the tick. It puts the mirror image of a surface next to it:
// AddAir adds the forces of the two first, so that a mirrored car adds the same numbers.
func newSurfaces(k *Spec) []surface {
	remaining := slices.Clone(k.Aero)
	var list []surface
	for len(remaining) > 0 {
		a := remaining[0]
		remaining = remaining[1:]
		image := slices.IndexFunc(remaining, a.mirrors)
		list = append(list, a.prepare(k, image >= 0))
		if image >= 0 {
			list = append(list, remaining[image].prepare(k, false))
			remaining = slices.Delete(remaining, image, image+1)
		}
	}
	return list
}

// mirrors reports whether b is the mirror image of a on the other side of the car.
func (a AeroSurface) mirrors(b AeroSurface) bool {
	return a.Y != 0 && a.Y == -b.Y && a.X == b.X && a.Z == b.Z && a.Drag == b.Drag && a.Lift == b.Lift &&
		a.DragArea == b.DragArea && a.LiftArea == b.LiftArea && slices.Equal(a.RideHeight, b.RideHeight)
}

// prepare returns the surface as the tick needs it. paired must be true if the next surface of the list is its
// mirror image.
func (a AeroSurface) prepare(k *Spec, paired bool) surface {
	half := k.Air.Density / 2
	var heights curve.Line
	for _, at := range a.RideHeight {
		heights.Add(at.Height, at.Factor)
	}
	return surface{
		at:      r3.Vec{X: a.X + k.CGToFront, Y: a.Y - k.CGLeft, Z: a.Z - k.CGHeight},
		drag:    a.Drag + half*a.DragArea, // one of the two is 0
		lift:    a.Lift + half*a.LiftArea,
		heights: heights,
		paired:  paired,
	}
}

// AddAir adds the aerodynamic forces on the body to sum: the drag of the whole body, which acts at the center
// of mass, and the forces on each surface. slipstream is the share of them that a car ahead removes, 0..1.
func (b *Body) AddAir(sum *Wrench, s *State, axes *Axes, tick uint64, slipstream float64) {
	flow := r3.Sub(s.Vel, b.wind.velocity(tick))
	exposed := 1 - slipstream
	sum.Force = r3.Add(sum.Force, r3.Scale(exposed, b.drag(flow)))
	if len(b.surfaces) == 0 {
		return
	}
	spin := axes.ToWorld(s.Rate)
	for i := 0; i < len(b.surfaces); i++ {
		force := b.surfaceForce(&b.surfaces[i], s.Pos, flow, spin, axes, exposed)
		if b.surfaces[i].paired {
			i++
			force = force.Plus(b.surfaceForce(&b.surfaces[i], s.Pos, flow, spin, axes, exposed))
		}
		*sum = sum.Plus(force)
	}
}

// drag returns the force of the air on the whole body [N, world]; flow is the
// body's velocity through the air [m/s, world].
func (b *Body) drag(flow r3.Vec) r3.Vec {
	speed := math.Sqrt(r3.Dot(flow, flow))
	return r3.Scale(-0.5*b.airDensity*b.p.DragArea*speed, flow)
}

// surfaceForce returns the force of the air on one surface. pos is the center of mass [m], flow
// its velocity through the air [m/s] and spin the angular velocity [rad/s], all in the world;
// exposed is the share of the force that the slipstream of a car ahead leaves, 0..1.
func (b *Body) surfaceForce(v *surface, pos, flow, spin r3.Vec, axes *Axes, exposed float64) Wrench {
	arm := axes.ToWorld(v.at)
	flow = r3.Add(flow, r3.Cross(spin, arm))
	speedSquared := r3.Dot(flow, flow)
	if len(v.heights.X) > 0 {
		exposed *= v.heights.At(height(b.ground, r3.Add(pos, arm)))
	}
	drag := r3.Scale(-exposed*v.drag*math.Sqrt(speedSquared), flow)
	vertical := r3.Dot(flow, axes.Z) // flow along z makes no lift, so that a falling car gains no energy from its wings
	force := r3.Add(drag, r3.Scale(exposed*v.lift*(speedSquared-vertical*vertical), axes.Z))
	return Wrench{Force: force, Moment: r3.Cross(arm, force)}
}

// height returns the height of a point above the ground [m].
func height(g road.Ground, at r3.Vec) float64 { return -g.Touch(at).Depth }
