package exercise

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/latest"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/internal/live/switches"
	"rig.example/rig/internal/live/ticks"
	"rig.example/rig/sim"
)

const degreesPerRadian = 180 / math.Pi

// ForceTrial is one effect to be played at a wheel without a car.
type ForceTrial struct {
	Effect     string        // constant, sine, spring, damper, friction, impact, chirp
	Torque     float64       // largest torque [N·m]; a negative one begins to the right
	Hz         float64       // frequency of a sine [Hz]
	Duration   time.Duration // from its first torque to its fade-out
	HighTorque bool          // the operator allows more than guard.SafeTorque
}

// Validate returns an error for every field that is out of range.
func (t ForceTrial) Validate() error {
	e, err := findEffect(t.Effect)
	limits := errors.Join(valid.InRange("--torque-nm", t.Torque, -25, 25), valid.InRange("--hz", t.Hz, 0.1, 100),
		valid.DurationInRange("--duration", t.Duration, time.Second, time.Minute))
	if limits != nil {
		err = errors.Join(err, fmt.Errorf("ffb test: %w", limits))
	}
	if err == nil && t.Torque == 0 {
		return errors.New("ffb test: --torque-nm 0 cannot be felt; give another torque")
	}
	if err == nil && t.Torque < 0 && !e.hasSide {
		return fmt.Errorf("ffb test: --torque-nm %g: %s resists, and has no side; give a torque above 0", t.Torque, t.Effect)
	}
	return err
}

// torqueLimit returns the highest torque that cfg allows for the trial [N·m], and the key or flag
// that limits it, "" if none does.
func (t ForceTrial) torqueLimit(cfg config.Config) (torque float64, limitedBy string) {
	torque = math.Abs(t.Torque)
	for _, l := range [...]struct {
		torque    float64
		limitedBy string
	}{{cfg.Wheel.MaxTorque, "wheel.max_torque_nm"}, {cfg.FFB.MaxTorque, "ffb.max_torque_nm"}, {cfg.Guard.MaxTorque, "guard.max_torque_nm"}} {
		if l.torque < torque {
			torque, limitedBy = l.torque, l.limitedBy
		}
	}
	if torque > guard.SafeTorque && !t.HighTorque {
		return guard.SafeTorque, "the missing flag --high-torque"
	}
	return torque, limitedBy
}

// The shortest fade-in and the longest fade-out of a trial [s].
const (
	trialFadeIn  = 2
	trialFadeOut = 0.5
)

// steeringWheel is the real wheel, or a simulated one in tests.
type steeringWheel interface {
	Poll(*wheel.Sample)
	Push(torque float64) // [N·m], positive left
	Rated() float64      // highest torque it may output now [N·m]
	UpdateRate() float64 // torques that it accepts per second [1/s]; 0 is unknown
}

// controls are the buttons of the cockpit, real or simulated.
type controls interface{ Poll() wheel.Edges }

// trialRun plays a trial, tick by tick, with a guard of its own that limits the torque.
type trialRun struct {
	effect        forceEffect
	trial         ForceTrial
	maxTorque     float64 // [N·m]
	wheel         steeringWheel
	controls      controls
	switches      switches.Set
	gap           ticks.Gap
	stats         loop.Stats
	guard         *guard.Guard
	haltRequested atomic.Bool // set to switch the torque off at once

	sample         wheel.Sample
	sensorFault    bool // the steering sensor was faulty
	stopCause      estop.Cause
	ticks          int     // since the start; once the rim has torque, since then
	hasTorque      bool    // the rim has got torque
	startAngle     float64 // angle at which it began [rad]
	rimAngle       float64 // angle a tick ago, from there [rad]
	rimSpeed       float64 // filtered [rad/s]
	releasing      bool    // the guard is told to release
	turnedTooFar   bool    // the rim turned so far that probably nobody holds it
	wheelLost      bool    // the wheel was disconnected during the effect
	ticksSinceStop int     // how long the torque has been 0 after a stop [ticks]
	updateRate     float64 // torques that the wheel accepts per second [1/s]
	angles         []float64
	torques        []float64

	angle, torque latest.Float // the newest [rad], [N·m], for the line on the terminal
}

const (
	wheelTimeout    = 5000  // longest time for the wheel to appear [ticks]
	offTicks        = 50    // time of torque 0 after a stop, so that it certainly reaches the wheel [ticks]
	speedFilterTime = 0.005 // time constant of the filter of the rim's speed [s]
)

func newTrialRun(cfg config.Config, t ForceTrial, w steeringWheel, c controls) (*trialRun, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	effect, err := findEffect(t.Effect)
	if err != nil {
		return nil, err
	}
	safety := cfg.Guard
	safety.Engage, safety.Release, safety.HandsOff = max(safety.Engage, trialFadeIn), min(safety.Release, trialFadeOut), 0
	maxTorque, _ := t.torqueLimit(cfg)
	capacity := int(t.Duration/time.Millisecond) + 8000
	r := &trialRun{effect: effect, trial: t, maxTorque: maxTorque, wheel: w, controls: c, guard: guard.New(safety, sim.Dt),
		angles: make([]float64, 0, capacity), torques: make([]float64, 0, capacity)}
	if t.HighTorque {
		r.guard.AllowHighTorque()
	}
	return r, nil
}

