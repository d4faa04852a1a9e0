package motion

import (
	"errors"
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/thanos"
	"rig.example/rig/devices/motion/wire"
)

// virtual is a Virtual that a test looks into, step by step.
type virtual struct {
	*Virtual
	t          *testing.T
	cfg        Config
	board      *sharedStatus
	trajectory *trajectory
	past       *carryOver
	requests   requests               // of the next step
	alone      bool                   // nobody orders a platform home that waits
	deaf       bool                   // the controller hears nothing and says nothing
	only       func(wire.Answer) bool // answers that arrive; nil for all
	said       []byte                 // in the last step
	errs       []error                // why lines were given up
}

func newVirtual(t *testing.T, cfg Config, sim simulated.Controller) *virtual {
	t.Helper()
	v := &virtual{t: t}
	var err error
	if v.Virtual, err = NewVirtual(cfg, tapped{sim, v}, nil); err != nil {
		t.Fatal(err)
	}
	v.cfg, v.board, v.trajectory, v.past = v.p.cfg, v.p.sharedStatus, v.p.trajectory, &v.p.carriedOver
	return v
}

// tapped is the controller of a virtual, of which a test hears what it is told.
type tapped struct {
	simulated.Controller
	v *virtual
}

func (s tapped) Handle(in []byte) []byte {
	s.v.said = append(s.v.said, in...)
	if s.v.deaf {
		return nil
	}
	return s.Controller.Handle(in)
}

func (s tapped) Advance(d time.Duration) []byte {
	if out := s.Controller.Advance(d); !s.v.deaf {
		return out
	}
	return nil
}

// filtered is the codec of a virtual, of whose answers a test lets some pass.
type filtered struct {
	wire.Codec
	v *virtual
}

func (f filtered) Feed(b byte) (wire.Answer, bool) {
	a, ok := f.Codec.Feed(b)
	return a, ok && (f.v.only == nil || f.v.only(a))
}

// step lets one period pass.
func (v *virtual) step() {
	if _, ok := v.codec.(filtered); !ok {
		v.codec = filtered{v.codec, v}
	}
	if !v.alone && v.p.waits() && !v.requests.park {
		v.requests.homeOrders++
	}
	v.p.halt.Store(v.requests.halt)
	v.p.parkOrdered.Store(v.requests.park)
	v.p.interlockLatched.Store(v.requests.interlock)
	v.p.homeOrders.Store(v.requests.homeOrders)
	v.isLeaving, v.said = v.requests.shutDown, v.said[:0]
	was := v.session
	err := v.Step(v.cfg.period())
	if v.session != was {
		v.errs, v.said = append(v.errs, err), nil
	}
	if v.session == nil {
		v.open()
	}
}

// open begins anew on another line.
func (v *virtual) open() {
	if err := v.Virtual.open(); err != nil {
		v.t.Fatal(err)
	}
}

// drive pushes l for a number of seconds.
func (v *virtual) drive(seconds float64, l wire.Legs) {
	for range int(seconds / v.cfg.period().Seconds()) {
		v.push(l)
		v.step()
	}
}

func (v *virtual) push(l wire.Legs) { v.Push(l) }

// until steps until reached, for a minute at most.
func (v *virtual) until(what string, reached func() bool) {
	v.t.Helper()
	for end := v.now + time.Minute; !reached(); v.step() {
		if v.now > end {
			v.t.Fatalf("never %s: %s, phase %d, faults %s", what, v.machine.state(), v.machine.phase, v.machine.currentFaults())
		}
	}
}

func (v *virtual) untilState(want State) {
	v.t.Helper()
	v.until(want.String(), func() bool { return v.machine.state() == want })
}

func (v *virtual) want(want State) {
	v.t.Helper()
	if got := v.machine.state(); got != want {
		v.t.Errorf("is %s (%s), want %s", got, v.machine.currentFaults()|v.trajectory.faultCause, want)
	}
}

func (v *virtual) wantAt(share, tolerance float64) {
	v.t.Helper()
	for i, at := range v.sim.Positions() {
		if math.Abs(at-share) > tolerance {
			v.t.Errorf("actuator %d stands at %.3f, want %.3f", i, at, share)
		}
	}
}

func virtualSMC3(t *testing.T) *virtual {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait = ProtocolSMC3, 2
	return newVirtual(t, cfg, smc3.NewSimulator(smc3.SimulatorConfig{Start: [3]float64{0.42, 0.55, 0.5}, BootTime: 1600 * time.Millisecond}))
}

func virtualThanos(t *testing.T) *virtual {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait, cfg.Baud = ProtocolThanos, 0.2, 250_000
	return newVirtual(t, cfg, thanos.NewSimulator(thanos.SimulatorConfig{Start: []float64{0.5, 0.5, 0.5, 0.5}, BootTime: time.Second}))
}

