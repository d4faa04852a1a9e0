package sim_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
)

// slipCars are the built-in cars whose tires have a slip curve.
func slipCars() []string {
	return []string{"coupe", "hatch", "gt", "formula", "pickup", "wheelcollider"}
}

// sides is level ground with a friction of its own on each side of the world's x.
type sides struct{ left, right float64 }

func (g sides) Touch(p r3.Vec) road.Contact {
	c := road.Contact{Point: r3.Vec{X: p.X, Y: p.Y}, Normal: r3.Vec{Z: 1}, Depth: -p.Z, Surface: tire.Dry()}
	c.Surface.Grip = g.right
	if p.Y > 0 {
		c.Surface.Grip = g.left
	}
	return c
}

// hill rises along x by a slope.
type hill float64

func (h hill) Touch(p r3.Vec) road.Contact {
	n := r3.Unit(r3.Vec{X: -float64(h), Z: 1})
	height := r3.Dot(p, n)
	return road.Contact{Point: r3.Sub(p, r3.Scale(height, n)), Normal: n, Depth: -height, Surface: tire.Dry()}
}

// stopped is what a full braking came to.
type stopped struct {
	way     float64    // [m]
	took    float64    // [s]
	aside   float64    // most [m]
	yaw     float64    // most [rad]
	locked  float64    // longest that a wheel stood while the car was faster than 5 m/s [s]
	cycles  [4]float64 // releases of each wheel in a second above 5 m/s
	pulse   float64    // most
	strayed float64    // most by which the reference missed the car's speed [m/s]
}

const hundred = 100 / 3.6 // [m/s]

// brakes stops a car from 100 km/h with the whole pedal; steer says how it is steered.
func brakes(c *sim.Car, level uint8, steer func(s *sim.State) float64) stopped {
	return brakesFrom(c, hundred, level, steer)
}

// brakesFrom does the same from another speed [m/s]; the way counts for that one.
func brakesFrom(c *sim.Car, speed float64, level uint8, steer func(s *sim.State) float64) (out stopped) {
	s := c.Underway(r3.Vec{}, 0, speed, 0)
	var stood [4]float64
	var phase [4]int8
	counted := 0.0
	for s.Tick < 1000 {
		c.Step(&s, sim.Input{PushForce: 5000 * (speed - s.Speed), Assists: assist.Switches{ABS: level}})
	}
	start, from := s.Pos, s.Speed
	for s.Speed > 0.01 && out.took < 60 {
		c.Step(&s, sim.Input{Brake: 1, Steer: steer(&s), Assists: assist.Switches{ABS: level}})
		out.took += sim.Dt
		out.aside, out.yaw, out.pulse = max(out.aside, math.Abs(s.Pos.Y)), max(out.yaw, math.Abs(s.Yaw())), max(out.pulse, s.Brakes.PedalPulse)
		if s.Speed < 5 {
			continue
		}
		counted += sim.Dt
		out.strayed = max(out.strayed, math.Abs(s.Brakes.ABS.Reference-s.Speed))
		for i := range s.Brakes.Wheels {
			stood[i] += sim.Dt
			if s.Wheels[i].Roll.Spin != 0 {
				stood[i] = 0
			}
			out.locked = max(out.locked, stood[i])
			const follows, builds, releases = 1, 2, 4
			if now := s.Brakes.Wheels[i].ABS.Phase; now == releases && (phase[i] == follows || phase[i] == builds) {
				out.cycles[i]++
			}
			phase[i] = s.Brakes.Wheels[i].ABS.Phase
		}
	}
	for i := range out.cycles {
		out.cycles[i] /= counted
	}
	out.way = r3.Norm(r3.Sub(s.Pos, start)) * (speed / from) * (speed / from)
	return out
}

func straight(*sim.State) float64 { return 0 }

