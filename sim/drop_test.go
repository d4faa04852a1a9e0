package sim

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/test/level"
)

// tipped is an attitude after a roll and then a pitch [rad].
func tipped(roll, pitch float64) quat.Number {
	sin, cos := math.Sincos(pitch / 2)
	return quat.Mul(quat.Number{Real: cos, Jmag: sin}, turn(roll))
}

// Dropped, a car gains no energy, never rises above its start, comes to rest on its
// wheels, and no hub sinks into the ground. What is bent there beyond the tires, rims
// and arms, the tires' springs stand for.
func TestADroppedCarLandsOnItsWheels(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for height, least := range map[float64]float64{0.5: 0.17, 2: 0.07, 4: 0.015} { // of the hubs [m]
		for i, tip := range [][2]float64{{0, 0}, {0.1, 0}, {0, 0.15}, {-0.1, -0.2}} {
			for name, p := range map[string]Params{"coupe": DefaultCar(), "everything": allGear()} {
				if (i%2 == 0) == (name == "coupe") && !level.All() {
					continue // in `make test` they take turns
				}
				name = fmt.Sprintf("%s from %g m at %v", name, height, tip)
				c := newCar(t, p, Dt)
				s := c.Rest(r3.Vec{}, 0)
				s.Pos.Z, s.Att = s.Pos.Z+height, tipped(tip[0], tip[1])
				books := ledger{c: c, totalOnly: true}
				top, worst, low := s.Pos.Z, 0.0, math.Inf(1)
				for range 8000 {
					worst = max(worst, books.step(&s, Input{Brake: 1}))
					top = max(top, s.Pos.Z)
					for i := range s.Wheels {
						low = min(low, s.Wheels[i].Hub.Z)
					}
				}
				if worst > 0.01*c.p.Mass*gravity*height || top > 0.52+height+1e-9 {
					t.Errorf("%s: %.0f J from nothing, up to %.3f m", name, worst, top)
				}
				if low < least {
					t.Errorf("%s: a hub %.3f m above the ground", name, low)
				}
				if up := chassis.AxesOf(s.Att).Z.Z; !still(&s) || up < 0.999 {
					t.Errorf("%s: %.3g m/s, %.3g rad/s, upright %.3f after 8 s", name, r3.Norm(s.Vel), r3.Norm(s.Rate), up)
				}
			}
		}
	}
}

// Where the suspension is at metal, the wheels stop with the body: they do not
// go on into it, and the travel stays between its ends.
func TestTheTravelEndsAtMetal(t *testing.T) {
	p := DefaultCar()
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.BumpStopRate = 0
	}
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0)
	s.Pos.Z += 3
	metal, was := 0, [4]float64{}
	for range 3000 {
		c.Step(&s, Input{})
		for i := range s.Wheels {
			w := &s.Wheels[i]
			if !(w.Travel >= 0 && w.Travel <= 0.24) {
				t.Fatalf("%d ms: travel of wheel %d is %g m", s.Tick, i, w.Travel)
			}
			if w.Travel == 0.24 {
				metal++
			}
			if was[i] == 0.24 && w.TravelSpeed > 0 {
				t.Fatalf("%d ms: wheel %d goes on into the body at %g m/s", s.Tick, i, w.TravelSpeed)
			}
			was[i] = w.Travel
		}
	}
	if metal == 0 {
		t.Error("never at metal, so this proves nothing")
	}
}

// An undamped body on undamped tires swings on: what the step takes is some
// thousandths of its energy in a swing, and nothing is added.
func TestAnUndampedCarKeepsItsSwing(t *testing.T) {
	p := square()
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.BumpDamping, a.ReboundDamping, a.TireDamping, a.BarRate = 100, 100, 0, 0
	}
	c, err := New(p, freezing{}, Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Rest(r3.Vec{}, 0)
	s.Vel.Z = 0.3
	books := ledger{c: c, totalOnly: true}
	worst := 0.0
	start := c.kineticEnergy(&s)
	for range 5000 {
		worst = max(worst, books.step(&s, Input{}))
	}
	if worst > 0.02*start { // what a step that is symplectic lends and takes back
		t.Errorf("%.2f J from nothing, of %.1f J", worst, start)
	}
	// The minimal dampers of 100 N·s/m take a share of exp(-2·ζ·ω·t) in 5 s.
	left := math.Exp(-4 * 100.0 / 1020 * 5 * 0.79) // the springs yield for 8/9 of the way, its square counts
	rest := c.Rest(r3.Vec{}, 0)
	got := (energy(c, &s) - energy(c, &rest)) / start
	if got > 1.05*left || got < 0.9*left {
		t.Errorf("%.3f of the energy is left, want %.3f", got, left)
	}
}
