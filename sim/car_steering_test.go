package sim

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

const degree = math.Pi / 180 // [rad]

// steered returns the coupe with another steering.
func steered(edit func(*steering.Params)) Params {
	p := DefaultCar()
	edit(&p.Steering)
	return p
}

// everything gives a steering all that one can have.
func everything(s *steering.Params) {
	s.RatioTable = []steering.RatioPoint{{SteeringWheelAngle: 90, Ratio: 15}, {SteeringWheelAngle: 360, Ratio: 12}}
	s.Geometry = "linkage"
	s.CasterAngle, s.KingpinInclination, s.ScrubRadius, s.CasterTrail = 6, 12, 0.015, 0.02
	s.RackMass, s.RackFriction, s.Assist.Enabled = 30, 250, true
	s.RearSteer = []steering.RearSteerPoint{{Speed: 0, Share: -0.2}, {Speed: 60, Share: 0}, {Speed: 120, Share: 0.08}}
}

func TestOppositeRearSteerTightensATurn(t *testing.T) {
	yaw := func(share float64) float64 {
		c := newCar(t, steered(func(s *steering.Params) { s.RearSteer = []steering.RearSteerPoint{{Speed: 0, Share: share}} }), Dt)
		s := rolling(c, 5, 2)
		cruise(c, &s, 4, 5, 2, 2)
		return s.Rate.Z / s.Speed
	}
	// Slow: curvature is (front - rear)/wheelbase.
	near.Value(t, "curvature with -0.3", yaw(-0.3)/yaw(0), 1.3, 0.02)
	near.Value(t, "curvature with +0.3", yaw(0.3)/yaw(0), 0.7, 0.02)
}

func TestParamsKeepNothingOfTheCallersSteering(t *testing.T) {
	p := steered(everything)
	c := newCar(t, p, Dt)
	p.Steering.RatioTable[0].Ratio = 1
	p.Steering.RearSteer[0].Share = 1
	p.Steering.Assist.Curve[0].AssistTorque = 1
	p.Steering.Assist.BySpeed[0].Factor = 0
	own := c.Params().Steering
	if own.RatioTable[0].Ratio != 15 || own.RearSteer[0].Share != -0.2 || own.Assist.Curve[0].AssistTorque != 0 || own.Assist.BySpeed[0].Factor != 1 {
		t.Errorf("changed with the caller's: %+v", own)
	}
	straight := c.steer(&State{}, Input{})
	if felt := c.steering.Step(&steering.State{}, 6/straight.Gain[tire.FL], 0, &straight, 0, true); math.Abs(felt-2) > 1e-12 {
		t.Errorf("assist leaves %g N·m of 6, want 2", felt)
	}
}

// steer returns how the wheels are steered.
func (c *Car) steer(s *State, in Input) (a steering.Angles) {
	c.steering.WheelAngles(&a, in.Steer, s.Speed)
	return a
}

// pressedWheel is a wheel of which a test says what the road does to it.
type pressedWheel struct {
	pose    suspension.Pose
	contact suspension.Contact
	grip    tireForces
}

// steering returns what turns it about its kingpin [N·m].
func (w *pressedWheel) steering() float64 { return w.grip.kingpinMoment(&w.pose, &w.contact) }

// pressed is a wheel steered by an angle [rad] about a kingpin of a level car, with
// its contact at a place below the hub [m] and what the road does there.
func pressed(k *steering.Kingpin, angle float64, below, force, moment r3.Vec) (w pressedWheel) {
	sin, cos := math.Sincos(angle)
	w.pose = suspension.Pose{Pin: k.Axis, Axle: k.Rotate(r3.Vec{Y: 1}, sin, cos)}
	w.contact.Lever = r3.Add(r3.Add(k.GroundToHub, k.HubShift(sin, cos)), below)
	w.grip.Force, w.grip.Moment = force, moment
	return w
}

// columnTorque returns what wheels in front make of the torque at the steering wheel [N·m].
func (c *Car) columnTorque(s *State, ps *[2]pressedWheel, a *steering.Angles) float64 {
	return c.steering.Step(&s.Steering, ps[0].steering(), ps[1].steering(), a, s.Speed, s.Tick == 0)
}

