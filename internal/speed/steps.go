package speed

import (
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/config"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
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
	r := &ride{car: car, inputs: make([]sim.Input, 5000)}
	s := car.Underway(r3.Vec{}, 0, 20, 3)
	for i := range 2000 + len(r.inputs) {
		in := sim.Input{Steer: 0.4, Throttle: 0.2 + 0.3*(20-s.Speed), Gear: 3}
		if i == 2000 {
			r.from = s
		}
		if i >= 2000 {
			r.inputs[i-2000] = in
		}
		car.Step(&s, in)
	}
	return r
}

// onCircuit returns a ride of the driver model's inputs on a circuit.
func onCircuit(car *sim.Car, c *road.Circuit) (*ride, error) {
	model, err := driver.New(driver.DefaultConfig(), car, c, sim.Dt)
	if err != nil {
		return nil, err
	}
	at := c.At(0)
	r := &ride{car: car, from: car.Rest(at.Pos, at.Heading), inputs: make([]sim.Input, 20_000)}
	s, memory := r.from, model.Start(&r.from)
	for i := range r.inputs {
		model.Drive(&memory, &s)
		r.inputs[i] = memory.Input
		car.Step(&s, memory.Input)
	}
	return r, nil
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
	club, _, err := circuit.Load("club", circuit.Options{})
	if err != nil {
		return err
	}
	car, err := newCar(club)
	if err != nil {
		return err
	}
	ride, err := onCircuit(car, club)
	if err != nil {
		return err
	}
	r.Steps = append(r.Steps, newCost("car on the club circuit", pace(2*share, ride.step)))
	return nil
}
