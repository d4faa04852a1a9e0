package channels

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// wheelNames are the names of the wheels in channels, and those that MoTeC's names end with.
var wheelNames = [4]struct{ short, motec, long string }{
	tire.FL: {"fl", "FL", "front left"}, tire.FR: {"fr", "FR", "front right"},
	tire.RL: {"rl", "RL", "rear left"}, tire.RR: {"rr", "RR", "rear right"},
}

// wheelRow is a line of a table of channels that each wheel has.
type wheelRow struct {
	name, unit string
	decimals   int
	motec      string // with % for the wheel
	about      string
	value      func(p *Point, i int) float64
}

// ofWheels returns the channels of all four wheels, wheel by wheel. prefix comes before the wheel's name.
func ofWheels(group, prefix string, rows ...wheelRow) (list []Channel) {
	for i, w := range wheelNames {
		for _, r := range rows {
			list = append(list, ofCar(group, row{prefix + "_" + w.short + "_" + r.name, r.unit, r.decimals,
				strings.Replace(r.motec, "%", w.motec, 1), w.long + ": " + r.about, func(p *Point) float64 { return r.value(p, i) }})...)
		}
	}
	return list
}

func wheelChannels() []Channel {
	state := func(p *Point, i int) *sim.WheelState { return &p.State.Wheels[i] }
	return ofWheels("wheel", "wheel",
		wheelRow{"load", "N", 1, "", "normal force of the road on the tire", func(p *Point, i int) float64 { return state(p, i).Load }},
		wheelRow{"slip_ratio", "", 4, "", "longitudinal slip, positive when driving, -1 when locked", func(p *Point, i int) float64 { return state(p, i).Kappa }},
		wheelRow{"slip_angle", "rad", 4, "", "slip angle, positive when the contact moves to the left of the wheel's heading", func(p *Point, i int) float64 { return state(p, i).Alpha }},
		wheelRow{"normalized_slip", "", 3, "", "slip over the slip of the largest force in the same direction; 1 is the limit of grip", func(p *Point, i int) float64 { return state(p, i).Roll.NormalizedSlip }},
		wheelRow{"longitudinal_force", "N", 1, "", "force Fx on the tire along the wheel's heading", func(p *Point, i int) float64 { return state(p, i).Fx }},
		wheelRow{"lateral_force", "N", 1, "", "force Fy on the tire to the left of the wheel's heading", func(p *Point, i int) float64 { return state(p, i).Fy }},
		wheelRow{"aligning_moment", "N·m", 2, "", "moment Mz, positive when it turns the wheel to the left", func(p *Point, i int) float64 { return state(p, i).Mz }},
		wheelRow{"camber", "rad", 5, "", "camber angle to the car's z axis, positive when the top leans outward", camber},
		wheelRow{"steer_angle", "rad", 5, "", "steer angle about the kingpin, with toe and bump steer, positive to the left", func(p *Point, i int) float64 { return state(p, i).Steer }},
		wheelRow{"compliance_toe", "rad", 6, "", "part of the steer angle by elastic bushes", func(p *Point, i int) float64 { return state(p, i).Compliance.Toe }},
		wheelRow{"travel", "m", 4, "Damper Pos %", "travel of the wheel from full droop, positive in bump", func(p *Point, i int) float64 { return state(p, i).Travel }},
		wheelRow{"travel_speed", "m/s", 4, "", "rate of the travel, positive in bump", func(p *Point, i int) float64 { return state(p, i).TravelSpeed }},
		wheelRow{"damper_speed", "m/s", 4, "", "speed of the damper, positive in bump: that of the travel times the motion ratio", damperSpeed},
		wheelRow{"spin", "rad/s", 2, "", "angular velocity about the axle, positive forward", func(p *Point, i int) float64 { return state(p, i).Roll.Spin }},
		wheelRow{"speed", "m/s", 2, "Wheel Speed %", "spin times the effective rolling radius", func(p *Point, i int) float64 { return state(p, i).Roll.Spin * p.Car.RollingRadius(p.State, i) }},
		wheelRow{"slip_energy", "J", 0, "", "energy lost in slip since the start", func(p *Point, i int) float64 { return state(p, i).Roll.SlipEnergy }},
		wheelRow{"surface_material", "", 0, "", "index of the surface below the wheel among those of the ground", func(p *Point, i int) float64 { return float64(state(p, i).Material) }},
		wheelRow{"tire_pressure", "Pa", 0, "Tyre Pres %", "inflation pressure; NaN if the car's file gives none", func(p *Point, i int) float64 { return known(p.Car.TirePressure(p.State, i)) }},
		wheelRow{"tire_surface_temperature", "°C", 1, "Tyre Temp % Centre", "temperature of the outer tread; NaN unless tires have a temperature", func(p *Point, i int) float64 { return celsius(state(p, i).Heat.Surface) }},
		wheelRow{"tire_bulk_temperature", "°C", 1, "", "temperature of inner tread, belt and carcass; NaN unless tires have a temperature", func(p *Point, i int) float64 { return celsius(state(p, i).Heat.Bulk) }},
		wheelRow{"tire_gas_temperature", "°C", 1, "", "temperature of the gas in the tire; NaN unless tires have a temperature", func(p *Point, i int) float64 { return celsius(state(p, i).Heat.Gas) }},
		wheelRow{"tire_wear", "", 5, "", "share of the usable tread that is worn off, 0 to 1", func(p *Point, i int) float64 { return state(p, i).Heat.Wear }},
		wheelRow{"brake_pressure", "Pa", 0, "", "pressure at the brake", func(p *Point, i int) float64 { return p.State.Brakes.Wheels[i].Pressure * pascalsPerBar }},
		wheelRow{"brake_torque", "N·m", 1, "", "largest torque that the brake can hold", func(p *Point, i int) float64 { return p.State.Brakes.Wheels[i].Torque }},
		wheelRow{"brake_power", "W", 0, "", "power that heats the brake", func(p *Point, i int) float64 { return p.State.Brakes.Wheels[i].Power }},
		wheelRow{"brake_temperature", "°C", 1, "Brake Temp %", "temperature of the disc", func(p *Point, i int) float64 { return p.State.Brakes.Wheels[i].Temperature }},
		wheelRow{"abs_phase", "", 0, "", "ABS: 0 off, 1 as the driver presses, 2 building, 3 holding, 4 releasing pressure", func(p *Point, i int) float64 { return float64(p.State.Brakes.Wheels[i].ABS.Phase) }},
	)
}

