package motion

import (
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

// newTestCodec returns the codec of a protocol as it is configured by default,
// after adjust.
func newTestCodec(t testing.TB, protocol string, adjust func(*Config)) wire.Codec {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Protocol, cfg.Port = protocol, "/dev/null"
	if adjust != nil {
		adjust(&cfg)
	}
	c, err := newCodec(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// simulatedControllers are the controllers that there are, each with its codec.
var simulatedControllers = []struct {
	name     string
	protocol string
	adjust   func(*Config)
	sim      func() simulated.Controller
}{
	{"smc3", ProtocolSMC3, nil, func() simulated.Controller { return smc3.NewSimulator(smc3.DefaultSimulatorConfig()) }},
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
				v := motiontest.Converse(newTestCodec(t, tt.protocol, tt.adjust), sim)
				v.Wait(3 * time.Second) // until a controller that prepares is ready
				v.Begin()
				v.Run(2500, want)
				if at := sim.Positions(); !motiontest.Near(at, want) {
					t.Errorf("at %.3f, want %.3f", at, want)
				}
				if v.Fault != 0 {
					t.Errorf("tells of %v", v.Fault)
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
			v := motiontest.Converse(newTestCodec(t, tt.protocol, tt.adjust), sim)
			v.Wait(3 * time.Second)
			v.Begin()
			v.Run(2500, want)
			sim.Reset()
			last := sim.Positions()
			for range 2000 {
				v.Wait(time.Millisecond)
				v.Hear(sim.Handle(v.Codec.AppendQuestion(nil)))
				now := sim.Positions()
				for i := range now {
					if step := math.Abs(now[i] - last[i]); step > 0.003 { // 1.8 strokes/s are 0.0018
						t.Fatalf("leaps by %g", step)
					}
				}
				last = now
			}
			if !motiontest.Near(sim.Positions(), wire.All(0.5)) {
				t.Errorf("stands at %.3f after a restart", sim.Positions())
			}
			if v.Heard[wire.AnswerBooted] == 0 {
				t.Errorf("nobody noticed the restart; heard %v", v.Heard)
			}
			v.Begin()
			v.Run(2500, want)
			if !motiontest.Near(sim.Positions(), want) {
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
				v := motiontest.Converse(newTestCodec(t, tt.protocol, tt.adjust), sim)
				v.Wait(3 * time.Second)
				v.Begin()
				v.Run(50, wire.All(0.6))
				for range int(400 * time.Millisecond / chunk) {
					v.Wait(chunk)
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
	v := motiontest.Converse(newTestCodec(t, ProtocolThanos, nil), sim)
	v.Run(1000, wire.All(0.7))
	tests := []struct {
		after time.Duration
		want  float64
	}{
		{4 * time.Second, 0.7},
		{4 * time.Second, 0.5},
		{8 * time.Second, 0.01},
	}
	for _, tt := range tests {
		v.Wait(tt.after)
		if !motiontest.Near(sim.Positions(), wire.All(tt.want)) {
			t.Errorf("at %.3f, want %.3f", sim.Positions(), tt.want)
		}
	}
}

// The filter holds a leap and then lets the actuator come after slowly.
func TestThanosSimFiltersSpikes(t *testing.T) {
	sim := NewThanosSim(DefaultThanosSimConfig())
	v := motiontest.Converse(newTestCodec(t, ProtocolThanos, nil), sim)
	sim.Handle([]byte("spv17001"))
	v.Run(1000, wire.All(0.3)) // by itself a leap: it was at the standby position
	v.Run(500, wire.All(0.9))
	if at := sim.Positions()[0]; at > 0.5 {
		t.Errorf("leapt to %.3f", at)
	}
	v.Run(8000, wire.All(0.9))
	if !motiontest.Near(sim.Positions(), wire.All(0.9)) {
		t.Errorf("at %.3f, want 0.9", sim.Positions())
	}
}

func TestThanosSimWarnsOfItsSpikeFilter(t *testing.T) {
	for _, on := range []bool{false, true} {
		sim := NewThanosSim(DefaultThanosSimConfig())
		if on {
			sim.Handle([]byte("spv17001"))
		}
		v := motiontest.Converse(newTestCodec(t, ProtocolThanos, nil), sim)
		v.Begin()
		warned := false
		for _, text := range v.Texts {
			warned = warned || text == spikeWarning
		}
		if warned == on {
			t.Errorf("filter on %v: heard %q", on, v.Texts)
		}
	}
}

// Preparing may take longer than the host waits at the start.
func TestMotion4SimIsOrderedOnlineWhenItIsReady(t *testing.T) {
	for _, order := range []bool{true, false} {
		sim := NewMotion4SimSim(DefaultMotion4SimSimConfig())
		v := motiontest.Converse(newTestCodec(t, ProtocolMotion4Sim, func(c *Config) { c.Motion4Sim.GoOnline = order }), sim)
		v.Begin()
		v.Run(100, wire.All(0.6))
		if v.Fault != wire.FaultOffline {
			t.Errorf("fault %v while it prepares, want offline", v.Fault)
		}
		v.Run(3000, wire.All(0.6))
		if online := v.Fault == 0 && motiontest.Near(sim.Positions(), wire.All(0.6)); online != order {
			t.Errorf("ordered online %v: fault %v, at %.3f", order, v.Fault, sim.Positions())
		}
	}
}

func TestMotion4SimSimEmergency(t *testing.T) {
	sim := NewMotion4SimSim(DefaultMotion4SimSimConfig())
	v := motiontest.Converse(newTestCodec(t, ProtocolMotion4Sim, nil), sim)
	v.Wait(3 * time.Second)
	v.Begin()
	v.Run(1000, wire.All(0.6))
	emergency := appendM4SCommand(nil, m4sEmergency, 0)
	if got := sim.Handle(emergency); string(got) != "\xf9\xf9\x00\x05\x00\x01\x0a\x0d" {
		t.Errorf("answers % x", got)
	}
	v.Run(500, wire.All(0.8))
	if v.Fault != wire.FaultStop || !motiontest.Near(sim.Positions(), wire.All(0.6)) {
		t.Errorf("fault %v, at %.3f", v.Fault, sim.Positions())
	}
	sim.Handle(emergency)
	v.Wait(3 * time.Second)
	v.Run(1000, wire.All(0.8))
	if v.Fault != 0 || !motiontest.Near(sim.Positions(), wire.All(0.8)) {
		t.Errorf("fault %v after the release, at %.3f", v.Fault, sim.Positions())
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
		motiontest.CheckPositions(t, sim)
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
		motiontest.CheckPositions(t, sim)
	})
}