// tick advances the trial by one millisecond.
func (r *trialRun) tick() error {
	r.gap.Begin()
	r.wheel.Poll(&r.sample)
	r.guard.Step(r.guardInputs())
	if r.switches.Stop != nil {
		r.switches.Stop.Enable(r.guard.State().Powered())
	}
	r.trackRim()
	torque, _ := r.guard.Gate(r.effectTorque(), [8]float64{})
	if r.gap.CheckHeldUp(false); r.gap.HeldUp {
		torque = 0
	}
	r.wheel.Push(torque)
	r.record(torque)
	return r.checkEnd()
}

func (r *trialRun) guardInputs() guard.Inputs {
	in := guard.Inputs{Start: true, Release: r.releasing, Stop: r.haltRequested.Load(), WheelPresent: r.sample.Present,
		PlatformHomed: true, PlatformParked: true, StateOK: true}
	in.Gap, in.Suspended = r.gap.Measure(&r.stats, false)
	if r.controls != nil {
		e := r.controls.Poll()
		in.Stop = in.Stop || e.Down.Has(wheel.Stop) || e.Pressed.Has(wheel.Stop)
		in.DeadMan = e.Down.Has(wheel.DeadMan)
	}
	stopped, failed, cause := switches.ReadStop(r.switches.Stop)
	r.sensorFault = r.sensorFault || r.sample.Fault
	in.Stop, in.DeviceFault, r.stopCause = in.Stop || stopped, failed || r.sample.Fault, cause
	return in
}

// trackRim updates the rim's angle and speed from the first torque on, and decides when to release.
func (r *trialRun) trackRim() {
	if !r.hasTorque {
		r.startAngle = r.sample.Angle
		if r.hasTorque = r.guard.State() == guard.Engaging; r.hasTorque {
			r.ticks = 0
		}
	}
	r.ticks++
	angle := r.sample.Angle - r.startAngle
	r.rimSpeed += sim.Dt / (speedFilterTime + sim.Dt) * ((angle-r.rimAngle)/sim.Dt - r.rimSpeed)
	r.rimAngle = angle
	r.turnedTooFar = r.turnedTooFar || r.hasTorque && r.effect.hasSide && math.Abs(angle) > maxTurn/degreesPerRadian
	r.releasing = r.turnedTooFar || r.hasTorque && (float64(r.ticks)*sim.Dt >= r.trial.Duration.Seconds() || r.wheelLost)
}

// effectTorque returns the effect's torque within the trial's limits [N·m].
func (r *trialRun) effectTorque() float64 {
	if !r.hasTorque {
		return 0
	}
	torque := r.effect.torque(effectInput{time: float64(r.ticks) * sim.Dt, duration: r.trial.Duration.Seconds(), angle: r.rimAngle, speed: r.rimSpeed,
		peakTorque: math.Copysign(r.maxTorque, r.trial.Torque), frequency: r.trial.Hz})
	limit := min(r.maxTorque, r.wheel.Rated())
	return max(-limit, min(limit, torque))
}

// record stores angle and torque of this tick.
func (r *trialRun) record(torque float64) {
	r.wheelLost = r.wheelLost || r.hasTorque && !r.sample.Present
	if r.hasTorque && r.sample.Present && len(r.angles) < cap(r.angles) {
		r.updateRate = r.wheel.UpdateRate()
		r.angles, r.torques = append(r.angles, r.rimAngle), append(r.torques, torque)
	}
	r.angle.Store(r.rimAngle)
	r.torque.Store(torque)
}

var (
	errNoWheel      = errors.New("ffb test: the wheel did not become ready")
	errHalted       = errors.New("the torque is off")
	errTurnedTooFar = fmt.Errorf("ffb test: the rim turned more than %.0f° and the torque was switched off; hold it, or give a lower --torque-nm", maxTurn)
)

// checkEnd returns nil while the trial goes on. It returns loop.ErrDone when the trial is complete,
// and another error if it ended early.
func (r *trialRun) checkEnd() error {
	state := r.guard.State()
	switch {
	case state == guard.Stopped || state == guard.Fault:
		if r.ticksSinceStop++; r.ticksSinceStop < offTicks {
			return nil
		}
		return r.stopError()
	case state == guard.Ready && r.guard.LatchedCause() != guard.None:
		return fmt.Errorf("ffb test: %s, and no effect continues by itself after that; give the command again", r.guard.LatchedCause())
	case !r.hasTorque && r.ticks > wheelTimeout:
		return errNoWheel
	case !r.releasing || state != guard.Parked:
		return nil
	case r.wheelLost:
		return errors.New("ffb test: the wheel was disconnected; plug it in and start again")
	case r.turnedTooFar:
		return errTurnedTooFar
	}
	return loop.ErrDone
}

// stopError returns an error that says why the guard has switched the torque off.
func (r *trialRun) stopError() error {
	switch {
	case r.haltRequested.Load():
		return errHalted
	case r.guard.State() == guard.Fault && r.sensorFault:
		return errors.New("ffb test: the steering sensor is faulty, the torque is off; `rig devices` shows the wheel")
	case r.guard.State() == guard.Fault:
		return fmt.Errorf("ffb test: %s, the torque is off: %s", r.guard.LastTransition().Cause, r.stopCause)
	case r.stopCause != estop.None:
		return fmt.Errorf("ffb test: stopped, the torque is off: %s; release the switch and start again", r.stopCause)
	}
	return errors.New("ffb test: stopped by its button; the torque is off")
}