// carOn returns a built-in car on a ground, in still air that does not push.
func carOn(t *testing.T, name string, g road.Ground) *sim.Car {
	t.Helper()
	p, err := config.LoadCar(name)
	if err != nil {
		t.Fatal(err)
	}
	p.Aero, p.DragArea = nil, 0
	c, err := sim.New(p, g, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestABSStopsAlmostAsShortAsIdealBrakes(t *testing.T) {
	level.SkipIfQuick(t)
	for _, name := range slipCars() {
		c := carOn(t, name, road.Asphalt())
		ideal := hundred * hundred / (2 * c.IdealBraking() * c.Params().Gravity)
		with, without := brakes(c, 5, straight), brakes(c, 0, straight)
		t.Logf("%s: ideal %.2f m, ABS %.2f m (%.3f), locked %.2f m, cycles %.1f Hz", name, ideal, with.way, with.way/ideal, without.way, with.cycles)
		if over := with.way / ideal; over < 1 || over > 1.125 {
			t.Errorf("%s: %.2f m, ideal is %.2f m: ratio %.3f", name, with.way, ideal, over)
		}
		if without.way < 1.1*with.way || without.locked < 1 {
			t.Errorf("%s: locked wheels stop in %.2f m, the ABS in %.2f m", name, without.way, with.way)
		}
		if with.locked > 0.15 {
			t.Errorf("%s: a wheel stood for %.3f s", name, with.locked)
		}
		if with.pulse < 0.2 || with.pulse > 1 || without.pulse != 0 {
			t.Errorf("%s: the pedal trembles by %.2f, and by %.2f without ABS", name, with.pulse, without.pulse)
		}
	}
}

func TestABSStopsAlmostAsShortFromOtherSpeeds(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for i, name := range slipCars() {
		c := carOn(t, name, road.Asphalt())
		for k, kph := range []float64{60, 80, 130} {
			if i%3 == k && !level.All() {
				continue // in `make test` each car brakes from two of the speeds
			}
			if name == "wheelcollider" && kph < 80 {
				continue // whose curve falls steeply: a front wheel that locks late takes long to come back
			}
			speed := kph / 3.6
			ideal := speed * speed / (2 * c.IdealBraking() * c.Params().Gravity)
			if over := brakesFrom(c, speed, 5, straight).way / ideal; over < 1 || over > 1.125 {
				t.Errorf("%s from %g km/h: %.3f of the ideal way", name, kph, over)
			}
		}
	}
}

// The longer the stop, the farther the reference may have drifted from the car's speed.
func TestWheelsTurnAtEveryLevelAndSpeed(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for i, name := range append(slipCars(), "raycast") {
		c := carOn(t, name, road.Asphalt())
		for k, at := range []struct {
			level uint8
			kph   float64
		}{{1, 100}, {2, 60}, {3, 200}, {5, 50}, {5, 150}, {5, 200}, {5, 250}, {8, 180}, {10, 100}} {
			if (i+k)%3 != 0 && !level.All() {
				continue // in `make test` each car brakes at three of the levels, and two or three cars brake at each
			}
			if got := brakesFrom(c, at.kph/3.6, at.level, straight); got.locked > 0.15 {
				t.Errorf("%s at level %d from %g km/h: a wheel stood for %.3f s", name, at.level, at.kph, got.locked)
			}
		}
	}
}

// Tires with their peak at a slip of 0.1 let go and take hold several times a second; a
// friction curve with its peak at 0.4 takes longer.
func TestABSCycles(t *testing.T) {
	for _, name := range []string{"coupe", "hatch", "gt", "formula", "pickup", "raycast"} {
		got := brakes(carOn(t, name, road.Asphalt()), 5, straight)
		for i, rate := range got.cycles {
			if i < tire.RL && rate < 5 || rate < 3 || rate > 14 {
				t.Errorf("%s: wheel %d cycles %.1f times a second", name, i, rate)
			}
		}
	}
}

// A car of dry friction stops as short with wheels that turn as with locked ones.
func TestABSWorksOnWheelsWithoutASlipCurve(t *testing.T) {
	c := carOn(t, "raycast", road.Asphalt())
	with, without := brakes(c, 5, straight), brakes(c, 0, straight)
	if with.way > 1.02*without.way || with.locked > 0.15 || without.locked < 1 {
		t.Errorf("with ABS %.2f m, %.2f s locked; without %.2f m, %.2f s", with.way, with.locked, without.way, without.locked)
	}
}

// On ice all four wheels lock at once, and no wheel shows the car's speed until one is let
// roll.
func TestABSFindsTheSpeedOnIce(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for i, name := range slipCars() {
		if i%3 != 0 && !level.All() {
			continue // `make test` asks two of the cars
		}
		c := carOn(t, name, sides{0.1, 0.1})
		with, without := brakes(c, 5, straight), brakes(c, 0, straight)
		if with.locked > 0.15 || with.strayed > 5 || with.way > 0.98*without.way {
			t.Errorf("%s: stood for %.3f s, reference off by %.2f m/s, %.1f m against %.1f m", name, with.locked, with.strayed, with.way, without.way)
		}
	}
}

// Its accelerometer feels gravity on a slope: uphill too little, downhill too much.
func TestABSBrakesOnSlopes(t *testing.T) {
	for _, rise := range []float64{-0.15, 0.15} {
		c := carOn(t, "coupe", hill(rise))
		z := (c.IdealBraking() + rise) / math.Sqrt(1+rise*rise)
		got, ideal := brakes(c, 5, straight), hundred*hundred/(2*z*c.Params().Gravity)
		t.Logf("slope %g: %.2f m, ideal %.2f m", rise, got.way, ideal)
		if got.way > 1.15*ideal || got.locked > 0.15 {
			t.Errorf("slope %g: %.2f m, ideal is about %.2f m; stood for %.3f s", rise, got.way, ideal, got.locked)
		}
	}
}

// holdingLane steers back to the x axis as a driver does, no faster than 8 rad/s.
func holdingLane(c *sim.Car) func(s *sim.State) float64 {
	wheel, ratio := 0.0, c.Params().Steering.Ratio
	return func(s *sim.State) float64 {
		want := -ratio * (0.04*s.Pos.Y + 0.7*s.Yaw() + 0.12*s.Rate.Z)
		wheel += min(max(want-wheel, -8*sim.Dt), 8*sim.Dt)
		return wheel
	}
}

func TestABSKeepsTheLaneOnSplitFriction(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for i, name := range slipCars() {
		for k, g := range []sides{{0.3, 1}, {1, 0.3}} {
			if i%2 != k && !level.All() {
				continue // the other side is the mirror image, as TestBrakesAndABSMirror shows
			}
			c := carOn(t, name, g)
			got := brakes(c, 5, holdingLane(c))
			slowest := hundred * hundred / (2 * 0.33 * c.IdealBraking() * c.Params().Gravity)
			t.Logf("%s %v: %.1f m, %.2f m aside, %.1f deg", name, g, got.way, got.aside, got.yaw*180/math.Pi)
			if got.aside > 1 || got.yaw > 0.2 || got.locked > 0.15 || got.way > slowest {
				t.Errorf("%s on %v: %.2f m aside, %.3f rad, stood for %.3f s, %.1f m long", name, g, got.aside, got.yaw, got.locked, got.way)
			}
		}
	}
}

// Locked front wheels go straight on (those of a friction curve keep half of their grip); with
// ABS the car follows its steering at full pedal.
func TestABSLeavesTheCarSteerable(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, name := range slipCars() {
		c := carOn(t, name, road.Asphalt())
		turned := func(level uint8) float64 {
			s := c.Underway(r3.Vec{}, 0, hundred, 0)
			for s.Speed > 3 && s.Tick < 10_000 {
				c.Step(&s, sim.Input{Brake: 1, Steer: 0.05 * c.Params().Steering.Ratio, Assists: assist.Switches{ABS: level}})
			}
			return s.Pos.Y
		}
		with, without := turned(5), turned(0)
		if with < 2 || name != "wheelcollider" && with < 2*without {
			t.Errorf("%s: %.2f m to the left with ABS, %.2f m without", name, with, without)
		}
	}
}

// What has not been braked beyond its grip behaves as if there were no ABS.
func TestABSLeavesOrdinaryBrakingAlone(t *testing.T) {
	for _, name := range append(slipCars(), "raycast") {
		c := carOn(t, name, road.Asphalt())
		with, without := c.Underway(r3.Vec{}, 0, 25, 0), c.Underway(r3.Vec{}, 0, 25, 0)
		for i := range 4000 {
			in := sim.Input{Brake: 0.25 * min(1, float64(i)/300), Steer: 0.2 * math.Sin(float64(i)/200)}
			c.Step(&without, in)
			in.Assists.ABS = 5
			c.Step(&with, in)
		}
		if with.Pos != without.Pos || with.Brakes.PedalPulse != 0 {
			t.Errorf("%s: %v with ABS, %v without; pulse %g", name, with.Pos, without.Pos, with.Brakes.PedalPulse)
		}
		c.Step(&with, sim.Input{})
		c.Step(&without, sim.Input{})
		if with.Hash() != without.Hash() {
			t.Errorf("%s: switched off, the ABS left something behind", name)
		}
	}
}

func TestABSLetsGoWhenTheDriverDoes(t *testing.T) {
	c := carOn(t, "coupe", road.Asphalt())
	s := c.Underway(r3.Vec{}, 0, hundred, 0)
	for i := range 1000 {
		in := sim.Input{Brake: 1, Assists: assist.Switches{ABS: 5}}
		if i > 600 {
			in.Brake = 0
		}
		c.Step(&s, in)
	}
	for i := range s.Brakes.Wheels {
		if b := &s.Brakes.Wheels[i]; b.ABS.IsActive() || b.Pressure != 0 {
			t.Errorf("wheel %d: phase %d, %g bar after 0.4 s", i, b.ABS.Phase, b.Pressure)
		}
	}
	if s.Brakes.PedalPulse != 0 {
		t.Errorf("pulse %g", s.Brakes.PedalPulse)
	}
}
