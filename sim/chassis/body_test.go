package chassis

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/near"
)

const dt = 1e-3

// coupe is a car of 1500 kg in the air that has no wind.
func coupe() Spec {
	k := Spec{
		Params: Params{
			Mass: 1500, InertiaXX: 520, InertiaYY: 2150, InertiaZZ: 2400, InertiaXZ: 20,
			CGHeight: 0.52, Wheelbase: 2.66, CGToFront: 1.30, TrackFront: 1.52, TrackRear: 1.54,
			Length: 4.40, Width: 1.79, Height: 1.33, Gravity: 9.80665,
		},
		Hull: DefaultHull(), Air: DefaultAir(),
	}
	k.stand(40)
	return k
}

// square is one whose wheels are at the corners of a rectangle around its center of mass.
func square() Spec {
	k := coupe()
	k.Mass, k.CGHeight, k.Wheelbase, k.CGToFront, k.TrackFront, k.TrackRear = 1200, 0.5, 2.6, 1.3, 1.5, 1.5
	k.InertiaXX, k.InertiaYY, k.InertiaZZ, k.InertiaXZ = 500, 1600, 1800, 0
	k.stand(45)
	return k
}

// stand puts the body on wheels of a mass [kg].
func (k *Spec) stand(mass float64) {
	for i := range k.Wheels {
		x, y := k.CGToFront, k.TrackFront/2
		if i >= 2 {
			x, y = k.CGToFront-k.Wheelbase, k.TrackRear/2
		}
		if i&1 == 1 {
			y = -y
		}
		hub := r3.Vec{X: x, Y: y, Z: 0.3 - k.CGHeight}
		k.Wheels[i] = Mount{Mass: mass, Hub: hub, RimBottom: r3.Add(hub, r3.Vec{Z: -0.1}), Radius: 0.31, SpringRate: 28e3, Travel: 0.24}
	}
}

func built(t testing.TB, k Spec, g road.Ground) *Body {
	t.Helper()
	c, err := New(k, g, dt)
	if err != nil {
		t.Fatal(err)
	}
	return &c
}

// rolled is the attitude after a turn about the body's x [rad].
func rolled(angle float64) quat.Number {
	sin, cos := math.Sincos(angle / 2)
	return quat.Number{Real: cos, Imag: sin}
}

// fly moves a body by seconds in which nothing but its weight acts.
func fly(c *Body, s *State, ws *[4]Wheel, seconds float64) {
	for range int(math.Round(seconds / dt)) {
		axes := AxesOf(s.Att)
		c.Step(s, &axes, &Load{Gravity: c.Gravity(&axes), Airborne: true}, ws)
	}
}

// resting are wheels at the ends of their travel.
func resting() (ws [4]Wheel) {
	for i := range ws {
		ws[i].Fixed = true
	}
	return ws
}

// Falls are g·t²/2 to rounding, as places in the air change by the mean speed; angular momentum and
// energy stay however the body is shaped.
func TestABodyInFreeFlight(t *testing.T) {
	for name, p := range map[string]Params{"alike on both sides": coupe().Params, "skewed": skewed()} {
		k := coupe()
		k.Params = p
		c, ws := built(t, k, road.Asphalt()), resting()
		s := State{Pos: r3.Vec{Z: 100}, Att: quat.Number{Real: 1}, Vel: r3.Vec{X: 3, Y: -2, Z: 4}, Rate: r3.Vec{X: 2, Y: -1, Z: 1.5}}
		_, turn := c.Momentum(&s, &ws)
		energy := c.Kinetic(&s, &ws) + k.Mass*k.Gravity*s.Pos.Z
		fly(c, &s, &ws, 2)
		near.Value(t, name+": ahead", s.Pos.X, 6, 1e-9)
		near.Value(t, name+": to the left", s.Pos.Y, -4, 1e-9)
		near.Value(t, name+": height", s.Pos.Z, 100+4*2-k.Gravity*2, 1e-9)
		near.Value(t, name+": specific force", r3.Norm(s.SpecificForce), 0, 1e-12)
		_, now := c.Momentum(&s, &ws)
		near.Value(t, name+": change of angular momentum", r3.Norm(r3.Sub(now, turn)), 0, 1e-8*r3.Norm(turn))
		near.Value(t, name+": change of energy", c.Kinetic(&s, &ws)+k.Mass*k.Gravity*s.Pos.Z-energy, 0, 1e-9*energy)
	}
}

// Wheels that springs push down lift the body without them, and momentum stays.
func TestWheelsThatSlideKeepTheMomentum(t *testing.T) {
	c := built(t, square(), road.Asphalt())
	s := State{Pos: r3.Vec{Z: 100}, Att: quat.Number{Real: 1}}
	var ws [4]Wheel
	for i := range ws {
		ws[i] = Wheel{Travel: 0.1, SpeedChange: -2}
	}
	axes := AxesOf(s.Att)
	c.Step(&s, &axes, &Load{Airborne: true}, &ws)
	near.Value(t, "body", s.Vel.Z, 4*45*2/(1200-4*45.0), 1e-12)
	linear, angular := c.Momentum(&s, &ws)
	near.Value(t, "travel", ws[0].Travel, 0.1-dt*(2+s.Vel.Z), 1e-12)
	near.Value(t, "momentum", r3.Norm(linear), 0, 1e-9)
	near.Value(t, "angular momentum", r3.Norm(angular), 0, 1e-9)
}

func TestGravityAndForceMakeTheAcceleration(t *testing.T) {
	c, ws := built(t, coupe(), road.Asphalt()), resting()
	s := State{Att: rolled(math.Pi / 2)}
	axes := AxesOf(s.Att)
	c.Step(&s, &axes, &Load{Force: r3.Vec{X: 3000}, Moment: r3.Vec{Y: 4300}, Gravity: c.Gravity(&axes)}, &ws)
	near.Value(t, "ahead", s.Acc.X, 2, 1e-12)
	near.Value(t, "along what points down", s.Acc.Y, -9.80665, 1e-12)
	near.Value(t, "felt", r3.Norm(r3.Sub(s.SpecificForce, r3.Vec{X: 2})), 0, 1e-12)
	near.Value(t, "pitch rate", s.Rate.Y, 4300*dt/2150, 1e-6)
}

// A push at the ground below the center of mass lifts the nose by force times height.
func TestAPushAlong(t *testing.T) {
	c := built(t, coupe(), road.Asphalt())
	var sum Wrench
	axes := AxesOf(rolled(0))
	c.AddPush(&sum, &axes, 1000)
	if want := (Wrench{Force: r3.Vec{X: 1000}, Moment: r3.Vec{Y: -520}}); sum != want {
		t.Errorf("%+v, want %+v", sum, want)
	}
}

// A mass that was removed has no weight and no inertia any more.
func TestRemovedMass(t *testing.T) {
	k := coupe()
	k.Tank = r3.Vec{X: -2}
	c := built(t, k, road.Asphalt())
	s := State{Att: rolled(0), SpecificForce: r3.Vec{Z: 10}, Rate: r3.Vec{Z: 3}, LastRate: r3.Vec{Z: 3}}
	axes := AxesOf(s.Att)
	var sum Wrench
	c.AddBurnedFuel(&sum, &s, &axes, 50)
	near.Value(t, "lift", sum.Force.Z, 500, 1e-9)
	near.Value(t, "towards the middle of the turn", sum.Force.X, 50*9*2, 1e-9)
	near.Value(t, "pitch", sum.Moment.Y, 2*500, 1e-9)
}
