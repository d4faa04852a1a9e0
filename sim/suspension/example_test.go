package suspension_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// An axle under a body that is held 20 mm too low: its springs take it from 300 kg for each wheel to
// what 25 kN/m add over that way, as far as the tires let them.
func Example() {
	p := suspension.Params{
		SpringRate: 25e3, BumpDamping: 2000, ReboundDamping: 2000, Travel: 0.24, BumpStopTravel: 0.19, UnsprungMass: 45,
		Footing: suspension.DefaultFooting(), Spring: suspension.Spring{RestPosition: 1}, Kinematics: suspension.DefaultKinematics(), Bar: suspension.DefaultBar(),
	}
	spring, err := tire.NewVertical(tire.VerticalParams{Radius: 0.31, Stiffness: 200e3, Damping: 100, NominalLoad: 4000})
	if err != nil {
		fmt.Println(err)
		return
	}
	const load, dt = 300 * 9.80665, 1e-3
	var at [4]suspension.Station
	for i := range at {
		at[i] = suspension.Station{Wheel: i, Track: 1.5, CGHeight: 0.5, Gravity: 9.80665, Load: load, Vertical: spring, Deflection: spring.Deflection(load)}
	}
	axle, err := suspension.New(&p, &p, &at, [2]float64{1e-3, 1e-3}, dt)
	if err != nil {
		fmt.Println(err)
		return
	}
	body := chassis.Axes{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}
	pos := r3.Vec{Z: 0.48}
	states := [2]suspension.State{{Travel: axle.Corners[0].RestTravel}, {Travel: axle.Corners[1].RestTravel}}
	for range 1000 {
		var poses [2]suspension.Pose
		var contacts [2]suspension.Contact
		var slides [2]chassis.Wheel
		var bar suspension.Coupling
		var ws [2]suspension.Wheel
		for i := range ws {
			k := &axle.Corners[i]
			k.Place(&poses[i], &states[i], pos, &body, nil, 0, 0, 1)
			k.Touch(&contacts[i], &poses[i], &states[i], road.Asphalt(), 0.31, pos, r3.Vec{}, r3.Vec{})
			ws[i] = suspension.Wheel{State: &states[i], Pose: &poses[i], Contact: &contacts[i], TravelMotion: &slides[i]}
		}
		axle.Step(0, &ws[0], &ws[1], 1, r3.Vec{}, &bar)
		for i := range states {
			states[i].TravelSpeed = (slides[i].StopTravel - states[i].Travel) / dt
			states[i].Travel = slides[i].StopTravel
		}
	}
	fmt.Printf("travel %.1f mm, load %.0f N\n", states[0].Travel*1e3, states[0].Load)
	// Output: travel 117.8 mm, load 3386 N
}
