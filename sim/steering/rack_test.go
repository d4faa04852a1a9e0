package steering

import (
	"math"
	"testing"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// jacked is a steering whose wheels are in the air, and a steering wheel that is moved.
type jacked struct {
	g     *System
	rack  State
	ticks int
}

// move turns the steering wheel to an angle [rad] and returns its torque [N·m].
func (k *jacked) move(wheel float64) float64 {
	var a Angles
	k.g.WheelAngles(&a, wheel, 0)
	torque := k.g.Step(&k.rack, 0, 0, &a, 0, k.ticks == 0)
	k.ticks++
	return torque
}

func lift(t *testing.T, edit func(*Params)) *jacked {
	t.Helper()
	k := &jacked{g: built(t, edit)}
	k.move(0)
	return k
}

const perTurn = 0.05 / (2 * math.Pi) // rack travel for each radian of the steering wheel [m]

func TestFrictionHoldsAndReleases(t *testing.T) {
	rubbing := func(s *Params) { s.RackFriction, s.FrictionTravel = 300, 0.001 }
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
	k := lift(t, func(s *Params) { s.RackFriction, s.FrictionTravel = 300, give })
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
	k := lift(t, func(s *Params) { s.RackMass = mass })
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

// A steering wheel that swings against springs about both kingpins: by the gearing those turn
// it back by twice their rate over the ratio's square, the rack's mass resists its acceleration,
// which two low-passes of 5 ms and two differences delay by 11 ms, and dry friction is full once
// the rack has come a few bristles' way. The assist gives three times the driver's torque beyond
// 0.01 N·m, so that he has a fourth of the load.
func TestARackOnASpring(t *testing.T) {
	const rate, mass, friction, swing, omega = 200.0, 200.0, 300.0, 2.0, 2 * math.Pi // [N·m/rad, kg, N, rad, rad/s]
	g := built(t, func(s *Params) {
		s.Ackermann, s.RackMass, s.RackFriction = 0, mass, friction
		s.Assist = Assist{Enabled: true, Curve: []AssistPoint{{0.01, 0}, {50.01, 150}}}
	})
	var rack State
	for i := range 3000 {
		now := float64(i) * tick
		var a Angles
		g.WheelAngles(&a, swing*math.Sin(omega*now), 0)
		felt := g.Step(&rack, -rate*a.Angle[tire.FL], -rate*a.Angle[tire.FR], &a, 0, i == 0)
		ahead := math.Cos(omega * now)
		if now < 1 || math.Abs(ahead) < 0.5 {
			continue
		}
		spring := 2 * rate / (14.5 * 14.5) * swing * math.Sin(omega*now)
		resists := mass * perTurn * perTurn * -omega * omega * swing * math.Sin(omega*(now-0.011)) / (1 + omega*omega*0.005*0.005)
		load := -spring - resists - math.Copysign(friction*perTurn, ahead)
		near.Value(t, "torque", felt, math.Copysign(min(math.Abs(load), (math.Abs(load)+0.03)/4), load), 5e-4)
		near.Value(t, "rack force", rack.TireForce*perTurn, -spring, 1e-12)
		near.Value(t, "torque and assist", felt-rack.Assist, load, 2e-3)
	}
}
