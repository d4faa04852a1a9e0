package sim

import (
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// DefaultCar is the car that every other one starts from: rear drive, 1500 kg and
// about 200 kW on brush tires of 205/55. Its values are plausible for the class, not
// those of any model.
func DefaultCar() Params {
	return Params{
		Params: chassis.Params{
			Mass:       1500,
			InertiaXX:  520,
			InertiaYY:  2150,
			InertiaZZ:  2400,
			InertiaXZ:  20,
			CGHeight:   0.52,
			Wheelbase:  2.66,
			CGToFront:  1.30,
			TrackFront: 1.52,
			TrackRear:  1.54,
			Length:     4.40,
			Width:      1.79,
			Height:     1.33,
			DragArea:   0.65,
			Gravity:    gravity,
			Gyroscopes: true,
		},
		Front:     defaultAxle(28e3, 22e3, 53e3),
		Rear:      defaultAxle(30e3, 9e3, 62e3),
		Steering:  steering.Default(),
		Brakes:    brakes.Default(),
		Driveline: driveline.Default(),
		Fuel:      driveline.DefaultFuel(),
		Assists:   assist.Default(),
		Hull:      chassis.DefaultHull(),
		Air:       chassis.DefaultAir(),
	}
}

// defaultAxle returns an axle by what differs between front and rear: the rates
// of spring and bar [N/m] and the tires' stiffness at the nominal load [N].
func defaultAxle(spring, bar, stiffness float64) suspension.Params {
	brush := suspension.DefaultTire()
	brush.Brush.Stiffness = stiffness
	return suspension.Params{
		SpringRate:   spring,
		BarRate:      bar,
		Bump:         1900,
		Rebound:      3100,
		Travel:       0.24,
		StopStart:    0.19,
		StopRate:     150e3,
		VerticalRate: 210e3,
		TireDamping:  50,
		Wheel: tire.WheelParams{
			Radius: 0.31, Inertia: 1.1, RelaxationX: 0.15, RelaxationY: 0.3, Damping: 2000,
		},
		Unsprung:   40,
		Footing:    suspension.DefaultFooting(),
		Spring:     suspension.Spring{Target: 1},
		Kinematics: suspension.DefaultKinematics(),
		Tire:       brush,
		Bar:        suspension.DefaultBar(),
	}
}
