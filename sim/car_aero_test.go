package sim

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// winged is the coupe with surfaces and no other drag.
func winged(t testing.TB, air chassis.Air, surfaces ...chassis.AeroSurface) *Car {
	t.Helper()
	p := DefaultCar()
	p.DragArea, p.Air, p.Aero = 0, air, surfaces
	return newCar(t, p, Dt)
}

// blowing is air that moves at a speed [m/s] from somewhere [deg].
func blowing(speed, from float64) chassis.Air {
	a := chassis.DefaultAir()
	a.WindSpeed, a.WindFrom = speed, from
	return a
}

func nearVec(t *testing.T, what string, got, want r3.Vec, tolerance float64) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= tolerance) {
		t.Errorf("%s = %v, want %v within %.2g", what, got, want, tolerance)
	}
}

// A gale over a standing car loads its axles without any other force.
func TestDownforceLoadsTheAxlesByTheLeverRule(t *testing.T) {
	tests := []struct {
		name        string
		x, lift     float64
		front, rear float64 // at 50 m/s [N]
	}{
		{"over the front axle", 0, -0.4, 1000, 0},
		{"over the rear axle", -2.66, -0.6, 0, 1500},
		{"a quarter behind the front axle", -0.665, -0.8, 1500, 500},
		{"behind the rear axle", -3.325, -0.4, -250, 1250},
		{"lift in the middle", -1.33, 0.4, -500, -500},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultCar()
			p.DragArea, p.Air, p.Aero = 0, blowing(50, 0), []chassis.AeroSurface{{X: tt.x, Z: 0.5, Lift: tt.lift}}
			for _, a := range []*suspension.Params{&p.Front, &p.Rear} { // stiff, as a body that leans shifts its own weight too
				a.SpringRate, a.BumpDamping, a.ReboundDamping = 400e3, 20e3, 20e3
			}
			c := newCar(t, p, Dt)
			s := c.Rest(r3.Vec{}, 0)
			run(c, &s, 5, Input{Brake: 1})
			front := s.Wheels[tire.FL].Load + s.Wheels[tire.FR].Load - 1500*9.80665*1.36/2.66
			rear := s.Wheels[tire.RL].Load + s.Wheels[tire.RR].Load - 1500*9.80665*1.30/2.66
			sum := -2500 * tt.lift
			near.Value(t, "sum", front+rear, sum, 0.0001*math.Abs(sum))
			near.Value(t, "front", front, tt.front, 0.003*math.Abs(sum))
			near.Value(t, "rear", rear, tt.rear, 0.003*math.Abs(sum))
		})
	}
}

func TestTopSpeedIsWhereTheSurfacesTakeAllDrive(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	top := func(c float64) float64 {
		car := winged(t, chassis.DefaultAir(), chassis.AeroSurface{X: -1.3, Z: 0.52, Drag: c})
		s := rolling(car, 50, 5)
		run(car, &s, float64(level.Pick(0, 80, 120)), Input{Throttle: 1, Gear: 5})
		drive := (s.Wheels[tire.FL].Fx + s.Wheels[tire.FR].Fx) + (s.Wheels[tire.RL].Fx + s.Wheels[tire.RR].Fx)
		near.Value(t, "drive at the top speed", drive, c*s.Speed*s.Speed, 0.002*drive)
		return s.Speed
	}
	if slow, fast := top(1.4), top(0.7); !(slow < fast-5) {
		t.Errorf("top speeds %.1f m/s and %.1f m/s with half the drag", slow, fast)
	}
}

// A body that falls for t is as fast as vt·tanh(g·t/vt), vt = √(m·g/c).
func TestFallingThroughAir(t *testing.T) {
	c := winged(t, chassis.DefaultAir(), chassis.AeroSurface{X: -1.3, Z: 0.52, Drag: 4})
	s := c.Rest(r3.Vec{}, 0)
	s.Pos.Z = 2000
	terminal := math.Sqrt(1500 * 9.80665 / 4)
	for at := 5.0; at <= 30; at += 5 {
		run(c, &s, 5, Input{})
		near.Value(t, "speed", -s.Vel.Z, terminal*math.Tanh(9.80665*at/terminal), 0.001*terminal)
	}
}