// A board that restarts is deaf for 1.6 s and drives to the center by itself.
// It is asked where it stands, and homed from there, without anybody's help.
func TestRestartInMidDriveIsHomedGently(t *testing.T) {
	v := virtualSMC3(t)
	v.untilState(Ready)
	v.drive(4, wire.AllAt(0.7))
	v.want(Active)
	v.sim.Reset()
	for range 6 {
		v.drive(0.1, wire.AllAt(0.7))
	}
	v.want(Fault) // no answer
	for i := 0; v.machine.phase != locating && i < 1000; i++ {
		v.drive(0.004, wire.AllAt(0.7))
	}
	worst, last := 0.0, math.NaN()
	for range 500 {
		v.drive(0.004, wire.AllAt(0.7))
		at := v.sim.Positions()[0]
		if !math.IsNaN(last) && v.machine.phase == driving {
			worst = max(worst, math.Abs(at-last)/v.cfg.period().Seconds())
		}
		last = at
	}
	if worst > 2*v.cfg.HomeSpeed {
		t.Errorf("moved with %.2f strokes/s after the restart, home speed is %.2f", worst, v.cfg.HomeSpeed)
	}
	v.drive(5, wire.AllAt(0.7))
	v.want(Active)
	v.wantAt(0.7, 0.02)
	if len(v.errs) != 0 {
		t.Errorf("the line was given up: %v", v.errs)
	}
}

// A controller that tells of its restart is greeted and taken over anew.
func TestRestartThatIsToldIsHomed(t *testing.T) {
	v := virtualThanos(t)
	v.untilState(Ready)
	v.drive(4, wire.AllAt(0.7))
	v.want(Active)
	v.sim.Reset()
	v.drive(2, wire.AllAt(0.7))
	if got := v.board.restarts.Load(); got != 1 {
		t.Errorf("noticed %d restarts, want 1", got)
	}
	v.drive(5, wire.AllAt(0.7))
	v.want(Active)
	v.wantAt(0.7, 0.02)
}

// A short silence in which nothing moved is no restart: the platform goes on
// from where it is.
func TestShortSilenceIsNoRestart(t *testing.T) {
	v := virtualSMC3(t)
	v.untilState(Ready)
	v.drive(4, wire.AllAt(0.7))
	v.deaf = true
	v.drive(0.3, wire.AllAt(0.7))
	v.deaf = false
	v.drive(0.2, wire.AllAt(0.7))
	v.want(Active)
	v.wantAt(0.7, 0.02)
}

// An actuator that no longer tells where it is, after a silence, cannot be
// driven on: the line is given up.
func TestActuatorThatStaysSilentIsNotDriven(t *testing.T) {
	v := virtualSMC3(t)
	v.untilState(Ready)
	v.drive(4, wire.AllAt(0.7))
	v.deaf = true
	v.drive(0.3, wire.AllAt(0.6))
	for range 1000 {
		v.board.store(wire.Answer{Kind: wire.AnswerPosition, Axis: 0, Position: 0.7, Temperature: math.NaN()}, v.now)
		v.drive(0.004, wire.AllAt(0.6))
		if len(v.errs) > 0 {
			break
		}
	}
	if len(v.errs) == 0 || !errors.Is(v.errs[0], wire.ErrSilent) {
		t.Errorf("ended with %v", v.errs)
	}
}

func TestSilenceParksAndGivesUp(t *testing.T) {
	v := virtualSMC3(t)
	v.untilState(Ready)
	v.drive(4, wire.AllAt(0.7))
	v.deaf = true
	v.until("given up", func() bool { return len(v.errs) > 0 })
	if !errors.Is(v.errs[0], wire.ErrSilent) || math.Abs(v.trajectory.limiters[0].position-0.5) > hair {
		t.Errorf("%v at %g, want silence and the park position", v.errs, v.trajectory.limiters[0].position)
	}
	v.deaf = false
	v.untilState(Ready)
}

// A platform that cannot tell where it stands is never silent.
func TestPlatformWithoutFeedbackNeedsNoAnswers(t *testing.T) {
	v := virtualThanos(t)
	v.untilState(Ready)
	v.drive(30, wire.AllAt(0.6))
	v.want(Active)
	v.requests.shutDown = true
	began := v.now
	v.until("ended", func() bool { return len(v.errs) > 0 })
	if v.errs[0] != nil {
		t.Error(v.errs[0])
	}
	if took := (v.now - began).Seconds(); took < 1 {
		t.Errorf("is taken to be parked after %g s, want the settling time at least", took)
	}
}

