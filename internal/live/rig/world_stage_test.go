package rig

import (
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/levers"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// stage is a rig in a world: devices that are as the moment says for a whole tick, and that
// keep what they are told.
type stage struct {
	rig   *Rig
	now   moment
	out   outcome
	looks int           // at the gap's clock, in this tick
	edges wheel.Edges   // not taken yet
	clock time.Duration // of the gap
}

// outcome is what a tick tells the devices; counts show what is told twice, or not at all.
type outcome struct {
	torque, allowed, peak, hz            float64
	legs                                 wire.Legs
	torques, allows, shakes              int
	pushes, halts, homes, locks, enables int
	unbelted, powered                    bool
}

type (
	stagedWheel    struct{ *stage }
	stagedFeet     struct{ *stage }
	stagedPlatform struct{ *stage }
	stagedStop     struct{ *stage }
	stagedBelt     struct{ *stage }
	stagedButtons  struct{ *stage }
)

func (w stagedWheel) Poll(out *wheel.Sample) {
	angle := out.Angle
	if *out = w.now.hands; !out.Present {
		out.Angle = angle
	}
}

func (p stagedFeet) Poll(out *pedals.Sample) {
	f := &p.now.feet
	*out = pedals.Sample{Throttle: f.throttle, Brake: f.brake, Clutch: f.clutch, Handbrake: f.handbrake, Present: f.present, Fault: f.fault,
		Levers: levers.Sample{HPattern: f.gate, Gear: f.gear, ShiftUp: f.up, ShiftDown: f.down}}
}

func (w stagedWheel) Push(torque float64)     { w.out.torque, w.out.torques = torque, w.out.torques+1 }
func (w stagedWheel) Rated() float64          { return w.now.rated }
func (w stagedWheel) UpdateRate() float64     { return w.now.rate }
func (w stagedWheel) Delay() float64          { return w.now.delay }
func (w stagedWheel) EffectReserve() float64  { return w.now.room }
func (w stagedWheel) MaxVibration() float64   { return w.now.headroom }
func (w stagedWheel) EffectTorque() float64   { return w.now.own }
func (w stagedWheel) EnableEffects(bool)      {}
func (w stagedWheel) LimitEffects(nm float64) { w.out.allowed, w.out.allows = nm, w.out.allows+1 }
func (w stagedWheel) Vibrate(peak, hz float64) {
	w.out.peak, w.out.hz, w.out.shakes = peak, hz, w.out.shakes+1
}

func (p stagedPlatform) Push(l wire.Legs)             { p.out.legs, p.out.pushes = l, p.out.pushes+1 }
func (p stagedPlatform) Halt()                        { p.out.halts++ }
func (p stagedPlatform) OrderHome() bool              { p.out.homes++; return true }
func (p stagedPlatform) Tick()                        {}
func (p stagedPlatform) Interlock(open bool)          { p.out.unbelted, p.out.locks = open, p.out.locks+1 }
func (p stagedPlatform) Status() motion.Status        { return p.now.platform }
func (p stagedPlatform) Latency() motion.LatencyStats { return motion.LatencyStats{} }

func (s stagedStop) State() (bool, estop.Cause) { return s.now.stop != estop.None, s.now.stop }
func (s stagedStop) Relay() (bool, estop.Cause) { return s.now.relay == estop.None, s.now.relay }
func (s stagedStop) Enable(on bool)             { s.out.powered, s.out.enables = on, s.out.enables+1 }

func (b stagedBelt) State() (bool, estop.Cause) { return b.now.belt != estop.None, b.now.belt }
func (b stagedBelt) Relay() (bool, estop.Cause) { return false, estop.None }
func (b stagedBelt) Enable(bool)                {}

func (b stagedButtons) Readable() wheel.Actions { return 0 }

func (b stagedButtons) Poll() wheel.Edges {
	e := b.edges
	b.edges.Pressed, b.edges.Released = 0, 0
	return e
}

// apply puts a moment into the rig and its devices, before a tick.
func (s *stage) apply(m moment) {
	r := s.rig
	s.now, s.out, s.looks, s.edges = m, outcome{torque: math.NaN()}, 0, m.buttons
	s.clock += period
	if m.picture {
		r.page.SetKeys(m.keys)
	}
	if m.start {
		r.orders.Start()
	}
	if m.release {
		r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
	}
	if m.clear {
		r.orders.Give(operator.ClearFault, guard.ByCommand)
	}
	if m.halt {
		r.orders.Give(operator.EmergencyStop, guard.ByCommand)
	}
	if m.woken {
		r.stats.Lateness.Add(m.late)
	}
	if m.fits {
		r.presets.wheelFound(m.preset)
	}
	r.poseSolver.pose.Put(&m.measured)
	m.flaw.plant(&r.drive.State.Car)
}

// plant spoils the car.
func (f flawAt) plant(s *sim.State) {
	switch f {
	case flawForce:
		s.Wheels[1].Fx = math.NaN()
	case flawPlace:
		s.Pos = r3.Vec{X: s.Pos.X, Y: math.Inf(1), Z: math.NaN()}
	case flawSpeed:
		s.Vel.Y = math.NaN()
	case flawCueing:
		s.SpecificForce.X = 1e12
	case flawFeel:
		s.ColumnTorque = 1e300
	}
}

// time is the gap's clock, which a tick asks when it begins, and once more when it pushes.
func (s *stage) time() time.Duration {
	if s.looks++; s.looks > 1 {
		return s.clock + s.now.held
	}
	return s.clock
}

// staged returns a rig in whose place the world's devices are, with the window that shows it.
func staged(t testing.TB, cfg config.Config) *stage {
	t.Helper()
	r := withPage(t, undriven(t, cfg))
	s := &stage{rig: r}
	if err := r.switchPresets(cfg, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	shaking(r, drivesetup.Patterns(r.drive.Setup.Circuit.Ground)...)
	var err error
	if r.poseSolver, err = newPoseSolver(cfg); err != nil {
		t.Fatal(err)
	}
	r.wheel, r.ownEffects, r.pedals = stagedWheel{s}, stagedWheel{s}, stagedFeet{s}
	r.platform, r.controls, r.estop, r.interlock.Line = stagedPlatform{s}, stagedButtons{s}, stagedStop{s}, stagedBelt{s}
	r.drive.Setup.InterlockButton = true
	r.gap.Now, r.gap.Suspended = s.time, func() (low, high time.Duration) { return s.now.asleep, s.now.asleep }
	return s
}

// worldTrack is a small circuit with all that matters to a tick: kerbs, other surfaces, areas
// that weather changes, bumps, a pit lane and sectors.
const worldTrack = `title = "World"
[layout]
width_m = 11
[[layout.piece]]
name = "main"
length_m = 110
[[layout.piece]]
name = "first"
turn_deg = 180
radius_m = 30
ramp_m = 15
kerb = "both"
[[layout.piece]]
name = "back"
length_m = 110
[[layout.piece]]
name = "last"
turn_deg = 180
radius_m = 30
ramp_m = 15
[[layout.part]]
on = "main"
from_m = 50
to_m = 90
right_m = -6
left_m = 0
surface = "wet"
area = "puddle"
[[layout.part]]
on = "back"
from_m = 20
to_m = 40
surface = "kerb"
[[layout.part]]
on = "back"
from_m = 50
to_m = 90
surface = "cobbles"
area = "stones"
[[layout.feature]]
on = "main"
from_m = 20
to_m = 44
kind = "waves"
pitch_m = 6
height_mm = 25
[[layout.feature]]
on = "back"
from_m = 100
to_m = 104
kind = "bump"
height_mm = 40
[start]
on = "main"
at_m = 30
[[sector]]
on = "first"
[[sector]]
on = "back"
[pit]
from = { on = "back", at_m = 5 }
to = { on = "back", at_m = 60 }
right_m = -2
left_m = 2
limit_kph = 60
[[change]]
area = "puddle"
at_s = 3
over_s = 4
grip = 0.4
[[change]]
area = "stones"
at_s = 10
over_s = 5
grip = 0.5
[[change]]
area = "rest"
at_s = 15
over_s = 10
grip = 0.8
[[change]]
area = "all"
at_s = 30
over_s = 3
grip = 0.9
`

// worldCars are cars of kinds that are not built in.
var worldCars = map[string]string{
	"electric":  "base = 'hatch'\n[driveline]\ngears = [9]\nfinal_drive = 1\n[driveline.gearbox]\nkind = 'single'\n[driveline.motor]\nenabled = true\n",
	"automatic": "base = 'coupe'\n[driveline.gearbox]\nkind = 'automatic'\n",
}

// worldPlan says how a world is made.
type worldPlan struct {
	seed     uint64
	ticks    int
	car      string // a built-in car, or one of worldCars
	edit     func(*config.Config)
	always   func(m *moment, tick int) // in each tick
	calm     bool                      // no trouble, only quirks and keys
	stays    bool                      // the operator never ends the drive
	limit    uint64                    // ticks to drive; 0 without end
	patience float64                   // as drive.Setup.Patience [s]
}

// build returns a world and the rig in it.
func (p worldPlan) build(t testing.TB) (*stage, *world) {
	t.Helper()
	cfg := p.config(t)
	s := staged(t, cfg)
	r := s.rig
	r.drive.Setup.TickLimit, r.drive.Setup.WaitTimeout = p.limit, p.patience
	driver, err := driver.New(driver.Config{Effort: 0.9, Lateral: 8, Braking: 8, Driving: 10, Fastest: 40, Line: driver.LineCenter}, r.drive.Setup.Car, r.drive.Setup.Circuit, r.drive.Setup.Dt)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(p.seed, p.ticks, driver, &r.drive.State.Car, r.maxRPM)
	w.held = setOf(wheel.Interlock)
	if cfg.Guard.DeadMan {
		w.held |= setOf(wheel.DeadMan)
	}
	if p.calm {
		w.calm = p.ticks
	}
	if p.stays {
		w.end = p.ticks + 1
	}
	if p.always != nil {
		w.events = append(w.events, event{0, p.ticks, p.always})
	}
	return s, w
}

// config is the configuration of a world.
func (p worldPlan) config(t testing.TB) config.Config {
	t.Helper()
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cfg := config.Default()
	cfg.Car, cfg.Track = p.car, write("world.toml", worldTrack)
	if text, own := worldCars[p.car]; own {
		cfg.Car = write(p.car+".toml", text)
	}
	cfg.Guard.Engage, cfg.Guard.Release, cfg.Guard.MaxTorque = 0.3, 0.15, 20
	cfg.FFB.MaxTorque = 15
	if p.edit != nil {
		p.edit(&cfg)
	}
	return cfg
}
