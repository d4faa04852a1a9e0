package rig

import (
	"log/slog"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/test/level"
)

// following is a platform that follows at once.
type following struct {
	legs     wire.Legs
	state    motion.State
	faults   wire.Faults
	halted   int
	homes    int
	pushed   int
	unbelted bool
}

func (p *following) Push(l wire.Legs) { p.legs, p.pushed = l, p.pushed+1 }

func (p *following) Halt() { p.halted++ }

func (p *following) OrderHome() bool { p.homes++; return true }

func (p *following) Tick() {}

func (p *following) Latency() motion.LatencyStats { return motion.LatencyStats{} }

func (p *following) Interlock(open bool) { p.unbelted = open }

func (p *following) Status() motion.Status {
	return motion.Status{State: p.state, Faults: p.faults, Feedback: p.legs}
}

// demo is a rig with simulated devices.
func demo(t testing.TB) *Rig {
	t.Helper()
	return demoOf(t, config.Default())
}

// assembled is a rig without devices on a circuit of its own.
func assembled(t testing.TB, cfg config.Config) *Rig {
	t.Helper()
	parts, err := drivesetup.New(cfg, circuit.Options{Cache: circuit.UserCache()})
	if err != nil {
		t.Fatal(err)
	}
	return newRig(parts)
}

// undriven is a rig without devices.
func undriven(t testing.TB, cfg config.Config) *Rig {
	t.Helper()
	parts, err := drivesetup.NewOnCircuit(cfg, circuitOf(t, cfg), nil)
	if err != nil {
		t.Fatal(err)
	}
	return newRig(parts)
}

func demoOf(t testing.TB, cfg config.Config) *Rig {
	t.Helper()
	r := undriven(t, cfg)
	r.useDriverModel(driverOf(t, cfg, r))
	r.platform = &following{state: motion.Active}
	r.orders.Start()
	return r
}

// What demos share never changes, and takes long to build.
var (
	circuits = map[[2]string]*road.Circuit{}
	models   = map[[3]string]*driver.Model{}
)

// circuitOf returns the circuit of a configuration.
func circuitOf(t testing.TB, cfg config.Config) *road.Circuit {
	t.Helper()
	key := [2]string{cfg.Track, cfg.Surface}
	if circuits[key] == nil {
		circuits[key] = assembled(t, cfg).drive.Setup.Circuit
	}
	return circuits[key]
}

// driverOf returns the driver model of a configuration's car, which r has.
func driverOf(t testing.TB, cfg config.Config, r *Rig) *driver.Model {
	t.Helper()
	key := [3]string{cfg.Car, cfg.Track, cfg.Surface}
	if models[key] == nil {
		d, err := drivesetup.DemoDriver(&r.drive.Setup)
		if err != nil {
			t.Fatal(err)
		}
		models[key] = d
	}
	return models[key]
}

func withPage(t testing.TB, r *Rig) *Rig {
	t.Helper()
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	r.page = p
	return r
}

