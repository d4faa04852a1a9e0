package motion

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/wire"
)

// templateThatTells is a template whose controller tells when it restarts.
func templateThatTells(t *testing.T, adjust func(*Config)) *virtual {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait, cfg.Baud = ProtocolTemplate, 0.2, 115_200
	cfg.Template.Output = []string{"P4<Axis1a><Axis2a><Axis3a><Axis4a>!!"}
	cfg.Template.BootText = "ready"
	adjust(&cfg)
	sim, err := template.NewSimulator(cfg.Template)
	if err != nil {
		t.Fatal(err)
	}
	return newVirtual(t, cfg, sim)
}

// lose leaves the controller without a line for a time.
func (v *virtual) lose(d time.Duration) {
	v.pause(d)
	v.open()
}

// pause lets time pass in which nobody steps: the writer waits for its port, or was stopped.
func (v *virtual) pause(d time.Duration) {
	v.now += d
	for _, b := range v.sim.Advance(d) {
		if a, ok := v.codec.Feed(b); ok {
			v.board.store(a, v.now)
		}
	}
}

// A controller without feedback keeps what it was sent last: where nothing else
// is known the path begins there, and no first target is a leap.
func TestLostLineIsTakenUpWhereTheControllerIs(t *testing.T) {
	plain, dumb := func(*Config) {}, func(c *Config) { c.Template.BootText = "" }
	greeted := func(c *Config) { c.Template.Startup = []string{"H"} }
	tests := []struct {
		name    string
		adjust  func(*Config)
		away    time.Duration
		restart bool
		want    float64 // first target
	}{
		{"a short loss", plain, 500 * time.Millisecond, false, 0.7},
		{"a long one: it may have been without power", plain, 3 * time.Second, false, 0.5},
		{"a restart that it tells", plain, 500 * time.Millisecond, true, 0.5},
		{"it cannot tell restarts", dumb, 500 * time.Millisecond, false, 0.5},
		{"its greeting may move it", greeted, 500 * time.Millisecond, false, 0.5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := templateThatTells(t, tt.adjust)
			v.untilState(Ready)
			v.drive(5, wire.AllAt(0.7))
			v.want(Active)
			if tt.restart {
				v.sim.Reset()
			}
			v.lose(tt.away)
			v.until("sent on", func() bool { return v.machine.sent[0] > 0 })
			if got := v.machine.sent[0]; math.Abs(got-tt.want) > 1e-3 {
				t.Errorf("begins at %.4f, want %g", got, tt.want)
			}
		})
	}
}

// A restart that was told makes the path void for good, also where the line was
// lost before it was handled.
func TestRestartIsNotForgottenWithTheLine(t *testing.T) {
	v := templateThatTells(t, func(*Config) {})
	v.untilState(Ready)
	v.drive(5, wire.AllAt(0.7))
	v.board.store(wire.Answer{Kind: wire.AnswerRestarted, Axis: -1, Temperature: math.NaN()}, v.now)
	v.lose(100 * time.Millisecond) // before a step has handled it
	v.until("sent on", func() bool { return v.machine.sent[0] > 0 })
	if got := v.machine.sent[0]; math.Abs(got-0.5) > 1e-3 {
		t.Errorf("begins at %.4f, want 0.5", got)
	}
}

// A motion4sim controller prepares its actuators by itself, which takes a
// second from the bottom: meanwhile nothing is sent, and nothing counts as homed.
func TestControllerThatPreparesIsWaitedFor(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait, cfg.Baud = ProtocolMotion4Sim, 0.2, 250_000
	v := newVirtual(t, cfg, motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig()))
	sent := false
	v.until("ready", func() bool {
		sent = sent || bytes.HasPrefix(v.said, []byte{0xff, 0xff})
		if at := v.sim.Positions()[0]; sent && at < 0.48 {
			t.Fatalf("is sent somewhere while it prepares, at %.3f", at)
		}
		return v.machine.state() == Ready
	})
	v.wantAt(0.5, 0.02)
	v.deaf = true
	v.lose(time.Second)
	v.until("given up", func() bool { return len(v.errs) > 0 })
	if !errors.Is(v.errs[0], wire.ErrSilent) {
		t.Errorf("a silent controller gave %v", v.errs[0])
	}
}

// found is a trajectory whose platform was found low, with its belt or door open.
func found(action string) *trajectory {
	cfg := quickConfig("/dev/null")
	cfg.StopAction = action
	p := newTrajectory(cfg)
	p.start(wire.AllAt(0.2), true)
	return p
}

