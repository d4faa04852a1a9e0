package steering

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Assist describes the power assist: a torque on the steering column that depends on the driver's torque by a
// curve, multiplied by a factor that depends on speed.
type Assist struct {
	Enabled bool `toml:"enabled"` // whether there is power assist
	// assist torque over the driver's torque: rising points `{ driver_nm, assist_nm }`. The curve starts at 0 without
	// torque and is constant beyond the last point
	Curve []AssistPoint `toml:"curve" count:"0..32"`
	// factor on the assist over the car's speed: points `{ speed_kph, factor }` with rising speeds; without
	// points it is 1
	BySpeed []AssistSpeedPoint `toml:"by_speed" count:"0..32"`
}

// AssistPoint is a point of the assist torque over the driver's torque, which is linear between the points.
type AssistPoint struct {
	// torque of the driver at the steering wheel
	DriverTorque float64 `toml:"driver_nm" range:"0.01..50" valid:"-"`
	AssistTorque float64 `toml:"assist_nm" range:"0..500" valid:"-"` // torque that the assist adds
}

// AssistSpeedPoint is a point of the factor on the assist over speed, which is linear between the points and
// constant outside.
type AssistSpeedPoint struct {
	Speed  float64 `toml:"speed_kph" range:"0..500" valid:"-"` // speed of the car
	Factor float64 `toml:"factor" range:"0..5"`                // factor on the assist at this speed
}

// defaultAssist returns the power assist of a passenger car, switched off.
func defaultAssist() Assist {
	return Assist{
		Curve:   []AssistPoint{{0.5, 0}, {2, 4}, {3.5, 18}, {5, 45}},
		BySpeed: []AssistSpeedPoint{{0, 1}, {30, 0.7}, {80, 0.4}, {160, 0.25}},
	}
}

// Validate returns an error that names every parameter that is out of range. The assist must not fall with
// rising torque of the driver, so that every load has exactly one solution.
func (a Assist) Validate() error {
	errs := []error{valid.Struct(a)}
	if a.Enabled && len(a.Curve) == 0 {
		errs = append(errs, errors.New("curve is empty: give points, as {driver_nm = 3, assist_nm = 10}, or enabled = false"))
	}
	minDriver, minAssist := 0.0, 0.0
	for i, at := range a.Curve {
		errs = append(errs, valid.WithPrefix(fmt.Sprintf("curve[%d]", i),
			errors.Join(valid.AtLeast(at, "driver_nm", minDriver), valid.AtLeast(at, "assist_nm", minAssist))))
		minDriver, minAssist = at.DriverTorque+0.01, at.AssistTorque
	}
	return errors.Join(append(errs,
		curve.CheckRising("by_speed", "speed_kph", a.BySpeed,
			func(p AssistSpeedPoint) float64 { return p.Speed }, 0.1))...)
}

// assist is an Assist in the form that a tick needs. Without points there is no assist.
type assist struct {
	curve         []AssistPoint
	factorBySpeed curve.Line // factor on the assist over the speed [m/s]
}

// newAssist prepares the power assist p for the tick. If p is disabled, the result has no points.
func newAssist(p Assist) assist {
	if !p.Enabled {
		return assist{}
	}
	a := assist{curve: p.Curve}
	for _, at := range p.BySpeed {
		a.factorBySpeed.Add(at.Speed/3.6, at.Factor)
	}
	if len(p.BySpeed) == 0 {
		a.factorBySpeed.Add(0, 1)
	}
	return a
}

// driverTorque returns the part of a load on the column [N·m] that the driver must hold, at a speed [m/s].
//
// It solves driver + assist(driver) = load. The left side rises everywhere, so that there is exactly one
// solution, and no control loop is needed that could oscillate.
func (a *assist) driverTorque(load, speed float64) float64 {
	if len(a.curve) == 0 {
		return load
	}
	factor := a.factorBySpeed.At(math.Abs(speed))
	abs := math.Abs(load)
	var driver, sum float64 // driver's torque and load at the previous point [N·m]
	for i := range a.curve {
		at := &a.curve[i]
		total := at.DriverTorque + factor*at.AssistTorque
		if abs < total {
			fraction := (abs - sum) / (total - sum)
			return math.Copysign(driver+fraction*(at.DriverTorque-driver), load)
		}
		driver, sum = at.DriverTorque, total
	}
	return math.Copysign(driver+(abs-sum), load)
}
