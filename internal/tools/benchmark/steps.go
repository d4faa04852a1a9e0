package benchmark

import (
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// ride is a car on a drive that begins anew when its inputs end.
type ride struct {
	car    *sim.Car
	from   sim.State
	inputs []sim.Input
	state  sim.State
	next   int
}

// step drives one tick.
func (r *ride) step() {
	if r.next == 0 {
		r.state = r.from
	}
	r.car.Step(&r.state, r.inputs[r.next])
	r.next = (r.next + 1) % len(r.inputs)
}

// record drives a car from a state on for some ticks, and returns that ride. Its state is that at the end.
func record(car *sim.Car, from sim.State, ticks int, input func(s *sim.State) sim.Input) *ride {
	r := &ride{car: car, from: from, inputs: make([]sim.Input, ticks), state: from}
	for i := range r.inputs {
		r.inputs[i] = input(&r.state)
		car.Step(&r.state, r.inputs[i])
	}
	return r
}

// newCar returns the coupe on a ground, with settings as --set takes them.
func newCar(g road.Ground, set ...string) (*sim.Car, error) {
	p, err := config.LoadCar("coupe", set...)
	if err != nil {
		return nil, err
	}
	return sim.New(p, g, sim.Dt)
}

// inBend returns a ride at 20 m/s in a bend, from where the car has settled.
func inBend(car *sim.Car) *ride {
	bend := func(s *sim.State) sim.Input {
		return sim.Input{Steer: 0.4, Throttle: 0.2 + 0.3*(20-s.Speed), Gear: 3}
	}
	settled := record(car, car.Underway(r3.Vec{}, 0, 20, 3), 2000, bend)
	return record(car, settled.state, 5000, bend)
}

// onClub returns a ride of the driver model's inputs on the club circuit.
func onClub() (*ride, error) {
	c, _, err := circuit.Load("club", circuit.Options{})
	if err != nil {
		return nil, err
	}
	car, err := newCar(c)
	if err != nil {
		return nil, err
	}
	model, err := driver.New(driver.DefaultConfig(), car, c, sim.Dt)
	if err != nil {
		return nil, err
	}
	at := c.At(0)
	from := car.Rest(at.Pos, at.Heading)
	memory := model.Start(&from)
	return record(car, from, 20_000, func(s *sim.State) sim.Input { return model.Drive(&memory, s) }), nil
}

// measureSteps measures one step of the coupe, without a driver.
func (r *Report) measureSteps(share time.Duration) error {
	for _, c := range []struct {
		name string
		set  []string
	}{
		{"car on a plane, brush tires", []string{"front.tire.model=brush", "rear.tire.model=brush"}},
		{"car on a plane, Magic Formula tires", nil},
	} {
		car, err := newCar(road.Asphalt(), c.set...)
		if err != nil {
			return err
		}
		r.Steps = append(r.Steps, newCost(c.name, pace(2*share, inBend(car).step)))
	}
	ride, err := onClub()
	if err != nil {
		return err
	}
	r.Steps = append(r.Steps, newCost("car on the club circuit", pace(2*share, ride.step)))
	return nil
}