// Somebody may be climbing in: nothing but an order to home, with all closed,
// moves a platform that was found with its belt or door open.
func TestNothingMovesWhatWasFoundWithAnOpenBelt(t *testing.T) {
	tests := []struct {
		name   string
		action string
		orders stepInput
	}{
		{"nothing ordered", StopHold, stepInput{interlock: true}},
		{"where a halt parks", StopPark, stepInput{interlock: true}},
		{"a halt that parks", StopPark, stepInput{interlock: true, halt: true}},
		{"the end of the drive, or an order to park", StopHold, stepInput{interlock: true, park: true}},
		{"targets", StopHold, stepInput{interlock: true, target: wire.AllAt(0.7), hasNewTarget: true}},
		{"a fault", StopHold, stepInput{interlock: true, faults: wire.FaultDrive}},
		{"an order to home that came in between", StopHold, stepInput{interlock: true, homeOrders: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := found(tt.action)
			if at := run(p, 3, tt.orders); at != wire.AllAt(0.2) || !p.isHeld() {
				t.Errorf("%s at %g, want 0.2", p.state, at[0])
			}
			if p.step(stepInput{homeOrders: 2}); p.state != Homing && p.state != Fault {
				t.Errorf("is %s after an order to home", p.state)
			}
		})
	}
}

// A platform that was in a fault, or parked elsewhere, is not moved either when
// it is found again; one that rests where it parks stays parked.
func TestFoundAgainWithAnOpenBelt(t *testing.T) {
	p := readyTrajectory()
	run(p, 3, stepInput{faults: wire.FaultDrive})
	p.start(wire.AllAt(0.2), true)
	if at := run(p, 3, stepInput{interlock: true}); at != wire.AllAt(0.2) || p.state != Fault {
		t.Errorf("%s at %g, want a fault at 0.2", p.state, at[0])
	}
	p = readyTrajectory()
	run(p, 3, stepInput{interlock: true})
	p.start(wire.AllAt(0.8), true)
	if at := run(p, 3, stepInput{interlock: true}); at != wire.AllAt(0.8) || p.state != Halted {
		t.Errorf("%s at %g, want halted at 0.8", p.state, at[0])
	}
	p = readyTrajectory()
	run(p, 3, stepInput{interlock: true})
	p.start(wire.AllAt(0.51), true)
	if run(p, 3, stepInput{interlock: true}); p.state != Parked {
		t.Errorf("%s, want parked", p.state)
	}
}

// The controller's own emergency stop comes first: where a halt parks, the path
// stays while it is pressed and after it was released.
func TestHaltThatParksWaitsForTheControllersStop(t *testing.T) {
	p := readyTrajectory()
	p.cfg.StopAction = StopPark
	run(p, 2, stepInput{target: wire.AllAt(0.7), hasNewTarget: true})
	run(p, 1, stepInput{halt: true, faults: wire.FaultStop})
	at := run(p, 3, stepInput{halt: true})
	if math.Abs(at[0]-0.7) > hair || p.state != Halted || !p.isHeld() {
		t.Errorf("%s at %g, want halted at 0.7", p.state, at[0])
	}
	if p.faultCause != wire.FaultStop {
		t.Errorf("the cause is %s", p.faultCause)
	}
	p.step(stepInput{homeOrders: 1})
	if p.state != Homing || p.faultCause != 0 {
		t.Errorf("is %s (%s) after an order to home", p.state, p.faultCause)
	}
}

// Goodbye is said to a platform that was parked in good order alone: Thanos
// controllers go to a place of their own at it.
func TestGoodbyeIsSaidInGoodOrderAlone(t *testing.T) {
	tests := []struct {
		name string
		end  func(*virtual)
		want bool
	}{
		{"parked", func(*virtual) {}, true},
		{"an open belt", func(v *virtual) { v.requests.interlock = true }, false},
		{"halted where a halt parks", func(v *virtual) { v.trajectory.cfg.StopAction, v.requests.halt = StopPark, true }, false},
		{"a fault", func(v *virtual) { v.p.targets.refused.Add(1) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := virtualThanos(t)
			v.untilState(Ready)
			v.drive(3, wire.AllAt(0.6))
			tt.end(v)
			v.requests.shutDown = true
			heard := false
			v.until("ended", func() bool {
				heard = heard || bytes.Contains(v.said, []byte("Park"))
				return len(v.errs) > 0
			})
			if heard != tt.want || v.errs[0] != nil {
				t.Errorf("said goodbye: %t, want %t; %v", heard, tt.want, v.errs[0])
			}
		})
	}
}

// A line that comes and goes does not put off the end for ever.
func TestLeavingEndsOnALineThatComesAndGoes(t *testing.T) {
	v := virtualSMC3(t)
	v.untilState(Ready)
	v.trajectory.cfg.ParkPosition = wire.AllAt(0.1) // farther than it gets in its better moments
	v.drive(5, wire.AllAt(0.88))
	v.requests.shutDown = true
	limit := v.now + v.cfg.parkTime() + time.Second
	for len(v.errs) == 0 {
		if v.now > limit {
			t.Fatalf("still %s after %v", v.machine.state(), v.cfg.parkTime())
		}
		v.deaf = v.now%(900*time.Millisecond) < 700*time.Millisecond
		v.step()
	}
	if !errors.Is(v.errs[0], errNotParked) {
		t.Errorf("ended with %v", v.errs[0])
	}
}

// shortPort takes a few bytes of each write, and none of every other one.
type shortPort struct {
	serial.Port
	got   []byte
	calls int
}

