package assist

import (
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/tire"
)

// Stability describes stability control. It brakes single wheels and cuts engine torque while the car's yaw
// rate differs from its target, which follows from the steering.
type Stability struct {
	// yaw rate above the target that is tolerated at level 5; level 1 tolerates 1.4 of it, level 10 half
	OversteerBand float64 `toml:"oversteer_deg_per_s" range:"0.5..60"`
	// yaw rate below the target that is tolerated at level 5
	UndersteerBand float64 `toml:"understeer_deg_per_s" range:"0.5..60"`
	// rate of the sideslip angle that is tolerated at level 5
	SideslipRateBand float64 `toml:"sideslip_rate_deg_per_s" range:"1..120"`
	// yaw acceleration demanded for each rad/s beyond the tolerated deviation
	ResponseRate float64 `toml:"response_per_s" range:"1..50"`
	// lag of a steady car's yaw rate behind its steering; the target follows with it
	YawLag float64 `toml:"yaw_lag_s" range:"0.01..1"`
	// largest lateral acceleration of the target above the largest recent one
	LateralMargin float64 `toml:"lateral_margin_mps2" range:"0.5..20"`
	// largest slip of a wheel that stability control brakes
	BrakeSlip float64 `toml:"brake_slip" range:"0.05..1"`
	// speed from which stability control works; it works fully 10 km/h above
	MinSpeed float64 `toml:"from_kph" range:"5..100"`
}

// defaultStability returns the stability control of a passenger car.
func defaultStability() Stability {
	return Stability{OversteerBand: 7, UndersteerBand: 6, SideslipRateBand: 15, ResponseRate: 10,
		YawLag: 0.12, LateralMargin: 3, BrakeSlip: 0.25, MinSpeed: 15}
}

// Validate returns an error that names every parameter that is out of range.
func (p Stability) Validate() error {
	return valid.Struct(p)
}

// StabilityState is the state of stability control, and its intervention in the tick.
type StabilityState struct {
	TargetYawRate float64    // target yaw rate, which follows from the steering [rad/s], positive left
	RecentLateral float64    // largest recent lateral acceleration [m/s²]
	YawAccel      float64    // demanded yaw acceleration, positive left [rad/s²]
	Cut           float64    // share of the engine's torque that is cut, 0..1
	Brake         [4]float64 // demanded pressure, as a share of full pressure
}

const degree = math.Pi / 180 // [rad]

// IsActive reports whether stability control brakes a wheel or cuts torque.
func (t *StabilityState) IsActive() bool { return t.Cut > 0 || t.Brake != [4]float64{} }

// stabilityLaw is Stability in the form that a tick needs, with the bands in rad/s.
type stabilityLaw struct {
	Stability
	wheelbase     float64 // wheelbase [m]
	understeer    float64 // understeer gradient, at least 0 [rad·s²/m]
	dryLateral    float64 // largest lateral acceleration on a dry road [m/s²]
	perDrySquared float64 // 1 over the square of dryLateral [s⁴/m²]
	lagGain       float64 // share of the remaining difference by which the target changes in a tick
	inertia       float64 // moment of inertia of the car about z [kg·m²]
	fadeInFrom    float64 // [m/s]
}

// newStabilityLaw returns the stability control of a car.
func newStabilityLaw(p Stability, car *Vehicle, dt float64) stabilityLaw {
	k := stabilityLaw{
		Stability: p, wheelbase: car.Wheelbase, inertia: car.InertiaZZ, fadeInFrom: p.MinSpeed / 3.6,
		understeer: max(car.Understeer, 0), dryLateral: min(max(car.MaxLateral, 1), 50),
	}
	k.OversteerBand, k.UndersteerBand, k.SideslipRateBand = k.OversteerBand*degree, k.UndersteerBand*degree, k.SideslipRateBand*degree
	k.perDrySquared, k.lagGain = 1/(k.dryLateral*k.dryLateral), min(dt/k.YawLag, 1)
	return k
}

