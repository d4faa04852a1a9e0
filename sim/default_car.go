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

// DefaultCar returns the car whose values every other car starts from: rear-wheel drive, 1500 kg, about
// 200 kW, and brush tires of the size 205/55. The values are plausible for the class, not those of a real car.
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

// defaultAxle returns an axle of the default car. The arguments are the values in which front and rear differ:
// the rates of spring and anti-roll bar [N/m] and the tires' slip stiffness at the nominal load [N].
func defaultAxle(spring, bar, stiffness float64) suspension.Params {
	brush := suspension.DefaultTire()
	brush.Brush.Stiffness = stiffness
	return suspension.Params{
		SpringRate:     spring,
		BarRate:        bar,
		BumpDamping:    1900,
		ReboundDamping: 3100,
		Travel:         0.24,
		BumpStopTravel: 0.19,
		BumpStopRate:   150e3,
		TireRate:       210e3,
		TireDamping:    50,
		Wheel: tire.WheelParams{
			Radius: 0.31, Inertia: 1.1, RelaxationX: 0.15, RelaxationY: 0.3, Damping: tire.DefaultDamping,
		},
		UnsprungMass: 40,
		Footing:      suspension.DefaultFooting(),
		Spring:       suspension.Spring{RestPosition: 1},
		Kinematics:   suspension.DefaultKinematics(),
		Tire:         brush,
		Bar:          suspension.DefaultBar(),
	}
}
