package rig

import (
	"math/rand/v2"
	"slices"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// moment is everything of the outside world that one tick may depend on. Nothing in it changes
// before the next tick.
type moment struct {
	hands    wheel.Sample
	rated    float64 // of the wheel [N·m]
	rate     float64 // forces it takes [1/s]
	delay    float64 // of it [s]
	room     float64 // for its own effects [N·m]
	headroom float64 // the part for its vibration [N·m]
	own      float64 // what its effects may add by now [N·m]

	feet    feetSample
	buttons wheel.Edges
	keys    uint64 // down in the window
	picture bool   // the window showed one, and told its keys

	stop  estop.Cause // of the emergency stop; None is released
	relay estop.Cause // of its relay; None is on
	belt  estop.Cause // of the belt's line; None is closed

	platform motion.Status
	measured frame.Pose // by the gauge

	start, release, halt, clear bool // the operator's orders

	woken  bool          // by the clock; else the tick catches up
	late   time.Duration // the wake-up
	asleep time.Duration // of the machine, in all
	held   time.Duration // the tick, in its middle

	fits   bool // a wheel was found
	preset string
	flaw   flawAt // what of the car turns out as no finite number
}

// feetSample is what the driver's feet and the levers do.
type feetSample struct {
	throttle, brake, clutch, handbrake float64
	present, fault                     bool
	gate, up, down                     bool
	gear                               int8
}

// flawAt is where a world plants what is no finite number, or beyond all measure.
type flawAt uint8

const (
	noFlaw flawAt = iota
	flawForce
	flawPlace
	flawSpeed
	flawCueing
	flawFeel
)

// outlook is what a world learns of the rig from the tick before.
type outlook struct {
	car    *sim.State
	state  guard.State
	flags  uint64 // of the frame
	leaves bool   // the drive must end
}

// letGo is how long before its end a world's operator ends the drive [ticks].
const letGo = 800

// event is something that happens for a while, age ticks after it began.
type event struct {
	from, to int // ticks of the world
	do       func(m *moment, age int)
}

// kind makes an event: do, for least to most ticks.
type kind struct {
	least, most int
	do          func(m *moment, age int)
}

// deck deals each of n cards once before any comes again.
type deck struct {
	rng   *rand.Rand
	order []int
	at    int
}

func newDeck(rng *rand.Rand, n int) deck { return deck{rng: rng, order: rng.Perm(n)} }

func (d *deck) deal() int {
	if d.at == len(d.order) {
		d.rng.Shuffle(d.at, func(i, k int) { d.order[i], d.order[k] = d.order[k], d.order[i] })
		d.at = 0
	}
	d.at++
	return d.order[d.at-1]
}

// world is a driver in a cockpit where much goes wrong, and an operator who puts it right soon.
// Equal seeds and equal rigs make equal worlds.
type world struct {
	rng    *rand.Rand
	driver *driver.Model
	memory driver.Memory
	calm   int // ticks without trouble
	rough  int // tick from which cars are put back and engines die, too
	end    int // tick in which the operator lets go
	maxRPM float64
	held   wheel.Actions // belt's button and dead man's switch

	tick     int
	now      outlook
	events   []event
	quiet    int // ticks until the next trouble, counted while the car drives
	quirk    int // tick of the next quirk
	press    int // tick of the next key
	confirm  int // tick of the next confirmation; 0 while nothing waits
	resume   int // tick in which a pause ends; 0 without one
	dead     int // ticks for which the engine has stood
	shift    int // tick from which the driver may shift again
	manual   int // ticks for which the driver has had to shift
	troubles deck
	mishaps  deck
	quirks   deck
	presses  deck
	causes   deck
	states   deck
	was      wheel.Actions
	taps     wheel.Actions
	asleep   time.Duration
	sway     [4]float64 // slow noise of steering, pedals and platform, -1..1
	force    struct{ rated, room, part, own, rate, delay float64 }
	ramp     float64 // rated torque on its way [N·m]
	platform struct {
		state motion.State
		since int
	}
	mild, hard, odd []kind
}

// newWorld returns a world of a number of ticks, with a car as it stands before them.
func newWorld(seed uint64, ticks int, driver *driver.Model, car *sim.State, maxRPM float64) *world {
	rng := rand.New(rand.NewPCG(seed, 20))
	w := &world{rng: rng, driver: driver, memory: driver.Start(car), maxRPM: maxRPM,
		calm: ticks / 5, rough: ticks * 3 / 5, end: ticks - letGo, quirk: 300, press: 200}
	w.mild, w.hard, w.odd = w.troubling(), standingTroubles(), w.harmless()
	w.troubles, w.mishaps, w.quirks = newDeck(rng, len(w.mild)), newDeck(rng, len(w.hard)), newDeck(rng, len(w.odd))
	w.presses, w.causes, w.states = newDeck(rng, len(windowKeys)+len(cockpit)), newDeck(rng, len(stopCauses)), newDeck(rng, int(motion.Waiting)+1)
	w.force.rated, w.force.rate, w.force.delay, w.force.part = 8, 500, 0.008, 1
	w.platform.state = motion.Opening
	return w
}

// Keys of the window, and actions of the cockpit, that end no drive. Those that do are troubles.
var (
	windowKeys = keysBut(frame.KeyClose | frame.KeyStop | frame.KeyReset | frame.KeyPause | frame.KeyInterlock | frame.KeyEngineStartStop)
	cockpit    = actionsBut(wheel.Stop, wheel.Reset, wheel.Pause, wheel.Interlock)
	stopCauses = [...]estop.Cause{estop.Starting, estop.Opened, estop.Disagreement, estop.Unreadable, estop.NotSampled, estop.Closed, estop.FirstStuckClosed, estop.SecondStuckClosed}
	noTorque   = [...]float64{2.2, 6, 8, 15, 25, 0}
	noRoom     = [...]float64{0, 0, 0.5, 2, 6, 0}
	presets    = [...]string{"belt", "direct-drive", "gear-driven", ""}
)

func keysBut(not uint64) (list []uint64) {
	for key := frame.KeyLeft; key <= frame.KeyInterlock; key <<= 1 {
		if not&key == 0 {
			list = append(list, key)
		}
	}
	return list
}

func actionsBut(not ...wheel.Action) (list []wheel.Action) {
	for a := wheel.ShiftUp; a <= wheel.Interlock; a++ {
		if !slices.Contains(not, a) {
			list = append(list, a)
		}
	}
	return list
}

func setOf(a wheel.Action) wheel.Actions { return 1 << a }

// between returns a random number of ticks.
func (w *world) between(least, most int) int { return least + w.rng.IntN(most-least+1) }

// begin lets something happen for a random time.
func (w *world) begin(k kind) {
	w.events = append(w.events, event{w.tick, w.tick + w.between(k.least, k.most), k.do})
}

// next returns the moment before a tick of a rig that was last seen so.
func (w *world) next(now outlook) moment {
	w.tick++
	w.now = now
	m := moment{start: w.tick == 30, woken: true, late: time.Duration(w.between(2, 60)) * time.Microsecond}
	m.picture = w.tick%16 == 0
	m.buttons.Down = w.held
	for i := range w.sway {
		w.sway[i] += (2*w.rng.Float64() - 1 - w.sway[i]*0.05) * 0.02
	}
	w.wheel(&m)
	w.drive(&m)
	w.motion(&m)
	w.happen(&m)
	w.repair(&m)
	m.release = w.tick == w.end
	m.asleep = w.asleep
	w.edges(&m)
	return m
}

// wheel is the device of the driver's hands, whose torque comes slowly and goes at once.
func (w *world) wheel(m *moment) {
	f := &w.force
	w.ramp = min(w.ramp+0.03, f.rated)
	m.hands.Present = true
	m.rated, m.rate, m.delay = w.ramp, f.rate, f.delay
	m.room, m.headroom, m.own = f.room, f.room*f.part, f.room*f.own
}

// drive is what the driver does: what the driver model wants, not very exactly.
func (w *world) drive(m *moment) {
	input := w.memory.Input
	switch {
	case w.now.state.Moves():
		input = w.driver.Drive(&w.memory, w.now.car)
	case w.now.state == guard.Fault: // the car may be put elsewhere
		w.memory = w.driver.Start(w.now.car)
	}
	m.hands.Angle = input.Steer + 0.3*w.sway[0]
	f := &m.feet
	f.present = true
	f.throttle = max(0, min(1, input.Throttle*(1+0.5*w.sway[1])))
	f.brake = max(0, min(1, input.Brake*(1+0.5*w.sway[2])))
	if input.Gear < 0 {
		f.gate, f.gear = true, -1
	}
	w.work(f)
}

// work is what the driver does with clutch and levers where the car leaves them to him.
func (w *world) work(f *feetSample) {
	rpm := w.now.car.RPM()
	if w.now.flags&frame.AutoClutch == 0 && w.now.flags&frame.EngineRunning != 0 {
		f.clutch = max(0, min(0.85, (2200-rpm)/1200))
	}
	if w.now.flags&frame.AutoGears != 0 || f.gate {
		w.manual = 0
	} else if w.manual++; w.manual%1200 == 0 { // let the car do it again
		w.begin(kind{40, 40, func(m *moment, _ int) { m.keys |= frame.KeyAutoGears }})
	}
	if w.tick < w.shift || !w.now.state.Moves() || f.gate {
		return
	}
	switch gear := w.now.car.Driveline.Gear; {
	case gear < 1 && w.now.car.Driveline.Gearbox.NextGear < 1:
		w.pull(0)
	case w.manual > 0 && rpm > 0.75*w.maxRPM:
		w.pull(0)
	case w.manual > 0 && rpm < 0.25*w.maxRPM && gear > 1:
		w.pull(1)
	}
}

// pull pulls the lever up or down.
func (w *world) pull(way int) {
	w.shift = w.tick + 500
	w.begin(kind{50, 50, func(m *moment, _ int) {
		if way == 0 {
			m.feet.up = true
		} else {
			m.feet.down = true
		}
	}})
}

// motion is the platform with the supervisor who orders it about.
func (w *world) motion(m *moment) {
	p := &w.platform
	p.since++
	to := func(s motion.State) { p.state, p.since = s, 0 }
	waits := w.now.flags&(frame.ConfirmInterlock|frame.ConfirmAfterGap|frame.ConfirmWindowLost) != 0
	left := w.now.leaves && !w.now.state.Moves() && w.now.state != guard.Releasing
	rests := waits || left || w.now.state == guard.Fault || w.now.state == guard.Parked
	switch s := p.state; {
	case w.now.state == guard.Stopped:
		if s != motion.Halted {
			to(motion.Halted)
		}
	case s == motion.Opening && p.since < 80 || s == motion.Homing && p.since < 120 || s == motion.Parking && p.since < 150:
	case rests && s == motion.Parking:
		to(motion.Parked)
	case rests && s != motion.Parked:
		to(motion.Parking)
	case rests:
	case s == motion.Homing:
		to(motion.Ready)
	case s == motion.Ready && w.now.state.Moves():
		to(motion.Active)
	case s != motion.Ready && s != motion.Active:
		to(motion.Homing)
	}
	s := &m.platform
	s.State, s.ParkDone = p.state, p.state == motion.Parked
	for i := range s.Feedback {
		s.Feedback[i] = 0.5 + 0.1*w.sway[i%len(w.sway)]
		s.Target[i] = 0.5 + 0.09*w.sway[i%len(w.sway)]
		s.FollowError[i] = s.Feedback[i] - s.Target[i]
		s.Temperature[i] = 30 + 5*w.sway[3]
		m.measured[i] = 0.01 * w.sway[i%len(w.sway)]
	}
	s.Rate, s.LineShare, s.Latency = 500+20*w.sway[3], 0.4+0.1*w.sway[3], 0.002+0.0005*w.sway[2]
	s.TargetJumps, s.LinesLost, s.Restarts = uint64(w.tick/9000), uint64(w.tick/11000), uint64(w.tick/13000)
}

// repair is what driver and operator do to get the car going again.
func (w *world) repair(m *moment) {
	waits := w.now.state == guard.Fault || w.now.state == guard.Stopped || w.now.flags&(frame.ConfirmInterlock|frame.ConfirmAfterGap|frame.ConfirmWindowLost) != 0
	switch {
	case !waits:
		w.confirm = 0
	case w.confirm == 0:
		w.confirm = w.tick + w.between(60, 350)
	case w.tick == w.confirm:
		w.confirm = w.tick + w.between(150, 350)
		w.word(m)
	}
	switch {
	case w.now.flags&frame.Paused == 0:
		w.resume = 0
	case w.resume == 0:
		w.resume = w.tick + w.between(500, 800)
	case w.tick == w.resume:
		w.resume = 0
		w.begin(kind{30, 30, func(m *moment, _ int) { m.buttons.Down |= setOf(wheel.Pause) }})
	}
	w.crank(m)
}

// word confirms, by a key or an order.
func (w *world) word(m *moment) {
	if w.rng.IntN(2) == 0 {
		m.clear = true
		return
	}
	w.begin(kind{30, 60, func(m *moment, _ int) { m.keys |= frame.KeyClear }})
}

// crank starts an engine that stands: with the clutch's pedal, then with the key.
func (w *world) crank(m *moment) {
	if w.now.flags&frame.EngineRunning != 0 || !w.now.state.Moves() {
		w.dead = 0
		return
	}
	switch w.dead = (w.dead + 1) % 2000; {
	case w.dead < 150:
	case w.dead < 700:
		m.feet.clutch = 1
	case w.dead > 1000:
		m.keys |= frame.KeyEngineStartStop
	}
}

// edges finds what began and ended on the cockpit's buttons.
func (w *world) edges(m *moment) {
	b := &m.buttons
	b.Pressed, b.Released = b.Down&^w.was|w.taps, w.was&^b.Down|w.taps&^b.Down
	w.was, w.taps = b.Down, 0
}