func run(t testing.TB, r *Rig, ticks int) {
	t.Helper()
	for range ticks {
		if err := r.Tick(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTickAllocatesNothing(t *testing.T) {
	r := withPage(t, demo(t))
	platform, err := motion.New(motion.DefaultConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.platform = platform
	run(t, r, 3000)
	if n := testing.AllocsPerRun(2000, func() { r.Tick() }); n != 0 {
		t.Errorf("a tick allocates %g times", n)
	}
}

func TestTickOfAPersonAllocatesNothing(t *testing.T) {
	cfg := config.Default()
	cfg.Profiles = t.TempDir()
	r := undriven(t, cfg)
	d := &deviceSet{log: slog.New(slog.DiscardHandler)}
	if err := d.useReal(r, cfg); err != nil {
		t.Fatal(err)
	}
	withPage(t, r).orders.Start()
	run(t, r, 100)
	if n := testing.AllocsPerRun(2000, func() { r.Tick() }); n != 0 {
		t.Errorf("a tick allocates %g times", n)
	}
}

func TestEqualInputsLeaveEqualBits(t *testing.T) {
	a, b := demo(t), withPage(t, demo(t)) // a watcher changes nothing
	run(t, a, 5000)
	run(t, b, 5000)
	if a.drive.State != b.drive.State || a.drive.State.Hash() != b.drive.State.Hash() {
		t.Errorf("two drives of 5000 ticks ended at %+v and %+v", a.drive.State.Car.Pos, b.drive.State.Car.Pos)
	}
}

// However long the devices take to get ready, the drive is the same.
func TestWaitingChangesNoDrive(t *testing.T) {
	drive := func(wait int) sim.State {
		r := demo(t)
		r.orders = operator.Pending{}
		run(t, r, wait)
		r.orders.Start()
		for r.drive.State.Car.Tick < 1000 {
			run(t, r, 1)
		}
		return r.drive.State.Car
	}
	if a, b := drive(3), drive(300); a.Hash() != b.Hash() {
		t.Errorf("after 3 and after 300 ticks of waiting the cars are at %+v and %+v", a.Pos, b.Pos)
	}
}

func TestDemoDrivesRoundAndFeelsIt(t *testing.T) {
	level.SkipUnlessAll(t, "TestTorqueAndRollOpposeTheBend drives some bends of it, and sim/maneuver whole laps")
	r := withPage(t, demo(t))
	width := 2 * r.drive.Setup.Circuit.At(0).Left
	var most struct{ torque, roll, lateral float64 }
	for range 160 {
		run(t, r, 1000)
		_, lateral := r.drive.Setup.Circuit.Nearest(r.drive.State.Car.Pos, r.drive.State.Station)
		most.lateral = math.Max(most.lateral, math.Abs(lateral))
	}
	if r.drive.State.Distance < r.drive.Setup.Circuit.Length() || most.lateral > width/2 {
		t.Errorf("drove %.0f m of a lap of %.0f m, %.1f m off the line", r.drive.State.Distance, r.drive.Setup.Circuit.Length(), most.lateral)
	}
	if r.extremes.torque < 0.5 || r.extremes.torque > r.wheel.Rated() {
		t.Errorf("rim torque up to %.2f N·m on a wheel of %.2f", r.extremes.torque, r.wheel.Rated())
	}
	if r.extremes.roll*degrees < 2 || r.extremes.roll*degrees > 30 {
		t.Errorf("platform roll up to %.1f°", r.extremes.roll*degrees)
	}
}

func TestTorqueAndRollOpposeTheBend(t *testing.T) {
	level.SkipIfQuick(t)
	r := withPage(t, demo(t))
	left, right := 0, 0
	for tick := 0; tick < 60_000 && (left < 1000 || right < 500); tick++ {
		run(t, r, 1)
		if _, lateral := r.drive.Setup.Circuit.Nearest(r.drive.State.Car.Pos, r.drive.State.Station); math.Abs(lateral) > r.drive.Setup.Circuit.At(0).Left {
			t.Fatalf("tick %d: %.1f m off the line", tick, lateral)
		}
		var f frame.Frame
		r.page.Read(&f)
		if f.State != uint64(guard.Driving) || f.Speed < 12 {
			continue
		}
		switch ay := f.Acc[1]; {
		case ay > 4: // a left bend
			left++
			if f.RimTorque >= 0 || f.Pose[3] <= 0 {
				t.Fatalf("left bend at %.1f m/s²: rim %.2f N·m, platform roll %.2f°", ay, f.RimTorque, f.Pose[3]*degrees)
			}
		case ay < -4:
			right++
			if f.RimTorque <= 0 || f.Pose[3] >= 0 {
				t.Fatalf("right bend at %.1f m/s²: rim %.2f N·m, platform roll %.2f°", ay, f.RimTorque, f.Pose[3]*degrees)
			}
		}
	}
	if left < 1000 || right < 500 {
		t.Errorf("only %d ticks in left bends and %d in right ones", left, right)
	}
}

func TestReleaseEndsTheLoopParked(t *testing.T) {
	r := demo(t)
	r.drive.Setup.TickLimit = 3000
	r.platform = nil
	for range 20_000 {
		if r.Tick() != nil {
			break
		}
	}
	if r.drive.State.Guard.State() != guard.Parked || r.drive.State.Car.Tick != 3000 {
		t.Errorf("ended %v after %d ticks of the car, want parked after 3000", r.drive.State.Guard.State(), r.drive.State.Car.Tick)
	}
	if r.out.Torque != 0 || r.out.Platform.Legs[0] != 0.5 {
		t.Errorf("ended with %g N·m and a leg at %g", r.out.Torque, r.out.Platform.Legs[0])
	}
}

func TestNaNInTheStateStopsTheRig(t *testing.T) {
	r := demo(t)
	run(t, r, 4000)
	r.drive.State.Car.Vel.Y = math.NaN()
	run(t, r, 2)
	if r.drive.State.Guard.State() != guard.Fault || r.out.Torque != 0 {
		t.Errorf("state %v, torque %g", r.drive.State.Guard.State(), r.out.Torque)
	}
	for i, l := range r.out.Platform.Legs {
		if !(l >= 0 && l <= 1) {
			t.Errorf("leg %d at %g", i, l)
		}
	}
}

func TestACarWithNaNStandsAgainWhenCleared(t *testing.T) {
	r := demo(t)
	run(t, r, 4000)
	r.drive.State.Car.Vel.Y = math.NaN()
	run(t, r, 5)
	r.orders.Give(operator.ClearFault, guard.ByCommand)
	run(t, r, 2500)
	if r.drive.State.Guard.State() != guard.Driving || r.drive.State.Car.Speed < 1 {
		t.Errorf("state %v at %.1f m/s after clearing", r.drive.State.Guard.State(), r.drive.State.Car.Speed)
	}
}

func TestAPlatformThatDiedTiltedIsNotParked(t *testing.T) {
	r := demo(t)
	platform := &following{state: motion.Active}
	r.platform, r.drive.Setup.LeaveTimeout = platform, 2
	run(t, r, 4000)
	platform.state = motion.Fault
	r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
	for range 5000 {
		if r.Tick() != nil {
			break
		}
	}
	if r.drive.State.Guard.State() == guard.Parked || r.endError() == nil {
		t.Errorf("ended %v, verdict %v: want a warning to look at the platform", r.drive.State.Guard.State(), r.endError())
	}
}

func TestKeysStopAndClear(t *testing.T) {
	r := withPage(t, demo(t))
	platform := &following{state: motion.Active}
	r.platform = platform
	run(t, r, 3000)
	r.page.SetKeys(frame.KeyStop)
	run(t, r, 1)
	if r.drive.State.Guard.State() != guard.Stopped || r.out.Torque != 0 || platform.halted != 1 {
		t.Fatalf("state %v, torque %g, platform halted %d times in the tick of the stop", r.drive.State.Guard.State(), r.out.Torque, platform.halted)
	}
	r.page.SetKeys(0)
	run(t, r, 100)
	if r.drive.State.Guard.State() != guard.Stopped {
		t.Errorf("went to %v when the key was let go", r.drive.State.Guard.State())
	}
	r.page.SetKeys(frame.KeyClear)
	run(t, r, 3)
	looking(t, r, 0, 2500)
	if r.drive.State.Guard.State() != guard.Driving {
		t.Errorf("%v after clearing, want driving", r.drive.State.Guard.State())
	}
}

func TestAKeyThatADeadDisplayHeldConfirmsNothing(t *testing.T) {
	r := withPage(t, demo(t))
	run(t, r, 3000)
	r.page.SetKeys(frame.KeyClear) // its last word
	run(t, r, 1000)
	r.orders.Give(operator.EmergencyStop, guard.ByCommand)
	run(t, r, 10)
	run(t, r, 1000)
	if r.drive.State.Guard.State() != guard.Stopped {
		t.Errorf("went on to %v", r.drive.State.Guard.State())
	}
}

func TestArrowKeysTakeOver(t *testing.T) {
	r := withPage(t, demo(t))
	press := func(keys uint64, ticks int) {
		for range ticks {
			r.page.SetKeys(keys)
			run(t, r, 1)
		}
	}
	press(0, 3000)
	press(frame.KeyDown, 4000)
	if r.drive.State.Car.Speed > 0.5 || r.drive.State.Car.Driveline.Gear > 1 {
		t.Errorf("braked to %.1f m/s in gear %d", r.drive.State.Car.Speed, r.drive.State.Car.Driveline.Gear)
	}
	press(frame.KeyDown, 3000)
	if r.drive.State.Car.Speed > -0.5 || r.drive.State.Car.Driveline.Gear != -1 {
		t.Errorf("reversed to %.1f m/s in gear %d", r.drive.State.Car.Speed, r.drive.State.Car.Driveline.Gear)
	}
	press(frame.KeyUp, 8000) // on rough grass
	yaw := r.drive.State.Car.Yaw()
	press(frame.KeyUp|frame.KeyLeft, 700)
	if r.drive.State.Car.Speed < 3 || r.drive.State.Car.Yaw() <= yaw {
		t.Errorf("at %.1f m/s the left key turned the car by %.2f rad", r.drive.State.Car.Speed, r.drive.State.Car.Yaw()-yaw)
	}
	if r.out.Frame.Flags&frame.KeysDrive == 0 {
		t.Error("the frame does not say that the keys drive")
	}
	press(0, 6000)
	if r.out.Frame.Flags&frame.KeysDrive != 0 {
		t.Error("the keys still drive after 6 s without one")
	}
}

func TestTheResetKeyPutsTheCarBackOnItsWheelsOnce(t *testing.T) {
	r := withPage(t, demo(t))
	run(t, r, 6000)
	before := r.drive.State.Car.Tick
	r.drive.State.Car.Att = quat.Number{Imag: 1} // on its roof
	r.drive.State.Car.Pos.Z = 0.8
	place := r.drive.State.Car.Pos
	r.page.SetKeys(frame.KeyReset)
	run(t, r, 1)
	if up := math.Abs(r.drive.State.Car.Roll()); up > 0.01 || r.drive.State.Car.Speed > 0.1 || r.drive.State.Car.Tick != before+1 {
		t.Errorf("roll %.2f rad, %.2f m/s, tick %d after %d", up, r.drive.State.Car.Speed, r.drive.State.Car.Tick, before)
	}
	if far := math.Hypot(r.drive.State.Car.Pos.X-place.X, r.drive.State.Car.Pos.Y-place.Y); far > 0.01 {
		t.Errorf("stands %.3f m from where it lay", far)
	}
	for range 3000 { // the key stays down
		r.page.SetKeys(frame.KeyReset)
		run(t, r, 1)
	}
	if r.drive.State.Car.Speed < 1 || r.drive.State.Guard.State() != guard.Driving {
		t.Errorf("drives at %.2f m/s, %v", r.drive.State.Car.Speed, r.drive.State.Guard.State())
	}
}

func TestKeysOfADeadDisplayDoNotDrive(t *testing.T) {
	r := withPage(t, demo(t))
	run(t, r, 3000)
	r.page.SetKeys(frame.KeyUp | frame.KeyLeft) // its last word
	run(t, r, 2000)
	if f := &r.out.Frame; f.Throttle > 0.01 || math.Abs(f.Steer) > 0.1 {
		t.Errorf("throttle %.2f, steering %.2f rad from a display that has ended", f.Throttle, f.Steer)
	}
}
