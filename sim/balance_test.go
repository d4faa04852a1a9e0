package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/test/level"
)

// paid are the cars whose accounts are balanced: between them they have everything that passes a force on.
func paid() map[string]Params {
	gear := func(edit func(p *Params)) Params {
		p := allGear()
		p.Steering.CasterAngle, p.Steering.KingpinInclination, p.Steering.ScrubRadius = 6, 13, 0.02
		p.Steering.RackFriction, p.Steering.RackMass, p.Steering.Assist.Enabled = 300, 5, true
		p.Driveline.CrankAxis = "longitudinal"
		edit(&p)
		return p
	}
	return map[string]Params{
		"plain":       DefaultCar(),
		"all gear":    gear(func(*Params) {}),
		"other tires": gear(func(p *Params) { p.Front.Tire.Model, p.Rear.Tire.Model = "dugoff", "sport" }),
		"forces at a height": gear(func(p *Params) {
			p.Front.Kinematics.ApplyForceDirectly, p.Front.Kinematics.ForceHeight = true, 0.3
			p.Rear.Kinematics.RollReduction = 0.8
			p.Front.BarRate, p.Rear.BarRate = 0, 0
		}),
		"long levers": gear(func(p *Params) {
			p.Steering.CasterTrail, p.Steering.ScrubRadius, p.Steering.Ratio = 0.12, 0.12, 5
			p.Driveline.FrontShare, p.Driveline.FrontDifferential.Kind = 1, "locked"
		}),
		"soft links": yielding(DefaultCar()),
		"soft links with all gear": gear(func(p *Params) {
			*p = yielding(*p)
			p.Front.Tire.Model = "dugoff"
		}),
		"bars": gear(func(p *Params) {
			p.Front.Bar.Mode, p.Rear.Bar.Mode = "torsion", "legacy"
		}),
		"links that toe": gear(func(p *Params) {
			for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
				a.Kinematics.Table, a.Kinematics.ToeGain = nil, 40
				a.BarRate, a.Tire.Model = 0, "road"
			}
		}),
		"steep links": gear(func(p *Params) {
			for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
				a.Kinematics.Table, a.Kinematics.RollCenter, a.Kinematics.AntiDive, a.Kinematics.AntiSquat = nil, 0.4, 1, 1
				a.Kinematics.CamberGain, a.Kinematics.RollReduction = -60, 0
			}
		}),
	}
}

// yielding returns a car whose links give way several times as far as a road car's.
func yielding(p Params) Params {
	p.Front.Compliance = suspension.Compliance{ToeByAligning: 2, ToeBySideForce: 0.8, CamberBySideForce: 1}
	p.Rear.Compliance = suspension.Compliance{ToeByAligning: 1, ToeBySideForce: -0.5, CamberBySideForce: 0.8}
	return p
}

// bustle is a drive in which everything works: steering, drive and brakes without a standstill.
func bustle(at float64) Input {
	in := Input{Gear: 3, Throttle: 0.4, Steer: 1.2 * math.Sin(3*at) * min(1, at)}
	if math.Mod(at, 2) > 1.2 {
		in.Brake, in.Throttle = 0.15, 0
	}
	return in
}

// Work, slip and momentum balance to the error of the step, and nothing in them balances by construction: leave any
// force or its reaction out, and one of the three is off by more. In `make test` every car drives on the level, through a
// bend to each side and with both pedals; on the slope the one whose links have most to pay.
func TestEveryForceIsPaidFor(t *testing.T) {
	const (
		work     = 2.5e-4 // of all work on the car
		slip     = 7e-4   // of all that slip takes
		momentum = 4e-5   // of all angular impulses
	)
	for name, p := range paid() {
		for ground, g := range map[string]road.Ground{"level": road.Asphalt(), "slope": slope(0.08)} {
			t.Run(name+" on a "+ground, func(t *testing.T) {
				if ground == "slope" {
					level.SkipIfQuick(t)
					if name != "links that toe" {
						level.SkipUnlessAll(t, "this car drives on the level, and the one whose links toe on the slope")
					}
				}
				if name == "plain" || name == "soft links" {
					level.SkipUnlessAll(t, "a car with all gear has all of these parts too")
				}
				t.Parallel()
				c, err := New(p, g, Dt/10)
				if err != nil {
					t.Fatal(err)
				}
				seconds := float64(level.Pick(2, 2, 3))
				if name == "links that toe" {
					seconds = 3 // these take a moment to find their toe
				}
				s := rolling(c, 20, 3)
				books := ledger{c: c}
				for tick := range int(seconds / c.dt) {
					books.step(&s, bustle(float64(tick)*c.dt))
				}
				t.Logf("work %.2g, slip %.2g, momentum %.2g %.2g %.2g", books.car.swing(), books.slip.swing(), books.missed.X/books.impulse, books.missed.Y/books.impulse, books.missed.Z/books.impulse)
				if off := books.car.swing(); !(off < work) {
					t.Errorf("%.0f J of %.0f J of work are missing", books.car.sum, books.car.flow)
				}
				if off := books.slip.swing(); !(off < slip) {
					t.Errorf("%.0f J of %.0f J of slip are missing", books.slip.sum, books.slip.flow)
				}
				if off := r3.Norm(books.missed) / books.impulse; !(off < momentum) {
					t.Errorf("an angular impulse of %v N·m·s of %.0f is missing", books.missed, books.impulse)
				}
				if gain := books.total.gain(); gain > 10 {
					t.Errorf("%.0f J from nothing", gain)
				}
			})
		}
	}
}