// The work of the rack, and of the steering wheel, is that of the road on both
// tires: virtual work, with the turn about each kingpin by quaternions.
func TestWorkOfTheRackIsWorkOfTheRoad(t *testing.T) {
	const step = 2e-5
	p := steered(func(s *steering.Params) {
		everything(s)
		s.RackMass, s.RackFriction, s.Assist.Enabled = 0, 0, false
	})
	c := newCar(t, p, Dt)
	forces := [2]r3.Vec{{X: -2100, Y: 1900, Z: 4200}, {X: 350, Y: 2700, Z: 5600}}
	moments := [2]r3.Vec{{X: 40, Y: 5, Z: -60}, {X: -25, Y: 3, Z: -90}}
	for _, wheel := range []float64{-5, -0.7, 0, 0.4, 2, 6} {
		a := c.steer(&State{}, Input{Steer: wheel})
		less, more := c.steer(&State{}, Input{Steer: wheel - step}), c.steer(&State{}, Input{Steer: wheel + step})
		var ps [2]pressedWheel
		work := 0.0
		for i := tire.FL; i <= tire.FR; i++ {
			height := c.steering.Kingpin(i).GroundToHub.Z
			ps[i] = pressed(c.steering.Kingpin(i), a.Angle[i], r3.Vec{Z: -height}, forces[i], moments[i])
			k := kingpinByHand(6, 12, 0.015, 0.02, 1-2*float64(i))
			contact := r3.Add(k.toHub(a.Angle[i], height), r3.Vec{Z: -height}) // now, from the kingpin's foot
			back := r3.NewRotation(less.Angle[i]-a.Angle[i], k.axis).Rotate(contact)
			ahead := r3.NewRotation(more.Angle[i]-a.Angle[i], k.axis).Rotate(contact)
			work += r3.Dot(forces[i], r3.Sub(ahead, back)) + r3.Dot(moments[i], k.axis)*(more.Angle[i]-less.Angle[i])
		}
		var s State
		torque := c.columnTorque(&s, &ps, &a)
		size := math.Abs(work / (more.Rack - less.Rack))
		near.Value(t, "rack force", s.Steering.TireForce, work/(more.Rack-less.Rack), 1e-6*size)
		near.Value(t, "column torque", torque, work/(2*step), 1e-6*math.Abs(work/(2*step)))
		if size < 100 {
			t.Errorf("rack force of %.0f N: the test has nothing to compare", size)
		}
	}
}

// The normal force of a tire has a potential, its deflection's: what the column feels
// of it is the slope of that, whatever way the car leans and its links hold the wheels.
func TestColumnFeelsTheLoadOfALeaningCar(t *testing.T) {
	const step = 1e-5
	p := steered(func(s *steering.Params) {
		everything(s)
		s.RackMass, s.RackFriction, s.Assist.Enabled = 0, 0, false
	})
	p.Front.Kinematics.Camber, p.Front.Kinematics.Toe, p.Front.Kinematics.CamberGain = -1.5, 0.3, -15
	c := newCar(t, p, Dt)
	load := [2]float64{2900, 5300} // [N], whatever the tires deflect
	for _, att := range []quat.Number{turn(0), turn(0.08), chassis.Unit(quat.Number{Real: 1, Imag: -0.1, Jmag: 0.05, Kmag: 0.7})} {
		s := c.Rest(r3.Vec{}, 0)
		s.Att = att
		at := func(wheel float64) (steering.Angles, [2]pressedWheel) {
			a := c.steer(&s, Input{Steer: wheel})
			f := c.stands(&s, &a)
			return a, [2]pressedWheel{{pose: f.poses[0], contact: f.contacts[0]}, {pose: f.poses[1], contact: f.contacts[1]}}
		}
		for _, wheel := range []float64{-5, -1, 0.1, 3, 7} {
			_, less := at(wheel - step)
			_, more := at(wheel + step)
			a, ps := at(wheel)
			want := 0.0
			for i := tire.FL; i <= tire.FR; i++ {
				ps[i].grip.Force = r3.Scale(load[i], ps[i].contact.Normal)
				want -= load[i] / ps[i].contact.InverseCosLean * (more[i].contact.Deflection - less[i].contact.Deflection) / (2 * step)
			}
			near.Value(t, "column torque", c.columnTorque(&s, &ps, &a), want, 1e-6*math.Abs(want)+1e-7)
		}
	}
}

// handKingpin is an axis by its angles, apart from the code under test.
type handKingpin struct{ axis, contact r3.Vec }

