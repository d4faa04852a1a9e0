package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
	"rig.example/rig/test/solid"
)

// pen is a yard of 40 m by 20 m around the origin with walls all round.
func pen(t testing.TB) *road.GroundWithWalls {
	t.Helper()
	wall := func(x, y, toX, toY float64) road.Wall { // 3 m longer than the yard, as thick as the next one
		return road.Wall{From: r3.Vec{X: x, Y: y}, To: r3.Vec{X: toX, Y: toY}, Height: 20, Thickness: 3}
	}
	f, err := road.WithWalls(road.Asphalt(), []road.Wall{
		wall(20, -13, 20, 13), wall(23, 10, -23, 10), wall(-20, 13, -20, -13), wall(-23, -10, 23, -10),
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func carOn(t testing.TB, p Params, g road.Ground) *Car {
	t.Helper()
	c, err := New(p, g, Dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// dented returns the energy of the body's springs, in the ground and in walls [J].
func dented(c *Car, s *State) float64 { return c.chassis.Penetration(&s.State).Energy }

// deepest returns how deep the body is in the walls [m].
func deepest(c *Car, s *State) (depth float64) { return c.chassis.Penetration(&s.State).Wall }

// floating is a car whose body lies evenly around its center of mass, where
// nothing has weight.
func floating(restitution, friction float64) Params {
	p := DefaultCar()
	p.Gravity = 0
	p.InertiaXZ = 0
	p.Hull.Restitution, p.Hull.Friction, p.Hull.Margin = restitution, friction, 0
	p.Hull.Points = solid.Box(r3.Vec{X: -3.3, Y: -0.9, Z: 0.02}, r3.Vec{X: 0.7, Y: 0.9, Z: 1.02})
	return p
}

func TestAWallGivesBackTheSpeedByTheRestitution(t *testing.T) {
	const speed = 50 / 3.6
	for e, tolerance := range map[float64]float64{0: 0.8, 0.1: 0.15, 0.3: 0.2, 0.6: 0.35, 1: 0.6} {
		for _, side := range []struct {
			name    string
			heading float64
		}{{"nose", 0}, {"left side", -math.Pi / 2}, {"tail", math.Pi}} {
			t.Run(fmt.Sprintf("%s at %g", side.name, e), func(t *testing.T) {
				c := carOn(t, floating(e, 0), pen(t))
				s := c.Rest(r3.Vec{X: 15}, side.heading)
				s.Pos.Z, s.Vel.X = 6, speed
				most := 0.0
				for range 1500 {
					c.Step(&s, Input{})
					most = max(most, deepest(c, &s))
				}
				near.Value(t, "speed after", s.Vel.X, -e*speed, tolerance) // of which 0.1 m/s is the air's
				if depth := deepest(c, &s); most > 0.4 || e > 0 && depth > 0 {
					t.Errorf("%.3f m deep in the wall, and %.3f m at the end", most, depth)
				}
			})
		}
	}
}

// What a wall does is told, and is all that changes the momentum of a car without weight.
func TestABlowIsToldAsItActs(t *testing.T) {
	for _, heading := range []float64{0, math.Pi / 2, -math.Pi / 2} { // with nose, right side and left side
		p := floating(0.1, 0)
		p.DragArea = 0
		c := carOn(t, p, pen(t))
		s := c.Rest(r3.Vec{X: 15}, heading)
		s.Pos.Z, s.Vel.X = 6, 10
		var sum r3.Vec
		yaw := 0.0
		for range 1500 {
			b := chassis.AxesOf(s.Att)
			c.Step(&s, Input{})
			sum, yaw = r3.Add(sum, r3.Scale(c.dt, b.ToWorld(s.Impact.Force))), yaw+c.dt*s.Impact.YawMoment
		}
		if s.Impact != (chassis.Impact{}) || !(s.Vel.X < -0.5) {
			t.Errorf("%+v at %g m/s away from the wall", s.Impact, s.Vel.X)
		}
		near.Value(t, "impulse [N·s]", sum.X, p.Mass*(s.Vel.X-10), 0.01*p.Mass*10)
		near.Value(t, "angular impulse [N·m·s]", yaw, p.InertiaZZ*s.Rate.Z, 0.02*p.InertiaZZ*math.Abs(s.Rate.Z)+1)
	}
}

// The blow's impulse is along the wall what friction makes of that across it.
func TestACarSlidesAlongAWallWithFriction(t *testing.T) {
	for _, mu := range []float64{0, 0.2, 0.45} {
		c := carOn(t, floating(0.1, mu), pen(t))
		s := c.Rest(r3.Vec{Y: 8.5}, 0)
		s.Pos.Z, s.Vel = 6, r3.Vec{X: 20, Y: 4}
		before := s.Vel
		run(c, &s, 0.25, Input{})
		across := before.Y - s.Vel.Y
		near.Value(t, "push along the wall", before.X-s.Vel.X, mu*across, 0.03*across)
		if across < 4 {
			t.Errorf("friction %g: still %.2f m/s into the wall", mu, s.Vel.Y)
		}
	}
}

func TestNoSpeedBreaksThroughAWall(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for i, kph := range []float64{20, 50, 120, 200, 300} {
		for k := range 5 {
			heading := 1.3 * float64(k)
			for hull, points := range [][][]float64{nil, solid.Ellipsoid(200, true)} {
				if (i+k+hull)%3 != 0 && !level.All() {
					continue // `make test` tries each hull at every speed and with every side, not with each at each
				}
				p := DefaultCar()
				p.Hull.Points = points
				c := carOn(t, p, pen(t))
				s := c.Rest(r3.Vec{X: 10, Y: 1}, heading)
				s.Vel.X = kph / 3.6
				most, left := 0.0, math.Inf(1)
				for tick := range 3000 {
					c.Step(&s, Input{Brake: float64(1 - tick/1500)}) // tires would hold it where it is
					depth := deepest(c, &s)
					most = max(most, depth)
					if tick >= 2500 { // a body that was thrown up may just come down onto the wall
						left = min(left, depth)
					}
				}
				inside := math.Abs(s.Pos.X) < 20 && math.Abs(s.Pos.Y) < 10
				if most > 1.2 || !inside && !(s.Pos.Z > 5) { // a body may be thrown over a wall

					t.Errorf("%g km/h, heading %.1f: %.2f m deep in the wall, then at %.1f", kph, heading, most, s.Pos)
				}
				if left > 0.03 {
					t.Errorf("%g km/h, heading %.1f: left %.3f m in the wall", kph, heading, left)
				}
			}
		}
	}
}

// pier is a wall of 3 m by 3 m before the origin.
func pier(t testing.TB) *road.GroundWithWalls {
	t.Helper()
	f, err := road.WithWalls(road.Asphalt(), []road.Wall{{
		From: r3.Vec{X: 5, Y: -1.5}, To: r3.Vec{X: 5, Y: 1.5}, Height: 20, Thickness: 3,
	}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A car that slides into the corner of a wall with its door.
func TestTheEdgeOfAWallDoesNotPassThroughTheBody(t *testing.T) {
	for _, points := range [][][]float64{nil, solid.Ellipsoid(1000, true)} {
		for _, kph := range []float64{20, 50, 120} {
			p := DefaultCar()
			p.Hull.Points = points
			c := carOn(t, p, pier(t))
			s := c.Rest(r3.Vec{X: 3.8, Y: 1.4}, math.Pi/2)
			s.Pos.Z, s.Vel.X = s.Pos.Z+0.3, kph/3.6
			most := 0.0
			for range 1000 {
				c.Step(&s, Input{})
				most = max(most, c.chassis.Penetration(&s.State).Edge)
			}
			if s.Vel.X > 0.8*kph/3.6 || most == 0 || most > 0.7 {
				t.Errorf("%g km/h: the edge %.2f m deep in the body, which goes on at %.1f m/s", kph, most, s.Vel.X)
			}
		}
	}
}

// Any attitude, thrown any way into walls and onto the ground. A corner's spring
// holds 690 J after the first tick of a blow at 43 m/s, which nothing has paid for.
func TestABodyThatBouncesAboutGainsNoEnergy(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	const first = 690.0
	dice := rand.New(rand.NewPCG(3, 5))
	sym := func(most float64) float64 { return most * (2*dice.Float64() - 1) }
	for throw := range level.Pick(0, 6, 45) {
		p := DefaultCar()
		p.Hull.Points = solid.Ellipsoid(100, throw%2 == 0)
		for _, at := range p.Hull.Points { // so large that no wheel touches anything
			at[0], at[1], at[2] = 1.8*at[0]+1, 1.8*at[1], 1.8*at[2]-0.6
		}
		p.Hull.Restitution = 0.5 * dice.Float64()
		c := carOn(t, p, pen(t))
		if throw%3 == 0 {
			c = carOn(t, p, pier(t))
		}
		s := c.Rest(r3.Vec{}, 0)
		s.Pos.Z = 2 + 2*dice.Float64()
		s.Att = chassis.Unit(quat.Number{Real: sym(1), Imag: sym(1), Jmag: sym(1), Kmag: sym(1)})
		s.Vel = r3.Vec{X: sym(30), Y: sym(30), Z: sym(5)}
		s.Rate = r3.Vec{X: sym(6), Y: sym(3), Z: sym(3)}
		if throw%3 == 0 {
			s.Vel.X = math.Abs(s.Vel.X)
			s.Vel.Y /= 5
		}
		least := energy(c, &s)
		for tick := range 4000 {
			c.Step(&s, Input{})
			now := energy(c, &s)
			if !(now-least < first) {
				t.Fatalf("throw %d, %d ms: %.0f J more than it had left", throw, tick, now-least)
			}
			least = min(least, now)
		}
	}
}

func TestARolledHullComesToRest(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, roll := range []float64{math.Pi / 2, 3, -math.Pi / 2, math.Pi}[:level.Pick(0, 2, 4)] {
		p := DefaultCar()
		p.Hull.Points = solid.Ellipsoid(level.Pick(0, 200, 1000), true)
		c := carOn(t, p, pen(t))
		s := c.Rest(r3.Vec{}, 0)
		s.Pos.Z, s.Att, s.Vel.X, s.Rate.X = 1.5, turn(roll), 10, 2
		run(c, &s, 30, Input{Brake: 1})
		if low := lowest(c, &s); !still(&s) || low < -0.03 || low > 0.6 {
			t.Errorf("rolled by %.1f: after 30 s %.4f m/s, %.4f rad/s, lowest corner at %.3f m",
				roll, r3.Norm(s.Vel), r3.Norm(s.Rate), low)
		}
	}
}

func TestCrashingAllocatesNothing(t *testing.T) {
	p := DefaultCar()
	p.Hull.Points = solid.Ellipsoid(1000, true)
	c := carOn(t, p, pen(t))
	s := c.Rest(r3.Vec{X: 17.6}, 0)
	s.Vel.X = 10
	run(c, &s, 0.05, Input{})
	if deepest(c, &s) == 0 {
		t.Fatal("not in the wall")
	}
	if n := testing.AllocsPerRun(100, func() { c.Step(&s, Input{Throttle: 1, Gear: 1}) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// BenchmarkScrape is the body's share of a step: clear of everything, beside a
// wall, and with half of 64 corners in the ground.
func BenchmarkScrape(b *testing.B) {
	hull := DefaultCar()
	hull.Hull.Points = solid.Ellipsoid(1000, true)
	roof := State{State: chassis.State{Pos: r3.Vec{Z: 0.1}, Att: turn(math.Pi)}}
	for _, bb := range []struct {
		name string
		p    Params
		g    road.Ground
		at   State
	}{
		{"clear", DefaultCar(), road.Asphalt(), State{State: chassis.State{Pos: r3.Vec{Z: 0.52}, Att: turn(0)}}},
		{"clear-rough", DefaultCar(), solid.Wedge(0), State{State: chassis.State{Pos: r3.Vec{Z: 0.52}, Att: turn(0)}}},
		{"beside-walls", DefaultCar(), pen(b), State{State: chassis.State{Pos: r3.Vec{Z: 0.52}, Att: turn(0)}}},
		{"box-on-roof", DefaultCar(), road.Asphalt(), roof},
		{"hull-on-roof", hull, road.Asphalt(), roof},
	} {
		b.Run(bb.name, func(b *testing.B) {
			c := carOn(b, bb.p, bb.g)
			x := chassis.AxesOf(bb.at.Att)
			var sum chassis.Wrench
			var ws [4]chassis.Wheel
			for b.Loop() {
				c.chassis.AddContact(&sum, &bb.at.State, &x, &ws, &road.GripLoss{})
			}
		})
	}
}
