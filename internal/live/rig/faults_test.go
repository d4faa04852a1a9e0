//go:build amd64 && !amd64.v3

package rig

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/loopback"
	"rig.example/rig/internal/live/operator"
)

// damaged is a rig that drives in virtual time, all of whose devices a test can break.
type damaged struct {
	*Rig
	t        *testing.T
	devices  *deviceSet
	wheel    *brokenWheel
	pedals   *brokenPedals
	stop     *cutout
	belt     *cutout
	line     *brokenLine
	platform *motion.Virtual

	torque   float64     // of the last tick [N·m]
	paths    []wire.Legs // what the actuators were sent, in each millisecond of the platform [strokes]
	found    int         // milliseconds of the platform since it was found
	rise     float64     // greatest rise of the torque's magnitude in a tick [N·m]
	limp     int         // ticks from the fault to the first without torque, -1 before
	notice   string      // the first after the fault
	ticks    int
	each     func(tick int) // is called before each tick; nil for nothing
	close    func()         // ends the connections that were opened for a fault
	released bool           // the drive has ended
}

// brokenWheel, brokenPedals and brokenLine are devices that do something else once they are told to.
type (
	brokenWheel struct {
		steeringWheel
		spoil func(*wheel.Sample)
		rated func(float64) float64
	}
	brokenPedals struct{ now pedals.Sample }
	brokenLine   struct {
		simulated.Controller
		deaf, mute, stuck, echo, lying, flood bool
		late                                  int // ms until an answer comes

		said    []byte   // the answer that it gives when it lies
		waiting [][]byte // answers of the last milliseconds
	}
)

func (w *brokenWheel) Poll(s *wheel.Sample) {
	w.steeringWheel.Poll(s)
	if w.spoil != nil {
		w.spoil(s)
	}
}

func (w *brokenWheel) Rated() float64 {
	if w.rated != nil {
		return w.rated(w.steeringWheel.Rated())
	}
	return w.steeringWheel.Rated()
}

func (p *brokenPedals) Poll(s *pedals.Sample) { *s = p.now }

// Handle drops what the controller is told if it is deaf, the targets alone if it is stuck, and its answers if it is mute. An
// echo gives back what it is told, a liar the same answer again and again.
func (l *brokenLine) Handle(in []byte) []byte {
	switch {
	case l.deaf:
		return nil
	case l.echo:
		return in
	case l.stuck && len(in) >= 5 && in[0] == '[' && in[1] >= 'A' && in[1] <= 'C':
		in = in[min(len(in), 15):] // three targets of SMC3
	}
	out := l.Controller.Handle(in)
	switch {
	case l.mute:
		return nil
	case l.lying && len(out) > 0:
		if l.said == nil {
			l.said = bytes.Clone(out)
		}
		return l.said
	case l.late > 0 && len(l.waiting) > 0:
		l.waiting[len(l.waiting)-1] = append(l.waiting[len(l.waiting)-1], out...)
		return nil
	}
	return out
}

func (l *brokenLine) Advance(d time.Duration) []byte {
	out := l.Controller.Advance(d)
	switch {
	case l.mute || l.deaf:
		return nil
	case l.flood:
		return bytes.Repeat([]byte("[A"), 100)
	case l.late > 0:
		if l.waiting = append(l.waiting, out); len(l.waiting) <= l.late {
			return nil
		}
		out, l.waiting = l.waiting[0], l.waiting[1:]
	}
	return out
}

// newDamaged returns a rig that drives with its platform.
func newDamaged(t *testing.T) *damaged {
	t.Helper()
	return newParked(t).started()
}

// started returns the rig once it drives with its platform.
func (f *damaged) started() *damaged {
	f.t.Helper()
	f.orders.Start()
	f.run(8000)
	if f.out.State != guard.Driving || !f.platform.Status().State.Follows() {
		f.t.Fatalf("%v, platform %v before the fault", f.out.State, f.platform.Status().State)
	}
	f.rise, f.paths = 0, nil
	return f
}

