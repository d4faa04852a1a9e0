package sim

import (
	"math"
	"reflect"
	"testing"

	"rig.example/rig/test/near"
)

// lifted is a car with its wheels in the air and a steering wheel that is moved.
type lifted struct {
	c *Car
	s State
}

// move turns the steering wheel to an angle [rad] and returns its torque [N·m].
func (k *lifted) move(wheel float64) float64 {
	a := k.c.steer(&k.s, Input{Steer: wheel})
	torque := k.c.steeringTorque(&k.s, &[4]patch{}, &a)
	k.s.Tick++
	return torque
}

func lift(t *testing.T, edit func(*Steering)) *lifted {
	t.Helper()
	k := &lifted{c: newCar(t, steered(edit), Dt)}
	k.move(0)
	return k
}

const perTurn = 0.05 / (2 * math.Pi) // rack travel for each radian of the steering wheel [m]

func TestFrictionHoldsAndReleases(t *testing.T) {
	rubbing := func(s *Steering) { s.Friction, s.Give = 300, 0.001 }
	k := lift(t, rubbing)
	half := 0.0005 / perTurn
	held := k.move(half)
	near.Value(t, "half strained", held, -150*perTurn, 1e-12)
	for range 10_000 {
		if now := k.move(half); now != held {
			t.Fatalf("torque went from %g to %g N·m on a wheel that stands", held, now)
		}
	}
	near.Value(t, "strained", k.move(2*half), -300*perTurn, 1e-12)
	near.Value(t, "sliding", k.move(5), -300*perTurn, 1e-12)
	near.Value(t, "turned round", k.move(5-2*half), 0, 1e-12)
	near.Value(t, "sliding back", k.move(5-4*half), 300*perTurn, 1e-12)
}

// Once round, dry friction takes four times the force on the amplitude less what
// the bristle bends back.
func TestFrictionTakesTheWorkOfItsLoop(t *testing.T) {
	const give, amplitude = 0.001, 0.02
	k := lift(t, func(s *Steering) { s.Friction, s.Give = 300, give })
	work, at, torque := 0.0, 0.0, 0.0
	turn := func(to float64) {
		const steps = 20_000
		for i, from := 1, at; i <= steps; i++ {
			next := from + (to-from)*float64(i)/steps
			now := k.move(next)
			work -= (torque + now) / 2 * (next - at)
			at, torque = next, now
		}
	}
	turn(amplitude / perTurn)
	work = 0
	turn(-amplitude / perTurn)
	turn(amplitude / perTurn)
	near.Value(t, "work", work, 4*300*(amplitude-give), 1e-3)
}

func TestRackMassResistsAcceleration(t *testing.T) {
	const mass, acceleration = 40.0, 25.0 // [kg], of the steering wheel [rad/s²]
	k := lift(t, func(s *Steering) { s.RackMass = mass })
	torque := 0.0
	for i := 1; i <= 300; i++ {
		now := float64(i) * Dt
		torque = k.move(acceleration * now * now / 2)
	}
	near.Value(t, "torque", torque, -mass*perTurn*perTurn*acceleration, 1e-9)
	for i := range 300 {
		torque = k.move(1 + 5*float64(i)*Dt)
	}
	near.Value(t, "torque at a steady speed", torque, 0, 1e-9)
}

func TestARackThatBeginsAsideIsNotKnocked(t *testing.T) {
	k := &lifted{c: newCar(t, steered(everything), Dt)}
	near.Value(t, "torque", k.move(5), 0, 0)
	near.Value(t, "speed", k.s.Steering.Speed, 0, 0)
	near.Value(t, "position", k.s.Steering.Position, k.c.steer(&k.s, Input{Steer: 5}).rack, 0)
}

func TestSteeringAllocatesNothing(t *testing.T) {
	c := newCar(t, steered(everything), Dt)
	s := rolling(c, 20, 3)
	keys := NewKeySteer(c.Params())
	tick := 0
	if n := testing.AllocsPerRun(1000, func() {
		in := drive(tick)
		in.Steer = keys.Step(s.Steer, 1, s.Speed, Dt)
		c.Step(&s, in)
		tick++
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestSteeringStaysFinite(t *testing.T) {
	c := newCar(t, steered(everything), Dt)
	for _, wheel := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e-300} {
		s := rolling(c, 20, 3)
		run(c, &s, 0.2, Input{Steer: wheel, Gear: 3})
		if !finite(reflect.ValueOf(s)) {
			t.Errorf("steering wheel at %g: %+v", wheel, s)
		}
	}
}
