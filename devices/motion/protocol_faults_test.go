package motion

import (
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/test/level"
)

// dirtyLine is a controller behind a line that changes one byte in every n bytes, in
// both ways; 0: none.
type dirtyLine struct {
	simulated.Controller
	every, random uint32
}

func (l *dirtyLine) Handle(in []byte) []byte        { return l.carry(l.Controller.Handle(l.carry(in))) }
func (l *dirtyLine) Advance(d time.Duration) []byte { return l.carry(l.Controller.Advance(d)) }

// carry returns in as it arrives at the other end of the line.
func (l *dirtyLine) carry(in []byte) []byte {
	out := append([]byte(nil), in...)
	for i := range out {
		l.random = l.random*1664525 + 1013904223 // Numerical Recipes, section 7.1
		if l.every > 0 && l.random>>8%l.every == 0 {
			out[i] = byte(l.random >> 24)
		}
	}
	return out
}

// onEveryProtocol calls f with a platform of each protocol, and of each preset of a
// template, which rests elsewhere than at its center.
func onEveryProtocol(t *testing.T, f func(t *testing.T, v *virtual, line *dirtyLine)) {
	run := func(name string, cfg Config, sim simulated.Controller) {
		cfg.HomeSpeed, cfg.ParkSpeed, cfg.ParkPosition, cfg.StartPosition = 0.3, 0.3, wire.AllAt(0.35), wire.AllAt(0.5)
		cfg.Template.Reference = false // the simulated controller knows where its actuators are
		line := &dirtyLine{Controller: sim}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, newVirtual(t, cfg, line), line)
		})
	}
	for _, c := range simulatedControllers {
		cfg := DefaultConfig()
		cfg.Protocol, cfg.Baud, cfg.BootWait = c.protocol, 115_200, 0.3
		if c.adjust != nil {
			c.adjust(&cfg)
		}
		run(c.name, cfg, c.sim())
	}
	for _, name := range templatePresets(t) {
		cfg := presetConfig(t, name)
		if cfg.Template.BootText == "" {
			cfg.Template.BootText = "ready" // else nobody could notice a restart
		}
		sim, err := template.NewSimulator(cfg.Template)
		if err != nil {
			t.Fatal(err)
		}
		run(name, cfg, sim)
	}
}

// homesGently steps until the platform follows l, and fails unless each homing
// begins where the actuators stand, if they can tell, and keeps to its speed.
func (v *virtual) homesGently(l wire.Legs) {
	v.t.Helper()
	step := v.cfg.HomeSpeed * v.cfg.period().Seconds() * (1 + hair)
	homing, last := false, wire.Legs{}
	v.until("active", func() bool {
		now := v.past.sentAt == v.now && v.trajectory.state == Homing
		for axis, at := range v.sim.Positions() {
			to := v.machine.sent[axis]
			if now && !homing && v.codec.ReportsPosition() && math.Abs(to-at) > maxDisplacement {
				v.t.Errorf("actuator %d: homing begins at %.3f, it stands at %.3f", axis, to, at)
			}
			if now && homing && math.Abs(to-last[axis]) > step {
				v.t.Fatalf("actuator %d: homing goes from %.4f to %.4f in one step, at most %.4f", axis, last[axis], to, step)
			}
		}
		homing, last = now, v.machine.sent
		v.push(l)
		return v.machine.state() == Active
	})
}

// What happens to a controller or its line in mid-drive is noticed; then the
// platform is homed gently, follows and is parked.
func TestEveryProtocolDrivesOnAfterFaults(t *testing.T) {
	level.SkipIfQuick(t)
	faults := []struct {
		name   string
		happen func(v *virtual, line *dirtyLine)
	}{
		{"none", func(*virtual, *dirtyLine) {}},
		{"restart", func(v *virtual, _ *dirtyLine) {
			v.sim.Reset()
			v.until("noticed", func() bool { v.push(wire.AllAt(0.65)); return v.machine.state() != Active })
		}},
		{"unplugged", func(v *virtual, _ *dirtyLine) {
			v.sim.Reset() // its power comes from the bus
			v.lose(500 * time.Millisecond)
		}},
		{"stalled", func(v *virtual, _ *dirtyLine) {
			if v.codec.ReportsPosition() {
				v.lose(1100 * time.Millisecond)
			} else {
				v.pause(1100 * time.Millisecond)
			}
		}},
		{"garbage", func(v *virtual, line *dirtyLine) {
			noise := v.codec.Noise()
			line.every = 100
			v.drive(2, wire.AllAt(0.65))
			line.every = 0
			if v.codec.ReportsPosition() && v.codec.Noise() == noise {
				v.t.Error("no noise was counted")
			}
			if v.machine.state() == Fault { // a restart of the controller and an order to home end it
				v.sim.Reset()
				v.drive(1, wire.AllAt(0.65))
				v.requests.homeOrders++
				v.drive(0.1, wire.AllAt(0.65))
			}
		}},
	}
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			onEveryProtocol(t, func(t *testing.T, v *virtual, line *dirtyLine) {
				v.homesGently(wire.AllAt(0.65))
				v.drive(3, wire.AllAt(0.65))
				v.wantAt(0.65, 0.02)
				fault.happen(v, line)
				v.homesGently(wire.AllAt(0.4))
				v.drive(3, wire.AllAt(0.4))
				v.want(Active)
				v.wantAt(0.4, 0.02)
				v.requests.shutDown = true
				v.until("ended", func() bool { return len(v.errs) > 0 })
				if v.errs[0] != nil {
					t.Error(v.errs[0])
				}
				v.wantAt(0.35, 0.02)
			})
		})
	}
}
