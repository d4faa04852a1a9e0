package sim

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// shod returns the coupe on tires of a model.
func shod(model string) Params {
	p := DefaultCar()
	p.Front.Tire.Model, p.Rear.Tire.Model = model, model
	return p
}

// Twelve headings, by turns on a slope of 8° and on one of 20 %; four of them
// for all but the brush, to save time. In `make test` each tire stands on both slopes, and all of them together take
// ten headings.
func TestParkedCarsStayWhereTheyAreOnEveryTire(t *testing.T) {
	level.SkipIfQuick(t)
	slopes := [2]slope{slope(8 * math.Pi / 180), slope(math.Atan(0.2))}
	stands := float64(level.Pick(1, 5, 60)) // [s]
	for i, model := range suspension.TireModels() {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			first, stride := 0, 1
			switch {
			case !level.All():
				first, stride = i%5, 7
			case model != "brush":
				first, stride = i%3, 3
			}
			for twelfth := first; twelfth < 12; twelfth += stride {
				on := slopes[twelfth%2]
				if model == "ice" { // which holds nobody there
					on /= 4
				}
				c, err := New(shod(model), on, Dt)
				if err != nil {
					t.Fatal(err)
				}
				s := c.Rest(r3.Vec{}, float64(twelfth)*math.Pi/6)
				run(c, &s, 10, Input{Brake: 1, IgnitionOff: true}) // the springs come to rest
				start := s.Pos
				run(c, &s, stands, Input{Brake: 1, IgnitionOff: true})
				if moved := r3.Norm(r3.Sub(s.Pos, start)); moved > 1e-6*stands/60 {
					t.Errorf("heading %d°: moved %.3g m in %g s", 30*twelfth, moved, stands)
				}
			}
		})
	}
}

func TestEveryTireDrivesTheRecordedDrive(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, model := range suspension.TireModels() {
		t.Run(model, func(t *testing.T) {
			p := shod(model)
			p.CGHeight = 0.48 // or slicks turn it over
			c := newCar(t, p, Dt)
			s := c.Rest(r3.Vec{X: 1, Y: 2}, 0.3)
			for tick := range 16_000 {
				c.Step(&s, drive(tick))
				if up := chassis.AxesOf(s.Att).Z.Z; !(up > 0.9) {
					t.Fatalf("after %d ms upright %g", tick, up)
				}
			}
			if !finite(reflect.ValueOf(s)) {
				t.Errorf("state %+v", s)
			}
			fastestWheel(t, c, &s)
		})
	}
}

func TestEveryTireStepsWithoutAllocation(t *testing.T) {
	for _, model := range suspension.TireModels() {
		p := shod(model)
		p.Front.Tire.Heat.Enabled = true
		c := newCar(t, p, Dt)
		s := rolling(c, 20, 3)
		tick := 0
		if n := testing.AllocsPerRun(500, func() { c.Step(&s, drive(tick)); tick++ }); n != 0 {
			t.Errorf("%s: %g allocations", model, n)
		}
	}
}

// Steering at rest twists the contacts of both front wheels.
func TestTurningTheWheelAtRestTakesTheParkingTorque(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{}, 0)
	var torque [3]float64
	for i, steer := range []float64{0.3, 0.6, 4} { // at 4 rad a second
		for s.Steer < steer-1e-9 {
			c.Step(&s, Input{Brake: 1, Steer: s.Steer + 4*Dt})
		}
		run(c, &s, 1, Input{Brake: 1, Steer: s.Steer})
		torque[i] = s.ColumnTorque
	}
	if !(torque[0] < 0 && torque[1] < 1.5*torque[0] && torque[2] < torque[1]) {
		t.Errorf("column torque %.2f N·m: must grow against the turn", torque)
	}
	moment := -(s.Wheels[tire.FL].Mz + s.Wheels[tire.FR].Mz) / 2
	gough := math.Pow(s.Wheels[tire.FL].Load, 1.5) / (3 * math.Sqrt(220e3)) // mu·W^1.5/(3·√p)
	near.Value(t, "parking torque of a wheel", moment, gough, 0.2*gough)
	run(c, &s, 10, Input{Brake: 1, Steer: s.Steer})
	before := s.ColumnTorque
	run(c, &s, 20, Input{Brake: 1, Steer: s.Steer})
	near.Value(t, "column torque 20 s later", s.ColumnTorque, before, 1e-6)
	run(c, &s, 3, Input{Throttle: 0.3, Gear: 1, Steer: s.Steer, Assists: assist.Switches{AutoClutch: true}})
	if twist := math.Abs(s.Wheels[tire.FL].Roll.Twist); twist > 0.05 || s.Speed < 1 {
		t.Errorf("at %.1f m/s the contact is still twisted by %.3f rad", s.Speed, twist)
	}
}

