package sim

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// newCar returns a car on level asphalt, which weighs as much after idling as before.
func newCar(t testing.TB, p Params, dt float64) *Car {
	t.Helper()
	p.Fuel.IdleRate = 0
	c, err := New(p, road.Asphalt(), dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func coupe(t testing.TB) *Car { return newCar(t, DefaultCar(), Dt) }

// rolling returns the car at a speed [m/s] along x, its wheels rolling and its
// engine matched to the gear.
func rolling(c *Car, speed float64, gear int8) State {
	s := c.Underway(r3.Vec{}, 0, speed, gear)
	s.Driveline.EngineSpeed = max(c.driveline.IdleSpeed(), s.Driveline.EngineSpeed)
	return s
}

func run(c *Car, s *State, seconds float64, in Input) {
	for range int(math.Round(seconds / c.dt)) {
		c.Step(s, in)
	}
}

// cruise holds a speed [m/s] at a steering wheel angle [rad].
func cruise(c *Car, s *State, seconds, speed, steer float64, gear int8) {
	for range int(math.Round(seconds / c.dt)) {
		c.Step(s, Input{Steer: steer, Throttle: valid.Clamp(0.2+0.5*(speed-s.Speed), 0, 1), Gear: gear})
	}
}

func TestAtRestItStaysAtRest(t *testing.T) {
	stands := float64(level.Pick(10, 10, 60)) // [s]
	for _, tt := range []struct {
		name    string
		in      Input
		heading float64
	}{
		{"brakes off", Input{}, 0},
		{"brakes on", Input{Brake: 1}, 0},
		{"hand brake, heading north-west", Input{Handbrake: 1}, 2.3},
		{"in gear", Input{Gear: 1, Assists: assist.Switches{AutoClutch: true}}, -1},
		{"steered", Input{Steer: 3}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := coupe(t)
			s := c.Rest(r3.Vec{X: 5, Y: -3}, tt.heading)
			start := s.Pos
			if tt.in.Steer != 0 { // the tires, turned where they stand, turn the car by a hair
				run(c, &s, 10, tt.in)
				near.Value(t, "turned by", r3.Norm(r3.Sub(s.Pos, start)), 0, 1.5e-3) // the trail swings its front by 2 mm
				start = s.Pos
			}
			if tt.in.Gear != 0 { // the gear that goes in gives it a nudge
				run(c, &s, 3, tt.in)
				start = s.Pos
			}
			run(c, &s, stands, tt.in)
			if moved := r3.Norm(r3.Sub(s.Pos, start)); moved > 1e-6*stands/60 {
				t.Errorf("moved %.3g m in %g s", moved, stands)
			}
		})
	}
}

// slope falls towards -x by its angle [rad].
type slope float64

func (g slope) Touch(p r3.Vec) road.Contact {
	sin, cos := math.Sincos(float64(g))
	n := r3.Vec{X: -sin, Z: cos}
	height := r3.Dot(p, n)
	return road.Contact{Point: r3.Sub(p, r3.Scale(height, n)), Normal: n, Depth: -height, Surface: tire.Dry()}
}

func TestBrakesHoldOnASlope(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	c, err := New(DefaultCar(), slope(8*math.Pi/180), Dt)
	if err != nil {
		t.Fatal(err)
	}
	stands := float64(level.Pick(0, 10, 60)) // [s]
	for _, heading := range []float64{0, 0.8, math.Pi / 2, 2.5, math.Pi} {
		s := c.Rest(r3.Vec{}, heading)
		run(c, &s, 20, Input{Brake: 1, IgnitionOff: true})
		start := s.Pos
		run(c, &s, stands, Input{Brake: 1, IgnitionOff: true})
		if crept := r3.Norm(r3.Sub(s.Pos, start)); crept > 1e-6*stands/60 {
			t.Errorf("heading %.1f: crept %.3g m in %g s", heading, crept, stands)
		}
		if r3.Norm(start) > 0.7 {
			t.Errorf("heading %.1f: came to rest at %v", heading, start)
		}
	}
}

func TestRestingLoadsFollowTheLeverRule(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{}, 0.7)
	run(c, &s, 2, Input{})
	front := s.Wheels[tire.FL].Load + s.Wheels[tire.FR].Load
	rear := s.Wheels[tire.RL].Load + s.Wheels[tire.RR].Load
	near.Value(t, "sum of loads", front+rear, 1500*9.80665, 1e-3)
	near.Value(t, "front load", front, 1500*9.80665*1.36/2.66, 1e-3)
	near.Value(t, "left minus right", s.Wheels[tire.FL].Load-s.Wheels[tire.FR].Load, 0, 1e-6)
	near.Value(t, "specific force", s.SpecificForce.Z, 9.80665, 1e-6)
}