func TestASurfaceAtTheCenterOfMassIsTheCarsDrag(t *testing.T) {
	a := coupe(t)
	b := winged(t, chassis.DefaultAir(), chassis.AeroSurface{X: -1.3, Z: 0.52, DragArea: 0.65})
	one, two := rolling(a, 50, 0), rolling(b, 50, 0)
	run(a, &one, 10, Input{Steer: 0.1})
	run(b, &two, 10, Input{Steer: 0.1})
	nearVec(t, "place", two.Pos, one.Pos, 1e-6)
}

func TestSideWindPushesToLeeward(t *testing.T) {
	at := func(air chassis.Air) State {
		c := winged(t, air, chassis.AeroSurface{X: -1.3, Z: 0.6, DragArea: 2})
		s := rolling(c, 30, 4)
		run(c, &s, 3, Input{Throttle: 0.3, Gear: 4})
		return s
	}
	left, right, still := at(blowing(15, 90)), at(blowing(15, -90)), at(chassis.DefaultAir())
	if !(left.Pos.Y < -0.05) || left.Roll() <= 0 {
		t.Errorf("wind from the left: moved by %.3f m, rolled by %.5f rad, want to the right", left.Pos.Y, left.Roll())
	}
	near.Value(t, "wind from the right", right.Pos.Y, -left.Pos.Y, 1e-6)
	near.Value(t, "no wind", still.Pos.Y, 0, 0)
	if head, tail := at(blowing(15, 0)), at(blowing(15, 180)); !(head.Speed < still.Speed && still.Speed < tail.Speed) {
		t.Errorf("speeds %.2f m/s against the wind, %.2f m/s without, %.2f m/s before it", head.Speed, still.Speed, tail.Speed)
	}
}