func TestOwnSpringAndRadiusOfATire(t *testing.T) {
	p := DefaultCar()
	p.Front.Tire.Model = "file.tir"
	brush, err := tire.NewBrush(tire.DefaultBrush(), 0.33)
	if err != nil {
		t.Fatal(err)
	}
	p.Front.Tire.File = &tire.Tire{
		Name: "file.tir", Model: brush, NominalLoad: 4000, Radius: 0.33,
		Vertical: tire.VerticalParams{Radius: 0.33, Stiffness: 250e3, NominalLoad: 4000, QFz2: 12},
	}
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 3, Input{})
	// Fz = Fz0·(q1·x + q2·x²), x = rho/R0, q1 = √((250e3·0.33/4000)² - 4·12), at 3760.44 N.
	q1 := math.Sqrt(math.Pow(250e3*0.33/4000, 2) - 48)
	x := (math.Sqrt(q1*q1+48*3760.44/4000) - q1) / 24
	near.Value(t, "height of the hub", s.Wheels[tire.FL].Hub.Z, 0.33-0.33*x, 1e-5)
	near.Value(t, "height of the center of mass", s.Pos.Z, 0.52, 1e-5)
	near.Value(t, "radius", p.Front.Radius(), 0.33, 0)
	near.Value(t, "radius behind", p.Rear.Radius(), 0.31, 0)
}

