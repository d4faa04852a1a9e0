package scene

import (
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// OtherCars are the other cars of a session as a picture shows them, the nearest first.
type OtherCars struct {
	Cars  [frame.MaxOthers]OtherCar
	Count int

	spin [frame.MaxOthers + 1]float64 // of the wheels, by slot [rad]
	seen time.Duration                // time of the last picture
}

// OtherCar is another car in a picture.
type OtherCar struct {
	*frame.OtherCar
	Pose
	spin     float64 // of the wheels [rad]
	opacity  float64 // 0..1
	distance float64 // from the own car [m]
}

// Update places the cars of a session in a picture that will be seen at a time of the clock of frame.Others.Due, around the own car. Cars of
// which nothing new is written go on for a moment, then fade; lost reports that. o must stay as it is while the cars are
// used.
func (c *OtherCars) Update(o *frame.Others, seen time.Duration, own Pose) (lost bool) {
	const longest, stale, fade = 0.05, 0.25, 0.5 // time ahead, and after which cars fade and how long that takes [s]
	age := (seen - time.Duration(o.Due)).Seconds()
	step := valid.Clamp((seen - c.seen).Seconds(), 0, 1)
	c.seen, c.Count = seen, 0
	kept := valid.Clamp(1-(age-stale)/fade, 0, 1)
	for i := range o.Count {
		car := &o.Cars[i]
		p := movedPose(car.Pos, car.Att, car.Vel, car.Rate, valid.Clamp(age, 0, longest))
		spin := &c.spin[car.Slot]
		forward := p.att.Rotate(mgl64.Vec3{1, 0, 0}).Dot(car.Vel)
		*spin = math.Mod(*spin+forward*step/car.WheelRadius, 2*math.Pi)
		if kept > 0 {
			c.insert(OtherCar{car, p, *spin, car.Opacity * kept, p.pos.Sub(own.pos).Len()})
		}
	}
	return age > stale
}

// insert adds a car, behind those that are nearer.
func (c *OtherCars) insert(car OtherCar) {
	i := c.Count
	for ; i > 0 && c.Cars[i-1].distance > car.distance; i-- {
		c.Cars[i] = c.Cars[i-1]
	}
	c.Cars[i] = car
	c.Count++
}

// Distance returns how far the car is from the own car [m].
func (c *OtherCar) Distance() float64 { return c.distance }

// Opacity returns how opaque the car is for an eye, 0..1: less where it would fill the view, or is in the same place as the own car.
func (c *OtherCar) Opacity(e Eye) float64 {
	const nearEye, eyeRange, nearCar, carRange = 0.3, 1.7, 0.5, 1.3 // [m]
	at, middle := c.body(e.Pos), c.CGToFront-c.Wheelbase/2
	outside := mgl64.Vec3{
		max(math.Abs(at[0]-middle)-c.Length/2, 0), max(math.Abs(at[1])-c.Width/2, 0), max(at[2]+c.CGHeight-c.Height, -c.CGHeight-at[2], 0),
	}
	clear := min((outside.Len()-nearEye)/eyeRange, (c.distance-nearCar)/carRange)
	return c.opacity * valid.Clamp(clear, 0, 1)
}

// InSight reports whether the car may be partly in a frustum and near enough to be seen.
func (c *OtherCar) InSight(e Eye, f *Frustum, d *Detail) bool {
	const margin, farthest = 1, 900 // [m]
	end := float64(farthest)
	if d.Range > 0 {
		end = d.Range
	}
	return c.pos.Sub(e.Pos).Len() < end && f.intersects(c.pos, c.Length/2+margin)
}

// Fine reports whether the car is so near that its wheels are seen to turn.
func (c *OtherCar) Fine(e Eye, d *Detail) bool { return c.pos.Sub(e.Pos).Len() < d.Road/5 }

// Wheel places the mesh of wheel i.
func (c *OtherCar) Wheel(i int) mgl64.Mat4 {
	hub, steer := mgl64.Vec3{c.CGToFront, c.Width/2 - 0.4*c.WheelRadius, c.WheelRadius - c.CGHeight}, c.Steer
	if i >= 2 {
		hub[0], steer = hub[0]-c.Wheelbase, 0
	}
	if i%2 == 1 {
		hub[1] = -hub[1]
	}
	return c.Matrix().Mul4(mgl64.Translate3D(hub[0], hub[1], hub[2])).Mul4(mgl64.HomogRotate3DZ(steer)).Mul4(mgl64.HomogRotate3DY(c.spin))
}

// Shadow places a square from -1 to 1 on the ground below the car, as its soft shadow.
func (c *OtherCar) Shadow() mgl64.Mat4 {
	const lift = 0.04 // above the ground, which the body's pitch may bring nearer [m]
	return c.Matrix().Mul4(mgl64.Translate3D(c.CGToFront-c.Wheelbase/2-0.15, -0.13, lift-c.CGHeight)).Mul4(mgl64.Scale3D(0.54*c.Length, 0.68*c.Width, 1))
}

// Above returns where the place above the roof is in a part of a window that shows the world in views, as shares of the part's width and height
// from its upper left, and how wide the car is there, as a share of the part's width. ok is false if no view shows that place.
func (c *OtherCar) Above(e Eye, views []screens.View, part screens.Part) (x, y, wide float64, ok bool) {
	const clear = 0.25 // [m]
	top := c.pos.Add(mgl64.Vec3{0, 0, c.Height - c.CGHeight + clear}).Vec4(1)
	for i := range views {
		lens, in := &views[i].Lens, &views[i].Part
		at := e.Through(lens).Mul4x1(top)
		if at[3] > 0 && math.Abs(at[0]) < at[3] && math.Abs(at[1]) < at[3] {
			right, up := (1+at[0]/at[3])/2, (1+at[1]/at[3])/2
			x, y = part.Share(in.Left+right*(in.Right-in.Left), in.Bottom+up*(in.Top-in.Bottom))
			wide = c.Width / at[3] / (lens.East - lens.West) * (in.Right - in.Left) / (part.Right - part.Left)
			return x, 1 - y, wide, true
		}
	}
	return 0, 0, 0, false
}
