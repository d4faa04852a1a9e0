package suspension

import (
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

const (
	dt      = 1e-3    // [s]
	gravity = 9.80665 // [m/s²]
)

// soft is an axle of 25 kN/m and 2 kN·s/m, with wheels of 45 kg on tires of 200 kN/m.
func soft() Params {
	return Params{
		SpringRate: 25e3, BumpDamping: 2000, ReboundDamping: 2000, Travel: 0.24, BumpStopTravel: 0.19, BumpStopRate: 150e3,
		TireRate: 200e3, TireDamping: 100, UnsprungMass: 45,
		Footing: DefaultFooting(), Spring: Spring{RestPosition: 1}, Kinematics: DefaultKinematics(), Bar: DefaultBar(),
	}
}

// stationOf is a wheel's place in a car of 1200 kg that is the same all round.
func stationOf(t testing.TB, wheel int, p *Params) Station {
	t.Helper()
	v, err := tire.NewVertical(tire.VerticalParams{Radius: 0.31, Stiffness: p.TireRate, Damping: p.TireDamping, NominalLoad: 4000})
	if err != nil {
		t.Fatal(err)
	}
	const load = 300 * gravity
	return Station{
		Wheel: wheel, Track: 1.5, X: 1.3, CGHeight: 0.5, Gravity: gravity, Load: load,
		Vertical: v, Deflection: v.Deflection(load), ContactDamping: 1000,
	}
}

func corner(t testing.TB, p *Params) Corner {
	t.Helper()
	k, err := NewCorner(p, stationOf(t, tire.FL, p), dt)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// shaker is level ground without grip at a height [m].
type shaker float64

func (h shaker) Touch(p r3.Vec) road.Contact {
	c := road.Contact{Point: r3.Vec{X: p.X, Y: p.Y, Z: float64(h)}, Normal: r3.Vec{Z: 1}, Surface: tire.Dry()}
	c.Depth = float64(h) - p.Z
	return c
}

// bench is a suspension under a body that is held.
type bench struct {
	System
	states [4]State
}

func benchOf(t testing.TB, p Params, dt float64) *bench {
	t.Helper()
	var at [4]Station
	for i := range at {
		at[i] = stationOf(t, i, &p)
	}
	s, err := New(&p, &p, &at, [2]float64{1e-3, 1e-3}, dt)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{System: s}
	for i := range b.states {
		b.states[i].Travel = s.Corners[i].RestTravel
	}
	return b
}

// step moves the wheels in front for a tick on a ground below the body, whose center of mass is
// at a height of 0.5 m.
func (b *bench) step(g road.Ground) (c Coupling) {
	up, pos := chassis.Axes{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}, r3.Vec{Z: 0.5}
	var poses [2]Pose
	var contacts [2]Contact
	var slides [2]chassis.Wheel
	var ws [2]Wheel
	for i := range ws {
		k := &b.Corners[i]
		k.Place(&poses[i], &b.states[i], pos, &up, nil, 0, 0, 1)
		k.Touch(&contacts[i], &poses[i], &b.states[i], g, 0.31, pos, r3.Vec{}, r3.Vec{})
		ws[i] = Wheel{&b.states[i], &poses[i], &contacts[i], &slides[i]}
	}
	b.Step(0, &ws[0], &ws[1], 1, r3.Vec{}, &c)
	for i := range ws {
		b.states[i].TravelSpeed = (slides[i].StopTravel - b.states[i].Travel) / b.dt
		b.states[i].Travel = slides[i].StopTravel
	}
	return c
}

// The wheel of a held body on a shaker moves as one mass between two springs with dampers:
// x/z = (k2 + iωc2)/(k1 + k2 - mω² + iω(c1 + c2)). The tire's damper works by the body's speed alone,
// which is none: what of the contact's speed is the ground's is not felt.
func TestACornerOnAShakerMovesAsAMassBetweenTwoSprings(t *testing.T) {
	for _, hz := range []float64{2, 6, 11, 20} {
		const size, dt = 1e-3, 1e-4 // [m, s]: at steps of 1 ms the tire's spring is damped by the way it is solved
		b := benchOf(t, soft(), dt)
		rest, omega := b.states[0].Travel, 2*math.Pi*hz
		var in, quad float64 // parts of the travel in phase with the ground, and behind it
		const settle, ticks = 20_000, 40_000
		for i := range settle + ticks {
			at := omega * float64(i) * dt
			b.step(shaker(size * math.Sin(at)))
			if i >= settle {
				in += (b.states[0].Travel - rest) * math.Sin(at+omega*dt) * 2 / ticks
				quad += (b.states[0].Travel - rest) * math.Cos(at+omega*dt) * 2 / ticks
			}
		}
		const k1, k2, m, c1 = 25e3, 200e3, 45, 2000
		c2 := 100.0
		want := complex(k2, 0) / complex(k1+k2-m*omega*omega, omega*(c1+c2))
		got := complex(in, quad) / size
		near.Value(t, "amplitude", cmplx.Abs(got), cmplx.Abs(want), 0.015*cmplx.Abs(want))
	}
}

// At rest a corner carries what it was built for, and stays where it is.
func TestACornerAtRestStays(t *testing.T) {
	b := benchOf(t, soft(), dt)
	rest := b.states[0]
	for range 500 {
		b.step(shaker(0))
	}
	near.Value(t, "travel", b.states[0].Travel, rest.Travel, 1e-9)
	near.Value(t, "load", b.states[0].Load, 300*gravity, 1e-3)
	near.Value(t, "travel by the spring's law", rest.Travel, (300-45)*gravity/25e3, 1e-12)
}

// One wheel on a plank: the anti-roll bar moves load from the other one, by its rate.
func TestABarMovesLoadAcrossTheAxle(t *testing.T) {
	p := soft()
	p.BarRate = 12e3
	b := benchOf(t, p, dt)
	for range 3000 {
		b.step(plank{})
	}
	l, r := &b.states[0], &b.states[1]
	near.Value(t, "left load", l.Load, 45*gravity+25e3*l.Travel+12e3*(l.Travel-r.Travel), 0.5)
	near.Value(t, "right load", r.Load, 45*gravity+25e3*r.Travel-12e3*(l.Travel-r.Travel), 0.5)
	if !(l.Travel-r.Travel > 0.01) {
		t.Errorf("travels %.4f and %.4f m: the plank is not felt", l.Travel, r.Travel)
	}
}

// plank lies under the left wheels, 20 mm thick.
type plank struct{}

func (plank) Touch(p r3.Vec) road.Contact {
	if p.Y > 0 {
		return shaker(0.02).Touch(p)
	}
	return shaker(0).Touch(p)
}

func TestACornerIsSteppedWithoutAllocating(t *testing.T) {
	b := benchOf(t, soft(), dt)
	if n := testing.AllocsPerRun(1000, func() { b.step(shaker(0.001)) }); n > 1 { // the ground as an interface
		t.Errorf("%g allocations", n)
	}
}
