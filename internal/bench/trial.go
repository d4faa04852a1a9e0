package bench

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/loop"
	"rig.example/rig/internal/switches"
	"rig.example/rig/sim"
)

const degrees = 180 / math.Pi

// Trial is one effect to be played at a wheel without a car.
type Trial struct {
	Effect     string        // constant, sine, spring, damper, friction, impact, chirp
	Torque     float64       // the most of it [N·m]; below 0 begins to the right
	Hz         float64       // of a sine
	Duration   time.Duration // from its first torque to its fade-out
	HighTorque bool          // the operator consents to more than guard.SafeTorque
}

// Validate reports every field that is out of range.
func (t Trial) Validate() error {
	e, err := findTrial(t.Effect)
	inRange := func(flag string, v, low, high float64) error {
		if v >= low && v <= high {
			return nil
		}
		return fmt.Errorf("ffb test: %s %g is outside %g..%g", flag, v, low, high)
	}
	err = errors.Join(err, inRange("--torque-nm", t.Torque, -25, 25), inRange("--hz", t.Hz, 0.1, 100), inRange("--duration", t.Duration.Seconds(), 1, 60))
	if err == nil && t.Torque == 0 {
		return errors.New("ffb test: --torque-nm 0 is nothing to feel")
	}
	if err == nil && t.Torque < 0 && !e.sided {
		return fmt.Errorf("ffb test: --torque-nm %g: %s resists, and has no side; give a torque above 0", t.Torque, t.Effect)
	}
	return err
}

// limit is the most torque that cfg lets a trial have [N·m], and what says so if that is
// less than asked for.
func (t Trial) limit(cfg config.Config) (most float64, why string) {
	most = math.Abs(t.Torque)
	for _, l := range [...]struct {
		most float64
		why  string
	}{{cfg.Wheel.MaxTorque, "wheel.max_torque_nm"}, {cfg.FFB.MaxTorque, "ffb.max_torque_nm"}, {cfg.Guard.MaxTorque, "guard.max_torque_nm"}} {
		if l.most < most {
			most, why = l.most, l.why
		}
	}
	if most > guard.SafeTorque && !t.HighTorque {
		return guard.SafeTorque, "want of --high-torque"
	}
	return most, why
}

// The shortest fade-in and the longest fade-out of a trial [s].
const (
	trialFadeIn  = 2
	trialFadeOut = 0.5
)

// steeringWheel is the real wheel, or a test's.
type steeringWheel interface {
	Poll(*wheel.Sample)
	Push(torque float64) // [N·m], positive left
	Rated() float64      // the most it may give now [N·m]
	Rate() float64       // torques it takes a second [1/s]; 0 is unknown
}

// controls are the buttons of the cockpit, real or a test's.
type controls interface{ Poll() wheel.Edges }

// trialRun plays a trial, tick by tick, behind a guard of its own.
type trialRun struct {
	effect   trialEffect
	trial    Trial
	most     float64 // [N·m]
	wheel    steeringWheel
	controls controls
	estop    switches.Switch // nil if none is configured
	guard    *guard.Guard
	halt     atomic.Bool // takes the torque off at once

	hands   wheel.Sample
	why     estop.Cause
	ticks   int     // since the start, then since the rim got torque
	began   bool    // the rim got torque
	start   float64 // angle at which it began [rad]
	last    float64 // angle a tick ago, from there [rad]
	speed   float64 // filtered [rad/s]
	over    bool    // the guard is told to release
	far     bool    // the rim was turned so far that nobody seems to hold it
	lost    bool    // the wheel went while it was played at
	limp    int     // for so long nothing is pushed after a stop [ticks]
	rate    float64 // torques that the wheel takes a second [1/s]
	angles  []float64
	torques []float64

	seen [2]atomic.Uint64 // bits of angle [rad] and torque [N·m], for who watches
}

const (
	trialWait  = 5000 // for a wheel [ticks]
	trialLimp  = 50   // pushed as nothing after a stop, so that the wheel surely has it [ticks]
	trialSpeed = 0.005
)

func newTrialRun(cfg config.Config, t Trial, w steeringWheel, c controls, s switches.Switch) (*trialRun, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	effect, err := findTrial(t.Effect)
	if err != nil {
		return nil, err
	}
	safety := cfg.Guard
	safety.Engage, safety.Release, safety.HandsOff = max(safety.Engage, trialFadeIn), min(safety.Release, trialFadeOut), 0
	most, _ := t.limit(cfg)
	room := int(t.Duration/time.Millisecond) + 8000
	r := &trialRun{effect: effect, trial: t, most: most, wheel: w, controls: c, estop: s, guard: guard.New(safety, sim.Dt),
		angles: make([]float64, 0, room), torques: make([]float64, 0, room)}
	if t.HighTorque {
		r.guard.Allow()
	}
	return r, nil
}

