// Package rig wires a configuration into a running rig. Its Tick is the only
// place that knows in which order things happen.
package rig

import (
	"math"
	"sync/atomic"

	"rig/cueing"
	"rig/devices/estop"
	"rig/devices/motion"
	"rig/devices/wheel"
	"rig/ffb"
	"rig/internal/frame"
	"rig/internal/guard"
	"rig/internal/loop"
	"rig/internal/page"
	"rig/sim"
	"rig/sim/road"
)

// steeringWheel is the real wheel or the simulated one.
type steeringWheel interface {
	Poll(*wheel.Sample)
	Push(torque float64) // [N·m], positive left
	Rated() float64      // the most it may give now [N·m]
	Rate() float64       // torques it takes a second [1/s]; 0 is unknown
	Delay() float64      // from a torque to the rim and back to its angle [s]; 0 is unknown
}

// platform is the real one, or a test's.
type platform interface {
	Push(motion.Legs)
	Halt()
	Interlock(open bool)
	Status() motion.Status
	Latency() motion.LatencyStats
}

// driver turns what is read into what the car is told: a person behind
// devices, or the driver model of the demo.
type driver interface {
	// read polls its devices and returns the car's input for this tick.
	read(r *Rig) sim.Input
	// present tells whether there are a wheel and pedals to drive with.
	present() (wheel, pedals bool)
	// faulty reports whether a sensor of hands or feet does what nobody can do.
	faulty() bool
	// restart forgets where the car was.
	restart(r *Rig)
}

// Rig is everything between the devices. One goroutine, the loop's, calls
// Tick; the orders may come from any other.
type Rig struct {
	dt       float64
	car      *sim.Car
	state    sim.State
	circuit  *road.Circuit
	laps     laps
	notices  []string // about the car's files, for the operator
	station  float64
	driver   driver
	wheel    steeringWheel
	own      ownEffects // the wheel again; nil in the demo
	platform platform   // nil if none is configured
	controls controls   // nil in the demo, which has only the window's keys
	estop    stopSwitch // nil if none is configured
	belt     interlock
	feel     *ffb.Feel
	force    ffb.State
	shake    *ffb.Shake
	vibrated ffb.ShakeState
	fitter   *fitter // nil where no other wheel can come
	held     bool    // a wheel was there a tick ago
	safety   guard.Config
	cue      *cueing.Cue
	form     *cueing.Platform
	tuner    tuner
	gauge    *gauge // nil where nobody measures
	guard    *guard.Guard
	page     *page.Page // nil if nobody looks
	frame    frame.Frame
	status   motion.Status // of the platform, at this tick
	demo     bool

	motionState cueing.State // of cue

	maxRPM float64 // end of the engine's scale

	stats  *loop.Stats
	keys   keyboard
	panel  panel
	tank   tank
	handy  handy
	clutch float64     // the pedal, without what a button does to it
	bite   float64     // clutch pedal where the clutch bites
	why    estop.Cause // of the emergency stop or its relay, in this tick
	gears  int8        // forward gears that the driver can choose

	pressed uint64 // keys that are down in the window
	fresh   uint64 // those of them that were not in the tick before
	sight   sight

	log     transitions
	gap     gap
	confirm confirmation
	waits   atomic.Uint32 // guard.Cause, for the supervisor: why no drive goes on until the operator confirms
	flawed  bool          // NaN or Inf was met, and the operator has not confirmed
	flaw    atomic.Uint32 // the newest, for the log: word, and how many more above it

	orders   orders
	limit    uint64  // ticks to drive, 0 without end
	leaving  float64 // time since the release was asked for [s]
	leave    float64 // the longest way from a release to the end [s]
	patience patience
	followed bool // the platform has followed targets, so it may stand anywhere

	rain    rain
	aboutIt []string // about the circuit's files, for the operator

	in       sim.Input
	torque   float64 // handed to the wheel [N·m]
	legs     cueing.Legs
	scale    float64     // by which legs scaled the pose that was asked for
	pose     cueing.Pose // that the legs are to have
	distance float64
	peaks    peaks
}

// orders are what the operator wants; any goroutine may give them.
type orders struct {
	start, release, stop, clear atomic.Bool
}

// peaks are the extremes that the summary tells.
type peaks struct {
	torque float64 // [N·m]
	total  float64 // with all that the wheel's own effects might have added [N·m]
	roll   float64 // of the platform [rad]
	faults motion.Faults
}

