//go:build amd64 && !amd64.v3

package rig

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/loopback"
	"rig.example/rig/internal/operator"
	"rig.example/rig/test/level"
)

var writeFaults = flag.Bool("write", false, "write docs/reference/faults.md")

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

	torque   float64   // of the last tick [N·m]
	paths    []float64 // of the first actuator, in each tick [strokes]
	rise     float64   // greatest rise of the torque's magnitude in a tick [N·m]
	limp     int       // ticks from the fault to the first without torque, -1 before
	notice   string    // the first after the fault
	released bool
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
		deaf, mute, stuck bool
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

// Handle drops what the controller is told if it is deaf, the targets alone if it is stuck, and its answers if it is mute.
func (l *brokenLine) Handle(in []byte) (out []byte) {
	switch {
	case l.deaf:
		return nil
	case l.stuck && len(in) >= 5 && in[0] == '[' && in[1] >= 'A' && in[1] <= 'C':
		in = in[min(len(in), 15):] // three targets of SMC3
	}
	if out = l.Controller.Handle(in); l.mute {
		return nil
	}
	return out
}

func (l *brokenLine) Advance(d time.Duration) []byte {
	if out := l.Controller.Advance(d); !l.mute && !l.deaf {
		return out
	}
	return nil
}

// newDamaged returns a rig that drives with its platform.
func newDamaged(t *testing.T) *damaged {
	t.Helper()
	f := newParked(t)
	f.orders.start.Store(true)
	f.run(8000)
	if f.out.State != guard.Driving || !f.platform.Status().State.Follows() {
		t.Fatalf("%v, platform %v before the fault", f.out.State, f.platform.Status().State)
	}
	f.rise, f.paths = 0, nil
	return f
}

// newParked returns a rig that was not started yet.
func newParked(t *testing.T) *damaged {
	t.Helper()
	cfg := config.Default()
	cfg.Motion.BootWait = 0.2
	r := withPage(t, demoOf(t, cfg))
	f := &damaged{Rig: r, t: t, devices: &deviceSet{motion: cfg.Motion}, wheel: &brokenWheel{steeringWheel: r.wheel}, pedals: &brokenPedals{pedals.Sample{Present: true}},
		stop: &cutout{}, belt: &cutout{}, limp: -1}
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
	r.gap.measure(r.stats, false) // the first look, which measures nothing
	r.orders.start.Store(false)
	return f
}

// run drives for some ticks and measures.
func (f *damaged) run(ticks int) {
	f.t.Helper()
	for range ticks {
		if f.Tick() != nil {
			f.released = true
			return
		}
		_ = f.platform.Step(time.Millisecond) // the status has the error
		now := f.out.Torque
		if math.Abs(now) > math.Abs(f.torque) || now*f.torque < 0 {
			f.rise = max(f.rise, math.Abs(now-f.torque))
		}
		f.torque = now
		f.paths = append(f.paths, f.platform.Status().Target[0])
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

// speed returns the greatest speed of the first actuator [strokes/s], over 20 ms.
func (f *damaged) speed() (most float64) {
	const over = 20
	for i := over; i < len(f.paths); i++ {
		if v := math.Abs(f.paths[i]-f.paths[i-over]) / (over * f.drive.Setup.Dt); v > most { // false for NaN
			most = v
		}
	}
	return most
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
	f.orders.give(operator.Resume, guard.ByCommand)
	if f.run(6000); f.drives() {
		return "the pause is ended"
	}
	f.orders.give(operator.ClearFault, guard.ByCommand)
	if f.run(10_000); f.drives() {
		return "you confirm"
	}
	f.orders.give(operator.ClearFault, guard.ByCommand)
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
			asleep := f.gap.suspendedBefore + 10*time.Second
			f.gap.suspended = func() (low, high time.Duration) { return asleep, asleep }
		}
		_ = f.platform.Step(d)
		f.paths = f.paths[:0] // no tick has measured that time
	}
}

func spoiled(spoil func(*wheel.Sample)) func(*damaged) {
	return func(f *damaged) { f.wheel.spoil = spoil }
}

func healed(f *damaged) { f.wheel.spoil, f.wheel.rated = nil, nil }

