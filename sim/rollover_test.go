package sim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
)

func tall(t testing.TB, cg float64) *Car {
	p := DefaultCar()
	p.CGHeight = cg
	return newCar(t, p, Dt)
}

// turn is the attitude after a turn about the body's x axis [rad].
func turn(roll float64) quat.Number {
	sin, cos := math.Sincos(roll / 2)
	return quat.Number{Real: cos, Imag: sin}
}

// energy returns all the mechanical energy of the car but the engine's [J]:
// of the moving body, of the turning and moving wheels, of height, of every spring.
func energy(c *Car, s *State) float64 {
	b := chassis.AxesOf(s.Att)
	e := c.p.Mass*c.p.Gravity*s.Pos.Z + c.kineticEnergy(s)
	steer := c.steer(s, Input{Steer: s.Steer})
	f := c.stands(s, &steer)
	for i := range s.Wheels {
		e += c.p.axle(i).UnsprungMass * c.p.Gravity * s.Wheels[i].Travel * b.Z.Z        // a wheel rises in the body
		e += springs(c.p.axle(i), s.Wheels[i].Travel, max(f.contacts[i].Deflection, 0)) // the coupe's tires are linear
		e += c.wheels[i].inertia * s.Wheels[i].Roll.Spin * s.Wheels[i].Roll.Spin / 2
	}
	for _, left := range []int{tire.FL, tire.RL} {
		twist := s.Wheels[left].Travel - s.Wheels[left+1].Travel
		e += c.p.axle(left).BarRate * twist * twist / 2
	}
	return e + dented(c, s)
}

// springs returns the energy of one spring, bump stop and tire [J].
func springs(a *suspension.Params, travel, squeeze float64) float64 {
	stop, flat := max(0, travel-a.BumpStopTravel), max(0, squeeze-a.Wheel.Radius/4)
	return a.SpringRate*travel*travel/2 + a.BumpStopRate*stop*stop/2 + a.TireRate*(squeeze*squeeze+4*flat*flat)/2
}

func still(s *State) bool { return r3.Norm(s.Vel) < 1e-3 && r3.Norm(s.Rate) < 1e-3 }

func TestARolledCarComesToRest(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		name       string
		roll, rate float64 // [rad], [rad/s]
		speed      float64 // to the left [m/s]
		up         float64 // least and most of what the roof may point up
		most       float64
	}{
		{"on its right side", math.Pi / 2, 0, 0, -0.3, 0.3},
		{"on its left side", -math.Pi / 2, 0, 0, -0.3, 0.3},
		{"on its roof", math.Pi, 0, 0, -1.01, -0.95},
		{"on its roof, sliding", 3, 0, 20, -1.01, -0.95},
		{"tumbling", 1, 6, -20, -1.01, 1.01},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := coupe(t)
			s := c.Rest(r3.Vec{}, 0)
			s.Pos.Z, s.Att = 1.2, turn(tt.roll)
			s.Vel.Y, s.Rate.X = tt.speed, tt.rate
			run(c, &s, 20, Input{Brake: 1})
			if up := chassis.AxesOf(s.Att).Z.Z; !still(&s) || up < tt.up || up > tt.most {
				t.Errorf("after 20 s: %.4f m/s, %.4f rad/s, roof points up by %.3f", r3.Norm(s.Vel), r3.Norm(s.Rate), up)
			}
			if low := lowest(c, &s); low < -0.03 {
				t.Errorf("a corner lies %.3f m in the ground", -low)
			}
		})
	}
}

// lowest returns the height of the body's lowest corner [m].
func lowest(c *Car, s *State) float64 {
	low, b := math.Inf(1), chassis.AxesOf(s.Att)
	for _, at := range c.chassis.Corners() {
		low = min(low, s.Pos.Z+b.ToWorld(at).Z)
	}
	return low
}

// lowestCorner returns how high the body's lowest corner is above its center of mass in the body [m].
func lowestCorner(c *Car) float64 {
	return slices.MinFunc(c.chassis.Corners(), func(a, b r3.Vec) int { return cmp.Compare(a.Z, b.Z) }).Z
}