// Tick runs the rig for one step: read, think, act. Nothing in it waits.
func (r *Rig) Tick() error {
	r.gap.begin()
	r.listen()
	r.stand()
	r.panel.step(r.pressed, r.fresh, r.state.Power.Running, r.clutch)
	r.rain.step(r.fresh)
	r.handy.step(r)
	r.tuner.step(r.fresh, &r.motionState, r.dt)
	r.in = r.driver.read(r)
	r.refit()
	r.clutch = r.in.Clutch
	r.levers(&r.in)
	r.in.Slick = r.circuit.Weather.Slick(float64(r.state.Tick)*r.dt, r.rain.damp())
	changed := r.guard.Step(r.circumstances())
	r.waits.Store(uint32(r.guard.Waits())) // before the log, which brings orders about
	r.confirm.judge(r.guard, r.down(frame.KeyClear))
	if changed {
		r.log.put(r.guard.Last(), r.why)
		r.begin()
	}
	r.power()
	if r.guard.State().Moves() {
		r.drive()
	}
	r.patient()

	torque := r.rimTorque()
	pose := r.cue.Pose(&r.motionState, &r.state)
	legs, scale := r.form.Legs(pose)
	r.scale = scale

	r.torque, r.legs = r.guard.Gate(torque, legs) // safety has the last word
	r.pose = passed(&pose, r.scale, r.guard.Motion())
	if r.gap.look(r.demo); r.gap.stale {
		r.torque = 0
	}
	r.wheel.Push(r.torque)
	r.force.SetApplied(r.torque)
	r.permit()
	r.move()
	r.remember()
	r.publish()
	return r.done()
}

// drive moves the car by a tick. One that is left with NaN or Inf stays as it was before,
// so that nothing else meets them, and the next tick finds the flaw.
func (r *Rig) drive() {
	before := r.state
	r.car.Step(&r.state, r.in)
	if f := flawOf(&r.state); f.word != 0 {
		r.state = before
		r.found(f)
		return
	}
	r.tank.used += r.tank.left(&before) - r.tank.left(&r.state)
	r.distance += math.Abs(r.state.Speed) * r.dt
	if !r.circuit.Roadless {
		r.laps.step(&r.state, r.dt)
		r.station = r.laps.state.Station
	}
}

// begin lets the force begin anew with each drive, so that how long the devices needed
// to get ready does not change it.
func (r *Rig) begin() {
	if r.guard.State() == guard.Engaging {
		r.feel.Reset(&r.force)
	}
}

// circumstances is what the guard must know of this tick.
func (r *Rig) circumstances() guard.Inputs {
	wheelThere, _ := r.driver.present()
	r.held = wheelThere
	if r.limit > 0 && r.state.Tick >= r.limit || r.pressed&frame.KeyClose != 0 {
		r.orders.release.Store(true)
	}
	in := guard.Inputs{
		Start:          r.orders.start.Load(),
		Release:        r.orders.release.Load(),
		Pause:          r.handy.paused,
		Stop:           r.orders.stop.Load() || r.pressed&frame.KeyStop != 0,
		Clear:          r.confirm.take(&r.orders.clear) || r.down(frame.KeyClear),
		HighTorque:     r.down(frame.KeyHighTorque),
		DeadMan:        r.down(frame.KeyDeadMan),
		HandsOn:        r.force.Trace().HandsOn,
		Speed:          r.state.Speed,
		WheelPresent:   wheelThere,
		PlatformHomed:  true,
		PlatformParked: true,
	}
	if anew := r.confirm.given || r.fresh&frame.KeyClear != 0; anew && r.guard.State() == guard.Fault && r.flawed {
		r.restart()
	}
	r.examine()
	in.StateOK = !r.flawed
	in.DeviceFault = r.driver.faulty()
	r.askSwitch(&in)
	in.Unbelted = r.belt.ask(r.down(frame.KeyInterlock))
	in.Blind = r.sight.lost() && !in.Release
	in.Gap, in.Suspended = r.gap.take(r.stats, r.demo)
	if r.platform != nil {
		r.askPlatform(&in)
	}
	return in
}

// examine looks for NaN and Inf in the car, and asks force feedback and cueing whether they
// met any, or values beyond all measure.
func (r *Rig) examine() {
	switch f := flawOf(&r.state); {
	case r.flawed:
	case f.word != 0:
		r.found(f)
	case r.force.Fault():
		r.found(flaw{word: forceFlaw})
	case r.motionState.Fault():
		r.found(flaw{word: cueingFlaw})
	}
}