// given gives an order.
func given(o operator.Order, by guard.Origin) func(*damaged) {
	return func(f *damaged) { f.orders.give(o, by) }
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
	{"stop switch: pressed for 1 s", func(f *damaged) { f.stop.cause = estop.Opened }, func(f *damaged) { f.stop.cause = estop.None }, 1000},
	{"stop switch: cannot be read for 1 s", func(f *damaged) { f.stop.cause = estop.Unreadable }, func(f *damaged) { f.stop.cause = estop.None }, 1000},
	{"enable relay: opens by itself", func(f *damaged) { f.stop.relay = estop.RelayFailed }, func(f *damaged) { f.stop.relay = estop.None }, 1000},
	{"belt or door: opens for 1 s", func(f *damaged) { f.belt.cause = estop.Opened }, func(f *damaged) { f.belt.cause = estop.None }, 1000},
	{"rig: stands still for 60 ms", stall(60*time.Millisecond, false), nothing, 1000},
	{"rig: stands still for 0.6 s", stall(600*time.Millisecond, false), nothing, 1000},
	{"rig: stands still for 1.5 s", stall(1500*time.Millisecond, false), nothing, 1000},
	{"computer: suspended", stall(20*time.Millisecond, true), func(f *damaged) { f.gap.suspended = nil }, 1},
	{"rig stop", given(operator.EmergencyStop, guard.ByCommand), nothing, 1000},
	{"rig pause", given(operator.Pause, guard.ByCommand), nothing, 1000},
	{"race control: stop", given(operator.EmergencyStop, guard.ByRaceControl), nothing, 1000},
	{"state: NaN in the car", bad(func(s *drivenState) { s.drive.State.Car.Wheels[1].Alpha = math.NaN() }), nothing, 1000},
	{"state: Inf in the car", bad(func(s *drivenState) { s.drive.State.Car.Vel.X = math.Inf(1) }), nothing, 1000},
	{"state: 1e300 in the car", bad(func(s *drivenState) { s.drive.State.Car.Vel.Z = 1e300 }), nothing, 1000},
}

// result plants a fault and returns its row.
func (p *plantedFault) result(t *testing.T) (row string, f *damaged) {
	f = newDamaged(t)
	p.begin(f)
	f.since(p.lasts)
	p.end(f)
	f.since(3000)
	limp, ends := "goes on", f.out.State.String()+", platform "+f.platform.Status().State.String()
	if f.limp >= 0 && f.limp < 1000 {
		limp = fmt.Sprintf("%d", f.limp+1)
	}
	rise, speed := f.rise, f.speed()
	cause := ""
	for c, more := f.transitions.take(); more; c, more = f.transitions.take() {
		if cause == "" && (c.To == guard.Fault || c.To == guard.Stopped || c.To == guard.Releasing) {
			cause = f.causeText(c)
		}
	}
	told := strings.Trim(strings.Join([]string{cause, f.notice}, "; "), "; ")
	row = fmt.Sprintf("| %s | %s | %.2f | %.2f | %s | %s | %s |\n", p.name, limp, rise, speed, ends, f.goesOn(), strings.ReplaceAll(told, "|", "\\|"))
	return row, f
}

const faultsHead = `# Faults that were planted

What wheel and platform do, measured: each fault is planted in a drive of the default car in virtual time, 8 s after its start, and ends again. A page
made by ` + "`go test ./internal/rig -run EveryFault -write`" + `; ` + "`make faults`" + ` makes it too. What to expect in words: [failures](../failures.md).

<!-- contents -->

- [What the columns mean](#what-the-columns-mean)
- [What was measured](#what-was-measured)

<!-- end -->

## What the columns mean

- *limp*: time from the fault until no torque is sent [ms]. "goes on": within 1 s there always was some.
- *rise*: greatest rise of the torque from one tick to the next, 1 ms later [N·m]; a fall to 0 does not count. ` + "`" + `ffb.slew_nm_per_ms` + "`" + ` (0.5) allows no more.
- *speed*: greatest speed at which an actuator is sent [strokes/s]; 0.8 are allowed.
- *ends*: state of rig and platform 3 s after the cause has ended, without anybody doing anything.

## What was measured

| fault | limp [ms] | rise [N·m] | speed [strokes/s] | ends | goes on | what the log and the notice say |
|---|---|---|---|---|---|---|
`

// Whatever fails, neither the torque rises nor an actuator is sent faster than the configuration allows, and what must
// end the force ends it in the same tick. docs/reference/faults.md has what was measured.
func TestEveryFaultStaysWithinItsBounds(t *testing.T) {
	level.SkipIfQuick(t)
	const path = "../../docs/reference/faults.md"
	page := faultsHead
	cfg := config.Default()
	mostRise, mostSpeed := cfg.FFB.SlewRate*1.001, cfg.Motion.MaxSpeed[0]*1.02 // [N·m/ms], [strokes/s]
	for i := range plantedFaults {
		p := &plantedFaults[i]
		row, f := p.result(t)
		page += row
		if f.rise > mostRise || f.speed() > mostSpeed {
			t.Errorf("%s: the torque rises by %.2f N·m in a tick, an actuator goes at %.2f strokes/s; most are %.2f and %.2f", p.name, f.rise, f.speed(), mostRise, mostSpeed)
		}
	}
	if *writeFaults {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != page {
		t.Errorf("docs/reference/faults.md is not what was measured (%v): go test ./internal/rig -run EveryFault -write", err)
	}
}

// A drive that is started behind a platform that was found begins once that has homed, not in the period before it hears of it.
func TestADriveBeginsWithThePlatformThatWaited(t *testing.T) {
	f := newParked(t)
	f.run(2000)
	if at := f.platform.Status().State; at != motion.Waiting {
		t.Fatalf("platform %v", at)
	}
	f.orders.start.Store(true)
	for tick := 0; f.out.State != guard.Engaging; tick++ {
		if f.run(1); tick > 10_000 {
			t.Fatalf("%v, platform %v", f.out.State, f.platform.Status().State)
		}
	}
	if !f.platform.Status().State.Follows() {
		t.Errorf("it begins while the platform is %v", f.platform.Status().State)
	}
}
