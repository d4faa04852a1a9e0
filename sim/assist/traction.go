package assist

import (
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
)

// Traction describes traction control. It cuts engine torque while driven wheels slip more than allowed, and
// brakes a wheel that spins alone.
type Traction struct {
	// slip of the driven wheels that is allowed at level 5; level 1 allows 1.4 of it, level 10 half. 0 takes
	// the slip from which the driven tires hold 98 % of their largest force. On slippery roads down to half of
	// it
	AllowedSlip float64 `toml:"slip" range:"0..1"`
	// further slip speed that is allowed at standstill; it fades to 0 at 10 m/s
	AllowedSlipSpeed float64 `toml:"slip_speed_mps" range:"0.1..5"`
	ResponseRate     float64 `toml:"response_per_s" range:"1..50"` // rate at which excess slip is reduced
	// largest pressure on a wheel that spins alone, as a share of full pressure; 0 for no braking
	BrakeShare float64 `toml:"brake_share" range:"0..1"`
	// speed above which no wheel is braked; the brake fades out over the upper half
	BrakeUpTo float64 `toml:"brake_up_to_kph" range:"0..400"`
	// time in which the throttle takes over the torque cut from the ignition
	ThrottleSettleTime float64 `toml:"throttle_settle_s" range:"0.01..2"`
}

// defaultTraction returns the traction control of a passenger car.
func defaultTraction() Traction {
	return Traction{AllowedSlipSpeed: 0.8, ResponseRate: 30, BrakeShare: 0.4, BrakeUpTo: 80,
		ThrottleSettleTime: 0.15}
}

// Validate returns an error that names every parameter that is out of range.
func (t Traction) Validate() error {
	return valid.Struct(t)
}

// TractionState is the state of traction control, and its intervention in the tick.
type TractionState struct {
	CutIntegral   float64    // integral part of Cut, 0..1
	ThrottleCut   float64    // share of the torque that is cut by the throttle, 0..1
	Cut           float64    // share of the torque that throttle and ignition together cut, 0..1
	RecentAccel   float64    // horizontal acceleration of the car, filtered [m/s²]
	RelativeSlip  float64    // slip of the driven wheels over the allowed slip; 1 at the target
	BrakeIntegral [4]float64 // integral part of Brake for each wheel
	Brake         [4]float64 // demanded pressure of each wheel, as a share of full pressure
}

// IsActive reports whether traction control cuts torque or brakes.
func (t *TractionState) IsActive() bool {
	return t.Cut > 0 || t.Brake != [4]float64{}
}

// tractionLaw is Traction in the form that a tick needs.
type tractionLaw struct {
	Traction
	wheelInertia  float64 // moment of inertia of all driven wheels [kg·m²]
	engineInertia float64 // moment of inertia of engine and clutch, at the crank [kg·m²]
	radius        float64 // mean rolling radius of the driven wheels [m]
	peakTorque    float64 // largest torque of the engine [N·m]
	// wheel speed in a gear with ratio 1 below which the automatic clutch opens [m/s]
	clutchOpensBelow float64
	brakeMaxSpeed    float64    // speed above which traction control does not brake [m/s]
	brakeGain        [4]float64 // share of full pressure for each m/s of speed difference across an axle [s/m]
}

// newTractionLaw returns the traction control of a car with the electronics e.
func newTractionLaw(p Traction, d *driveline.Params, car *Vehicle, e *Electronics) tractionLaw {
	t := tractionLaw{Traction: p, brakeMaxSpeed: p.BrakeUpTo / 3.6}
	n, peakSlip := 0.0, 1.0
	for i := range t.brakeGain {
		t.brakeGain[i] = car.Axles[i/2].Inertia * t.ResponseRate / (e.radius[i] * e.brakeTorque[i])
	}
	for axle, driven := range e.driven {
		if driven {
			t.wheelInertia += 2 * car.Axles[axle].Inertia
			t.radius += e.radius[2*axle]
			n++
			peakSlip = min(peakSlip, car.Axles[axle].PeakSlip)
		}
	}
	t.radius /= n
	if t.AllowedSlip == 0 {
		t.AllowedSlip = peakSlip
	}
	const opensBelow = 1.3 // times the idle speed
	if !d.Motor.Enabled {
		t.clutchOpensBelow = opensBelow * d.IdleRPM * driveline.PerRPM * t.radius
	}
	t.engineInertia = d.EngineInertia + d.Shafts.InputInertia
	t.peakTorque = max(d.PeakTorque(), 1)
	return t
}