// tick plays one millisecond.
func (r *trialRun) tick() error {
	r.wheel.Poll(&r.hands)
	r.guard.Step(r.circumstances())
	if r.estop != nil {
		r.estop.Enable(r.guard.State().Powered())
	}
	r.move()
	torque, _ := r.guard.Gate(r.push(), [8]float64{})
	r.wheel.Push(torque)
	r.note(torque)
	return r.done()
}

func (r *trialRun) circumstances() guard.Inputs {
	in := guard.Inputs{Start: true, Release: r.over, Stop: r.halt.Load(), WheelPresent: r.hands.Present,
		PlatformHomed: true, PlatformParked: true, StateOK: true}
	if r.controls != nil {
		e := r.controls.Poll()
		in.Stop = in.Stop || e.Down.Has(wheel.Stop) || e.Pressed.Has(wheel.Stop)
		in.DeadMan = e.Down.Has(wheel.DeadMan)
	}
	if r.estop != nil {
		stopped, failed, why := switches.ReadStop(r.estop)
		in.Stop, in.DeviceFault, r.why = in.Stop || stopped, failed, why
	}
	return in
}

// move follows the rim once it gets torque.
func (r *trialRun) move() {
	if !r.began {
		r.start = r.hands.Angle
		if r.began = r.guard.State() == guard.Engaging; r.began {
			r.ticks = 0
		}
	}
	r.ticks++
	angle := r.hands.Angle - r.start
	r.speed += sim.Dt / (trialSpeed + sim.Dt) * ((angle-r.last)/sim.Dt - r.speed)
	r.last = angle
	r.far = r.far || r.began && r.effect.sided && math.Abs(angle) > farTurn/degrees
	r.over = r.far || r.began && (float64(r.ticks)*sim.Dt >= r.trial.Duration.Seconds() || r.lost)
}

// push is what the effect asks for [N·m], within the trial's limits.
func (r *trialRun) push() float64 {
	if !r.began {
		return 0
	}
	torque := r.effect.torque(rimNow{time: float64(r.ticks) * sim.Dt, whole: r.trial.Duration.Seconds(), angle: r.last, speed: r.speed,
		peak: math.Copysign(r.most, r.trial.Torque), hz: r.trial.Hz})
	most := min(r.most, r.wheel.Rated())
	return max(-most, min(most, torque))
}

// note keeps what came of it.
func (r *trialRun) note(torque float64) {
	r.lost = r.lost || r.began && !r.hands.Present
	if r.began && r.hands.Present && len(r.angles) < cap(r.angles) {
		r.rate = r.wheel.Rate()
		r.angles, r.torques = append(r.angles, r.last), append(r.torques, torque)
	}
	r.seen[0].Store(math.Float64bits(r.last))
	r.seen[1].Store(math.Float64bits(torque))
}

var (
	errNoWheel = errors.New("ffb test: the wheel did not come up")
	errHalted  = errors.New("the force is off")
	errFar     = fmt.Errorf("ffb test: the rim turned more than %.0f° and the force was taken off; hold it, or give less --torque-nm", farTurn)
)

// done ends the loop, with an error where the trial was cut short.
func (r *trialRun) done() error {
	state := r.guard.State()
	switch {
	case state == guard.Stopped || state == guard.Fault:
		if r.limp++; r.limp < trialLimp {
			return nil
		}
		return r.trouble()
	case !r.began && r.ticks > trialWait:
		return errNoWheel
	case !r.over || state != guard.Parked:
		return nil
	case r.lost:
		return errors.New("ffb test: the wheel is gone; plug it in and start again")
	case r.far:
		return errFar
	}
	return loop.ErrDone
}

// trouble tells why the guard took the torque.
func (r *trialRun) trouble() error {
	switch {
	case r.halt.Load():
		return errHalted
	case r.guard.State() == guard.Fault:
		return fmt.Errorf("ffb test: %s, the force is off: %s", r.guard.Last().Cause, r.why)
	case r.why != estop.None:
		return fmt.Errorf("ffb test: stopped, the force is off: %s; release the switch and start again", r.why)
	}
	return errors.New("ffb test: stopped by its button; the force is off")
}