// found keeps a flaw until the operator confirms, and for the log.
func (r *Rig) found(f flaw) {
	r.flawed = true
	r.flaw.Store(uint32(f.word) | uint32(f.more)<<16)
}

// askPlatform adds what the platform says. One that is gone or at fault keeps
// nobody from driving, but it is parked only if it says so or never moved.
func (r *Rig) askPlatform(in *guard.Inputs) {
	r.status = r.platform.Status()
	s := r.status.State
	in.PlatformReady = follows(s)
	in.PlatformHomed = in.PlatformReady || away(s)
	r.followed = r.followed || in.PlatformReady
	in.PlatformParked = r.parked()
}

// parked reports whether the platform rests where it parks, or never followed: then nothing is
// to be waited for.
func (r *Rig) parked() bool {
	return r.platform == nil || r.status.State == motion.Parked || !r.followed
}

// follows tells whether a platform in state s takes targets.
func follows(s motion.State) bool { return s == motion.Ready || s == motion.Active }

// connected reports whether there is a platform that takes what it is sent. One that is halted,
// parked or at fault is there all the same.
func connected(s *motion.Status) bool {
	return s.State != motion.Absent && (s.State != motion.Fault || s.Faults&motion.FaultSilent == 0)
}

// away tells whether a platform in state s takes nothing at all.
func away(s motion.State) bool { return s == motion.Absent || s == motion.Fault }

// restart puts a car that met NaN or Inf back on its wheels, on the middle of the road. The
// ticks that it drove count on.
func (r *Rig) restart() {
	tick := r.state.Tick
	r.state = standing(r.car, r.circuit, r.station)
	r.state.Tick, r.flawed = tick, false
	r.laps.state.Void()
	r.feel.Reset(&r.force)
	r.cue.Reset(&r.motionState)
	r.driver.restart(r)
}

// stand puts the car back on its wheels where it is, once for each time that the
// key is pressed. Torque and platform follow by their own filters.
func (r *Rig) stand() {
	if r.fresh&frame.KeyReset == 0 || r.flawed {
		return
	}
	r.car.Reset(&r.state)
	r.feel.Teleported(&r.force)
	r.laps.state.Void()
	r.driver.restart(r)
}

// move hands the platform its target while it is to follow. Where nothing is pushed it parks
// by itself; under an emergency stop it does what motion.stop_action says.
func (r *Rig) move() {
	if r.platform == nil {
		return
	}
	r.platform.Interlock(r.belt.open)
	s := r.guard.State()
	waiting := (s == guard.Homing || s == guard.Ready) && !r.orders.release.Load() && r.guard.Waits() == guard.None
	switch {
	case s == guard.Stopped:
		r.platform.Halt()
	case waiting || s.Moves() || s == guard.Releasing:
		r.platform.Push(motion.Legs(r.legs))
	}
}

// remember keeps what the summary tells of this tick.
func (r *Rig) remember() {
	r.peaks.torque = math.Max(r.peaks.torque, math.Abs(r.torque))
	r.peaks.total = math.Max(r.peaks.total, r.total())
	r.peaks.roll = math.Max(r.peaks.roll, math.Abs(r.pose.Roll))
	r.peaks.faults |= telling(r.status.Faults, r.guard.State())
}

// unhalted reports whether the platform is still halted by a stop that was lifted a moment ago:
// the supervisor is about to lift its halt, too, and has it park.
func (r *Rig) unhalted() bool {
	return r.platform != nil && r.status.State == motion.Halted && r.guard.Waits() != guard.Unbelted
}

// leastLeave is how long no torque is pushed at least before the loop ends without being
// parked [s]: the wheel surely has it then, and the guard has seen the release.
const leastLeave = 0.05

// done ends the loop after a release: when the rig is parked, or as soon as no torque flows
// and the platform can do no more than it has done.
func (r *Rig) done() error {
	if !r.orders.release.Load() {
		return nil
	}
	r.leaving += r.dt
	ended := r.platform == nil || r.status.Final
	switch r.guard.State() {
	case guard.Parked:
	case guard.Fault, guard.Stopped:
		ended = ended && r.leaving > leastLeave
	case guard.Ready: // a tick later it is parked, if the platform is
		ended = ended && r.leaving > leastLeave && !r.parked() && !r.unhalted()
	default:
		ended = false
	}
	if ended || r.leaving > r.leave {
		return loop.ErrDone
	}
	return nil
}