// newParked returns a rig that was not started yet.
func newParked(t *testing.T) *damaged {
	t.Helper()
	return newParkedFor(t, false)
}

// newParkedFor is newParked for a person, who holds the throttle and lets the rim go, or for the driver model.
func newParkedFor(t *testing.T, person bool) *damaged {
	t.Helper()
	cfg := config.Default()
	cfg.Motion.BootWait = 0.2
	r := withPage(t, undriven(t, cfg))
	if person {
		rim := wheel.NewSim(wheel.DefaultSimConfig())
		r.wheel, r.rim = rim, rim
	} else {
		r.useDriverModel(driverOf(t, cfg, r))
	}
	f := &damaged{Rig: r, t: t, devices: &deviceSet{motion: cfg.Motion}, wheel: &brokenWheel{steeringWheel: r.wheel}, pedals: &brokenPedals{pedals.Sample{Present: true}},
		stop: &cutout{}, belt: &cutout{}, limp: -1, close: func() {}}
	far, err := loopback.Controller(&cfg.Motion, r.drive.Setup.Platform.Axes())
	if err != nil {
		t.Fatal(err)
	}
	f.line = &brokenLine{Controller: far}
	if f.platform, err = motion.NewVirtual(cfg.Motion, f.line, nil); err != nil {
		t.Fatal(err)
	}
	r.demo, r.wheel, r.pedals, r.estop, r.interlock.Line, r.platform = false, f.wheel, f.pedals, f.stop, f.belt, f.platform
	r.stats.Lateness.Add(0)
	r.gap.Measure(r.stats, false) // the first look, which measures nothing
	if person {
		f.pedals.now.Throttle = 0.3
	}
	return f
}

// run drives for some ticks and measures.
func (f *damaged) run(ticks int) {
	f.t.Helper()
	for range ticks {
		if f.each != nil {
			f.each(f.ticks)
		}
		if f.ticks++; f.Tick() != nil {
			f.released = true
			return
		}
		f.passes(time.Millisecond)
		now := f.out.Torque
		if math.Abs(now) > math.Abs(f.torque) || now*f.torque < 0 {
			f.rise = max(f.rise, math.Abs(now-f.torque))
		}
		f.torque = now
	}
}

// passes lets time pass for the platform, and notes what its actuators are sent. Where a platform is found, its path begins a period
// after its state says so: no difference is taken over that.
func (f *damaged) passes(d time.Duration) {
	const period = 5 // ms, at least
	for ; d > 0; d -= time.Millisecond {
		_ = f.platform.Step(time.Millisecond) // the status has the error
		s, n := f.platform.Status(), len(f.paths)
		if f.found++; s.State == motion.Opening || math.IsNaN(s.Target[0]) {
			f.found = 0
		}
		switch {
		case f.found > period:
			f.paths = append(f.paths, s.Target)
		case n > 0 && !math.IsNaN(f.paths[n-1][0]):
			f.paths = append(f.paths, slices.Repeat([]wire.Legs{wire.AllAt(math.NaN())}, 2*differenceOver)...)
		}
	}
}

// since drives on after a fault was planted, and notes when the torque went and what the person is told.
func (f *damaged) since(ticks int) {
	for i := range ticks {
		f.run(1)
		if f.limp < 0 && f.torque == 0 {
			f.limp = i
		}
		var shown frame.Frame
		if f.notice == "" && f.page.Read(&shown) {
			f.notice = f.devices.notice(&shown)
		}
	}
}

// differenceOver is the time over which speed and acceleration of an actuator are measured [ms]: some periods of the platform.
const differenceOver = 20