func TestATallCarRollsOverAndComesToRest(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, cg := range []float64{0.9, 1, 1.2} { // below 0.85 m the tires slide first
		c := tall(t, cg)
		s := c.Rest(r3.Vec{}, 0)
		for range 10_000 {
			c.Step(&s, Input{Throttle: 1, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}})
		}
		over := false
		for range 30_000 {
			c.Step(&s, Input{Steer: 3, Clutch: 1, Brake: 0.5, Gear: s.Driveline.Gear})
			over = over || chassis.AxesOf(s.Att).Z.Z < 0.3
		}
		if !over {
			t.Errorf("cg %.1f m: did not roll over", cg)
		}
		if !still(&s) || !(s.Pos.Z > 0.1 && s.Pos.Z < 1.5) {
			t.Errorf("cg %.1f m: %.4f m/s, %.4f rad/s, height %.3f m", cg, r3.Norm(s.Vel), r3.Norm(s.Rate), s.Pos.Z)
		}
	}
}

func TestADroppedCarNeverRisesAboveItsStart(t *testing.T) {
	for _, rate := range []r3.Vec{{X: 1}, {X: -4}, {X: 3, Y: 2}, {X: 2, Y: -1, Z: 3}, {Y: 5}} {
		c := coupe(t)
		s := c.Rest(r3.Vec{}, 0)
		s.Pos.Z, s.Rate = 3, rate
		for tick := range 10_000 {
			c.Step(&s, Input{})
			if !(s.Pos.Z <= 3 && s.Pos.Z > 0.1) {
				t.Fatalf("rate %v: %.3f m high after %d ms", rate, s.Pos.Z, tick)
			}
		}
	}
}

// touchdown is what a corner's spring holds after the first tick of a blow at
// 25 m/s, before its damper takes more than that [J]: 750 kN/m, 25 mm.
const touchdown = 235.0

// Any attitude, thrown any way: springs give back what they took, and nothing
// else. Two corners may touch down in one tick.
func TestATumblingCarGainsNoEnergy(t *testing.T) {
	t.Parallel()
	dice := rand.New(rand.NewPCG(3, 5))
	sym := func(most float64) float64 { return most * (2*dice.Float64() - 1) }
	for throw := range level.Pick(8, 12, 40) {
		c := tall(t, 0.4+0.8*dice.Float64())
		s := c.Rest(r3.Vec{}, 0)
		s.Pos.Z = 2 + 2*dice.Float64()
		s.Att = chassis.Unit(quat.Number{Real: sym(1), Imag: sym(1), Jmag: sym(1), Kmag: sym(1)})
		s.Vel = r3.Vec{X: sym(30), Y: sym(30), Z: sym(5)}
		s.Rate = r3.Vec{X: sym(6), Y: sym(3), Z: sym(3)}
		least := energy(c, &s)
		for tick := range 6000 {
			c.Step(&s, Input{})
			now := energy(c, &s)
			if !(now-least < 2*touchdown) {
				t.Fatalf("throw %d, %d ms: %.0f J more than it had left", throw, tick, now-least)
			}
			least = min(least, now)
		}
	}
}

// wild is a driver who knows no fear, anew every 300 ms.
func wild(dice *rand.Rand) Input {
	return Input{
		Steer: 16 * (dice.Float64() - 0.5), Brake: dice.Float64() - 0.6, Clutch: dice.Float64() - 0.6,
		Handbrake: 2*dice.Float64() - 1.4, Throttle: 2 * dice.Float64(), Gear: int8(dice.IntN(8)) - 1,
	}
}