const pascalsPerBar = 1e5

// camber returns the camber angle of wheel i [rad].
func camber(p *Point, i int) float64 {
	pose, axes := p.Car.WheelPose(p.State, i), chassis.AxesOf(p.State.Att)
	toRight := math.Asin(min(max(r3.Dot(pose.Axle, axes.Z), -1), 1)) // positive when the top leans to the right
	if i == tire.FL || i == tire.RL {
		return -toRight
	}
	return toRight
}

// damperSpeed returns the speed of the damper of wheel i [m/s].
func damperSpeed(p *Point, i int) float64 {
	pose := p.Car.WheelPose(p.State, i)
	return pose.Ratio * p.State.Wheels[i].TravelSpeed
}

// celsius converts a temperature [K]; 0 is unknown.
func celsius(kelvin float64) float64 { return known(kelvin) - 273.15 }

// known returns v, or NaN if it is 0.
func known(v float64) float64 {
	if v == 0 {
		return math.NaN()
	}
	return v
}

func barChannels() (list []Channel) {
	for axle, name := range [2]string{"front", "rear"} {
		bar := func(p *Point) *suspension.BarState { return &p.State.Bars[axle] }
		list = append(list, ofCar("anti_roll_bar",
			row{name + "_compression_left", "m", 4, "", name + " axle: compression of the left suspension from full droop", func(p *Point) float64 { return bar(p).CompressionLeft }},
			row{name + "_compression_right", "m", 4, "", name + " axle: compression of the right suspension from full droop", func(p *Point) float64 { return bar(p).CompressionRight }},
			row{name + "_compression_diff", "m", 4, "", name + " axle: left compression minus right, negative in a left turn", func(p *Point) float64 { return bar(p).CompressionDiff }},
			row{name + "_spring_left", "N", 1, "", name + " axle: force of spring, bump stop and anti-roll bar on the left wheel", func(p *Point) float64 { return bar(p).SpringForceLeft }},
			row{name + "_spring_right", "N", 1, "", name + " axle: force of spring, bump stop and anti-roll bar on the right wheel", func(p *Point) float64 { return bar(p).SpringForceRight }},
		)...)
	}
	return list
}
