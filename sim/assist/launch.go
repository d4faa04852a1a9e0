package assist

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/driveline"
)

// Launch describes the launch control: with the throttle down it holds the engine's speed while
// brake or clutch holds the car, and closes the clutch as the driven wheels can take it.
type Launch struct {
	RPM   float64 `toml:"rpm"`       // held; 0 is halfway from driveline.launch_rpm to shift_up_rpm
	Close float64 `toml:"close_s"`   // time in which the clutch closes where nothing slips
	Until float64 `toml:"until_mps"` // it ends here, once nothing slips
}

// defaultLaunch returns that of a sports car.
func defaultLaunch() Launch { return Launch{Close: 0.4, Until: 15} }

// Validate returns an error that names every parameter that is out of range.
func (l Launch) Validate() error {
	return errors.Join(
		valid.InRange("rpm", l.RPM, 0, 20e3),
		valid.InRange("close_s", l.Close, 0.05, 5),
		valid.InRange("until_mps", l.Until, 3, 50),
	)
}

// LaunchState is what launch control remembers.
type LaunchState struct {
	Phase  int8    // one of LaunchReady, LaunchHolds, LaunchGoes
	Clutch float64 // pedal that it holds down, 0..1
	Need   float64 // throttle that the engine's speed needed lately, 0..1
}

// The phases of a launch.
const (
	LaunchReady int8 = iota // waits for throttle and brake or clutch
	LaunchHolds             // holds the engine's speed, the clutch open
	LaunchGoes              // closes the clutch and keeps slip small
)

// launchLaw is the constant part.
type launchLaw struct {
	Launch
	speed float64 // of the engine [rad/s]
	gain  float64 // throttle for each rad/s
}

func newLaunchLaw(p Launch, d *driveline.Params) launchLaw {
	const quick = 10.0 // [1/s]
	l := launchLaw{Launch: p}
	l.speed = l.RPM * driveline.PerRPM
	if l.RPM == 0 {
		l.speed = (d.Launch + d.ShiftUp) / 2 * driveline.PerRPM
	}
	l.gain = d.Inertia * quick / max(d.PeakTorque(), 1)
	return l
}

// controlLaunch works the throttle and the clutch of a start, and returns the level at which
// traction control is to help: not while the clutch does its work.
func (e *Electronics) controlLaunch(s *State, d *driveline.State, in *Sensors, o *Orders, m *measured, level int) int {
	l, k := &s.Launch, &e.launch
	if e.driveline.Electric() { // it has no clutch to let in
		if level == 0 && in.Speed < k.Until {
			level = makers
		}
		return level
	}
	l.Phase = k.next(l.Phase, d.Gear, s.Traction.Cut, in, o)
	if l.Phase == LaunchReady {
		l.Clutch, l.Need = 0, 0
		return level
	}
	pedal := 1.0
	if l.Phase == LaunchHolds {
		l.Clutch = 1
	} else {
		pedal = e.letIn(l, d, in, m)
	}
	o.Throttle = min(o.Throttle, k.throttle(l, k.speed-d.Engine, e.dt))
	o.Clutch = max(o.Clutch, pedal)
	switch {
	case l.Clutch > 0: // the clutch alone keeps slip small
		return 0
	case level == 0:
		return makers
	}
	return level
}

// letIn returns the pedal that closes the clutch as fast as the driven wheels take it, and
// faster still while they hardly slip; once engine and gearbox turn as one, fast enough and
// without too much slip, it is let go.
func (e *Electronics) letIn(l *LaunchState, d *driveline.State, in *Sensors, m *measured) float64 {
	const sticks, yields, hardly, faster = 2.0, 0.1, 0.1, 3 // [rad/s], pedal for slip of twice the target, share of it
	if e.driveline.Ratio(d.Gear) == 0 {                     // the gearbox is not there yet
		return 1
	}
	over := m.excess(false)
	k := &e.traction
	slip := (e.slip(&over) + e.ahead(d, in)) / k.allowed(m.speed)
	if math.Abs(d.Engine-d.Box.Shaft) < sticks && slip < 1 && m.speed*e.driveline.Ratio(d.Gear) > k.bites {
		l.Clutch = 0
	}
	if l.Clutch == 0 {
		return 0
	}
	by := max(1-slip, -1)
	if slip < hardly {
		by *= faster
	}
	l.Clutch = min(max(l.Clutch-e.dt/e.launch.Close*by, 0), 1)
	return min(l.Clutch+yields*max(slip-1, 0), 1)
}

// next returns the phase of a tick, by the gear that is in and the share of the torque that
// traction control takes away.
func (k *launchLaw) next(phase, gear int8, cut float64, in *Sensors, wish *Orders) int8 {
	const slow, down, some, half = 2.0, 0.9, 0.1, 0.5 // [m/s], pedals
	held := in.Brake > some || in.Handbrake > some || wish.Clutch > half
	switch {
	case wish.Gear < 1 || gear > 1 && phase != LaunchGoes:
		return LaunchReady
	case phase == LaunchReady && (wish.Throttle <= down || !held || in.Speed >= slow || in.Speed <= -slow):
		return LaunchReady
	case phase == LaunchGoes && (wish.Throttle < half || in.Brake > some || in.Speed > k.Until && cut == 0):
		return LaunchReady
	case phase == LaunchHolds && wish.Throttle < half:
		return LaunchReady
	case held && phase != LaunchGoes:
		return LaunchHolds
	}
	return LaunchGoes
}

// throttle returns what holds the engine's speed that lacks so much [rad/s]; once the
// clutch is closed it opens all the way.
func (k *launchLaw) throttle(l *LaunchState, lacks, dt float64) float64 {
	const settles, opens = 5.0, 4.0 // [1/s]
	if l.Clutch == 0 {
		l.Need = min(l.Need+opens*dt, 1)
		return l.Need
	}
	l.Need = min(max(l.Need+k.gain*settles*dt*lacks, 0), 1)
	return min(max(l.Need+k.gain*lacks, 0), 1)
}
