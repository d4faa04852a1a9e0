package sim

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// zoned is level and dry, with an area of its own on each side of the world's x and
// materials of the same numbers.
type zoned struct{ road.Flat }

func (g zoned) Touch(p r3.Vec) road.Contact {
	c := g.Flat.Touch(p)
	if p.Y > 0 {
		c.Material, c.AreaNumber = 1, 1
	} else if p.Y < 0 {
		c.Material, c.AreaNumber = 2, 2
	}
	return c
}

func zones() zoned { return zoned{road.Asphalt()} }

// even is a surface of some grip, and of some more or less for tire models.
func even(grip float64, models map[string]float64) road.Surface {
	return road.Surface{Name: "even", Tire: tire.Surface{Grip: grip, Stiffness: 1, Rolling: 1}, ModelGrip: models, Sound: "asphalt"}
}

// laid returns even ground of one such surface.
func laid(t testing.TB, grip float64, models map[string]float64) road.Ground {
	t.Helper()
	g, err := road.Pave(road.Asphalt(), []road.Surface{even(grip, models)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// swerved returns the state after braking in a bend.
func swerved(t testing.TB, p Params, g road.Ground) State {
	t.Helper()
	c := carOn(t, p, g)
	s := c.Underway(r3.Vec{}, 0, 20, 3)
	run(c, &s, 0.4, Input{Gear: 3, Steer: 1, Throttle: 0.3})
	run(c, &s, 0.6, Input{Gear: 3, Steer: 1, Brake: 0.7})
	return s
}

// A surface that takes a third of the grip for a model is for it one with that grip.
func TestEveryTireModelHasItsOwnGripOnASurface(t *testing.T) {
	for _, model := range suspension.TireModels() {
		t.Run(model, func(t *testing.T) {
			p := DefaultCar()
			p.Front.Tire.Model, p.Rear.Tire.Model = model, model
			whole, less := swerved(t, p, laid(t, 0.9, nil)), swerved(t, p, laid(t, 0.9*0.625, nil))
			if got := swerved(t, p, laid(t, 0.9, map[string]float64{model: 0.625})); got != less {
				t.Error("its own factor is not one on grip")
			}
			if got := swerved(t, p, laid(t, 0.9, map[string]float64{"another": 0.625})); got != whole {
				t.Error("the factor of another model counts")
			}
			if less.Pos == whole.Pos {
				t.Error("grip does not matter")
			}
		})
	}
}

func TestTiresFromFilesAreKnownByTheirKind(t *testing.T) {
	p := DefaultCar()
	file, err := tire.Builtin("road")
	if err != nil {
		t.Fatal(err)
	}
	p.Front.Tire.Model, p.Front.Tire.File = "some.tir", file
	less := laid(t, 1, map[string]float64{file.Kind: 0.7})
	if got := carOn(t, p, less).materialGrip; got.factor(0, 0) != 0.7 || got.factor(1, 0) != 1 || got.factor(0, 9) != 1 {
		t.Errorf("%+v", got)
	}
}

// The side that has kept its grip brakes more.
func TestACarPullsAwayFromASlickSide(t *testing.T) {
	c := carOn(t, DefaultCar(), zones())
	half := func(area int) State {
		s := rolling(c, 20, 3)
		in := Input{Brake: 0.5, Clutch: 1, Gear: 3}
		in.Slick[area] = 0.8
		run(c, &s, 1, in)
		return s
	}
	left, right := half(1), half(2)
	if !(left.Yaw() < -0.02 && left.Pos.Y < -0.05) {
		t.Errorf("with the left side slick it turns by %.3f rad and is at y = %.3f m", left.Yaw(), left.Pos.Y)
	}
	if left.Yaw() != -right.Yaw() || left.Pos.Y != -right.Pos.Y || left.Pos.X != right.Pos.X {
		t.Errorf("%v and %v do not mirror each other", left.Pos, right.Pos)
	}
	near.Value(t, "only the areas named count", half(3).Pos.Y, 0, 0)
}

// Coulomb: locked wheels stop a car over v²/(2·μ·g), without air; until they lock it
// goes a little further, whatever the grip.
func TestSlicknessDuringADriveLengthensStopsByTheGripThatIsLeft(t *testing.T) {
	p := DefaultCar()
	p.DragArea = 0
	c := carOn(t, p, zones())
	stops := func(slick float64) float64 {
		s := rolling(c, 20, 3)
		run(c, &s, 0.5, Input{Clutch: 1, Gear: 3})
		from, speed := s.Pos.X, s.Speed
		in := Input{Brake: 1, Clutch: 1, Gear: 3}
		in.Slick[1], in.Slick[2] = slick, slick
		for s.Speed > 0.01 {
			c.Step(&s, in)
		}
		return (s.Pos.X - from) / (speed * speed)
	}
	whole := stops(0)
	for _, slick := range []float64{0.25, 0.5, 0.75} {
		near.Value(t, "distance by what it is without", stops(slick)/whole, 1/(1-slick), 0.04/(1-slick))
	}
}

func TestABodyOnItsRoofSlidesFurtherWhereItIsSlick(t *testing.T) {
	c := carOn(t, DefaultCar(), road.Asphalt())
	slides := func(slick float64) float64 {
		s := c.Rest(r3.Vec{}, 0)
		s.Att.Real, s.Att.Imag = 0, 1
		s.Pos.Z = c.p.Height - c.p.CGHeight
		in := Input{Slick: [road.AreaCount]float64{slick}}
		run(c, &s, 2, in)
		s.Vel.X = 8
		from := s.Pos.X
		run(c, &s, 4, in)
		return s.Pos.X - from
	}
	near.Value(t, "way with half the grip by that with the whole", slides(0.5)/slides(0), 2, 0.1)
}

func TestWhatIsNoSlicknessChangesNothing(t *testing.T) {
	c := carOn(t, DefaultCar(), zones())
	end := func(slick float64) State {
		s := rolling(c, 20, 3)
		in := Input{Brake: 0.6, Gear: 3, Steer: 0.5}
		in.Slick[1], in.Slick[2] = slick, slick
		run(c, &s, 1, in)
		return s
	}
	for _, v := range []float64{math.NaN(), -1, math.Inf(-1)} {
		if end(v) != end(0) {
			t.Errorf("slickness of %g counts", v)
		}
	}
	if bare := end(math.Inf(1)); bare != end(1) || !finite(reflect.ValueOf(bare)) {
		t.Errorf("more than all grip lost, or none left: %v", bare.Pos)
	}
}

func TestEachWheelTellsWhatItIsOn(t *testing.T) {
	for _, kind := range []string{"ray", "rays", "sweep"} {
		p := DefaultCar()
		p.Front.Contact, p.Rear.Contact = kind, kind
		g, err := road.Pave(zones(), []road.Surface{even(1, nil), even(1, nil), bumpy()}, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := carOn(t, p, g)
		s := c.Underway(r3.Vec{}, 0, 10, 2)
		in := Input{Gear: 2}
		in.Slick[1] = 1
		for range 200 {
			c.Step(&s, in)
			for i, want := range [4]uint8{1, 2, 1, 2} {
				if s.Wheels[i].Material != want {
					t.Fatalf("%s: wheel %d is on %d, want %d", kind, i, s.Wheels[i].Material, want)
				}
			}
		}
	}
}

// bumpy has edges that a wheel rolls over.
func bumpy() road.Surface {
	s := even(1, nil)
	s.Profile = road.Profile{Kind: "kerb", Height: 0.02, Pitch: 0.3, Length: 0.25}
	return s
}

// Small unevenness moves a car in proportion: twice as much in each next class.
func TestACarFeelsTheClassOfARoad(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	shaken := func(class byte) float64 {
		s := even(1, nil)
		s.Roughness = road.Roughness{Class: class, HeightFactor: 0.5}
		g, err := road.Pave(road.Asphalt(), []road.Surface{s}, 4)
		if err != nil {
			t.Fatal(err)
		}
		c := carOn(t, DefaultCar(), g)
		at, sum := c.Underway(r3.Vec{}, 0.2, 20, 3), 0.0
		for i := range 6000 {
			c.Step(&at, Input{Gear: 3, Throttle: 0.2})
			if i >= 1000 {
				sum += (at.SpecificForce.Z - 9.81) * (at.SpecificForce.Z - 9.81)
			}
		}
		return math.Sqrt(sum / 5000)
	}
	a, b, c := shaken('A'), shaken('B'), shaken('C')
	if a < 0.05 || a > 1 {
		t.Errorf("a good road shakes the body by %.3f m/s²", a)
	}
	near.Value(t, "class B over A", b/a, 2, 0.3)
	near.Value(t, "class C over B", c/b, 2, 0.3)
}

func TestPavedGroundCostsNoMemoryInATick(t *testing.T) {
	cobbles, err := road.SurfaceNamed("cobbles")
	if err != nil {
		t.Fatal(err)
	}
	cobbles.ModelGrip = map[string]float64{"brush": 0.9}
	g, err := road.Pave(road.Asphalt(), []road.Surface{cobbles}, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := carOn(t, DefaultCar(), g)
	s := c.Underway(r3.Vec{}, 0, 10, 2)
	if n := testing.AllocsPerRun(200, func() { c.Step(&s, Input{Gear: 2}) }); n != 0 {
		t.Errorf("%g allocations a tick", n)
	}
}

func BenchmarkStepOnPavement(b *testing.B) {
	for _, name := range []string{"", "tarmac", "cobbles"} {
		b.Run("on "+name, func(b *testing.B) {
			var g road.Ground = road.Asphalt()
			if name != "" {
				s, err := road.SurfaceNamed(name)
				if err != nil {
					b.Fatal(err)
				}
				if g, err = road.Pave(g, []road.Surface{s}, 0); err != nil {
					b.Fatal(err)
				}
			}
			c := carOn(b, DefaultCar(), g)
			s := c.Underway(r3.Vec{}, 0, 20, 3)
			for b.Loop() {
				c.Step(&s, Input{Gear: 3, Throttle: valid.Clamp(20-s.Speed, 0, 1)})
			}
		})
	}
}