// stabilize compares the yaw rate with that of the single-track model with the same steering, and the
// sideslip rate with 0. Outside of their dead bands it demands a yaw moment: against oversteer by the brake
// of the outer front wheel, against understeer by that of the inner rear wheel.
func (e *Electronics) stabilize(t *StabilityState, o *Orders, m *measurement, level int) {
	k := &e.stability
	if level == 0 {
		*t = StabilityState{}
		return
	}
	const fadeSpan = 10 / 3.6 // [m/s]
	fadeIn := min(max((m.speed-k.fadeInFrom)/fadeSpan, 0), 1)
	k.trackTarget(t, m, e.dt)
	t.YawAccel = fadeIn * k.yawDemand(t, m, thresholdFactor(level))
	t.Brake = [4]float64{}
	if t.YawAccel != 0 {
		e.brakeOneWheel(t, m)
	}
	const fullCut, restore = 2.0, 2.0 // yaw acceleration at which all torque is cut [rad/s²], and decrease of the cut [1/s]
	t.Cut = max(min(math.Abs(t.YawAccel)/fullCut, 1), t.Cut-restore*e.dt, 0)
	for i := range o.BrakeRequest {
		o.BrakeRequest[i] = max(o.BrakeRequest[i], t.Brake[i])
	}
	if t.Cut > 0 {
		o.cutTorque(t.Cut)
	}
}

// trackTarget updates the target yaw rate v·delta/(L + K·v²). It is saturated by the tires' grip on a dry
// road, limited to a margin above the recent lateral acceleration, and lags as a car's response does.
func (k *stabilityLaw) trackTarget(t *StabilityState, m *measurement, dt float64) {
	const decay, minLateral, minSpeed = 5.0, 2.0, 2.0 // [m/s³], [m/s²], [m/s]
	t.RecentLateral = max(math.Abs(m.lateralAccel), t.RecentLateral-decay*dt, minLateral)
	v := max(m.speed, minSpeed)
	ay := v * v * m.tanSteer / (k.wheelbase + k.understeer*v*v)
	saturation := ay * ay * k.perDrySquared
	ay /= math.Sqrt(math.Sqrt(1 + saturation*saturation))
	limit := t.RecentLateral + k.LateralMargin
	ay = min(max(ay, -limit), limit)
	t.TargetYawRate += (ay/v - t.TargetYawRate) * k.lagGain
}

// yawDemand returns the demanded yaw acceleration [rad/s²], positive left. factor multiplies the dead bands.
func (k *stabilityLaw) yawDemand(t *StabilityState, m *measurement, factor float64) float64 {
	const minSpeed = 2.0 // [m/s]
	err := m.yawRate - t.TargetYawRate
	band := k.UndersteerBand
	if err*m.yawRate > 0 {
		band = k.OversteerBand
	}
	want := -k.ResponseRate * outsideBand(err, band*factor)
	sideslip := m.lateralAccel/max(m.speed, minSpeed) - m.yawRate // sideslip rate [rad/s]
	if sideslip*m.yawRate < 0 && err*m.yawRate > 0 {              // oversteer
		want += k.ResponseRate * outsideBand(sideslip, k.SideslipRateBand*factor)
	}
	return want
}

// outsideBand returns the part of v that is outside of -band to band, 0 inside.
func outsideBand(v, band float64) float64 {
	return v - min(max(v, -band), band)
}

// brakeOneWheel sets the pressure of the wheel whose brake gives the demanded yaw acceleration. The pressure
// is reduced while that wheel slips.
func (e *Electronics) brakeOneWheel(t *StabilityState, m *measurement) {
	k := &e.stability
	i, axle := tire.FL, 0
	if t.YawAccel*m.yawRate > 0 {
		i, axle = tire.RL, 1
	}
	if t.YawAccel < 0 {
		i++
	}
	force := k.inertia * math.Abs(t.YawAccel) / e.halfTrack[axle]
	slip := 1 - m.wheels[i]/max(m.speed, 1)
	t.Brake[i] = min(force*e.radius[i]/e.brakeTorque[i], 1) * min(max(2-2*slip/k.BrakeSlip, 0), 1)
}
