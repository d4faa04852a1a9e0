package sim

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// loaded is the coupe made of parts, its driver on the left.
func loaded() Params {
	p := DefaultCar()
	p.Parts = []chassis.Part{
		{Name: "body", Mass: 1000, X: -1.3, Z: 0.55, Length: 4, Width: 1.6, Height: 0.6},
		{Name: "engine", Mass: 250, X: 0.1, Z: 0.5, Length: 0.6, Width: 0.6, Height: 0.6},
		{Name: "driver", Mass: 80, X: -1.5, Y: 0.37, Z: 0.55, Length: 0.5, Width: 0.4, Height: 0.9},
		{Name: "ballast", Mass: 170, X: -2.4, Z: 0.4},
	}
	return p
}

// skewed is a car whose mass lies askew in every way.
func skewed() Params {
	p := DefaultCar()
	p.InertiaXY, p.InertiaYZ, p.InertiaXZ = 150, -40, 60
	return p
}

func TestWheelsCarryTheWeightUnderAnyGravity(t *testing.T) {
	for _, g := range []float64{1.62, 3.72, 9.80665, 12} {
		p := DefaultCar()
		p.Gravity = g
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0.4)
		near.Value(t, "specific force at once", s.SpecificForce.Z, g, 1e-12)
		run(c, &s, 2, Input{})
		front, rear := s.Wheels[tire.FL].Load+s.Wheels[tire.FR].Load, s.Wheels[tire.RL].Load+s.Wheels[tire.RR].Load
		near.Value(t, "front load", front, 1500*g*1.36/2.66, 1e-3)
		near.Value(t, "rear load", rear, 1500*g*1.30/2.66, 1e-3)
		near.Value(t, "height", s.Pos.Z, 0.52, 1e-6)
		near.Value(t, "specific force", s.SpecificForce.Z, g, 1e-6)
	}
}

func TestFreeFallUnderAnyGravity(t *testing.T) {
	for _, g := range []float64{0, 1.62, 20} {
		p := skewed()
		p.DragArea, p.Gravity = 0, g
		p.Front.SpringRate, p.Rear.SpringRate = 60e3, 60e3
		p.Front.UnsprungMass, p.Rear.UnsprungMass = 0, 0 // nothing but the body moves
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		s.Pos.Z, s.Vel = 100, r3.Vec{X: 3, Y: -2, Z: 1}
		run(c, &s, 2, Input{})
		near.Value(t, "fall speed", s.Vel.Z, 1-2*g, 1e-9)
		near.Value(t, "height", s.Pos.Z, 102-g*2, 1e-9)
		near.Value(t, "specific force", r3.Norm(s.SpecificForce), 0, 1e-12)
		near.Value(t, "forward speed", s.Vel.X, 3, 1e-12)
		near.Value(t, "speed to the left", s.Vel.Y, -2, 1e-12)
	}
}

func TestWithoutGravityNothingIsCarried(t *testing.T) {
	p := DefaultCar()
	p.Gravity = 0
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0.4)
	start := s.Pos
	run(c, &s, 5, Input{})
	for i := range s.Wheels {
		near.Value(t, "load", s.Wheels[i].Load, 0, 1e-6)
	}
	near.Value(t, "moved by", r3.Norm(r3.Sub(s.Pos, start)), 0, 1e-6)
	near.Value(t, "understeer", c.Understeer(), 0, 0)
}

func TestACarOfPartsStandsLevelOnItsLoads(t *testing.T) {
	c := newCar(t, loaded(), Dt)
	s := c.Rest(r3.Vec{}, 0)
	start := s.Pos
	run(c, &s, 5, Input{})
	const back = (1000*1.3 - 250*0.1 + 80*1.5 + 170*2.4) / 1500
	const left = 80 * 0.37 / 1500
	weight := 1500 * 9.80665
	near.Value(t, "front left", s.Wheels[tire.FL].Load, weight*(1-back/2.66)*(0.5+left/1.52), 1e-2)
	near.Value(t, "front right", s.Wheels[tire.FR].Load, weight*(1-back/2.66)*(0.5-left/1.52), 1e-2)
	near.Value(t, "rear left", s.Wheels[tire.RL].Load, weight*back/2.66*(0.5+left/1.54), 1e-2)
	near.Value(t, "rear right", s.Wheels[tire.RR].Load, weight*back/2.66*(0.5-left/1.54), 1e-2)
	near.Value(t, "roll", s.Roll(), 0, 1e-6)
	near.Value(t, "moved by", r3.Norm(r3.Sub(s.Pos, start)), 0, 1e-5)
	near.Value(t, "left front hub beside the middle", s.Wheels[tire.FL].Hub.Y+left, 1.52/2, 1e-6)
}