// kingpinByHand takes degrees and metres, and 1 for the left or -1 for the right side.
func kingpinByHand(caster, inclination, scrub, trail, side float64) handKingpin {
	lean := r3.Vec{X: -math.Tan(caster * math.Pi / 180), Y: -side * math.Tan(inclination*math.Pi/180), Z: 1}
	return handKingpin{r3.Scale(1/r3.Norm(lean), lean), r3.Vec{X: -trail, Y: side * scrub}}
}

// toHub returns the way from the kingpin's foot to the hub of a steered wheel.
func (k handKingpin) toHub(angle, height float64) r3.Vec {
	return r3.NewRotation(angle, k.axis).Rotate(r3.Add(k.contact, r3.Vec{Z: height}))
}

func BenchmarkSteering(b *testing.B) {
	c := newCar(b, steered(everything), Dt)
	s := rolling(c, 20, 3)
	in := Input{Steer: 0.4}
	a := c.steer(&s, in)
	f := c.stands(&s, &a)
	ps := [2]pressedWheel{{pose: f.poses[0], contact: f.contacts[0]}, {pose: f.poses[1], contact: f.contacts[1]}}
	b.Run("steer", func(b *testing.B) {
		for b.Loop() {
			a = c.steer(&s, in)
		}
	})
	b.Run("pose", func(b *testing.B) {
		k := c.steering.Kingpin(tire.FL)
		for b.Loop() {
			ps[tire.FL].contact.Lever = k.HubShift(a.Sin[tire.FL], a.Cos[tire.FL])
			ps[tire.FL].pose.Axle = k.Rotate(r3.Vec{Y: 1}, a.Sin[tire.FL], a.Cos[tire.FL])
		}
	})
	b.Run("torque", func(b *testing.B) {
		for b.Loop() {
			s.ColumnTorque = c.columnTorque(&s, &ps, &a)
		}
	})
}

func TestSteeringAllocatesNothing(t *testing.T) {
	c := newCar(t, steered(everything), Dt)
	s := rolling(c, 20, 3)
	keys := steering.NewKeyboard(c.p.Steering, c.p.Wheelbase)
	tick := 0
	if n := testing.AllocsPerRun(1000, func() {
		in := drive(tick)
		in.Steer = keys.Step(s.Steer, 1, s.Speed, Dt)
		c.Step(&s, in)
		tick++
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestSteeringStaysFinite(t *testing.T) {
	c := newCar(t, steered(everything), Dt)
	for _, wheel := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e-300} {
		s := rolling(c, 20, 3)
		run(c, &s, 0.2, Input{Steer: wheel, Gear: 3})
		if !finite(reflect.ValueOf(s)) {
			t.Errorf("steering wheel at %g: %+v", wheel, s)
		}
	}
}

func TestAssistIsReported(t *testing.T) {
	c := newCar(t, steered(func(s *steering.Params) { s.Assist.Enabled = true; s.Assist.BySpeed = nil }), Dt)
	plain := newCar(t, DefaultCar(), Dt)
	with, without := rolling(c, 20, 3), rolling(plain, 20, 3)
	run(c, &with, 2, Input{Steer: 0.6, Gear: 3})
	run(plain, &without, 2, Input{Steer: 0.6, Gear: 3})
	near.Value(t, "rack force", with.Steering.TireForce, without.Steering.TireForce, 0)
	near.Value(t, "rim and assist", with.ColumnTorque-with.Steering.Assist, without.ColumnTorque, 1e-12)
	if !(with.Steering.Assist > 1 && with.ColumnTorque < -0.5) {
		t.Errorf("in a left bend the rim has %.2f N·m and the assist %.2f N·m", with.ColumnTorque, with.Steering.Assist)
	}
}

func TestALinkageThatJamsIsRefused(t *testing.T) {
	tests := []struct {
		name string
		edit func(*steering.Params)
		want string
	}{
		{"steers too far", func(s *steering.Params) { s.MaxSteer = 60; s.Linkage.ArmAngle = 40 }, "sim: car: steering: linkage: it jams before the rack has gone"},
		{"rods along the arms", func(s *steering.Params) {
			s.Linkage = steering.Linkage{RackAhead: 0.4, RackLength: 1.5, ArmLength: 0.1, ArmAngle: 2}
		}, "sim: car: steering: linkage: "},
	}
	for _, tt := range tests {
		p := steered(tt.edit)
		p.Steering.Geometry = "linkage"
		_, err := New(p, road.Asphalt(), Dt)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}