// controlTraction controls the slip of the driven wheels by a PI controller that cuts torque. Its gain
// follows from the inertia that must slow down: engine and wheels while the clutch is locked, the wheels
// alone while it slips.
func (e *Electronics) controlTraction(s *State, d *driveline.State, in *Sensors, o *Orders, m *measurement,
	level int) {
	t, k := &s.Traction, &e.traction
	ratio := math.Abs(e.driveline.Ratio(d.Gear))
	if level == 0 {
		*t = TractionState{}
		return
	}
	if ratio == 0 { // during a change of gear: the next gear begins with the same cut
		*t = TractionState{CutIntegral: t.CutIntegral, ThrottleCut: t.ThrottleCut, RecentAccel: t.RecentAccel}
		return
	}
	t.updateAccel(math.Sqrt(in.AccelX*in.AccelX+in.AccelY*in.AccelY), m.speed, e.dt)
	const minShare = 0.5 // of the allowed slip: with less grip, tires have their largest force at a smaller slip
	roadShare := min(minShare+(1-minShare)*t.RecentAccel/dryRoadAccel, 1)
	allowed := k.allowedExcessSpeed(m.speed) * thresholdFactor(level) * roadShare
	target := max(allowed, k.clutchOpensBelow/ratio-math.Abs(m.speed))
	excessSpeeds := m.wheelExcessSpeeds(d.Gear < 0)
	slip := e.drivenExcessSpeed(&excessSpeeds)
	t.RelativeSlip = slip / target
	const settleRate, restoreRate, slipRange = 2.0, 0.8, 20 // [1/s], [1/s], [rad/s]
	connected := max(1-math.Abs(d.EngineSpeed-d.Gearbox.InputSpeed)/slipRange, 0)
	inertia := k.wheelInertia + connected*k.engineInertia*ratio*ratio
	gain := inertia * k.ResponseRate / (k.radius * k.peakTorque * ratio) // share of torque for each m/s of slip
	rate := gain*settleRate*(slip-target) - restoreRate*min(max(1-2*t.RelativeSlip, 0), 1)
	maxCut := e.maxCut(d, connected)
	t.CutIntegral = min(max(t.CutIntegral+e.dt*rate, 0), maxCut)
	t.Cut = min(max(t.CutIntegral+gain*(slip+e.outputExcessSpeed(d, in)-target), 0), maxCut)
	if o.Throttle == 0 {
		t.CutIntegral, t.Cut = 0, 0
	}
	k.splitCut(t, o, e.dt)
	for axle, driven := range e.driven {
		if driven {
			e.brakeSpinningWheel(t, o, axle, excessSpeeds[2*axle]-excessSpeeds[2*axle+1], allowed, m.speed)
		}
	}
}

// dryRoadAccel is the acceleration of the car above which the road counts as dry, so that the full slip is
// allowed [m/s²].
const dryRoadAccel = 5.0

// updateAccel moves RecentAccel towards the car's acceleration [m/s²], quickly up and slowly down. At
// standstill it assumes a dry road.
func (t *TractionState) updateAccel(acceleration, speed, dt float64) {
	const up, down, standstill = 4.0, 1.0, 0.5 // [1/s], [1/s], [m/s]
	rate := down
	if acceleration > t.RecentAccel {
		rate = up
	}
	t.RecentAccel += (acceleration - t.RecentAccel) * min(rate*dt, 1)
	if math.Abs(speed) < standstill {
		t.RecentAccel = dryRoadAccel
	}
}

// allowedExcessSpeed returns the speed by which driven wheels may be faster than the car at level 5 [m/s], at a
// speed of the car [m/s].
func (k *tractionLaw) allowedExcessSpeed(speed float64) float64 {
	const noneFrom = 10 // [m/s]
	v := math.Abs(speed)
	return k.AllowedSlip*v + k.AllowedSlipSpeed*max(1-v/noneFrom, 0)
}