func (p *shortPort) Write(b []byte) (int, error) {
	if p.calls++; p.calls%2 == 0 {
		return 0, unix.EAGAIN
	}
	n := min(len(b), 3)
	p.got = append(p.got, b[:n]...)
	return n, nil
}

// A port that takes only part of a target gets the rest of it, not another one
// in the middle: "A@B" and then "A@B@" would send actuator 2 to 'A'.
func TestShortWritesCutNoTargetShort(t *testing.T) {
	cfg := quickConfig("/dev/null")
	cfg.Protocol, cfg.BootWait, cfg.Baud = ProtocolTemplate, 0, 115_200
	cfg.Template.Bits, cfg.Template.Output = 8, []string{"A<Axis1a>B<Axis2a>"}
	short := &shortPort{}
	synctest.Test(t, func(t *testing.T) {
		p, err := New(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := newCodec(p.cfg)
		if err != nil {
			t.Fatal(err)
		}
		p.OrderHome()
		s := newSession(p, &port.Line{Port: short}, c)
		for s.writtenAt = p.clock(); p.clock() < time.Second; time.Sleep(p.cfg.period()) {
			if err := s.step(false); err != nil {
				t.Fatal(err)
			}
		}
	})
	if len(short.got) < 100 {
		t.Fatalf("only %d bytes were taken", len(short.got))
	}
	for i, b := range short.got {
		if want := [...]byte{'A', 0x80, 'B', 0x80}[i%4]; b != want {
			t.Fatalf("byte %d is %#x, want %#x", i, b, want)
		}
	}
}

// A board that still reports one actuator by itself, and answers nothing, has fallen silent:
// the others' old places are no following error, and it drives on when it answers again.
func TestOldFeedbackIsNoFollowingError(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait, cfg.MaxSpeed, cfg.MaxFollowError, cfg.MaxFollowTime = ProtocolSMC3, 0.2, wire.AllAt(2), 0.02, 0.1
	v := newVirtual(t, cfg, smc3.NewSimulator(smc3.DefaultSimulatorConfig()))
	v.untilState(Ready)
	v.drive(1.5, wire.AllAt(0.3))
	v.only = func(a wire.Answer) bool { return a.Kind != wire.AnswerPosition || a.Axis == 0 }
	for i := range 75 { // 0.3 s
		v.push(wire.AllAt(0.3 + 0.3*math.Sin(float64(i)*0.02)))
		v.step()
	}
	if f := v.machine.currentFaults(); f&wire.FaultFollow != 0 {
		t.Errorf("faults %s while nothing is known", f)
	}
	if !v.machine.unresponsive {
		t.Error("goes on though two actuators have told nothing for 0.3 s")
	}
	v.only = nil
	v.drive(5, wire.AllAt(0.5))
	if v.machine.state() != Active || v.machine.currentFaults() != 0 {
		t.Errorf("answers again: %s, faults %s", v.machine.state(), v.machine.currentFaults())
	}
}

// A motion4sim whose line was lost is taken up in the middle, where it prepares its
// actuators; one that took nothing for a while is sent on from where it was.
func TestMotion4SimIsTakenUpWhereItStands(t *testing.T) {
	for _, tt := range []struct {
		name   string
		happen func(*virtual)
		want   float64
	}{
		{"it took nothing", func(v *virtual) { v.pause(1200 * time.Millisecond) }, 0.7},
		{"it restarted", func(v *virtual) { v.sim.Reset(); v.lose(50 * time.Millisecond) }, 0.5},
	} {
		cfg := DefaultConfig()
		cfg.Protocol, cfg.BootWait, cfg.Baud = ProtocolMotion4Sim, 0.2, 250_000
		v := newVirtual(t, cfg, motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig()))
		v.untilState(Ready)
		v.drive(5, wire.AllAt(0.7))
		v.want(Active)
		tt.happen(v)
		v.machine.sent[0] = 0
		v.until("sent on", func() bool { return v.machine.sent[0] > 0 })
		if got := v.machine.sent[0]; math.Abs(got-tt.want) > 1e-3 {
			t.Errorf("%s: begins at %.4f, want %g", tt.name, got, tt.want)
		}
	}
}

// A simulated controller may be held up by the machine for longer than a real one may be silent; then it is silent too.
func TestASimulatedControllerIsWaitedForLonger(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait = ProtocolSMC3, 0.1
	v := newVirtual(t, cfg, smc3.NewSimulator(smc3.DefaultSimulatorConfig()))
	v.machine.cfg.Simulated = true // as for one at the other end of a pseudo-terminal
	v.untilState(Ready)
	v.drive(3, wire.AllAt(0.6))
	v.only = func(wire.Answer) bool { return false }
	v.drive(8*silenceLimit.Seconds(), wire.AllAt(0.6))
	v.want(Active)
	v.drive(2.2*silenceLimit.Seconds(), wire.AllAt(0.6))
	v.want(Fault)
	v.only = nil
	v.drive(8, wire.AllAt(0.6))
	v.want(Active)
}
