package motion

import (
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// conversation is a codec and a simulated controller without a line between
// them, a millisecond a step.
type conversation struct {
	codec wire.Codec
	sim   simulated.Controller
	heard map[wire.AnswerKind]int
	fault wire.Faults // told last
	texts []string
}

func converseWith(c wire.Codec, sim simulated.Controller) *conversation {
	return &conversation{codec: c, sim: sim, heard: map[wire.AnswerKind]int{}}
}

// begin says what is said at the start.
func (v *conversation) begin() {
	for _, p := range v.codec.Start() {
		v.hear(v.sim.Handle(p.Bytes))
		v.hear(v.sim.Advance(p.Wait))
	}
}

func (v *conversation) hear(in []byte) {
	for _, a := range told(v.codec, in) {
		v.heard[a.Kind]++
		if a.Kind == wire.AnswerStatus {
			v.fault = a.Fault
		}
		if a.Text != "" {
			v.texts = append(v.texts, a.Text)
		}
	}
}

// run demands l for so many milliseconds, with a question every fourth.
func (v *conversation) run(ms int, l wire.Legs) {
	var buf []byte
	for i := range ms {
		buf = v.codec.AppendDemand(buf[:0], &l)
		if i%4 == 0 {
			buf = v.codec.AppendQuestion(buf)
		}
		v.hear(v.sim.Handle(buf))
		v.hear(v.sim.Advance(time.Millisecond))
	}
}

// wait lets time pass without a word.
func (v *conversation) wait(d time.Duration) { v.hear(v.sim.Advance(d)) }

// simulatedControllers are the controllers that there are, each with its codec.
var simulatedControllers = []struct {
	name     string
	protocol string
	adjust   func(*Config)
	sim      func() simulated.Controller
}{
	{"smc3", ProtocolSMC3, nil, func() simulated.Controller { return NewController(DefaultControllerConfig()) }},
	{"thanos", ProtocolThanos, nil, func() simulated.Controller { return NewThanosSim(DefaultThanosSimConfig()) }},
	{"motion4sim", ProtocolMotion4Sim, nil, func() simulated.Controller { return NewMotion4SimSim(DefaultMotion4SimSimConfig()) }},
	{"motion4sim, poses", ProtocolMotion4Sim, func(c *Config) { c.Motion4Sim.Frames = M4SPose },
		func() simulated.Controller { return NewMotion4SimSim(DefaultMotion4SimSimConfig()) }},
}

func TestSimulatedControllersFollow(t *testing.T) {
	want := wire.Legs{0.7, 0.4, 0.6, 0.35, 0.55, 0.45, 0.5, 0.5}
	for _, tt := range simulatedControllers {
		for _, noise := range []bool{false, true} {
			name := tt.name
			if noise {
				name += " with noise"
			}
			t.Run(name, func(t *testing.T) {
				sim := tt.sim()
				sim.SetNoise(noise)
				v := converseWith(newTestCodec(t, tt.protocol, tt.adjust), sim)
				v.wait(3 * time.Second) // until a controller that prepares is ready
				v.begin()
				v.run(2500, want)
				if at := sim.Positions(); !near(at, want) {
					t.Errorf("at %.3f, want %.3f", at, want)
				}
				if v.fault != 0 {
					t.Errorf("tells of %v", v.fault)
				}
			})
		}
	}
}

// After a restart the actuators go where the controller sends them, by
// themselves; when it has been started again they follow again. No actuator
// ever leaps.
func TestSimulatedControllersRestart(t *testing.T) {
	want := wire.All(0.65)
	for _, tt := range simulatedControllers {
		t.Run(tt.name, func(t *testing.T) {
			sim := tt.sim()
			v := converseWith(newTestCodec(t, tt.protocol, tt.adjust), sim)
			v.wait(3 * time.Second)
			v.begin()
			v.run(2500, want)
			sim.Reset()
			last := sim.Positions()
			for range 2000 {
				v.wait(time.Millisecond)
				v.hear(sim.Handle(v.codec.AppendQuestion(nil)))
				now := sim.Positions()
				for i := range now {
					if step := math.Abs(now[i] - last[i]); step > 0.003 { // 1.8 strokes/s are 0.0018
						t.Fatalf("leaps by %g", step)
					}
				}
				last = now
			}
			if !near(sim.Positions(), wire.All(0.5)) {
				t.Errorf("stands at %.3f after a restart", sim.Positions())
			}
			if v.heard[wire.AnswerBooted] == 0 {
				t.Errorf("nobody noticed the restart; heard %v", v.heard)
			}
			v.begin()
			v.run(2500, want)
			if !near(sim.Positions(), want) {
				t.Errorf("stands at %.3f, want %.3f", sim.Positions(), want)
			}
		})
	}
}

func TestSimulatedControllersAreDeterministic(t *testing.T) {
	for _, tt := range simulatedControllers {
		t.Run(tt.name, func(t *testing.T) {
			drive := func(chunk time.Duration) []float64 {
				sim := tt.sim()
				v := converseWith(newTestCodec(t, tt.protocol, tt.adjust), sim)
				v.wait(3 * time.Second)
				v.begin()
				v.run(50, wire.All(0.6))
				for range int(400 * time.Millisecond / chunk) {
					v.wait(chunk)
				}
				return sim.Positions()
			}
			one, other := drive(time.Millisecond), drive(20*time.Millisecond)
			for i := range one {
				if one[i] != other[i] {
					t.Fatalf("%v and %v", one, other)
				}
			}
		})
	}
}

func TestDemandsAllocateNothing(t *testing.T) {
	for _, tt := range simulatedControllers {
		c := newTestCodec(t, tt.protocol, tt.adjust)
		buf, l := make([]byte, 0, 128), wire.All(0.37)
		if n := testing.AllocsPerRun(100, func() { buf = c.AppendQuestion(c.AppendDemand(buf[:0], &l)) }); n != 0 {
			t.Errorf("%s allocates %g times", tt.name, n)
		}
		if len(c.AppendDemand(nil, &l)) > c.DemandBytes() || len(c.AppendQuestion(nil)) > c.QuestionBytes() {
			t.Errorf("%s says more than it announces", tt.name)
		}
	}
}

func TestThanosSimKeepsItsLastPositionThenStandsByThenParks(t *testing.T) {
	sim := NewThanosSim(DefaultThanosSimConfig())
	v := converseWith(newTestCodec(t, ProtocolThanos, nil), sim)
	v.run(1000, wire.All(0.7))
	tests := []struct {
		after time.Duration
		want  float64
	}{
		{4 * time.Second, 0.7},
		{4 * time.Second, 0.5},
		{8 * time.Second, 0.01},
	}
	for _, tt := range tests {
		v.wait(tt.after)
		if !near(sim.Positions(), wire.All(tt.want)) {
			t.Errorf("at %.3f, want %.3f", sim.Positions(), tt.want)
		}
	}
}

// The filter holds a leap and then lets the actuator come after slowly.
func TestThanosSimFiltersSpikes(t *testing.T) {
	sim := NewThanosSim(DefaultThanosSimConfig())
	v := converseWith(newTestCodec(t, ProtocolThanos, nil), sim)
	sim.Handle([]byte("spv17001"))
	v.run(1000, wire.All(0.3)) // by itself a leap: it was at the standby position
	v.run(500, wire.All(0.9))
	if at := sim.Positions()[0]; at > 0.5 {
		t.Errorf("leapt to %.3f", at)
	}
	v.run(8000, wire.All(0.9))
	if !near(sim.Positions(), wire.All(0.9)) {
		t.Errorf("at %.3f, want 0.9", sim.Positions())
	}
}

func TestThanosSimWarnsOfItsSpikeFilter(t *testing.T) {
	for _, on := range []bool{false, true} {
		sim := NewThanosSim(DefaultThanosSimConfig())
		if on {
			sim.Handle([]byte("spv17001"))
		}
		v := converseWith(newTestCodec(t, ProtocolThanos, nil), sim)
		v.begin()
		warned := false
		for _, text := range v.texts {
			warned = warned || text == spikeWarning
		}
		if warned == on {
			t.Errorf("filter on %v: heard %q", on, v.texts)
		}
	}
}

// Preparing may take longer than the host waits at the start.
func TestMotion4SimIsOrderedOnlineWhenItIsReady(t *testing.T) {
	for _, order := range []bool{true, false} {
		sim := NewMotion4SimSim(DefaultMotion4SimSimConfig())
		v := converseWith(newTestCodec(t, ProtocolMotion4Sim, func(c *Config) { c.Motion4Sim.GoOnline = order }), sim)
		v.begin()
		v.run(100, wire.All(0.6))
		if v.fault != wire.FaultOffline {
			t.Errorf("fault %v while it prepares, want offline", v.fault)
		}
		v.run(3000, wire.All(0.6))
		if online := v.fault == 0 && near(sim.Positions(), wire.All(0.6)); online != order {
			t.Errorf("ordered online %v: fault %v, at %.3f", order, v.fault, sim.Positions())
		}
	}
}

func TestMotion4SimSimEmergency(t *testing.T) {
	sim := NewMotion4SimSim(DefaultMotion4SimSimConfig())
	v := converseWith(newTestCodec(t, ProtocolMotion4Sim, nil), sim)
	v.wait(3 * time.Second)
	v.begin()
	v.run(1000, wire.All(0.6))
	emergency := appendM4SCommand(nil, m4sEmergency, 0)
	if got := sim.Handle(emergency); string(got) != "\xf9\xf9\x00\x05\x00\x01\x0a\x0d" {
		t.Errorf("answers % x", got)
	}
	v.run(500, wire.All(0.8))
	if v.fault != wire.FaultStop || !near(sim.Positions(), wire.All(0.6)) {
		t.Errorf("fault %v, at %.3f", v.fault, sim.Positions())
	}
	sim.Handle(emergency)
	v.wait(3 * time.Second)
	v.run(1000, wire.All(0.8))
	if v.fault != 0 || !near(sim.Positions(), wire.All(0.8)) {
		t.Errorf("fault %v after the release, at %.3f", v.fault, sim.Positions())
	}
}

func FuzzThanosSim(f *testing.F) {
	f.Add([]byte("RQMCMD55spv17001spv45Park"))
	l := wire.All(1)
	f.Add(appendThanos(nil, &l, 4))
	f.Fuzz(func(t *testing.T, in []byte) {
		sim := NewThanosSim(DefaultThanosSimConfig())
		sim.Handle(in)
		sim.Advance(50 * time.Millisecond)
		checkPositions(t, sim)
	})
}

func FuzzMotion4SimSim(f *testing.F) {
	l, cfg := wire.All(1), DefaultM4SConfig()
	f.Add(appendM4SPose(nil, &l, &cfg))
	f.Add(appendM4SDirect(nil, &l, 6))
	f.Add(appendM4SCommand(appendM4SCommand(nil, m4sEmergency, 0), m4sReboot, 0))
	f.Fuzz(func(t *testing.T, in []byte) {
		sim := NewMotion4SimSim(DefaultMotion4SimSimConfig())
		sim.Advance(2 * time.Second)
		sim.Handle(appendM4SCommand(nil, m4sOnline, 0))
		if out := sim.Handle(in); len(out)%m4sCommandLen != 0 {
			t.Fatalf("answers % x", out)
		}
		sim.Advance(50 * time.Millisecond)
		checkPositions(t, sim)
	})
}

func checkPositions(t *testing.T, sim simulated.Controller) {
	t.Helper()
	for _, at := range sim.Positions() {
		if !(at >= 0 && at <= 1) {
			t.Fatalf("at %g", sim.Positions())
		}
	}
}
