package cueing

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	testlevel "rig.example/rig/test/level"
)

// coast is how long a car rolls freely before what it does is looked at [s].
const coast = 1.0

// driven returns a car's states tick by tick: from some 30 m/s it rolls, and then does
// something for some time [s].
func driven(t *testing.T, seconds float64, then sim.Input) (states []sim.State) {
	t.Helper()
	car, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := car.Rest(r3.Vec{}, 0)
	then.Clutch, then.Gear = 1, 3
	part := func(seconds float64, in sim.Input) {
		for range int(math.Round(seconds / dt)) {
			car.Step(&s, in)
			states = append(states, s)
		}
	}
	part(3, sim.Input{Clutch: 1, Gear: 3, PushForce: 15_000})
	part(2, sim.Input{Clutch: 1, Gear: 3})
	states = states[:0]
	part(coast, sim.Input{Clutch: 1, Gear: 3})
	part(seconds, then)
	return states
}

// felts are the specific forces that a head feels in the car, and on a platform, where its
// legs put it, from when it no longer rolls freely.
func felts(t *testing.T, states []sim.State, c *session, platform *follower) (car, moved []r3.Vec) {
	t.Helper()
	var places [3]r3.Vec // in this tick and two before [m]
	for i := range states {
		in := c.Sense(&states[i])
		legs := platform.Legs(c.Next(&in))
		if i < int(coast/dt)-2 {
			continue
		}
		p, ok := platform.Pose(legs)
		if !ok {
			t.Fatal("legs without a pose")
		}
		places = [3]r3.Vec{{X: p.Surge, Y: p.Sway, Z: p.Heave}, places[0], places[1]}
		if i >= int(coast/dt) {
			car = append(car, r3.Vec{X: in.Force[0], Y: in.Force[1], Z: in.Force[2]})
			moved = append(moved, shown(places, p))
		}
	}
	return car, moved
}

// shown is what a body that turns by roll, then pitch, then yaw feels: Rx'·Ry'·Rz'·(a + g).
func shown(places [3]r3.Vec, p Pose) r3.Vec {
	f := r3.Scale(1/(dt*dt), r3.Add(r3.Sub(places[0], r3.Scale(2, places[1])), places[2]))
	f.Z += gravity
	f = r3.NewRotation(-p.Yaw, r3.Vec{Z: 1}).Rotate(f)
	f = r3.NewRotation(-p.Pitch, r3.Vec{Y: 1}).Rotate(f)
	return r3.NewRotation(-p.Roll, r3.Vec{X: 1}).Rotate(f)
}

// mean is that of the samples from one time to another [s].
func mean(list []r3.Vec, from, to float64) (sum r3.Vec) {
	list = list[int(from/dt):int(to/dt)]
	for _, v := range list {
		sum = r3.Add(sum, r3.Scale(1/float64(len(list)), v))
	}
	return sum
}

// What pushes the driver in the car pushes the same way on every platform, in every mode, and
// not as hard: at its onset where the platform has a way to move, and when it has lasted
// until the tilt, which may not turn faster, is there.
func TestPlatformPushesTheDriverAsTheCarDoes(t *testing.T) {
	testlevel.SkipIfQuick(t)
	t.Parallel()
	tests := []struct {
		name   string
		in     sim.Input
		way    r3.Vec
		states []sim.State
	}{
		{name: "pushed", in: sim.Input{PushForce: 4000}, way: r3.Vec{X: 1}},
		{name: "braked", in: sim.Input{Brake: 0.3}, way: r3.Vec{X: -1}},
		{name: "to the left", in: sim.Input{Steer: 0.6}, way: r3.Vec{Y: 1}},
	}
	for i := range tests {
		tests[i].states = driven(t, 2.5, tests[i].in)
	}
	for _, kind := range kinds {
		moves := kind == kindHexapod || kind == kindRotary || kind == KindPose
		for _, mode := range []string{Direct, Washout, Adaptive} {
			for _, tt := range tests {
				cfg := DefaultConfig()
				cfg.Mode = mode
				car, moved := felts(t, tt.states, made(t, cfg), platform(t, everything(kind)))
				check := func(what string, from, to, least float64) {
					whole, part := r3.Dot(mean(car, from, to), tt.way), r3.Dot(mean(moved, from, to), tt.way)
					if !(whole > 0.5 && part > least*whole && part < whole) {
						t.Errorf("%s, %s, %s: %s of %.3f m/s², in the car %.3f", kind, mode, tt.name, what, part, whole)
					}
				}
				if mode != Direct && moves {
					check("an onset", 0, 0.25, 0.1)
				}
				check("a force", 2, 2.5, 0.05)
			}
		}
	}
}

// A rear that breaks away to the right in a left turn takes the traction-loss axis along, the
// platform's nose goes to the left, and a braked driver is held by the belt.
func TestAxesOfTheirOwnGoTheCarsWay(t *testing.T) {
	tests := []struct {
		name string
		in   sim.Input
		want func(Pose) bool
	}{
		{"left", sim.Input{Steer: 1.2, Handbrake: 1}, func(p Pose) bool { return p.Slide < -0.02 && p.Yaw > 0.5*deg }},
		{"right", sim.Input{Steer: -1.2, Handbrake: 1}, func(p Pose) bool { return p.Slide > 0.02 && p.Yaw < -0.5*deg }},
		{"braked", sim.Input{Brake: 0.6}, func(p Pose) bool { return p.Slide == 0 && math.Abs(p.Yaw) < 1e-9 && p.Belt > 0.3 }},
	}
	for _, tt := range tests {
		cfg, states := DefaultConfig(), driven(t, 1.5, tt.in)
		cfg.Mode = Washout
		c, p := made(t, cfg), platform(t, everything(kindHexapod))
		var got Pose
		for i := range states {
			got, _ = p.Pose(p.Legs(c.Pose(&states[i])))
		}
		if !tt.want(got) {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}