// maxCut returns the largest share of torque that may be cut. It is reduced near the idle speed, and already
// at a higher speed while the clutch slips, so that the engine does not stall. An electric motor has no idle
// speed.
func (e *Electronics) maxCut(d *driveline.State, connected float64) float64 {
	if e.driveline.IsElectric() {
		return 1
	}
	const idleShare, biteShare, span = 1.0, 1.2, 0.5 // shares of the idle speed
	low := biteShare + (idleShare-biteShare)*connected
	return min(max((d.EngineSpeed/e.driveline.IdleSpeed()-low)/span, 0), 1)
}

// splitCut splits the torque cut between ignition and throttle. The ignition cuts at once; the throttle takes
// over gradually.
func (k *tractionLaw) splitCut(t *TractionState, o *Orders, dt float64) {
	const negligible = 1e-6
	t.ThrottleCut = min(t.ThrottleCut+(t.Cut-t.ThrottleCut)*(dt/k.ThrottleSettleTime), t.Cut)
	if t.ThrottleCut < negligible {
		t.ThrottleCut = 0
	}
	if t.Cut > 0 {
		left := 1 - t.ThrottleCut
		o.Throttle *= left
		if left > 0 {
			o.cutTorque(1 - (1-t.Cut)/left)
		}
	}
}

// wheelExcessSpeeds returns the speed of each wheel minus that of the car, in driving direction [m/s].
func (m *measurement) wheelExcessSpeeds(reverse bool) (excessSpeeds [4]float64) {
	for i := range m.wheels {
		excessSpeeds[i] = m.wheels[i] - m.speed
		if reverse {
			excessSpeeds[i] = -excessSpeeds[i]
		}
	}
	return excessSpeeds
}

// drivenExcessSpeed returns the speed of the driven wheels minus that of the car, as the weighted mean that acts
// at the gearbox' output [m/s]. excessSpeeds holds the values of all wheels.
func (e *Electronics) drivenExcessSpeed(excessSpeeds *[4]float64) float64 {
	return e.driveline.OutputSpeed((excessSpeeds[tire.FL]+excessSpeeds[tire.FR])/2, (excessSpeeds[tire.RL]+excessSpeeds[tire.RR])/2)
}

// outputExcessSpeed returns the speed of the gearbox' output minus that of the driven wheels, in driving direction
// [m/s]. With it, the proportional part of the controller uses the speed of the output and not that of the
// wheels, which oscillate on their half shafts.
func (e *Electronics) outputExcessSpeed(d *driveline.State, in *Sensors) float64 {
	ahead := (d.Gearbox.InputSpeed/e.driveline.Ratio(d.Gear) - e.driveline.RollingOutput(&in.Spin)) * e.traction.radius
	if d.Gear < 0 {
		return -ahead
	}
	return ahead
}

// brakeSpinningWheel brakes the faster wheel of an axle if it is faster than the other one by more than
// allowed [m/s], so that the differential gives torque to the other wheel. speedDifference is the left
// wheel's speed minus the right one's [m/s].
func (e *Electronics) brakeSpinningWheel(t *TractionState, o *Orders, axle int, speedDifference, allowed,
	speed float64) {
	left, right := 2*axle, 2*axle+1
	fade := min(max(2-2*math.Abs(speed)/max(e.traction.brakeMaxSpeed, 1), 0), 1) // over the upper half of the speed range
	e.controlWheelBrake(t, o, left, fade, speedDifference-allowed)
	e.controlWheelBrake(t, o, right, fade, -speedDifference-allowed)
}

// controlWheelBrake brakes wheel i, which is too fast by err [m/s], by a PI controller. fade multiplies its
// largest pressure.
func (e *Electronics) controlWheelBrake(t *TractionState, o *Orders, i int, fade, err float64) {
	k := &e.traction
	const integral = 5.0 // [1/s]
	gain, limit := k.brakeGain[i], k.BrakeShare*fade
	t.BrakeIntegral[i] = min(max(t.BrakeIntegral[i]+gain*integral*e.dt*err, 0), limit)
	t.Brake[i] = min(max(t.BrakeIntegral[i]+gain*err, 0), limit)
	o.BrakeRequest[i] = max(o.BrakeRequest[i], t.Brake[i])
}