func TestLoadTransferInATurn(t *testing.T) {
	p := DefaultCar()
	p.Gyroscopes = false // wheels and engine move load by themselves
	c := newCar(t, p, Dt)
	s := rolling(c, 20, 3)
	cruise(c, &s, 10, 20, 0.6, 3)
	ay := s.Acc.Y*math.Cos(s.Roll()) - s.Acc.Z*math.Sin(s.Roll())
	if ay < 3 {
		t.Fatalf("ay = %.2f m/s²: not a turn to the left", ay)
	}
	// Moments about the middle of the mean track; the body leans over it.
	moved := (s.Wheels[tire.FR].Load - s.Wheels[tire.FL].Load + s.Wheels[tire.RR].Load - s.Wheels[tire.RL].Load) / 2
	want := 1500 * s.Pos.Z * (ay*math.Cos(s.Roll()) + gravity*math.Sin(s.Roll())) / 1.53
	near.Value(t, "load moved outside", moved, want, 0.02*want)
	if s.Roll() <= 0.01 || s.Roll() > 0.1 {
		t.Errorf("roll = %.4f rad, want the right side down in a left turn", s.Roll())
	}
	front := s.Wheels[tire.FR].Load - s.Wheels[tire.FL].Load
	rear := s.Wheels[tire.RR].Load - s.Wheels[tire.RL].Load
	if front <= rear {
		t.Errorf("load transfer front %.0f N, rear %.0f N: the stiffer front must take more", front, rear)
	}
}

func TestYawGainIsThatOfTheLinearSingleTrack(t *testing.T) {
	p := DefaultCar()
	p.Steering.Ackermann = 0
	c := newCar(t, p, Dt)
	const speed, steer = 25.0, 0.01
	s := rolling(c, speed, 4)
	cruise(c, &s, 10, speed, steer, 4)
	m, l, a := p.Mass, p.Wheelbase, p.CGToFront
	weight := m * gravity
	cf := p.Front.Tire.Brush.Stiffness * weight * (l - a) / l / p.Front.Tire.Brush.NominalLoad // both wheels
	cr := p.Rear.Tire.Brush.Stiffness * weight * a / l / p.Rear.Tire.Brush.NominalLoad
	trail := func(x suspension.Params, load float64) float64 { // a/3: where the side force attacks
		return x.Tire.Brush.HalfLength * math.Sqrt(load/2/x.Tire.Brush.NominalLoad) / 3
	}
	front := a - trail(p.Front, weight*(l-a)/l)
	rear := l - a + trail(p.Rear, weight*a/l)
	understeer := m / l * (rear/cf - front/cr) // [rad per m/s²]
	want := s.Speed / (l + understeer*s.Speed*s.Speed)
	got := s.Rate.Z / (steer / p.Steering.Ratio)
	near.Value(t, "yaw gain", got, want, 0.03*want)
}

