//go:build amd64 && !amd64.v3

package rig

import (
	"errors"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/loopback"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// What a golden drive knows of the inside of a rig stands from here to TestGoldenDemo.

// goldenDemo is a demo on a virtual platform, and the hash of all that it does.
type goldenDemo struct {
	t        *testing.T
	rig      *Rig
	platform *motion.Virtual
	sim      simulated.Controller
	hash     digest
	was      guard.State
	states   map[guard.State]bool  // that came up
	stages   map[motion.State]bool // the same of the platform
}

func newGoldenDemo(t *testing.T, edit func(*config.Config)) *goldenDemo {
	t.Helper()
	cfg := config.Default()
	edit(&cfg)
	g := &goldenDemo{t: t, rig: demoOf(t, cfg), hash: newDigest(), stages: map[motion.State]bool{}, states: map[guard.State]bool{}}
	cfg.Motion.BootWait = min(cfg.Motion.BootWait, 0.2)
	far, err := loopback.Controller(&cfg.Motion, g.rig.drive.Setup.Platform.Axes())
	if err != nil {
		t.Fatal(err)
	}
	g.sim = listened{far, &g.hash}
	if g.platform, err = motion.NewVirtual(cfg.Motion, g.sim, nil); err != nil {
		t.Fatal(err)
	}
	withPage(t, g.rig).platform = g.platform
	return g
}

// tick steps the rig and then its platform by a millisecond, orders what the supervisor would,
// and takes all of it into the hash. It reports whether the loop goes on.
func (g *goldenDemo) tick() bool {
	g.t.Helper()
	err := g.rig.Tick()
	if err != nil && !errors.Is(err, loop.ErrDone) {
		g.t.Fatal(err)
	}
	g.supervise()
	if err := g.platform.Step(time.Millisecond); err != nil {
		g.t.Fatal(err)
	}
	g.take()
	return err == nil
}

// supervise orders what the supervisor does for a transition of the guard.
func (g *goldenDemo) supervise() {
	now := g.rig.drive.State.Guard.State()
	if now == g.was {
		return
	}
	g.was = now
	if now == guard.Ready && g.rig.orders.IsReleased() {
		g.platform.OrderPark()
	}
}

// take takes this tick into the hash: the car, what was handed to wheel and platform, the
// safety state, the lap clock, and the platform with its controller.
func (g *goldenDemo) take() {
	r, h := g.rig, &g.hash
	h.word(r.drive.State.Car.Hash())
	h.floats(r.out.Torque)
	h.floats(r.out.Platform.Legs[:]...)
	h.word(uint64(r.drive.State.Guard.State()))
	h.word(uint64(r.drive.State.Laps.Clock.Count))
	h.floats(r.drive.State.Laps.Clock.Last.Time, r.drive.State.Laps.Clock.Lap.Time)
	s := g.platform.Status()
	h.word(uint64(s.State))
	h.floats(s.Target[:]...)
	h.floats(s.Feedback[:]...)
	h.floats(g.sim.Positions()...)
	g.states[r.drive.State.Guard.State()], g.stages[s.State] = true, true
}

// play drives for some ticks with these keys down in a window that lives.
func (g *goldenDemo) play(ticks int, keys uint64) {
	g.t.Helper()
	for i := range ticks {
		if i%16 == 0 {
			g.rig.page.SetKeys(keys)
		}
		if !g.tick() {
			g.t.Fatalf("ended as %v", g.rig.drive.State.Guard.State())
		}
	}
}

func (g *goldenDemo) stop() { g.rig.orders.Give(operator.EmergencyStop, guard.ByCommand) }

func (g *goldenDemo) clear() {
	g.rig.orders.Give(operator.ClearFault, guard.ByCommand)
}

// leave releases the rig, drives to its end and lets the platform end.
func (g *goldenDemo) leave() {
	g.t.Helper()
	g.rig.orders.Give(operator.FadeOutAndPark, guard.BySignal)
	for ticks := 0; g.tick(); ticks++ {
		if ticks > 20_000 {
			g.t.Fatalf("never ends: %v, platform %v", g.rig.drive.State.Guard.State(), g.platform.Status().State)
		}
	}
	g.platform.Leave()
	for ticks := 0; !g.platform.Left(); ticks++ {
		if err := g.platform.Step(time.Millisecond); err != nil || ticks > 5000 {
			g.t.Fatalf("the platform does not end: %v, %v", err, g.platform.Status().State)
		}
		g.take()
	}
}

// saw fails unless all these states came up.
func (g *goldenDemo) saw(platform []motion.State, states []guard.State) {
	g.t.Helper()
	for _, s := range platform {
		if !g.stages[s] {
			g.t.Errorf("the platform was never %v", s)
		}
	}
	for _, s := range states {
		if !g.states[s] {
			g.t.Errorf("never %v", s)
		}
	}
}

// listened is a controller of which every byte, in and out, goes into a hash.
type listened struct {
	simulated.Controller
	hash *digest
}

func (l listened) Handle(in []byte) []byte {
	l.hash.bytes(in)
	out := l.Controller.Handle(in)
	l.hash.bytes(out)
	return out
}

func (l listened) Advance(d time.Duration) []byte {
	out := l.Controller.Advance(d)
	l.hash.bytes(out)
	return out
}

// The demo, its simulated wheel, and its platform with a simulated controller, stepped by the
// tick alone: homing, half a minute of driving, a release and parking. Not a bit may change.
func TestGoldenDemo(t *testing.T) {
	protocols := []struct {
		name string
		edit func(*config.Config)
		want uint64
	}{
		{"smc3", func(c *config.Config) { c.Motion.Protocol = motion.ProtocolSMC3 }, 0x788094189cde229d},
		{"thanos", func(c *config.Config) {
			c.Geometry.Kind, c.Motion.Protocol, c.Motion.Baud = "corners", motion.ProtocolThanos, 250_000
		}, 0xa0252451ca642d4d},
		{"motion4sim", func(c *config.Config) {
			c.Geometry.Kind, c.Motion.Protocol, c.Motion.Baud = "hexapod", motion.ProtocolMotion4Sim, 250_000
			c.Motion.Motion4Sim.Actuators = 6
		}, 0xd14b5b076814f6fd},
		{"template", func(c *config.Config) {
			c.Motion.Protocol, c.Motion.Template.Output = motion.ProtocolTemplate, []string{"<Axis1a><Axis2a>X"}
		}, 0x979c3d159e9dd75b},
	}
	for _, c := range protocols[:level.Pick(1, len(protocols), len(protocols))] {
		t.Run(c.name, func(t *testing.T) {
			g := newGoldenDemo(t, c.edit)
			for range 30_000 {
				if !g.tick() {
					t.Fatalf("ended as %v", g.was)
				}
			}
			if g.was != guard.Driving || g.platform.Status().State != motion.Active {
				t.Errorf("%v, platform %v after half a minute", g.was, g.platform.Status().State)
			}
			g.leave()
			homing := []motion.State{motion.Homing}
			if c.name != "smc3" {
				homing = nil // their actuators cannot tell where they are, and are assumed to be at the center
			}
			g.saw(append(homing, motion.Opening, motion.Ready, motion.Active, motion.Parking, motion.Parked),
				[]guard.State{guard.Homing, guard.Engaging, guard.Driving, guard.Releasing, guard.Parked})
			g.is(c.want)
		})
	}
}

// The same with an emergency stop, a pause, and keys for the force, the platform and the weather.
func TestGoldenDemoWithOrders(t *testing.T) {
	level.SkipIfQuick(t)
	g := newGoldenDemo(t, func(c *config.Config) { c.Motion.Protocol = motion.ProtocolSMC3 })
	press := func(keys uint64) {
		g.play(48, keys)
		g.play(1000, 0)
	}
	g.play(9000, 0)
	press(frame.KeyGainLess)
	press(frame.KeyWetter)
	press(frame.KeyWetter | frame.KeyGainLess)
	press(frame.KeyMotionLess)
	g.stop()
	g.play(1500, 0)
	g.clear()
	g.play(7000, 0)
	press(frame.KeyPause)
	g.play(3000, 0)
	press(frame.KeyPause)
	press(frame.KeyGainMore)
	press(frame.KeyDrier)
	press(frame.KeyMotionMore)
	g.play(2000, 0)
	g.leave()
	g.saw([]motion.State{motion.Homing, motion.Active, motion.Halted, motion.Parking, motion.Parked},
		[]guard.State{guard.Driving, guard.Stopped, guard.Ready, guard.Releasing, guard.Parked})
	g.is(0x5e2f71bdf3c4aa82)
}

// is fails unless the drive was the one that is known.
func (g *goldenDemo) is(want uint64) {
	g.t.Helper()
	if g.hash.sum != want {
		g.t.Errorf("hash %016x, want %016x: the demo drives otherwise than it did; if that is meant, write the new hash here", g.hash.sum, want)
	}
}

// The keys take over from the driver model, and give back.
func TestGoldenDemoByKeys(t *testing.T) {
	level.SkipIfQuick(t)
	g := newGoldenDemo(t, func(c *config.Config) { c.Motion.Protocol = motion.ProtocolSMC3 })
	g.play(9000, 0)
	for _, keys := range []uint64{frame.KeyUp, frame.KeyUp | frame.KeyLeft, frame.KeyDown | frame.KeyRight, frame.KeyReset, frame.KeyUp} {
		g.play(1000, keys)
	}
	g.play(8000, 0)
	g.play(48, frame.KeyReset)
	g.play(3000, 0)
	g.leave()
	g.is(0x4d5fffe29027da7e)
}
