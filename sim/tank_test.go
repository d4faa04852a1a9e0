package sim

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// tankCar is a car whose 80 L are behind its rear axle and to its left.
func tankCar(p *Params) {
	p.Fuel.Capacity, p.Fuel.X, p.Fuel.Y, p.Fuel.Z = 80, -3.2, 0.4, 0.6
}

// A car of a body and a tank of fuel, summed up as parts with and without the fuel that
// is missing, is the one that gives a level.
func TestMissingFuelIsTakenOutExactly(t *testing.T) {
	car := func(fuel float64) Params {
		p := DefaultCar()
		tankCar(&p)
		p.Parts = []chassis.Part{
			{Mass: 1300, X: -1.3, Z: 0.5, Length: 4, Width: 1.6, Height: 0.7},
			{Mass: fuel * 0.7489, X: -3.2, Y: 0.4, Z: 0.6},
		}
		return p
	}
	full := car(80)
	full.Fuel.Level = 30
	got, want := full.resolved(), car(30).Params.SumParts()
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"mass", got.Mass, want.Mass},
		{"ahead", got.CGToFront, want.CGToFront},
		{"left", got.CGLeft, want.CGLeft},
		{"height", got.CGHeight, want.CGHeight},
		{"xx", got.InertiaXX, want.InertiaXX},
		{"yy", got.InertiaYY, want.InertiaYY},
		{"zz", got.InertiaZZ, want.InertiaZZ},
		{"xy", got.InertiaXY, want.InertiaXY},
		{"yz", got.InertiaYZ, want.InertiaYZ},
		{"xz", got.InertiaXZ, want.InertiaXZ},
	} {
		near.Value(t, v.name, v.got, v.want, 1e-9*max(math.Abs(v.want), 1))
	}
	if again := got.resolved(); again.Mass != got.Mass || again.Fuel.Level != 30 || again.InertiaZZ != got.InertiaZZ {
		t.Error("taken out twice")
	}
}

// Half of the fuel burned: the wheels carry what is left, about the places where the car,
// which has risen behind, now has its masses and its hubs.
func TestBurnedFuelNoLongerWeighs(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		tankCar(p)
		p.Front.UnsprungMass, p.Rear.UnsprungMass = 0, 0 // wheels would shift a little in the body
	})
	s := c.Rest(r3.Vec{}, 0)
	s.Driveline.Fuel = 40
	stopEngine(&s)
	run(c, &s, 30, Input{IgnitionOff: true})
	const gone = 40 * 0.7489
	b := chassis.AxesOf(s.Att)
	tank := r3.Add(s.Pos, b.ToWorld(r3.Vec{X: -3.2 + 1.3, Y: 0.4, Z: 0.6 - 0.52}))
	var load, ahead float64
	for i := range s.Wheels {
		load += s.Wheels[i].Load
		ahead += s.Wheels[i].Load * s.Wheels[i].Hub.X
	}
	near.Value(t, "loads less weight", load-(1500-gone)*gravity, 0, 1e-6)
	near.Value(t, "moment ahead", ahead, (1500*s.Pos.X-gone*tank.X)*gravity, 1e-3) // the standing tires hold each other by moments
	near.Value(t, "specific force", r3.Norm(s.SpecificForce), gravity, 1e-6)
	// Level it would be this; it rose by a centimetre behind.
	near.Value(t, "front", s.Wheels[tire.FL].Load+s.Wheels[tire.FR].Load, (1500*1.36-gone*(2.66-3.2))/2.66*gravity, 6)
	near.Value(t, "moment to the left", (s.Wheels[tire.FL].Load-s.Wheels[tire.FR].Load)*1.52/2+(s.Wheels[tire.RL].Load-s.Wheels[tire.RR].Load)*1.54/2,
		-gone*0.4*gravity, 0.1*gone*0.4*gravity)
}

// A lighter car is pushed as one that was built without the fuel.
func TestALighterCarGainsMoreSpeed(t *testing.T) {
	push := func(level, now float64) State {
		c := engineCar(t, func(p *Params) {
			tankCar(p)
			p.Fuel.Y, p.DragArea, p.Fuel.Level = 0, 0, level
			p.Driveline.SpinLoss = 0
		})
		s := rolling(c, 20, 0)
		s.Driveline.Fuel = now
		run(c, &s, 5, Input{PushForce: 4000, IgnitionOff: true})
		return s
	}
	burned, built, heavy := push(1000, 20), push(20, 20), push(1000, 80)
	near.Value(t, "speed", burned.Speed, built.Speed, 2e-4*(built.Speed-20))
	if gain := built.Speed - heavy.Speed; gain < 0.02*(built.Speed-20) {
		t.Errorf("60 L less gain %.3g m/s of %.3g m/s", gain, built.Speed-20)
	}
}