func TestParamsAreThoseOfTheFinishedCar(t *testing.T) {
	p := loaded()
	p.ComOffset = []float64{0.1, -0.02, -0.2}
	got := newCar(t, p, Dt).Params()
	if len(got.Parts) != 0 || len(got.ComOffset) != 0 {
		t.Errorf("parts %v, offset %v are left", got.Parts, got.ComOffset)
	}
	near.Value(t, "mass", got.Mass, 1500, 1e-9)
	near.Value(t, "to the front axle", got.CGToFront, 1803.0/1500-0.1, 1e-9)
	near.Value(t, "to the left", got.CGLeft, 29.6/1500-0.02, 1e-9)
	near.Value(t, "height", got.CGHeight, 787.0/1500-0.2, 1e-9)
	a, b := recorded(newCar(t, p, Dt)), recorded(newCar(t, got, Dt))
	if a.Hash() != b.Hash() {
		t.Error("a car built from them drives otherwise")
	}
}

// rollsOver drives full throttle for 10 s, then steers hard.
func rollsOver(c *Car) bool {
	s := c.Rest(r3.Vec{}, 0)
	for range 10_000 {
		c.Step(&s, Input{Throttle: 1, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}})
	}
	for range 10_000 {
		c.Step(&s, Input{Steer: 3, Clutch: 1, Brake: 0.5, Gear: s.Driveline.Gear})
		if chassis.AxesOf(s.Att).Z.Z < 0.3 {
			return true
		}
	}
	return false
}

func TestALoweredCenterOfMassStopsTheRollOver(t *testing.T) {
	for _, tt := range []struct {
		by   float64
		over bool
	}{{0, true}, {-0.5, false}, {-1.1, false}} { // the last is below the ground
		p := DefaultCar()
		p.CGHeight = 1
		p.ComOffset = []float64{0, 0, tt.by}
		if got := rollsOver(newCar(t, p, Dt)); got != tt.over {
			t.Errorf("lowered by %g m: rolls over %v, want %v", -tt.by, got, tt.over)
		}
	}
}

func TestAnOffsetLeavesTheBodyWhereItIs(t *testing.T) {
	p := DefaultCar()
	p.ComOffset = []float64{-0.2, 0.1, -0.3}
	as, is := coupe(t), newCar(t, p, Dt)
	for i, at := range as.chassis.Corners() {
		want := r3.Sub(at, r3.Vec{X: -0.2, Y: 0.1, Z: -0.3})
		near.Value(t, "corner of the body", r3.Norm(r3.Sub(is.chassis.Corners()[i], want)), 0, 0.02) // rests lower where it is lighter
	}
	for i := range as.wheels {
		a, b := as.Rest(r3.Vec{}, 0).Wheels[i].Hub, is.Rest(r3.Vec{X: -0.2, Y: 0.1}, 0).Wheels[i].Hub
		near.Value(t, "wheel ahead", b.X, a.X, 1e-12)
		near.Value(t, "wheel to the left", b.Y, a.Y, 1e-12)
	}
	if spinEnergy(as, r3.Vec{X: 1, Y: 2, Z: 3}) != spinEnergy(is, r3.Vec{X: 1, Y: 2, Z: 3}) {
		t.Error("the inertia changed")
	}
}