func TestStuckActuatorIsAFault(t *testing.T) {
	v := virtualSMC3(t)
	v.untilState(Ready)
	jam := func(seconds float64, to wire.Legs) {
		for range int(seconds / v.cfg.period().Seconds()) {
			v.push(to)
			v.step()
			v.board.store(wire.Answer{Kind: wire.AnswerPosition, Axis: 1, Position: 0.5, Temperature: math.NaN()}, v.now)
		}
	}
	v.drive(1, wire.AllAt(0.5))
	jam(1, wire.AllAt(0.55))
	v.want(Active)
	for range 20 { // it passes by where it is stuck
		for i := range 10 {
			jam(0.2, wire.AllAt(0.5+0.35*math.Sin(2*math.Pi*float64(i)/10)))
		}
		if v.machine.state() == Fault {
			break
		}
	}
	v.want(Fault)
	if v.trajectory.faultCause != wire.FaultFollow {
		t.Errorf("the cause is %s", v.trajectory.faultCause)
	}
	jam(10, wire.AllAt(0.8))
	v.want(Fault)
	v.requests.homeOrders++
	v.drive(10, wire.AllAt(0.6))
	v.want(Active)
}

// What the controller tells comes to Status, and what is grave stops the
// platform until it is ordered to home and it is well again.
func TestToldFaultsStopThePlatform(t *testing.T) {
	tests := []struct {
		name  string
		fault wire.Faults
		want  State
	}{
		{"drive", wire.FaultDrive, Fault}, {"hot", wire.FaultTemperature, Fault}, {"end stop", wire.FaultEndStop, Fault},
		{"emergency stop", wire.FaultStop, Fault}, {"spike filter", wire.FaultSpike, Active},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := virtualThanos(t)
			v.untilState(Ready)
			v.drive(3, wire.AllAt(0.6))
			v.board.store(wire.Answer{Kind: wire.AnswerStatus, Axis: 2, Fault: tt.fault, Temperature: 71}, v.now)
			v.drive(1, wire.AllAt(0.6))
			v.want(tt.want)
			s := v.board.snapshot()
			if s.Faults != tt.fault || s.Temperature[2] != 71 || !math.IsNaN(s.Temperature[1]) {
				t.Errorf("tells %s at %g", s.Faults, s.Temperature)
			}
			v.requests.homeOrders++
			v.drive(3, wire.AllAt(0.6))
			v.want(tt.want)
			v.board.store(wire.Answer{Kind: wire.AnswerStatus, Axis: 2, Temperature: math.NaN()}, v.now)
			v.drive(1, wire.AllAt(0.6))
			v.want(tt.want)
			v.requests.homeOrders++
			v.drive(6, wire.AllAt(0.6))
			v.want(Active)
			if s := v.board.snapshot(); s.Faults != 0 {
				t.Errorf("still tells %s", s.Faults)
			}
		})
	}
}

// A controller that goes off line stands still, and is homed when it is back.
func TestOfflineControllerIsWaitedFor(t *testing.T) {
	v := virtualThanos(t)
	v.untilState(Ready)
	v.drive(3, wire.AllAt(0.6))
	v.board.store(wire.Answer{Kind: wire.AnswerStatus, Axis: -1, Fault: wire.FaultOffline, Temperature: math.NaN()}, v.now)
	v.drive(1, wire.AllAt(0.7))
	if at := v.trajectory.limiters[0].position; math.Abs(at-0.6) > hair {
		t.Errorf("went to %g while nobody followed", at)
	}
	v.board.store(wire.Answer{Kind: wire.AnswerStatus, Axis: -1, Temperature: math.NaN()}, v.now)
	v.drive(0.1, wire.AllAt(0.6))
	v.want(Homing)
	v.drive(6, wire.AllAt(0.6))
	v.want(Active)
}

// While its belt was open a platform takes no targets, before somebody has
// looked and ordered it to home.
func TestInterlockNeedsAnOrderToHome(t *testing.T) {
	v := virtualSMC3(t)
	v.requests.interlock = true
	v.drive(5, wire.AllAt(0.7))
	v.want(Halted)
	v.requests.interlock = false
	v.drive(2, wire.AllAt(0.7))
	v.want(Halted)
	v.requests.homeOrders++
	v.drive(5, wire.AllAt(0.7))
	v.want(Active)
	v.requests.interlock = true
	v.drive(0.1, wire.AllAt(0.7))
	v.want(Parking)
	v.drive(5, wire.AllAt(0.7))
	v.want(Parked)
	v.wantAt(0.5, 0.02)
}

func TestStateMachineAllocatesNothingWhileItDrives(t *testing.T) {
	v := virtualSMC3(t)
	v.untilState(Ready)
	d := pushedTarget{newest: wire.AllAt(0.7), hasNew: true}
	if n := testing.AllocsPerRun(100, func() {
		v.now += v.cfg.period()
		d.pushedAt = v.now
		v.machine.step(v.now, v.requests, d)
	}); n != 0 {
		t.Errorf("%g allocations, want 0", n)
	}
}
