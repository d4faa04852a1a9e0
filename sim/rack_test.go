package sim

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// jacked is a steering whose wheels are in the air, and a steering wheel that is moved.
type jacked struct {
	g     *steering
	rack  Rack
	ticks int
}

// move turns the steering wheel to an angle [rad] and returns its torque [N·m].
func (k *jacked) move(wheel float64) float64 {
	var a Angles
	k.g.Point(&a, wheel, 0)
	torque := k.g.Torque(&k.rack, 0, 0, &a, 0, k.ticks == 0)
	k.ticks++
	return torque
}

func lift(t *testing.T, edit func(*Steering)) *jacked {
	t.Helper()
	k := &jacked{g: built(t, edit)}
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
		now := float64(i) * tick
		torque = k.move(acceleration * now * now / 2)
	}
	near.Value(t, "torque", torque, -mass*perTurn*perTurn*acceleration, 1e-9)
	for i := range 300 {
		torque = k.move(1 + 5*float64(i)*tick)
	}
	near.Value(t, "torque at a steady speed", torque, 0, 1e-9)
}

func TestARackThatBeginsAsideIsNotKnocked(t *testing.T) {
	k := &jacked{g: built(t, all)}
	near.Value(t, "torque", k.move(5), 0, 0)
	near.Value(t, "speed", k.rack.Speed, 0, 0)
	near.Value(t, "position", k.rack.Position, turnedTo(t, all, 5, 0).Rack, 0)
}
