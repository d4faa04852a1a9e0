package sim

import (
	"math"

	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// The reference car is parameter set 2 (BMW 320i) of CommonRoad vehicle models
// 2020a in their multi-body model. These are its published values, in SI units.
const (
	refMass     = 1093.2952334674046
	refUnsprung = 63.7921826056784 // of each axle
	refFront    = 1.1561957064     // center of mass to the front axle
	refRear     = 1.4227170936
	refHeight   = 0.5748689544
	refYaw      = 1791.5995300122856
	refTrackF   = 1.38684
	refTrackR   = 1.36398
	refRadius   = 0.344
	refTireRate = 158294.1398119115
	refJoint    = 175186.65943700788
	refSwing    = 10215.732056044453
	refBraking  = 0.66 // share of the front
)

// refCar returns the reference car in this package's terms. Springs, dampers,
// axle masses, joints, tires, track, wheelbase, height, camber gains and yaw inertia
// are the published ones. What is not:
//
//   - Roll and pitch inertia are the sums of the published parts: 207.3 of the body
//     and 30.7, 29.7 of the axles about their middle, all by the parallel axis; 1565.8 likewise.
//   - The original's static wheel loads put the center of mass 1.17178 m behind the front
//     axle, while its yaw moments are taken about one 1.1562 m behind. The former is
//     taken here, and side forces count for 1.1 % less in front and 1.35 % more behind:
//     these are the ratios of the levers.
//   - Roll center heights: in the original the tires' slip leaves out the body's roll
//     and keeps the axle's. A roll center near the center of mass does that.
//   - Overturning (published 1.64e-5 1/N) and bars (published -6915 and -2644 N·m/rad
//     against the spring's own) are effective: the original's load moments are taken about the
//     middle of the axle, which its shift of up to 0.11 m leaves where it is; here the
//     contacts move with the roll center, and the weight on them with it.
//   - The height of application and the lean of the joints answer for the same at
//     large angles; the lean makes roll grow as much faster than the lateral acceleration.
func refCar() Params {
	const gravity = 9.81
	p := DefaultCar()
	p.Gyroscopes = false
	p.Mass, p.Gravity, p.DragArea = refMass, gravity, 0
	p.InertiaXX, p.InertiaYY, p.InertiaZZ, p.InertiaXZ = 276, 1790, refYaw, 0
	p.Wheelbase, p.CGHeight, p.CGToFront = refFront+refRear, refHeight, 1.17178
	p.TrackFront, p.TrackRear = refTrackF, refTrackR
	p.Steering.Ratio, p.Steering.MaxSteer, p.Steering.Ackermann, p.Steering.CasterTrail = 1, 60, 0, 0
	p.Front = refAxle(refSide{spring: 24453.137879749014, damper: 1786.2441002440723, camber: -0.39370078740157477,
		bar: 1225, roll: 0.625, overturning: 2.51e-5, grip: 0.989})
	p.Rear = refAxle(refSide{spring: 19635.504745231297, damper: 1649.0833034887382, camber: -0.905511811023622,
		bar: -486, roll: 0.644, overturning: 2.71e-5, grip: 1.0135})
	return p
}

// refSide is what differs between the axles.
type refSide struct {
	spring, damper, camber       float64 // published; camber in rad/m
	bar, roll, overturning, grip float64 // effective
}

func refAxle(s refSide) suspension.Params {
	a := DefaultCar().Front
	a.SpringRate, a.BumpDamping, a.ReboundDamping, a.BarRate = s.spring, s.damper, s.damper, s.bar
	a.Travel, a.BumpStopTravel, a.TireRate, a.UnsprungMass = 0.6, 0.55, refTireRate, refUnsprung/2
	a.Wheel = tire.WheelParams{Radius: refRadius, Inertia: 1.7, RelaxationX: 0.02, RelaxationY: 0.02}
	a.Kinematics.CamberGain = s.camber * 180 / math.Pi
	a.Kinematics.RollCenter = s.roll
	a.Kinematics.ApplyForceDirectly, a.Kinematics.ForceHeight = true, 0.002
	a.Joint = suspension.Joint{Rate: refJoint, Damping: refSwing, LeanWithBody: 0.25, YawByTires: true}
	a.Tire.Model = "reference.tir"
	a.Tire.File = &tire.Tire{
		Name: "reference", Model: refTire{grip: s.grip, overturning: s.overturning}, NominalLoad: 3000, Radius: refRadius,
		Vertical: tire.VerticalParams{Radius: refRadius, Stiffness: refTireRate, NominalLoad: 3000, BReff: 1, DReff: 1e-12}, // rolls on its own radius
	}
	return a
}

// refTire is the reference's tire: the Magic Formula of P ch. 4 without any
// influence of the load, its shifts of side force turning over with the camber, and
// camber and longitudinal slip counted the other way than here. No property file can
// say the turning over.
type refTire struct{ grip, overturning float64 }

func (r refTire) Forces(c tire.Contact) tire.Forces {
	slip, alpha, camber := -c.Kappa, math.Atan(c.TanAlpha), -math.Asin(c.Gamma)
	const (
		muX, cx, ex, kx = 1.1739, 1.6411, 0.46403, 22.303
		cy, ey, ky      = 1.3507, -0.0074722, -21.92
	)
	muY := 1.0489 * (1 + 2.8821*camber*camber)
	way := math.Copysign(1, camber)
	if camber == 0 {
		way = 0
	}
	lean := math.Abs(camber)
	fx := muX * c.Load * math.Sin(refCurve(cx, kx/(cx*muX), ex, -slip+0.0012297)-8.8098e-06*c.Load)
	fy := muY*c.Load*math.Sin(refCurve(cy, ky/(cy*muY), ey, alpha+way*(0.0026747+0.031415*lean))) +
		way*c.Load*(0.037318-0.32931*lean)
	// combined slip: P (4.E50) to (4.E67)
	bx := 13.276 * math.Cos(math.Atan(-13.778*slip))
	fx *= math.Cos(refCurve(1.2568, bx, 0.65225, alpha+0.0050722)) / math.Cos(refCurve(1.2568, bx, 0.65225, 0.0050722))
	by := 7.1433 * math.Cos(math.Atan(9.1916*(alpha+0.027856)))
	fy *= math.Cos(refCurve(1.0719, by, -0.27572, slip+5.7448e-06)) / math.Cos(refCurve(1.0719, by, -0.27572, 5.7448e-06))
	ply := muY * c.Load * (-0.027825 - 0.27568*camber) * math.Cos(math.Atan(12.12*alpha))
	fy += ply * math.Sin(1.9*math.Atan(-10.704*slip))
	fy *= r.grip
	return tire.Forces{Fx: fx, Fy: fy, Mx: r.overturning * c.Load * fy}
}

// refCurve is the argument of the Magic Formula's sine.
func refCurve(c, b, e, x float64) float64 {
	x *= b
	return c * math.Atan(x-e*(x-math.Atan(x)))
}

func (r refTire) Capacity(c tire.Contact) tire.Capacity {
	return tire.Capacity{StiffnessX: 22.303 * c.Load, StiffnessY: 21.92 * c.Load, ForceX: 1.23 * c.Load, ForceY: 1.13 * c.Load, HalfLength: 0.06}
}