func TestImpossibleMassIsRefused(t *testing.T) {
	tests := []struct {
		name   string
		change func(p *Params)
		want   string
	}{
		{"negative moment", func(p *Params) { p.InertiaXX = -5 }, "inertia_xx_kgm2 = -5: must be 10 to 100000"},
		{"yaw above roll and pitch", func(p *Params) { p.InertiaZZ = 3200 }, "none may exceed the sum of the other two"},
		{"pitch above roll and yaw", func(p *Params) { p.InertiaYY = 3600 }, "none may exceed the sum of the other two"},
		{"product xy", func(p *Params) { p.InertiaXY = 1000 }, "inertia_xy_kgm2 = 1000: must be -880.78"},
		{"product yz", func(p *Params) { p.InertiaYZ = -300 }, "inertia_yz_kgm2 = -300: must be -227.98"},
		{"products together", func(p *Params) { p.InertiaXY, p.InertiaYZ, p.InertiaXZ = 800, -200, 150 }, "no car with these moments has all three"},
		{"product of a flat body", func(p *Params) {
			p.InertiaXX, p.InertiaYY, p.InertiaZZ, p.InertiaXZ = 200, 210, 10, 50
		}, "no car with these moments has all three"},
		{"a needle askew", func(p *Params) {
			p.InertiaXX, p.InertiaYY, p.InertiaZZ, p.InertiaXY, p.InertiaXZ = 500, 500, 1000, 500, 0
		}, "no car with these moments has all three"},
		{"gravity upwards", func(p *Params) { p.Gravity = -1 }, "gravity_mps2 = -1: must be 0 to 100"},
		{"no gravity at all", func(p *Params) { p.Gravity = math.NaN() }, "gravity_mps2 = NaN"},
		{"beside the wheels", func(p *Params) { p.CGLeft = 0.4 }, "cg_left_m = 0.4: must be -0.304 to 0.304"},
		{"short offset", func(p *Params) { p.ComOffset = []float64{0, 1} }, "com_offset_m has 2 entries: must be 0 or 3"},
		{"offset too deep", func(p *Params) { p.ComOffset = []float64{0, 0, -2} }, "com_offset_m makes cg_height_m = -1.48: must be -1 to 2"},
		{"offset to nowhere", func(p *Params) { p.ComOffset = []float64{math.NaN(), 0, 0} }, "com_offset_m makes cg_to_front_m = NaN"},
		{"part without mass", func(p *Params) { p.Parts = loaded().Parts; p.Parts[1].Mass = -3 }, "part[1].mass_kg = -3: must be 0.01 to 20000"},
		{"light parts", func(p *Params) { p.Parts = loaded().Parts[2:3] }, "parts.mass_kg = 80: must be 100 to 20000"},
		{"points in a row", func(p *Params) {
			p.Parts = []chassis.Part{{Mass: 700, Z: 0.5}, {Mass: 700, X: -2.6, Z: 0.5}}
		}, "parts.inertia_xx_kgm2 = 0: must be 10 to 100000"},
		{"parts beside the wheels", func(p *Params) {
			p.Parts = loaded().Parts
			p.Parts[0].Y = 0.6
		}, "parts.cg_left_m = "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultCar()
			tt.change(&p)
			if err := p.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestANaNMomentBlamesNoOther(t *testing.T) {
	p := DefaultCar()
	p.InertiaYY = math.NaN()
	if got, want := p.Validate().Error(), "inertia_yy_kgm2 = NaN: must be 10 to 100000"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

func TestTheUndersideStaysFreeUnderAnyGravity(t *testing.T) {
	for _, g := range []float64{0, 1.62, 9.80665, 12} {
		p := DefaultCar()
		p.Gravity = g
		c := newCar(t, p, Dt)
		bottom := lowestCorner(c) + p.CGHeight
		left := p.Front.Travel - c.suspension.Corners[tire.FL].RestTravel // way down to metal
		if bottom < left+p.Front.Radius()/2-1e-12 {
			t.Errorf("gravity %g: underside at %.3f m with %.3f m to go", g, bottom, left)
		}
	}
}

func TestContactsOfALopsidedCarStopLess(t *testing.T) {
	p := DefaultCar()
	p.InertiaXX, p.InertiaYY, p.InertiaXZ, p.CGLeft = 2400, 2400, 0, 0.3 // turns more easily than it tips
	turning := 1500.0 / 2400 * (1.30*1.36 + 1.07*1.07)
	near.Value(t, "mass to stop", newCar(t, p, Dt).effectiveMass, 1500/turning, 1e-9)
}

func TestAllowedMass(t *testing.T) {
	for _, p := range []Params{DefaultCar(), skewed(), loaded(), loaded().resolved()} {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
}
