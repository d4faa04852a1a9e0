package steering

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Assist describes the power assist: a torque on the column that grows with the
// driver's own, by a curve times a factor that depends on speed.
type Assist struct {
	Enabled bool          `toml:"enabled"`
	Curve   []AssistPoint `toml:"curve" most:"32"`    // rising, from no torque on; constant behind the last point
	BySpeed []AssistSpeed `toml:"by_speed" most:"32"` // rising speeds; none is a factor of 1 everywhere
}

// AssistPoint is the assist at a torque of the driver: linear between the points.
type AssistPoint struct {
	Driver float64 `toml:"driver_nm"`
	Assist float64 `toml:"assist_nm"`
}

// AssistSpeed is the factor on the assist at a speed: linear between the points,
// constant outside.
type AssistSpeed struct {
	Speed  float64 `toml:"speed_kph"`
	Factor float64 `toml:"factor"`
}

// defaultAssist returns that of a passenger car, switched off.
func defaultAssist() Assist {
	return Assist{
		Curve:   []AssistPoint{{0.5, 0}, {2, 4}, {3.5, 18}, {5, 45}},
		BySpeed: []AssistSpeed{{0, 1}, {30, 0.7}, {80, 0.4}, {160, 0.25}},
	}
}

// Validate returns an error that names every parameter that is out of range. An assist that
// never falls with the driver's torque leaves one answer to every load.
func (a Assist) Validate() error {
	errs := []error{
		valid.InRange("number of curve points", float64(len(a.Curve)), 0, curve.MostPoints),
		valid.InRange("number of by_speed points", float64(len(a.BySpeed)), 0, curve.MostPoints),
	}
	if a.Enabled && len(a.Curve) == 0 {
		errs = append(errs, errors.New("curve is empty: give points, as {driver_nm = 3, assist_nm = 10}, or enabled = false"))
	}
	least, low := 0.01, 0.0
	for i, at := range a.Curve {
		errs = append(errs,
			valid.InRange(fmt.Sprintf("curve[%d].driver_nm", i), at.Driver, least, 50),
			valid.InRange(fmt.Sprintf("curve[%d].assist_nm", i), at.Assist, low, 500))
		least, low = at.Driver+0.01, at.Assist
	}
	return errors.Join(append(errs, curve.BySpeed("by_speed", "factor", 0, 5).Check(len(a.BySpeed),
		func(i int) (x, y float64) { return a.BySpeed[i].Speed, a.BySpeed[i].Factor })...)...)
}

// assist is an Assist as a tick needs it. Without points there is none.
type assist struct {
	curve  []AssistPoint
	factor curve.Line // over the speed [m/s]
}

func newAssist(p Assist) assist {
	if !p.Enabled {
		return assist{}
	}
	a := assist{curve: p.Curve}
	for _, at := range p.BySpeed {
		a.factor.Add(at.Speed/3.6, at.Factor)
	}
	if len(p.BySpeed) == 0 {
		a.factor.Add(0, 1)
	}
	return a
}

// felt returns what is left for the driver of a load on the column [N·m] at a
// speed [m/s].
//
// It inverts driver + assist(driver) = load, which rises everywhere and so has one
// solution: the assist needs no state, and no loop that could swing.
func (a *assist) felt(load, speed float64) float64 {
	if len(a.curve) == 0 {
		return load
	}
	factor := a.factor.At(math.Abs(speed))
	size := math.Abs(load)
	var driver, sum float64 // at the point before
	for i := range a.curve {
		at := &a.curve[i]
		reached := at.Driver + factor*at.Assist
		if size < reached {
			part := (size - sum) / (reached - sum)
			return math.Copysign(driver+part*(at.Driver-driver), load)
		}
		driver, sum = at.Driver, reached
	}
	return math.Copysign(driver+(size-sum), load)
}
