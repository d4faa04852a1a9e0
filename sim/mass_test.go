package sim

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/test/near"
)

// In space body and wheels swing against each other on the springs, by their
// reduced mass.
func TestWheelsSwingInSpaceByTheReducedMass(t *testing.T) {
	p := square()
	p.Gravity = 0
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.Spring.RestPosition, a.BumpDamping, a.ReboundDamping = 0.5, 100, 100
	}
	c := newCar(t, p, Dt/4)
	s := c.Rest(r3.Vec{}, 0)
	s.Pos.Z = 50
	z := modes(c, s, heaving, travels([4]float64{1, 1, 1, 1}))
	want := math.Sqrt(25e3 * (1/45.0 + 4/(1200-4*45.0)))
	near.Value(t, "frequency", math.Hypot(real(z[0]), imag(z[0])), want, 0.01*want)
}

// A wheel that comes to an end of its travel moves on with the body by a blow that
// neither adds nor takes momentum, and that gives no energy.
func TestABlowAtTheEndsOfTheTravelKeepsMomentum(t *testing.T) {
	for name, p := range map[string]Params{"square": square(), "skewed": skewed()} {
		p.Gravity, p.DragArea = 0, 0
		for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
			a.BumpDamping, a.ReboundDamping = 100, 100
		}
		c := newCar(t, p, Dt)
		for _, bumps := range [][4]float64{{-3, -3, -3, -3}, {5, 5, 5, 5}, {-4, 2, 0, 9}, {0, 0, 12, -12}} {
			s := c.Rest(r3.Vec{}, 0)
			s.Pos.Z, s.Vel, s.Rate = 50, r3.Vec{X: 3, Y: -1, Z: 2}, r3.Vec{X: 0.4, Y: -0.3, Z: 0.5}
			for i := range s.Wheels {
				s.Wheels[i].Travel, s.Wheels[i].TravelSpeed = 0.1, bumps[i]
			}
			books := ledger{c: c}
			p0, l0 := flight(c, &s)
			ends := 0
			for range 300 {
				gain := books.step(&s, Input{})
				p1, l1 := flight(c, &s)
				if r3.Norm(r3.Sub(p1, p0)) > 1e-9*r3.Norm(p0) || r3.Norm(r3.Sub(l1, l0)) > 1e-9*r3.Norm(l0) {
					t.Fatalf("%s, %v: momentum %v then %v, angular %v then %v", name, bumps, p0, p1, l0, l1)
				}
				if gain > 2 {
					t.Fatalf("%s, %v: %.1f J from nothing", name, bumps, gain)
				}
				for i := range s.Wheels {
					w := &s.Wheels[i]
					if w.Travel == 0 || w.Travel == c.p.axle(i).Travel {
						ends++
					}
				}
			}
			if ends == 0 {
				t.Errorf("%s, %v: no wheel came to an end", name, bumps)
			}
		}
	}
}

func TestABodyLighterThanItsWheelsIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(p *Params)
	}{
		{"roll inertia", func(p *Params) { p.InertiaXX = 90 }},
		{"pitch inertia", func(p *Params) { p.InertiaYY, p.InertiaXX, p.InertiaZZ = 280, 300, 560 }},
		{"mass", func(p *Params) { p.Front.UnsprungMass, p.Rear.UnsprungMass = 400, 400 }},
		{"a body of 40 kg", func(p *Params) {
			p.InertiaXX, p.InertiaYY, p.InertiaZZ, p.Front.UnsprungMass, p.Rear.UnsprungMass = 1000, 2800, 2900, 365, 365
		}},
		{"an axle heavier than the car", func(p *Params) {
			p.Mass, p.InertiaXX, p.InertiaYY, p.InertiaZZ = 300, 600, 150, 480
			p.Wheelbase, p.CGToFront, p.Front.UnsprungMass, p.Rear.UnsprungMass = 2.66, 1.3, 500, 1
		}},
	} {
		p := DefaultCar()
		p.InertiaXZ = 0
		tt.edit(&p)
		if _, err := New(p, road.Asphalt(), Dt); err == nil || !(strings.Contains(err.Error(), "unsprung_mass_kg") || strings.Contains(err.Error(), "kgm2")) {
			t.Errorf("%s: error %v, want one that names the wheels", tt.name, err)
		}
	}
}