func TestWildDrivingGainsNoMoreThanTheEngineGives(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	dice := rand.New(rand.NewPCG(9, 4))
	// The clutch carries 480 N·m of a flywheel at up to 775 rad/s; a steering
	// wheel that jumps moves the tires under their load.
	const most = 480*775*Dt + touchdown + 100
	for _, cg := range []float64{0.5, 0.65, 0.8, 1, 1.2} {
		c := tall(t, cg)
		s := rolling(c, 40, 4)
		var in Input
		over := 0
		for tick := range level.Pick(0, 30_000, 60_000) {
			if tick%300 == 0 {
				in = wild(dice)
			}
			if tick%10_000 == 9_999 { // set on its wheels again, to drive on
				s.Pos.Z, s.Att, s.Vel = 1.5, turn(0.3), r3.Vec{X: 30}
			}
			before := energy(c, &s)
			hands := in
			hands.Steer = s.Steer + min(max(in.Steer-s.Steer, -0.1), 0.1) // five times as fast as anybody
			c.Step(&s, hands)
			if gain := energy(c, &s) - before; !(gain < most) {
				t.Fatalf("cg %.2f m, %d ms: %.0f J from nothing", cg, tick, gain)
			}
			if !(s.Pos.Z > 0 && s.Pos.Z < 4) { // also if it is NaN
				t.Fatalf("cg %.2f m, %d ms: %+v", cg, tick, s)
			}
			if chassis.AxesOf(s.Att).Z.Z < 0 {
				over++
			}
		}
		if !finite(reflect.ValueOf(s)) {
			t.Errorf("cg %.2f m: %+v", cg, s)
		}
		if over == 0 && cg > 0.5 {
			t.Errorf("cg %.2f m: never on its roof, so this proves nothing", cg)
		}
	}
}

func TestTheBodyIsFreeOfTheRoadInNormalDriving(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{X: 1, Y: 2}, 0.3)
	for tick := range 16_000 {
		c.Step(&s, drive(tick))
		if low := lowest(c, &s); low < 0.1 {
			t.Fatalf("after %d ms a corner is %.3f m above the road", tick, low)
		}
	}
	free := lowestCorner(c) + c.p.CGHeight
	for i := range s.Wheels { // springs at their end, tires squeezed to the rim
		down := c.p.axle(i).Travel - c.suspension.Corners[i].RestTravel + 0.1
		if free-down < 0.05 {
			t.Errorf("wheel %d at metal leaves %.3f m", i, free-down)
		}
	}
}

func TestScrapingAllocatesNothing(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{}, 0)
	s.Pos.Z, s.Att, s.Vel.Y = 0.8, turn(3), 20
	run(c, &s, 0.2, Input{})
	if s.Impact == (chassis.Impact{}) {
		t.Fatal("the roof is not on the road")
	}
	if n := testing.AllocsPerRun(500, func() { c.Step(&s, Input{Throttle: 1, Gear: 1}) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestATimeStepTooLongForTheBodySoftensIt(t *testing.T) {
	c := newCar(t, DefaultCar(), 5e-3)
	s := c.Rest(r3.Vec{}, 0)
	s.Pos.Z, s.Att, s.Rate.X = 1.5, turn(2.5), 2
	run(c, &s, 20, Input{})
	if !still(&s) {
		t.Errorf("after 20 s: %.4f m/s, %.4f rad/s", r3.Norm(s.Vel), r3.Norm(s.Rate))
	}
}

// A car that falls sideways onto one wheel presses it with many times its load; it grips with eight times that.
func TestATireUnderACrashGripsNoMoreThanItsRimLetsIt(t *testing.T) {
	c, s := overturned(t, DefaultCar(), 0, 0.9, 0, Dt)
	s.Pos.Z, s.Vel = 2.2, r3.Vec{Y: 8, Z: -6}
	rest := c.wheels[tire.FR].load
	var load, force float64
	for range 1500 {
		c.Step(&s, Input{})
		for i := range s.Wheels {
			w := &s.Wheels[i]
			load, force = max(load, w.Load/rest), max(force, math.Hypot(w.Fx, w.Fy)/rest)
		}
	}
	if load < 20 || force > 1.2*mostOverload || force < 0.5*mostOverload {
		t.Errorf("pressed with %.0f times its load, a tire grips with %.1f times that", load, force)
	}
}