// speed returns the greatest speed of an actuator [strokes/s], over differenceOver.
func (f *damaged) speed() (most float64) {
	const over = differenceOver
	for i := over; i < len(f.paths); i++ {
		for axis, now := range f.paths[i] {
			most = greater(most, math.Abs(now-f.paths[i-over][axis])/(over*f.drive.Setup.Dt))
		}
	}
	return most
}

// acceleration returns the greatest acceleration of an actuator [strokes/s²], from the speeds over two times differenceOver.
func (f *damaged) acceleration() (most float64) {
	const over = differenceOver
	dt := over * f.drive.Setup.Dt
	for i := 2 * over; i < len(f.paths); i++ {
		for axis, now := range f.paths[i] {
			most = greater(most, math.Abs(now-2*f.paths[i-over][axis]+f.paths[i-2*over][axis])/(dt*dt))
		}
	}
	return most
}

// greater returns the greater of two values, and a if b is NaN, as where nothing is sent.
func greater(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

// drives reports whether the rig drives with its platform.
func (f *damaged) drives() bool {
	return f.out.State == guard.Driving && f.platform.Status().State.Follows()
}

// goesOn returns what is needed to drive on once the cause has ended.
func (f *damaged) goesOn() string {
	f.run(8000)
	if f.drives() {
		return "by itself"
	}
	f.orders.Give(operator.Resume, guard.ByCommand)
	if f.run(6000); f.drives() {
		return "the pause is ended"
	}
	f.orders.Give(operator.ClearFault, guard.ByCommand)
	if f.run(10_000); f.drives() {
		return "you confirm"
	}
	f.orders.Give(operator.ClearFault, guard.ByCommand)
	if f.run(10_000); f.drives() {
		return "you confirm twice"
	}
	return fmt.Sprintf("a new drive (%v, platform %v)", f.out.State, f.platform.Status().State)
}

// plantedFault is a row of docs/reference/faults.md.
type plantedFault struct {
	name       string
	begin, end func(f *damaged)
	lasts      int // ticks
}

func nothing(*damaged) {}

// stall lets the loop stand still for a time d.
func stall(d time.Duration, suspended bool) func(f *damaged) {
	return func(f *damaged) {
		f.stats.Lateness.Add(d)
		if suspended {
			asleep := f.gap.SuspendedBefore + 10*time.Second
			f.gap.Suspended = func() (low, high time.Duration) { return asleep, asleep }
		}
		f.passes(d)
	}
}

// bounces is a contact that opens and closes every 20 ms.
func bounces(tick int) estop.Cause {
	if tick%40 < 20 {
		return estop.Opened
	}
	return estop.None
}

func spoiled(spoil func(*wheel.Sample)) func(*damaged) {
	return func(f *damaged) { f.wheel.spoil = spoil }
}

func healed(f *damaged) { f.wheel.spoil, f.wheel.rated = nil, nil }

// given gives an order.
func given(o operator.Order, by guard.Origin) func(*damaged) {
	return func(f *damaged) { f.orders.Give(o, by) }
}

// bad plants a bad value in the state.
func bad(plant func(s *drivenState)) func(*damaged) {
	return func(f *damaged) { plant(&drivenState{f}) }
}

// drivenState is where values are planted.
type drivenState struct{ *damaged }

var plantedFaults = []plantedFault{
	{"nothing, for comparison", nothing, nothing, 1000},
	{"wheel: unplugged for 1 s", spoiled(func(s *wheel.Sample) { *s = wheel.Sample{} }), healed, 1000},
	{"wheel: its sensor is impossible", spoiled(func(s *wheel.Sample) { s.Fault = true }), healed, 1000},
	{"wheel: its angle is NaN", spoiled(func(s *wheel.Sample) { s.Angle = math.NaN() }), healed, 1000},
	{"wheel: its angle jumps by 180°", spoiled(func(s *wheel.Sample) { s.Angle += math.Pi }), healed, 1000},
	{"wheel: its angle stands still", func(f *damaged) { at := f.wheelSample.Angle; f.wheel.spoil = func(s *wheel.Sample) { s.Angle = at } }, healed, 1000},
	{"wheel: its plug is loose, 10 of 50 ms", func(f *damaged) {
		f.wheel.spoil = func(s *wheel.Sample) {
			if f.ticks%50 < 10 {
				*s = wheel.Sample{}
			}
		}
	}, healed, 1000},
	{"wheel: its angle is 100 ms late", func(f *damaged) {
		var angles []float64
		f.wheel.spoil = func(s *wheel.Sample) {
			angles = append(angles, s.Angle)
			s.Angle = angles[max(0, len(angles)-100)]
		}
	}, healed, 1000},
	{"wheel: its angle has the wrong sign", spoiled(func(s *wheel.Sample) { s.Angle = -s.Angle }), healed, 1000},
	{"wheel: its angle echoes the torque, 30° for 1 N·m", func(f *damaged) {
		f.wheel.spoil = func(s *wheel.Sample) { s.Angle += f.torque * math.Pi / 6 }
	}, healed, 1000},
	{"wheel: its highest torque is NaN", func(f *damaged) { f.wheel.rated = func(float64) float64 { return math.NaN() } }, healed, 1000},
	{"wheel: its highest torque is infinite", func(f *damaged) { f.wheel.rated = func(float64) float64 { return math.Inf(1) } }, healed, 1000},
	{"pedals: unplugged for 1 s", func(f *damaged) { f.pedals.now = pedals.Sample{} }, func(f *damaged) { f.pedals.now.Present = true }, 1000},
	{"pedals: a sensor is impossible", func(f *damaged) { f.pedals.now.Fault = true }, func(f *damaged) { f.pedals.now.Fault = false }, 1000},
	{"platform: its controller is silent for 0.3 s", func(f *damaged) { f.line.mute = true }, func(f *damaged) { f.line.mute = false }, 300},
	{"platform: its controller is silent for 2 s", func(f *damaged) { f.line.mute = true }, func(f *damaged) { f.line.mute = false }, 2000},
	{"platform: its controller hears nothing for 2 s", func(f *damaged) { f.line.deaf = true }, func(f *damaged) { f.line.deaf = false }, 2000},
	{"platform: its actuators stick for 10 s", func(f *damaged) { f.line.stuck = true }, func(f *damaged) { f.line.stuck = false }, 10_000},
	{"platform: its controller restarts", func(f *damaged) { f.line.Reset() }, nothing, 1000},
	{"platform: its line takes nothing for 1 s", func(f *damaged) { f.line.SetStalled(true) }, func(f *damaged) { f.line.SetStalled(false) }, 1000},
	{"platform: its line is noisy for 2 s", func(f *damaged) { f.line.SetNoise(true) }, func(f *damaged) { f.line.SetNoise(false) }, 2000},
	{"platform: its controller restarts each second for 5 s", func(f *damaged) {
		f.each = func(tick int) {
			if tick%1000 == 0 {
				f.line.Reset()
			}
		}
	}, func(f *damaged) { f.each = nil }, 5000},
	{"platform: its controller echoes what it is told for 2 s", func(f *damaged) { f.line.echo = true }, func(f *damaged) { f.line.echo = false }, 2000},
	{"platform: its controller gives the same answer for 2 s", func(f *damaged) { f.line.lying = true }, func(f *damaged) { f.line.lying, f.line.said = false, nil }, 2000},
	{"platform: its controller answers 80 ms late", func(f *damaged) { f.line.late = 80 }, func(f *damaged) { f.line.late, f.line.waiting = 0, nil }, 2000},
	{"platform: its controller answers 400 ms late", func(f *damaged) { f.line.late = 400 }, func(f *damaged) { f.line.late, f.line.waiting = 0, nil }, 2000},
	{"platform: its controller sends 200 bytes a millisecond", func(f *damaged) { f.line.flood = true }, func(f *damaged) { f.line.flood = false }, 2000},
	{"stop switch: bounces for 1 s", func(f *damaged) { f.each = func(tick int) { f.stop.cause = bounces(tick) } }, func(f *damaged) { f.each, f.stop.cause = nil, estop.None }, 1000},
	{"stop switch: pressed for 1 s", func(f *damaged) { f.stop.cause = estop.Opened }, func(f *damaged) { f.stop.cause = estop.None }, 1000},
	{"stop switch: cannot be read for 1 s", func(f *damaged) { f.stop.cause = estop.Unreadable }, func(f *damaged) { f.stop.cause = estop.None }, 1000},
	{"enable relay: opens by itself", func(f *damaged) { f.stop.relay = estop.RelayFailed }, func(f *damaged) { f.stop.relay = estop.None }, 1000},
	{"belt or door: opens for 1 s", func(f *damaged) { f.belt.cause = estop.Opened }, func(f *damaged) { f.belt.cause = estop.None }, 1000},
	{"belt or door: bounces for 1 s", func(f *damaged) { f.each = func(tick int) { f.belt.cause = bounces(tick) } }, func(f *damaged) { f.each, f.belt.cause = nil, estop.None }, 1000},
	{"belt or door: cannot be read for 1 s", func(f *damaged) { f.belt.cause = estop.Unreadable }, func(f *damaged) { f.belt.cause = estop.None }, 1000},
	{"rig: stands still for 60 ms", stall(60*time.Millisecond, false), nothing, 1000},
	{"rig: stands still for 0.6 s", stall(600*time.Millisecond, false), nothing, 1000},
	{"rig: stands still for 1.5 s", stall(1500*time.Millisecond, false), nothing, 1000},
	{"rig: stands still for 40 ms, 10 times a second", func(f *damaged) {
		f.each = func(tick int) {
			if f.stats.Lateness.Add(0); tick%100 == 0 {
				stall(40*time.Millisecond, false)(f)
			}
		}
	}, func(f *damaged) { f.each = nil }, 1000},
	{"computer: its clock jumps by an hour", func(f *damaged) { f.stats.Lateness.Add(time.Hour) }, nothing, 1000},
	{"computer: its clock jumps back by an hour", func(f *damaged) { f.stats.Lateness.Add(-time.Hour) }, nothing, 1000},
	{"computer: suspended", stall(20*time.Millisecond, true), func(f *damaged) { f.gap.Suspended = nil }, 1},
	{"rig stop", given(operator.EmergencyStop, guard.ByCommand), nothing, 1000},
	{"rig pause", given(operator.Pause, guard.ByCommand), nothing, 1000},
	{"race control: stop", given(operator.EmergencyStop, guard.ByRaceControl), nothing, 1000},
	{"state: NaN in the car", bad(func(s *drivenState) { s.drive.State.Car.Wheels[1].Alpha = math.NaN() }), nothing, 1000},
	{"state: Inf in the car", bad(func(s *drivenState) { s.drive.State.Car.Vel.X = math.Inf(1) }), nothing, 1000},
	{"state: 1e300 in the car", bad(func(s *drivenState) { s.drive.State.Car.Vel.Z = 1e300 }), nothing, 1000},
}

// A drive that is started behind a platform that was found begins once that has homed, not in the period before it hears of it.
func TestADriveBeginsWithThePlatformThatWaited(t *testing.T) {
	f := newParked(t)
	f.run(2000)
	if at := f.platform.Status().State; at != motion.Waiting {
		t.Fatalf("platform %v", at)
	}
	f.orders.Start()
	for tick := 0; f.out.State != guard.Engaging; tick++ {
		if f.run(1); tick > 10_000 {
			t.Fatalf("%v, platform %v", f.out.State, f.platform.Status().State)
		}
	}
	if !f.platform.Status().State.Follows() {
		t.Errorf("it begins while the platform is %v", f.platform.Status().State)
	}
}