func TestSurfacesThatDoNothingLeaveEveryBit(t *testing.T) {
	p := DefaultCar()
	p.Aero = []chassis.AeroSurface{{X: -2.8, Y: 0.3, Z: 1, RideHeight: []chassis.HeightPoint{{Height: 0.1, Factor: 2}}}}
	p.Air.WindFrom, p.Air.GustSeed, p.Air.GustPeriod = 77, 5, 3
	if got, want := recorded(newCar(t, p, Dt)), recorded(coupe(t)); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestShelterOutOfRangeIsHeld(t *testing.T) {
	c := coupe(t)
	for _, tt := range []struct{ give, want float64 }{{-1, 0}, {2, 1}, {math.NaN(), 0}, {0.4, 0.4}} {
		in := Input{Slipstream: tt.give}
		c.clampInput(&in)
		near.Value(t, "shelter", in.Slipstream, tt.want, 0)
	}
}

func TestAeroAllocatesNothing(t *testing.T) {
	air := blowing(10, 40)
	air.GustSpeed = 5
	c := winged(t, air, chassis.AeroSurface{X: 0.5, Z: 0.1, LiftArea: -1, RideHeight: []chassis.HeightPoint{{Height: 0.05, Factor: 2}, {Height: 0.15, Factor: 1}}},
		chassis.AeroSurface{X: -3, Y: 0.5, Z: 1, Drag: 0.2}, chassis.AeroSurface{X: -3, Y: -0.5, Z: 1, Drag: 0.2})
	s := rolling(c, 30, 4)
	if n := testing.AllocsPerRun(500, func() { c.Step(&s, Input{Throttle: 0.5, Gear: 4, Slipstream: 0.2}) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestACarKeepsItsOwnSurfaces(t *testing.T) {
	p := DefaultCar()
	p.Aero = []chassis.AeroSurface{{Drag: 1, RideHeight: []chassis.HeightPoint{{Height: 0.1, Factor: 2}}}}
	c := newCar(t, p, Dt)
	p.Aero[0].RideHeight[0].Factor = 9
	c.Params().Aero[0].RideHeight[0].Factor = 9
	c.Params().Aero[0].Drag = 9
	if got := c.Params().Aero[0]; got.Drag != 1 || got.RideHeight[0].Factor != 2 {
		t.Errorf("changed from outside: %+v", got)
	}
}

func TestBadAeroIsRefused(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name   string
		change func(*Params)
		want   string
	}{
		{"place ahead", func(p *Params) { p.Aero[1].X = 9 }, "aero[1].x_m = 9: must be -12 to 5"},
		{"place aside", func(p *Params) { p.Aero[1].Y = -4 }, "aero[1].y_m = -4: must be -3 to 3"},
		{"place below", func(p *Params) { p.Aero[1].Z = -0.1 }, "aero[1].z_m = -0.1: must be 0 to 4"},
		{"drag that drives", func(p *Params) { p.Aero[0].Drag = -1 }, "aero[0].drag_ns2_per_m2 = -1: must be 0 to 10"},
		{"NaN", func(p *Params) { p.Aero[0].Lift = nan }, "aero[0].lift_ns2_per_m2 = NaN: must be -10 to 10"},
		{"drag area", func(p *Params) { p.Aero[0].DragArea = 16 }, "aero[0].drag_area_m2 = 16: must be 0 to 15"},
		{"lift area", func(p *Params) { p.Aero[0].LiftArea = -16 }, "aero[0].lift_area_m2 = -16: must be -15 to 15"},
		{"drag twice", func(p *Params) { p.Aero[0].Drag, p.Aero[0].DragArea = 1, 2 },
			"aero[0].drag_ns2_per_m2 = 1 and drag_area_m2 = 2: give one of the two"},
		{"lift twice", func(p *Params) { p.Aero[0].Lift, p.Aero[0].LiftArea = -1, 2 },
			"aero[0].lift_ns2_per_m2 = -1 and lift_area_m2 = 2: give one of the two"},
		{"heights that fall", func(p *Params) {
			p.Aero[0].RideHeight = []chassis.HeightPoint{{Height: 0.2, Factor: 1}, {Height: 0.1, Factor: 1}}
		},
			"aero[0].ride_height[1].height_m = 0.1: must be 0.201 to 5"},
		{"negative factor", func(p *Params) { p.Aero[0].RideHeight = []chassis.HeightPoint{{Height: 0.2, Factor: -1}} },
			"aero[0].ride_height[0].factor = -1: must be 0 to 10"},
		{"too many heights", func(p *Params) { p.Aero[0].RideHeight = rising(33) },
			"aero[0].ride_height has 33 entries: must be 0 to 32"},
		{"too many", func(p *Params) { p.Aero = make([]chassis.AeroSurface, 33) }, "aero has 33 entries: must be 0 to 32"},
		{"density", func(p *Params) { p.Air.Density = -1 }, "air.density_kg_m3 = -1: must be 0 to 10"},
		{"wind", func(p *Params) { p.Air.WindSpeed = 101 }, "air.wind_mps = 101: must be 0 to 100"},
		{"direction", func(p *Params) { p.Air.WindFrom = nan }, "air.wind_from_deg = NaN: must be -360 to 360"},
		{"gusts", func(p *Params) { p.Air.GustSpeed = -2 }, "air.gust_mps = -2: must be 0 to 50"},
		{"period", func(p *Params) { p.Air.GustPeriod = 0 }, "air.gust_period_s = 0: must be 0.5 to 600"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultCar()
			p.Aero = make([]chassis.AeroSurface, 2)
			tt.change(&p)
			err := p.Validate()
			if err == nil || err.Error() != tt.want && !strings.HasPrefix(err.Error(), tt.want+"\n") {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func rising(n int) (list []chassis.HeightPoint) {
	for i := range n {
		list = append(list, chassis.HeightPoint{Height: 0.1 * float64(i), Factor: 1})
	}
	return list
}