func TestTiresThatCannotBeFitted(t *testing.T) {
	wrong, unread := DefaultCar(), DefaultCar()
	wrong.Front.Tire.Model = "michelin"
	unread.Rear.Tire.Model = "rear.TIR"
	for _, tt := range []struct {
		name string
		p    Params
		want string
	}{
		{"unknown", wrong, `front.tire.model = "michelin": must be brush, coulomb, curve, dugoff`},
		{"file that nobody read", unread, `tire "rear.TIR" was not read`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := New(tt.p, road.Asphalt(), Dt); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestUndersteerIsThatOfTheTiresInUse(t *testing.T) {
	brush, curve := DefaultCar(), shod("curve")
	curve.Rear.Tire.Model = "brush"
	// Stiffness over load, in front and behind; the curve's is twice its greatest friction over its slip.
	near.Value(t, "brushes", coupe(t).Understeer(), (4000.0/53e3-4000.0/62e3)/gravity, 1e-12)
	near.Value(t, "curve in front", newCar(t, curve, Dt).Understeer(), (0.16/2-4000.0/62e3)/gravity, 1e-12)
	brush.Front.Tire, brush.Rear.Tire = brush.Rear.Tire, brush.Front.Tire
	near.Value(t, "stiff in front", newCar(t, brush, Dt).Understeer(), (4000.0/62e3-4000.0/53e3)/gravity, 1e-12)
}

// sliding returns how far the coupe gets from 20 m/s with its wheels locked.
func sliding(t *testing.T, p Params, s tire.Surface) float64 {
	c, err := New(p, road.Flat{Surface: s}, Dt)
	if err != nil {
		t.Fatal(err)
	}
	at := rolling(c, 20, 0)
	run(c, &at, 30, Input{Brake: 1})
	return at.Pos.X
}

func TestSlidingWayGrowsWithOneOverTheGrip(t *testing.T) {
	p := DefaultCar()
	p.DragArea = 0
	p.Front.Tire.Brush.FrictionLoadSlope, p.Rear.Tire.Brush.FrictionLoadSlope = 0, 0
	for _, name := range []string{"dry", "wet", "grass"} {
		on, err := tire.SurfaceNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		want := 20 * 20 / (2 * gravity * on.Grip)
		near.Value(t, name, sliding(t, p, on), want, 0.06*want)
	}
}

func TestSoftGroundSlowsACoastingCar(t *testing.T) {
	lost := func(drag float64) float64 {
		p := DefaultCar()
		p.DragArea, p.Driveline.SpinLoss = 0, 0
		c, err := New(p, road.Flat{Surface: tire.Surface{Grip: 1, Stiffness: 1, Rolling: drag}}, Dt)
		if err != nil {
			t.Fatal(err)
		}
		s := rolling(c, 20, 0)
		run(c, &s, 4, Input{})
		return 20 - s.Speed
	}
	turning := 1 + 4*1.1/(0.3*0.3)/1500 // the wheels' inertia is slowed as well
	near.Value(t, "on asphalt", lost(1), 0.012*gravity*4/turning, 0.03)
	near.Value(t, "on grass", lost(5), 5*0.012*gravity*4/turning, 0.1)
}

func TestHeatOffChangesNoBit(t *testing.T) {
	plain := recorded(coupe(t))
	p := DefaultCar()
	p.Front.Tire.Heat.Track, p.Rear.Tire.Heat.Optimum = 60, 90
	if other := recorded(newCar(t, p, Dt)); other != plain {
		t.Error("parameters of a heat that is off changed the drive")
	}
}

func TestTiresWarmWearAndHoldLessWhenCold(t *testing.T) {
	p := DefaultCar()
	p.Rear.Tire.Heat.Enabled = true
	p.Rear.Tire.Pressure = 220
	c := newCar(t, p, Dt)
	s := rolling(c, 20, 3)
	cold := s.Wheels[tire.RL].Heat
	near.Value(t, "front, which has none", s.Wheels[tire.FL].Heat.Surface, 0, 0)
	cruise(c, &s, 60, 20, 1, 3)
	hot := s.Wheels[tire.RR].Heat
	if !(hot.Surface > cold.Surface+2 && hot.Bulk > cold.Bulk && hot.Gas > cold.Gas && hot.Wear > 0) {
		t.Errorf("from %+v to %+v", cold, hot)
	}
	if c.wheels[tire.RL].thermal.Pressure(&hot, 220e3) <= 220e3 {
		t.Error("a warm tire has no more pressure")
	}
	if cold, dry := sideLimit(t, p), sideLimit(t, DefaultCar()); !(cold < dry) {
		t.Errorf("lateral acceleration %.3f m/s² with cold rear tires, %.3f m/s² without heat", cold, dry)
	}
}

// sideLimit returns the lateral acceleration soon after a turn that is too tight.
func sideLimit(t *testing.T, p Params) float64 {
	c := newCar(t, p, Dt)
	s := rolling(c, 20, 3)
	cruise(c, &s, 1.5, 20, 3, 3)
	return s.Acc.Y
}

func BenchmarkStepOnEveryTire(b *testing.B) {
	for _, model := range suspension.TireModels() {
		b.Run(fmt.Sprintf("coupe-%s", model), func(b *testing.B) {
			c := newCar(b, shod(model), Dt)
			s := rolling(c, 20, 3)
			b.ReportAllocs()
			for b.Loop() {
				c.Step(&s, Input{Steer: 0.4, Throttle: 0.3, Gear: 3})
			}
		})
	}
}

// A tire whose spring softens as it is pulled sideways must not trade load
// against grip from tick to tick.
func TestLoadAndGripDoNotChatter(t *testing.T) {
	for _, model := range []string{"slick", "sport", "brush"} {
		c, err := New(shod(model), road.Asphalt(), Dt)
		if err != nil {
			t.Fatal(err)
		}
		s := c.Rest(r3.Vec{}, 0)
		for s.Speed < 15 {
			c.Step(&s, Input{Throttle: 1, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}})
		}
		var load, grew [4]float64
		swings := 0
		for i := range 2000 {
			c.Step(&s, Input{Steer: 6 * min(1, float64(i)/400), Brake: 0.3, Clutch: 1, Gear: s.Driveline.Gear})
			for k := range s.Wheels {
				grows := s.Wheels[k].Load - load[k]
				if grows*grew[k] < 0 && min(math.Abs(grows), math.Abs(grew[k])) > 50 {
					swings++
				}
				load[k], grew[k] = s.Wheels[k].Load, grows
			}
		}
		if swings > 2 {
			t.Errorf("%s: load turned round %d times within a tick", model, swings)
		}
	}
}

// The load that falls as a car comes to rest lets its locked tires slide back;
// their force must follow the carcass, not the last quiver of the body.
func TestACarStopsInATurnWithoutChatter(t *testing.T) {
	for _, model := range suspension.TireModels() {
		if model == "coulomb" { // which has no carcass
			continue
		}
		c := newCar(t, shod(model), Dt)
		s := rolling(c, 4, 2)
		run(c, &s, 0.6, Input{Steer: 4, Clutch: 1})
		jumps := 0
		for range 2500 {
			before := s.Acc
			c.Step(&s, Input{Steer: 4, Clutch: 1, Brake: 0.9})
			if r3.Norm(r3.Sub(s.Acc, before)) > 2 {
				jumps++
			}
		}
		if jumps > 2 {
			t.Errorf("%s: %d jumps of more than 2 m/s² in a tick", model, jumps)
		}
	}
}

// The reference tire of P, appendix 3, has a stiffness of 358066 N/m and a damping ratio of 0.056 lengthwise (its
// LONGITUDINAL_STIFFNESS and DAMP_LONG) at 4 kN. The default is no less damped, and no more than rubber of a loss
// factor of 0.2, which is twice the damping ratio.
func TestDefaultCarcassIsDampedAsRubber(t *testing.T) {
	p := DefaultCar()
	mass := 4000 / p.Gravity
	for _, axle := range []*suspension.Params{&p.Front, &p.Rear} {
		if ratio := axle.Wheel.Damping / (2 * math.Sqrt(358066*mass)); ratio < 0.056 || ratio > 0.1 {
			t.Errorf("damping ratio %.3f", ratio)
		}
		stiffness := axle.Tire.Brush.Stiffness / axle.Wheel.RelaxationX
		near.Value(t, "standing stiffness over the published one", stiffness/358066, 1, 0.2)
	}
}
