package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

const hubHeight = 0.3 // of the kingpins here [m]

// pins returns the steering that holds the kingpins.
func pins(t *testing.T, s steering.Params) *steering.System {
	t.Helper()
	g, err := steering.New(s, steering.Geometry{Wheelbase: 2.66, Track: 1.52, HubHeight: [2]float64{hubHeight, hubHeight}}, Dt)
	if err != nil {
		t.Fatal(err)
	}
	return &g
}

// pin returns the left kingpin of a steering.
func pin(t *testing.T, edit func(*steering.Params)) *steering.Kingpin {
	s := steering.Default()
	s.CasterTrail = 0
	edit(&s)
	return pins(t, s).Kingpin(0)
}

// below is the contact of an upright wheel under its hub.
var below = r3.Vec{Z: -hubHeight}

// The law of the upright kingpin: the aligning moment less the side force on the trail.
func TestUprightKingpinFeelsMomentAndTrail(t *testing.T) {
	const trail, fx, fy, mz = 0.02, -500.0, 2400.0, -35.0
	k := pin(t, func(s *steering.Params) { s.CasterTrail = trail })
	for _, angle := range []float64{-0.4, 0, 0.5} {
		sin, cos := math.Sincos(angle)
		p := pressed(k, angle, below, r3.Vec{X: fx*cos - fy*sin, Y: fx*sin + fy*cos, Z: 4000}, r3.Vec{Z: mz})
		near.Value(t, "moment", p.steering(), mz-trail*fy, 1e-10)
	}
}

// A brake acts on the scrub radius at the ground, a drive shaft on that at the hub.
func TestBrakePullsAtTheGroundAndDriveAtTheHub(t *testing.T) {
	const scrub, force = 0.02, 3000.0
	lean := 13 * math.Pi / 180
	k := pin(t, func(s *steering.Params) { s.KingpinInclination, s.ScrubRadius = 13, scrub })

	brake := pressed(k, 0, below, r3.Vec{X: -force}, r3.Vec{})
	near.Value(t, "brake", brake.steering(), force*scrub*math.Cos(lean), 1e-10)

	drive := pressed(k, 0, below, r3.Vec{X: force}, r3.Vec{})
	drive.grip.shaftTorque = force * hubHeight
	near.Value(t, "drive", drive.steering(), -force*(scrub*math.Cos(lean)+hubHeight*math.Sin(lean)), 1e-10)
}

// One wheel brakes: 3000 N on 20 mm is 60 N·m. The rack moves 50 mm a turn, which
// with 14.5 turns of the steering wheel to one of the road wheel is an arm of 0.11539 m.
func TestOneSidedBrakingPullsTheSteeringWheel(t *testing.T) {
	c := newCar(t, steered(func(s *steering.Params) { s.ScrubRadius, s.CasterTrail = 0.02, 0 }), Dt)
	for i, side := range []float64{1, -1} {
		var s State
		var ps [2]pressedWheel
		ps[i] = pressed(c.steering.Kingpin(i), 0, below, r3.Vec{X: -3000, Z: 4000}, r3.Vec{})
		a := c.steer(&s, Input{})
		near.Value(t, "column torque", c.columnTorque(&s, &ps, &a), side*60/14.5, 1e-9)
		near.Value(t, "rack force", s.Steering.TireForce, side*520, 0.1)
	}
}

// A wheel's load does the work of lifting the car: its moment is the load times
// how fast the wheel's lowest point comes up to the kingpin's foot.
func TestLoadOnALeaningKingpinIsTheSlopeOfTheLift(t *testing.T) {
	const load, step = 4000.0, 1e-5
	k := pin(t, func(s *steering.Params) {
		s.CasterAngle, s.KingpinInclination, s.ScrubRadius, s.CasterTrail = 7, 14, 0.012, 0.025
	})
	hand := kingpinByHand(7, 14, 0.012, 0.025, 1)
	// The lowest point of a thin disc below its hub.
	lowest := func(angle float64) r3.Vec {
		axle := r3.NewRotation(angle, hand.axis).Rotate(r3.Vec{Y: 1})
		down := r3.Sub(r3.Scale(axle.Z, axle), r3.Vec{Z: 1})
		return r3.Scale(hubHeight/r3.Norm(down), down)
	}
	height := func(angle float64) float64 { return hand.toHub(angle, hubHeight).Z + lowest(angle).Z }
	for _, angle := range []float64{-0.5, -0.2, 0, 0.1, 0.6} {
		p := pressed(k, angle, lowest(angle), r3.Vec{Z: load}, r3.Vec{})
		want := load * (height(angle+step) - height(angle-step)) / (2 * step)
		near.Value(t, "moment", p.steering(), want, 1e-4)
	}
}

// On the road the car's own patches lead to the same: the column of a level car
// that stands still has what the kingpins' lift asks for.
func TestParkedCarLiftsItselfByTheSteeringWheel(t *testing.T) {
	c := newCar(t, steered(func(s *steering.Params) { s.KingpinInclination, s.CasterTrail = 14, 0 }), Dt)
	for _, wheel := range []float64{3, -6} {
		straight, turned := c.Rest(r3.Vec{}, 0), c.Rest(r3.Vec{}, 0)
		settle := func(s *State, to float64) {
			for s.Steer != to {
				c.Step(s, Input{Steer: s.Steer + min(max(to-s.Steer, -Dt), Dt)})
			}
			run(c, s, 3, Input{Steer: to})
		}
		settle(&straight, 0)
		settle(&turned, wheel)
		lifted := turned.Pos.Z - straight.Pos.Z
		lean, angle := 14*math.Pi/180, math.Abs(wheel)/14.5
		hub := c.steering.Kingpin(tire.FL).GroundToHub.Z
		tilt := math.Sin(2*lean) / 2 * (1 - math.Cos(angle))
		front := hub*math.Sin(lean)*math.Sin(lean)*(1-math.Cos(angle)) - hub*(1-math.Sqrt(1-tilt*tilt))
		near.Value(t, "lifted", lifted, front*1.36/2.66, 0.05*front)
	}
}
