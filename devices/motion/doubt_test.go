package motion

import (
	"bytes"
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

// liar is a controller of which the next answers about its state are changed on the line.
type liar struct {
	simulated.Controller
	head  []byte // of an answer about the state
	at    int    // byte of the answer that is changed
	to    byte
	times int // answers that are still changed
}

func (l *liar) Handle(in []byte) []byte        { return l.change(l.Controller.Handle(in)) }
func (l *liar) Advance(d time.Duration) []byte { return l.change(l.Controller.Advance(d)) }

func (l *liar) change(out []byte) []byte {
	out = bytes.Clone(out)
	for from := 0; l.times > 0; l.times-- {
		i := bytes.Index(out[from:], l.head)
		if i < 0 {
			return out
		}
		out[from+i+l.at] = l.to
		from += i + len(l.head)
	}
	return out
}

const preparing = 0x00 // a state of motion4sim, which it tells after a restart

// lies are states that no controller was in: one byte of an answer without checksum.
var lies = []struct {
	name string
	make func(*testing.T) (*virtual, *liar)
	to   byte
	want wire.Faults // when it is told twice
}{
	{"smc3, a motor is off", lyingSMC3, 0x14, wire.FaultEndStop},
	{"motion4sim, emergency stop", lyingMotion4Sim, 0x02, wire.FaultStop},
	{"motion4sim, offline", lyingMotion4Sim, 0x08, wire.FaultOffline},
	{"motion4sim, ready", lyingMotion4Sim, 0x31, wire.FaultOffline},
	{"motion4sim, preparing after a restart", lyingMotion4Sim, preparing, wire.FaultOffline},
	{"motion4sim, an unknown state", lyingMotion4Sim, 0x77, wire.FaultOffline},
}

func lyingSMC3(t *testing.T) (*virtual, *liar) {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait = ProtocolSMC3, 0.1
	l := &liar{Controller: smc3.NewSimulator(smc3.DefaultSimulatorConfig()), head: []byte("[a"), at: 2}
	return newVirtual(t, cfg, l), l
}

func lyingMotion4Sim(t *testing.T) (*virtual, *liar) {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait, cfg.Baud = ProtocolMotion4Sim, 0.2, 250_000
	l := &liar{Controller: motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig()), head: []byte{0xf9, 0xf9, 0, 0}, at: 5}
	return newVirtual(t, cfg, l), l
}

// swing follows a target that swings, and fails if the path ever jumps.
func (v *virtual) swing(seconds float64) {
	v.t.Helper()
	most := v.cfg.MaxSpeed[0]*v.cfg.period().Seconds() + hair
	for range int(seconds / v.cfg.period().Seconds()) {
		before := v.machine.sent[0]
		v.push(wire.AllAt(0.6 + 0.15*math.Sin(3*v.now.Seconds())))
		v.step()
		if v.phaseDrives() && math.Abs(v.machine.sent[0]-before) > most {
			v.t.Fatalf("jumps from %.4f to %.4f", before, v.machine.sent[0])
		}
	}
}

func (v *virtual) phaseDrives() bool { return v.past.sentAt == v.now }

// One answer that a stop or a fault changed is acted on at once: the platform stops
// following. It is neither a fault nor said when the next answer is another, and the
// platform goes on gently by itself.
func TestOneWrongStatusHoldsForAnAnswer(t *testing.T) {
	for _, lie := range lies {
		t.Run(lie.name, func(t *testing.T) {
			v, l := lie.make(t)
			v.untilState(Ready)
			v.drive(3, wire.AllAt(0.6))
			v.swing(4.1)
			v.want(Active)
			texts := 0
			v.only = func(a wire.Answer) bool {
				if a.Text != "" {
					texts++
				}
				return true
			}
			l.to, l.times = lie.to, 1
			for l.times > 0 {
				v.swing(0.004)
			}
			if v.swing(0.004); !v.trajectory.unresponsive {
				t.Error("goes on following")
			}
			began := v.now
			for v.trajectory.unresponsive && v.now < began+time.Second {
				v.swing(0.004)
			}
			if took := v.now - began; took > 60*time.Millisecond {
				t.Errorf("held for %v, want until the next answers", took)
			}
			if speed := math.Abs(v.trajectory.limiters[0].velocity); speed > v.cfg.HomeSpeed+0.6 {
				t.Errorf("goes on with %.2f strokes/s", speed)
			}
			v.swing(3)
			if v.trajectory.faultCause != 0 || texts > 0 || v.board.restarts.Load() > 0 {
				t.Errorf("cause %s, %d texts, %d restarts after one wrong answer", v.trajectory.faultCause, texts, v.board.restarts.Load())
			}
			v.want(Active)
		})
	}
}

// What is told twice in a row is believed, and said once.
func TestStatusToldTwiceIsBelieved(t *testing.T) {
	for _, lie := range lies {
		t.Run(lie.name, func(t *testing.T) {
			v, l := lie.make(t)
			v.untilState(Ready)
			v.drive(3, wire.AllAt(0.6))
			believed := wire.Faults(0)
			v.only = func(wire.Answer) bool { believed |= v.machine.currentFaults(); return true }
			l.to, l.times = lie.to, 3
			v.drive(0.2, wire.AllAt(0.6))
			if lie.to == preparing {
				if v.board.restarts.Load() != 1 {
					t.Errorf("noticed %d restarts, want 1", v.board.restarts.Load())
				}
				return
			}
			if believed&lie.want == 0 || (lie.want&wire.Latching != 0 && v.trajectory.faultCause&lie.want == 0) {
				t.Errorf("believes %s, cause %s; want %s", believed, v.trajectory.faultCause, lie.want)
			}
		})
	}
}

// A doubt that nobody ends is believed: the controller says nothing more.
func TestDoubtThatStaysIsAFault(t *testing.T) {
	v, l := lyingMotion4Sim(t)
	v.untilState(Ready)
	v.drive(3, wire.AllAt(0.6))
	heard := false
	v.only = func(a wire.Answer) bool {
		pass := !heard || a.Kind != wire.AnswerStatus
		heard = heard || l.to != 0 && a.Kind == wire.AnswerStatus
		return pass
	}
	l.to, l.times = 0x02, 1
	v.swing(0.4)
	if v.want(Active); !v.trajectory.unresponsive {
		t.Error("goes on following")
	}
	v.swing(0.3)
	v.want(Fault)
	if v.trajectory.faultCause != wire.FaultStop {
		t.Errorf("the cause is %s", v.trajectory.faultCause)
	}
}

// A controller that tells of a fault once and then falls silent is parked as one that falls
// silent at any other time.
func TestDoubtDoesNotKeepASilentControllerFromParking(t *testing.T) {
	v, l := lyingSMC3(t)
	v.untilState(Ready)
	v.drive(3, wire.AllAt(0.7))
	for l.to, l.times = 0x14, 1; l.times > 0; {
		v.drive(0.004, wire.AllAt(0.7))
	}
	v.deaf = true
	v.until("given up", func() bool { return len(v.errs) > 0 })
	if at := v.trajectory.limiters[0].position; math.Abs(at-0.5) > hair {
		t.Errorf("was sent to %.3f before the line was given up, want the park position", at)
	}
}
