package sim

import (
	"math"
	"testing"

	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// A car steers by what its links give way: each wheel of an axle that carries a mass m takes half of m·ay as a
// side force, which acts the tire's trail behind the contact.
func TestUndersteerGrowsByTheCompliance(t *testing.T) {
	const degree = math.Pi / 180
	soft := map[string]suspension.Compliance{
		"by aligning moment": {ToeByAligning: 1},
		"by side force":      {ToeByAligning: 0.4, ToeBySideForce: 0.3},
	}
	rigid := DefaultCar()
	rigid.Front.BarRate, rigid.Rear.BarRate = 4e5, 4e5 // where a body rolls, the loads of its wheels turn them too
	stiff, trail := gradient(t, rigid)
	for name, k := range soft {
		for axle, sign := range []float64{1, -1} {
			p := rigid
			// The side forces act behind the axles by their trails: moments about the rear one.
			a, mass := &p.Front, p.Mass*(p.Wheelbase-p.CGToFront+trail[1])/p.Wheelbase
			if axle == 1 {
				a, mass = &p.Rear, p.Mass-mass
			}
			a.Compliance = k
			want := sign * mass / 2 * degree * (k.ToeBySideForce/1e3 + k.ToeByAligning/100*trail[axle])
			got, _ := gradient(t, p)
			near.Value(t, name, got-stiff, want, 0.025*math.Abs(want))
			c, plain := newCar(t, p, Dt), newCar(t, rigid, Dt)
			near.Value(t, name+", predicted", c.Understeer()-plain.Understeer(), want, 0.04*math.Abs(want))
		}
	}
}

// gradient returns the understeer gradient of a car at about 0.1 m/s² [rad·s²/m], and the trails of its front and
// rear tires [m].
func gradient(t *testing.T, p Params) (understeer float64, trail [2]float64) {
	t.Helper()
	const speed = 25
	c := newCar(t, p, Dt)
	at := func(steer float64) (angle, ay float64) {
		s := rolling(c, speed, 0)
		for range 8000 {
			c.Step(&s, Input{Steer: steer, PushForce: 2 * p.Mass * (speed - s.Speed)})
		}
		for axle := range trail {
			l, r := &s.Wheels[2*axle], &s.Wheels[2*axle+1]
			trail[axle] = -(l.Mz + r.Mz) / (l.Fy + r.Fy)
		}
		return c.RoadSteer(steer) - p.Wheelbase*s.Rate.Z/s.Speed, s.Rate.Z * s.Speed
	}
	angle, ay := at(0.01)
	return angle / ay, trail
}

// A wheel in the air swings back to where its links hold it.
func TestAWheelInTheAirIsStraight(t *testing.T) {
	c := newCar(t, yielding(DefaultCar()), Dt)
	s := rolling(c, 20, 3)
	cruise(c, &s, 2, 20, 0.5, 3)
	before := s.Wheels[tire.FL].Compliance
	s.Pos.Z += 3
	run(c, &s, 0.2, Input{Gear: 3})
	after := s.Wheels[tire.FL].Compliance
	if math.Abs(before.Toe) < 1e-3 || math.Abs(after.Toe) > 1e-4 || math.Abs(after.Camber) > 1e-3 {
		t.Errorf("%+v before, %+v in the air", before, after)
	}
}
