package benchmark

import (
	"errors"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/road/lap"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// demo is the drive of the driver model, whose rim is where its hands want it.
type demo struct {
	*drive.Drive
	in  drive.Inputs
	out *drive.Outputs
}

func (d *demo) step() {
	d.out = d.Step(&d.in)
	d.in.Wheel.Angle = d.out.Hands.Angle
}

// newDemo returns a drive that is under way.
func newDemo() (*demo, error) {
	parts, err := drivesetup.New(config.Default(), circuit.Options{})
	if err != nil {
		return nil, err
	}
	model, err := drivesetup.DemoDriver(&parts.Drive.Setup)
	if err != nil {
		return nil, err
	}
	d := &demo{Drive: parts.Drive, in: drive.Inputs{
		Wheel: drive.Wheel{Present: true, Rated: 8, Rate: 1000, Delay: 1e-3}, Pedals: drive.Pedals{Present: true},
		Platform: drive.Platform{Configured: true, Follows: true, Connected: true}, Operator: drive.Operator{Start: true},
	}}
	d.in.Wheel.Angle = d.UseDriverModel(model).Angle
	const ready = 8000 // ticks
	for range ready {
		d.step()
	}
	if d.out.State != guard.Driving {
		return nil, errors.New("the demo did not begin to drive")
	}
	return d, nil
}

// measureTick measures a tick and its stages. A stage costs what a tick takes longer if the stage is calculated a second
// time.
func (r *Report) measureTick(share time.Duration) error {
	d, err := newDemo()
	if err != nil {
		return err
	}
	stages, err := d.stages()
	if err != nil {
		return err
	}
	shared, err := framepage.New()
	if err != nil {
		return err
	}
	defer shared.Close()
	var whole []float64
	var sum float64
	for _, s := range stages {
		bases, ns := extra(share, d.step, func() { d.step(); s.again() })
		r.Stages = append(r.Stages, newCost(s.name, ns))
		whole, sum = append(whole, bases...), sum+ns
	}
	tick := quantile(whole, 0.25)
	r.Tick = newCost("whole tick", tick)
	r.Stages = append(r.Stages, newCost("safety states, keys, checks", tick-sum))
	_, picture := extra(share, d.step, func() {
		d.in.FrameWanted = true
		d.step()
		shared.Publish(&d.out.Frame)
		d.in.FrameWanted = false
	})
	r.Stages = append(r.Stages, newCost("data for window and watchers, on top", picture))
	return nil
}

// stage is a part of a tick that can be calculated again.
type stage struct {
	name  string
	again func()
}

// stages returns the parts of a tick in their order.
func (d *demo) stages() ([]stage, error) {
	setup := &d.Setup
	c := setup.Circuit
	timing, err := lap.NewTiming(c.Line, c.Start, c.Sectors, c.Pit)
	if err != nil {
		return nil, err
	}
	car := new(sim.State)
	memory := new(driver.Memory)
	*memory = d.Model().Start(&d.State.Car)
	laps, place := new(lap.State), new(lap.Position)
	chain := setup.ForceChains[0]
	force, motion := new(ffb.State), new(cueing.State)
	*force, *motion = chain.Start(), setup.Cue.Start()
	return []stage{
		{"driver model", func() { d.Model().Drive(memory, &d.State.Car) }},
		{"car", func() {
			*car = d.State.Car
			setup.Car.Step(car, d.State.Input)
		}},
		{"laps", func() {
			*place = d.State.Car.Place()
			timing.Step(laps, place, d.State.Car.Tick, setup.Dt)
		}},
		{"force feedback", func() {
			w := &d.in.Wheel
			chain.Torque(force, &d.State.Car, ffb.Wheel{Angle: w.Angle, Present: true, Rated: w.Rated, Rate: w.Rate, Delay: w.Delay})
		}},
		{"motion cueing", func() { setup.Platform.Legs(setup.Cue.Pose(motion, &d.State.Car)) }},
	}, nil
}