func TestBrakingDistanceOfLockedWheels(t *testing.T) {
	p := DefaultCar()
	p.DragArea = 0
	p.Front.Tire.Brush.FrictionLoadSlope, p.Rear.Tire.Brush.FrictionLoadSlope = 0, 0
	c := newCar(t, p, Dt)
	s := rolling(c, 30, 0)
	start := s.Pos.X
	run(c, &s, 6, Input{Brake: 1})
	want := 30.0 * 30 / (2 * 1.0 * gravity)
	near.Value(t, "braking distance", s.Pos.X-start, want, 0.05*want)
	near.Value(t, "speed afterwards", s.Speed, 0, 1e-3)
	near.Value(t, "a straight line", s.Pos.Y, 0, 0)
}

func TestTopSpeedIsWhereDragEqualsDrive(t *testing.T) {
	c := coupe(t)
	s := rolling(c, 55, 5)
	run(c, &s, 120, Input{Throttle: 1, Gear: 5})
	// 0.31 m unloaded, 3.6 kN on a tire of 4 kN and 210 kN/m: MF-Tyre's effective radius.
	rolls := 0.31 - 4.0/210*(0.27*math.Atan(8.4*3.6/4)+0.07*3.6/4)
	var full curve.Line
	for _, at := range c.p.Driveline.TorqueCurve {
		full.Add(at.RPM*driveline.PerRPM, at.Torque)
	}
	drive := (0.95*full.At(s.Driveline.EngineSpeed)*c.driveline.Ratio(5) - 6) / rolls
	drag := 0.5 * 1.225 * 0.65 * s.Speed * s.Speed
	rollingDrag := 0.012 * 1500 * gravity
	near.Value(t, "drive minus drag and rolling resistance", drive-drag-rollingDrag, 0, 0.01*drive)
	if s.Speed < 55 || s.Speed > 80 {
		t.Errorf("top speed %.1f m/s", s.Speed)
	}
}

func TestCoastingLosesEnergy(t *testing.T) {
	c := coupe(t)
	s := rolling(c, 40, 0)
	last := math.Inf(1)
	for i := range 60_000 {
		c.Step(&s, Input{Steer: 0.1})
		if i%1000 != 0 {
			continue
		}
		energy := c.p.Mass * (r3.Dot(s.Vel, s.Vel)/2 + gravity*s.Pos.Z)
		if energy >= last {
			t.Fatalf("energy rose from %.3f J to %.3f J at %d ms", last, energy, i)
		}
		last = energy
	}
}

// flight returns momentum [N·s] and angular momentum about the center of mass
// [N·m·s] of the whole car with its turning wheels, whose axles point to its left,
// in the world.
func flight(c *Car, s *State) (linear, angular r3.Vec) {
	ws := s.wheelTravels()
	linear, angular = c.chassis.Momentum(&s.State, &ws)
	for i := range s.Wheels {
		turning := c.wheels[i].inertia * s.Wheels[i].Roll.Spin
		angular = r3.Add(angular, r3.Scale(turning, chassis.AxesOf(s.Att).Y))
	}
	b := chassis.AxesOf(s.Att)
	return linear, r3.Add(angular, b.ToWorld(c.driveline.Momentum(&s.Driveline)))
}

// spinEnergy returns the energy of a body that turns at a rate [J].
func spinEnergy(c *Car, rate r3.Vec) float64 {
	return c.chassis.Kinetic(&chassis.State{Rate: rate}, &[4]chassis.Wheel{})
}

func TestFreeFall(t *testing.T) {
	p := DefaultCar()
	p.DragArea = 0
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0)
	s.Pos.Z += 100
	s.Rate = r3.Vec{X: 0.3, Y: -0.2, Z: 0.4}
	s.Vel.X = 3
	_, before := flight(c, &s)
	run(c, &s, 1, Input{}) // the wheels drop to the ends of their travel
	along, after := flight(c, &s)
	near.Value(t, "fall speed", along.Z/p.Mass, -gravity, 1e-9)
	near.Value(t, "forward speed", along.X/p.Mass, 3, 1e-12)
	near.Value(t, "change of angular momentum", r3.Norm(r3.Sub(after, before)), 0, 1e-9*r3.Norm(before))
}