// It turns into a bend as one that was built without the fuel, which is far from how it
// does with it.
func TestALighterCarTurnsInFaster(t *testing.T) {
	turn := func(level, now float64) float64 {
		c := engineCar(t, func(p *Params) {
			tankCar(p)
			p.Fuel.Y, p.Fuel.Level = 0, level
		})
		s := rolling(c, 20, 0)
		s.Driveline.Fuel = now
		run(c, &s, 3, Input{IgnitionOff: true})
		run(c, &s, 0.1, Input{Steer: 0.8, IgnitionOff: true})
		return s.Rate.Z
	}
	burned, built, heavy := turn(1000, 20), turn(20, 20), turn(1000, 80)
	near.Value(t, "yaw rate", burned, built, 3e-3*built)
	if heavy > 0.98*built {
		t.Errorf("yaw rate %.4f rad/s full, %.4f rad/s nearly empty", heavy, built)
	}
}

// While the level is as at the start the tank's place makes no difference to the bit.
func TestAFullTankIsPartOfTheCar(t *testing.T) {
	near, far := engineCar(t, func(*Params) {}), engineCar(t, tankCar)
	a, b := rolling(near, 20, 0), rolling(far, 20, 0)
	for tick := range 3000 {
		in := Input{Steer: 0.001 * float64(tick%700), Brake: 0.1, IgnitionOff: true}
		near.Step(&a, in)
		far.Step(&b, in)
		if b.Driveline.Fuel = a.Driveline.Fuel; a != b {
			t.Fatalf("differ after %d ms", tick)
		}
		b.Driveline.Fuel = far.tank.level
	}
}

// Fuel that was burnt gives the car no energy: thrown over its springs, it comes to rest.
func TestBurnedFuelGivesNoEnergy(t *testing.T) {
	c := engineCar(t, tankCar)
	s := rolling(c, 15, 0)
	s.Driveline.Fuel = 1
	s.Vel.Z, s.Rate = -1.2, r3.Vec{X: 0.6, Y: -0.5}
	gone := 79 * 0.7489
	last := math.Inf(1)
	for tick := range 6000 {
		c.Step(&s, Input{IgnitionOff: true})
		b := chassis.AxesOf(s.Att)
		at := r3.Add(s.Vel, b.ToWorld(r3.Cross(s.Rate, c.p.tankCenter())))
		energy := c.Energy(&s) - gone*r3.Dot(at, at)/2 - gone*gravity*(s.Pos.Z+b.ToWorld(c.p.tankCenter()).Z)
		if tick%500 == 499 {
			if energy > last {
				t.Fatalf("energy rose from %.3f J to %.3f J at %d ms", last, energy, tick)
			}
			last = energy
		}
	}
	near.Value(t, "heave at the end", s.Vel.Z, 0, 1e-4)
	near.Value(t, "pitch rate at the end", s.Rate.Y, 0, 1e-4)
}

// stopEngine stops an engine whose running down would turn the body.
func stopEngine(s *State) { s.Driveline.EngineSpeed, s.Driveline.Gearbox.InputSpeed = 0, 0 }

// In the air nothing weighs, and burnt fuel pushes nothing.
func TestBurnedFuelPushesNothingInTheAir(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		tankCar(p)
		p.DragArea = 0
		p.Front.Spring.Preload, p.Rear.Spring.Preload = 800, 800 // presses the wheels out
	})
	s := c.Rest(r3.Vec{}, 0)
	s.Driveline.Fuel, s.Pos.Z, s.SpecificForce = 10, 100, r3.Vec{}
	for i := range s.Wheels {
		s.Wheels[i].Travel = 0
	}
	stopEngine(&s)
	run(c, &s, 2, Input{IgnitionOff: true})
	near.Value(t, "fall", s.Vel.Z, -2*gravity, 1e-9)
	near.Value(t, "turning", r3.Norm(s.Rate), 0, 1e-9)
}

func TestATankThatDoesNotFitIsRefused(t *testing.T) {
	for _, tt := range []struct {
		edit func(p *Params)
		want string
	}{
		{func(p *Params) { p.Fuel.Capacity = 400 }, "fuel.capacity_l = 400: must be 0 to 300.4406462812124, 15 % of the car's mass"},
		{func(p *Params) { p.Fuel.Level = 0 }, "fuel.level_l = 0: must be 0.1 to 1000"},
		{func(p *Params) { p.Fuel.Capacity, p.Fuel.Level, p.Fuel.X = 290, 1, -12 }, "fuel.level_l = 1: the car without the fuel that is missing has"},
		{func(p *Params) {
			p.Fuel.BSFCMap = []driveline.FuelPoint{{RPM: 1000, Torque: 20, BSFC: 0.3}, {RPM: 2000, Torque: 40, BSFC: 0.3}}
		}, "fuel.bsfc lacks the point at rpm = 1000 and nm = 40"},
	} {
		p := DefaultCar()
		tt.edit(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}

// A tank that nobody speaks of fits any car.
func TestTheTankFollowsTheCar(t *testing.T) {
	for _, mass := range []float64{100, 1500, 20e3} {
		p := DefaultCar()
		p.Mass = mass
		near.Value(t, "liters", p.withFuel().Fuel.Capacity, mass/25, 1e-9)
		if err := p.checkFuel(); err != nil {
			t.Errorf("%g kg: %v", mass, err)
		}
	}
}
