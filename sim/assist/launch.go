package assist

import (
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/driveline"
)

// Launch describes launch control. At full throttle it holds the engine's speed while brake or clutch holds
// the car. Then it closes the clutch as fast as the grip of the driven wheels allows.
type Launch struct {
	// engine speed that is held; 0 for the mean of driveline.launch_rpm and shift_up_rpm
	RPM float64 `toml:"rpm" range:"0..20000"`
	// time in which the clutch closes if no wheel slips
	CloseTime float64 `toml:"close_s" range:"0.05..5"`
	// speed at which launch control ends, once no wheel slips
	EndSpeed float64 `toml:"until_mps" range:"3..50"`
}

// defaultLaunch returns the launch control of a sports car.
func defaultLaunch() Launch { return Launch{CloseTime: 0.4, EndSpeed: 15} }

// Validate returns an error that names every parameter that is out of range.
func (l Launch) Validate() error {
	return valid.Struct(l)
}

// LaunchState is the state of launch control.
type LaunchState struct {
	Phase            int8    // one of LaunchReady, LaunchHolding, LaunchStarting
	Clutch           float64 // clutch pedal, 0..1; 1 is open
	ThrottleIntegral float64 // integral part of the throttle that holds the engine's speed, 0..1
}

// The phases of a launch.
const (
	LaunchReady    int8 = iota // waits for full throttle together with brake or clutch
	LaunchHolding              // holds the engine's speed with an open clutch
	LaunchStarting             // closes the clutch and limits slip
)

// launchLaw is Launch in the form that a tick needs.
type launchLaw struct {
	Launch
	speed float64 // engine speed to hold [rad/s]
	gain  float64 // throttle for each rad/s of error of the engine's speed
}

// newLaunchLaw returns the launch control of a driveline.
func newLaunchLaw(p Launch, d *driveline.Params) launchLaw {
	const responseRate = 10.0 // how fast the throttle corrects the engine's speed [1/s]
	l := launchLaw{Launch: p}
	l.speed = l.RPM * driveline.PerRPM
	if l.RPM == 0 {
		l.speed = (d.LaunchRPM + d.ShiftUpRPM) / 2 * driveline.PerRPM
	}
	l.gain = d.EngineInertia * responseRate / max(d.PeakTorque(), 1)
	return l
}

// controlLaunch sets throttle and clutch for a launch. It returns the level for traction control, which is 0
// (off) while the clutch limits the slip.
func (e *Electronics) controlLaunch(s *State, d *driveline.State, in *Sensors, o *Orders, m *measurement,
	level int) int {
	l, k := &s.Launch, &e.launch
	if e.driveline.IsElectric() { // an electric motor has no clutch
		if level == 0 && in.Speed < k.EndSpeed {
			level = neutralLevel
		}
		return level
	}
	l.Phase = k.nextPhase(l.Phase, d.Gear, s.Traction.Cut, in, o)
	if l.Phase == LaunchReady {
		l.Clutch, l.ThrottleIntegral = 0, 0
		return level
	}
	pedal := 1.0
	if l.Phase == LaunchHolding {
		l.Clutch = 1
	} else {
		pedal = e.closeClutch(l, d, in, m)
	}
	o.Throttle = min(o.Throttle, k.throttle(l, k.speed-d.EngineSpeed, e.dt))
	o.Clutch = max(o.Clutch, pedal)
	switch {
	case l.Clutch > 0: // the clutch alone limits slip
		return 0
	case level == 0:
		return neutralLevel
	}
	return level
}

// closeClutch returns the position of the clutch pedal, 0..1. The clutch closes as fast as the slip of the
// driven wheels allows, and faster while they hardly slip. Once engine and gearbox turn as one, fast enough
// and with little slip, the pedal is released. relativeSlip is the slip over the allowed slip, and closingRate
// the clutch's speed over that without slip, negative where it opens.
func (e *Electronics) closeClutch(l *LaunchState, d *driveline.State, in *Sensors, m *measurement) float64 {
	const locked, pedalPerSlip, smallSlip, faster = 2.0, 0.1, 0.1, 3 // [rad/s], pedal at twice the allowed slip, share of the allowed slip, factor
	if e.driveline.Ratio(d.Gear) == 0 {                              // the gear is not engaged yet
		return 1
	}
	excessSpeeds := m.wheelExcessSpeeds(false)
	k := &e.traction
	relativeSlip := (e.drivenExcessSpeed(&excessSpeeds) + e.outputExcessSpeed(d, in)) / k.allowedExcessSpeed(m.speed)
	if math.Abs(d.EngineSpeed-d.Gearbox.InputSpeed) < locked && relativeSlip < 1 && m.speed*e.driveline.Ratio(d.Gear) > k.clutchOpensBelow {
		l.Clutch = 0
	}
	if l.Clutch == 0 {
		return 0
	}
	closingRate := max(1-relativeSlip, -1)
	if relativeSlip < smallSlip {
		closingRate *= faster
	}
	l.Clutch = min(max(l.Clutch-e.dt/e.launch.CloseTime*closingRate, 0), 1)
	return min(l.Clutch+pedalPerSlip*max(relativeSlip-1, 0), 1)
}

// nextPhase returns the phase after phase. gear is the engaged gear, cut the share of torque that traction
// control cuts.
func (k *launchLaw) nextPhase(phase, gear int8, cut float64, in *Sensors, o *Orders) int8 {
	const slowSpeed, fullThrottle, pressed, halfway = 2.0, 0.9, 0.1, 0.5 // [m/s], pedals
	held := in.Brake > pressed || in.Handbrake > pressed || o.Clutch > halfway
	switch {
	case o.Gear < 1 || gear > 1 && phase != LaunchStarting:
		return LaunchReady
	case phase == LaunchReady && (o.Throttle <= fullThrottle || !held || in.Speed >= slowSpeed || in.Speed <= -slowSpeed):
		return LaunchReady
	case phase == LaunchStarting && (o.Throttle < halfway || in.Brake > pressed || in.Speed > k.EndSpeed && cut == 0):
		return LaunchReady
	case phase == LaunchHolding && o.Throttle < halfway:
		return LaunchReady
	case held && phase != LaunchStarting:
		return LaunchHolding
	}
	return LaunchStarting
}

// throttle returns the throttle that holds the engine's speed, by a PI controller. speedError is the target
// minus the engine's speed [rad/s]. Once the clutch is closed, the throttle opens fully.
func (k *launchLaw) throttle(l *LaunchState, speedError, dt float64) float64 {
	const integral, opens = 5.0, 4.0 // [1/s]
	if l.Clutch == 0 {
		l.ThrottleIntegral = min(l.ThrottleIntegral+opens*dt, 1)
		return l.ThrottleIntegral
	}
	l.ThrottleIntegral = min(max(l.ThrottleIntegral+k.gain*integral*dt*speedError, 0), 1)
	return min(max(l.ThrottleIntegral+k.gain*speedError, 0), 1)
}