// A car whose springs press its wheels out is one rigid body in the air.
func TestAFreeCarKeepsMomentumAndEnergy(t *testing.T) {
	for name, p := range map[string]Params{"symmetric": DefaultCar(), "skewed": skewed()} {
		p.DragArea, p.Driveline.SpinLoss = 0, 0
		p.Front.Spring.Preload, p.Rear.Spring.Preload = 800, 800
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		for i := range s.Wheels {
			s.Wheels[i].Travel = 0
			s.Wheels[i].Roll.Spin = 30
			if c.driveline.DrivesAxle(i / 2) {
				s.Driveline.Shafts[i].Speed = 30
			}
		}
		s.Pos.Z, s.Vel, s.Rate = 100, r3.Vec{X: 20, Y: -3, Z: 4}, r3.Vec{X: 2, Y: -1, Z: 1.5}
		p0, l0 := flight(c, &s)
		e0 := c.kineticEnergy(&s) + c.p.Mass*gravity*s.Pos.Z
		run(c, &s, 3, Input{})
		p1, l1 := flight(c, &s)
		e1 := c.kineticEnergy(&s) + c.p.Mass*gravity*s.Pos.Z
		p0.Z -= 3 * c.p.Mass * gravity
		near.Value(t, name+": change of momentum", r3.Norm(r3.Sub(p1, p0))/r3.Norm(p0), 0, 1e-9)
		near.Value(t, name+": change of angular momentum", r3.Norm(r3.Sub(l1, l0))/r3.Norm(l0), 0, 1e-9)
		near.Value(t, name+": change of energy", (e1-e0)/e0, 0, 1e-9)
		near.Value(t, name+": its turning alone", spinEnergy(c, s.Rate)/spinEnergy(c, r3.Vec{X: 2, Y: -1, Z: 1.5}), 1, 1e-9)
	}
}

func TestLiftingTheThrottlePitchesForward(t *testing.T) {
	c := coupe(t)
	s := rolling(c, 20, 2)
	run(c, &s, 2, Input{Throttle: 0.8, Gear: 2})
	driven := s.Pitch()
	run(c, &s, 1, Input{Gear: 2})
	coasting := s.Pitch()
	if !(driven < 0 && coasting > 0) {
		t.Errorf("pitch driven %.5f rad, coasting %.5f rad, want nose up, then down", driven, coasting)
	}
	run(c, &s, 0.5, Input{Brake: 0.4, Gear: 2})
	if s.Pitch() < coasting+0.005 {
		t.Errorf("pitch braking %.5f rad, want more than %.5f rad", s.Pitch(), coasting)
	}
}

func TestColumnTorqueCentersAndFallsWhenTheFrontSlides(t *testing.T) {
	c := coupe(t)
	torque := func(steer float64) float64 {
		s := rolling(c, 20, 3)
		cruise(c, &s, 4, 20, steer, 3)
		return s.ColumnTorque
	}
	mild, firm, most, sliding := torque(0.2), torque(0.6), torque(1), torque(3)
	if !(mild < 0 && firm < 1.5*mild) {
		t.Errorf("column torque %.2f N·m, then %.2f N·m: a left turn must push right, and more with more steer", mild, firm)
	}
	if !(sliding < 0 && sliding > 0.8*most) {
		t.Errorf("column torque %.2f N·m sliding, %.2f N·m before: must fall", sliding, most)
	}
	near.Value(t, "mirrored", torque(-0.6), -firm, 1e-6)
}

func TestReverse(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 3, Input{Throttle: 0.4, Gear: -1, Steer: 1, Assists: assist.Switches{AutoClutch: true}})
	if s.Speed > -2 {
		t.Errorf("speed %.2f m/s after reversing", s.Speed)
	}
	if s.Rate.Z >= 0 {
		t.Errorf("yaw rate %.3f rad/s: steered left, a reversing car turns right", s.Rate.Z)
	}
}

