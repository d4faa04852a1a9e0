package motion

import (
	"fmt"
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// A writer that was stopped for longer than a target may be of age (the whole process by
// SIGSTOP, the freezer, a hog) goes on with one target a period from where it sent the
// actuators last, at rest, and takes up the targets as gently as the first ones.
func TestPathRestartsGentlyAfterAGap(t *testing.T) {
	protocols := map[string]func(*testing.T) *virtual{"smc3": virtualSMC3, "thanos": virtualThanos}
	for name, make := range protocols {
		for _, gap := range []time.Duration{60 * time.Millisecond, 300 * time.Millisecond, 3 * time.Second} {
			t.Run(fmt.Sprintf("%s %v", name, gap), func(t *testing.T) {
				t.Parallel()
				v := make(t)
				v.untilState(Ready)
				v.drive(3, wire.AllAt(0.3))
				v.cfg.MaxTargetJump, v.trajectory.cfg.MaxTargetJump = 0, 0
				v.drive(0.3, wire.AllAt(0.5)) // on its way at full speed
				if speed := v.trajectory.limiters[0].velocity; speed < 0.5 {
					t.Fatalf("moves at %.2f strokes/s before the gap, want its full speed", speed)
				}
				v.pause(gap)
				v.restartsFrom(v.machine.sent[0], wire.AllAt(0.15))
				v.drive(10, wire.AllAt(0.6))
				v.want(Active)
				v.wantAt(0.6, 0.02)
			})
		}
	}
}

// restartsFrom pushes to for half a second, and fails unless the path begins at rest at
// last and keeps to the speed of the first targets. Where it is asked again where the
// actuators stand, what is sent then must lie there.
func (v *virtual) restartsFrom(last float64, to wire.Legs) {
	v.t.Helper()
	dt := v.cfg.period().Seconds()
	located := false
	for i := range 125 {
		v.push(to)
		v.step()
		if v.past.sentAt != v.now {
			located = true
			continue
		}
		now := v.machine.sent[0]
		if located {
			if at := v.sim.Positions()[0]; math.Abs(now-at) > maxDisplacement {
				v.t.Fatalf("step %d: located and sent to %.4f, it stands at %.4f", i, now, at)
			}
			last, located = now, false
		}
		fastest := v.cfg.HomeSpeed + (v.cfg.MaxSpeed[0]-v.cfg.HomeSpeed)*float64(i+1)*dt/engageTime
		fastest = min(fastest, v.cfg.MaxAccel[0]*float64(i+1)*dt)
		if speed := math.Abs(now-last) / dt; speed > fastest+hair {
			v.t.Fatalf("step %d: %.3f strokes/s, at most %.3f", i, speed, fastest)
		}
		last = now
	}
}

// A pause of rig itself is no silence of its controller, however long: it is asked anew where
// its actuators stand, and nothing is said to be wrong with it.
func TestAPauseOfRigIsNoSilenceOfTheController(t *testing.T) {
	for _, gap := range []time.Duration{600 * time.Millisecond, 5 * time.Second, 10 * time.Minute} {
		t.Run(gap.String(), func(t *testing.T) {
			t.Parallel()
			v := virtualSMC3(t)
			v.cfg.BootWait, v.machine.cfg.BootWait = 0.2, 0.2
			v.untilState(Ready)
			v.drive(3, wire.AllAt(0.3))
			v.pause(gap)
			for range 500 {
				v.push(wire.AllAt(0.3))
				v.step()
				if f := v.machine.sharedStatus.snapshot().Faults; f != 0 || v.machine.failure != nil || v.machine.parkAfterSilence {
					t.Fatalf("fault %v, failed %v, given up %t", f, v.machine.failure, v.machine.parkAfterSilence)
				}
			}
			v.drive(5, wire.AllAt(0.3))
			v.want(Active)
			v.wantAt(0.3, 0.02)
		})
	}
}

// A platform that gets no target after a pause of rig itself parks, wherever it was, and
// one that is parked does not rise.
func TestAPlatformThatRigLeftAloneParks(t *testing.T) {
	const park = 0.2
	for _, tt := range []struct {
		name   string
		before func(*virtual)
		gap    time.Duration
		want   State
		at     float64
	}{
		{"parked", func(v *virtual) { v.drive(1, wire.AllAt(0.3)); v.idle(8); v.want(Parked) }, 600 * time.Millisecond, Parked, park},
		{"parked for long", func(v *virtual) { v.drive(1, wire.AllAt(0.3)); v.idle(8); v.want(Parked) }, 10 * time.Second, Parked, park},
		{"following", func(v *virtual) { v.drive(3, wire.AllAt(0.3)); v.want(Active) }, 600 * time.Millisecond, Parked, park},
		{"following for long", func(v *virtual) { v.drive(3, wire.AllAt(0.3)); v.want(Active) }, 10 * time.Second, Parked, park},
		{"waiting", func(v *virtual) { v.want(Ready) }, 600 * time.Millisecond, Ready, 0.5},
		{"waiting for long", func(v *virtual) { v.want(Ready) }, 10 * time.Second, Parked, park},
		{"stopped", func(v *virtual) {
			v.drive(3, wire.AllAt(0.3))
			v.requests.halt = true
			v.idle(2)
			v.requests.halt = false
		}, 10 * time.Second, Halted, 0.3},
	} {
		for protocol, made := range map[string]func(*testing.T) *virtual{"feedback": virtualSMC3, "one way": func(t *testing.T) *virtual { return templateThatTells(t, func(*Config) {}) }} {
			t.Run(tt.name+", "+protocol, func(t *testing.T) {
				t.Parallel()
				v := made(t)
				for i := range wire.Axes {
					v.trajectory.cfg.ParkPosition[i], v.machine.cfg.ParkPosition[i] = park, park
				}
				v.cfg.BootWait, v.machine.cfg.BootWait = 0.2, 0.2
				v.untilState(Ready)
				tt.before(v)
				v.pause(tt.gap)
				v.idle(10)
				v.want(tt.want)
				v.wantAt(tt.at, 0.03)
			})
		}
	}
}

// idle pushes no target for a number of seconds.
func (v *virtual) idle(seconds float64) {
	for range int(seconds / v.cfg.period().Seconds()) {
		v.step()
	}
}