func TestStandingStart(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{}, 0)
	took := 0.0
	for s.Speed < 100/3.6 && took < 20 {
		c.Step(&s, Input{Throttle: 1, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}})
		took += Dt
	}
	if took < 5 || took > 9 {
		t.Errorf("0 to 100 km/h in %.2f s, in gear %d", took, s.Driveline.Gear)
	}
}

func TestStepHoldsAtEverySpeed(t *testing.T) {
	c := coupe(t)
	for _, speed := range []float64{0, 0.1, 1, 3, 10, 40, 80} {
		s := rolling(c, speed, 6)
		for i := range 4000 {
			steer := 0.3 * math.Sin(float64(i)*0.01) / (1 + speed/10)
			c.Step(&s, Input{Steer: steer, Throttle: 0.5, Gear: 6})
			if up := chassis.AxesOf(s.Att).Z.Z; !(up > 0.9) || !(math.Abs(s.Speed-speed) < 15) {
				t.Fatalf("from %g m/s: after %d ms speed %g m/s, upright %g", speed, i, s.Speed, up)
			}
		}
	}
}

func TestNonsenseInputsAreHeldInRange(t *testing.T) {
	c := coupe(t)
	nan, inf := math.NaN(), math.Inf(1)
	s := rolling(c, 20, 3)
	for range 2000 {
		c.Step(&s, Input{Steer: nan, Throttle: nan, Brake: -inf, Clutch: nan, Handbrake: -3, Gear: -128})
		c.Step(&s, Input{Steer: inf, Throttle: inf, Brake: nan, Gear: 127})
	}
	if !finite(reflect.ValueOf(s)) {
		t.Errorf("state %+v", s)
	}
	run(c, &s, 2, Input{Gear: 127, Assists: assist.Switches{AutoClutch: true}})
	near.Value(t, "gear", float64(s.Driveline.Gear), 6, 0)
}

func TestRandomDrivingStaysOnTheGround(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	c := coupe(t)
	dice := rand.New(rand.NewPCG(1, 2))
	for drive := range level.Pick(0, 6, 12) {
		s := rolling(c, 60*dice.Float64(), 0)
		energy := func() float64 {
			return c.p.Mass*(r3.Dot(s.Vel, s.Vel)/2+gravity*s.Pos.Z) + spinEnergy(c, s.Rate)
		}
		var in Input
		for tick := range 10_000 {
			if tick%200 == 0 {
				in = Input{
					Steer: 12 * (dice.Float64() - 0.5), Brake: dice.Float64() - 0.5, Clutch: dice.Float64() - 0.5,
					Handbrake: 2*dice.Float64() - 1, Throttle: dice.Float64(), Gear: int8(dice.IntN(8)) - 1,
				}
			}
			before := energy()
			c.Step(&s, in)
			// 250 kW of engine, and as much again from springs, rims and flywheel.
			if gain := energy() - before; !(gain < 500e3*Dt) {
				t.Fatalf("drive %d, %d ms: %.0f J from nothing", drive, tick, gain)
			}
			if up := chassis.AxesOf(s.Att).Z.Z; !(up > 0.9) || !(math.Abs(s.Pos.Z-0.5) < 0.3) {
				t.Fatalf("drive %d, %d ms: upright %.3f, height %.3f m", drive, tick, up, s.Pos.Z)
			}
		}
		if !finite(reflect.ValueOf(s)) {
			t.Fatalf("drive %d: %+v", drive, s)
		}
	}
}

func finite(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float64:
		return !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
	case reflect.Struct:
		for i := range v.NumField() {
			if !finite(v.Field(i)) {
				return false
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if !finite(v.Index(i)) {
				return false
			}
		}
	}
	return true
}
