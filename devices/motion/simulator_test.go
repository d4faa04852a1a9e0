package motion

import (
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/thanos"
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
	{"thanos", ProtocolThanos, nil, func() simulated.Controller { return thanos.NewSimulator(thanos.DefaultSimulatorConfig()) }},
	{"motion4sim", ProtocolMotion4Sim, nil, func() simulated.Controller { return motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig()) }},
	{"motion4sim, poses", ProtocolMotion4Sim, func(c *Config) { c.Motion4Sim.Frames = motion4sim.Pose },
		func() simulated.Controller { return motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig()) }},
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
				v := motiontest.NewConversation(newTestCodec(t, tt.protocol, tt.adjust), sim)
				v.Wait(3 * time.Second) // until a controller that prepares is ready
				v.SendStart()
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
	want := wire.AllAt(0.65)
	for _, tt := range simulatedControllers {
		t.Run(tt.name, func(t *testing.T) {
			sim := tt.sim()
			v := motiontest.NewConversation(newTestCodec(t, tt.protocol, tt.adjust), sim)
			v.Wait(3 * time.Second)
			v.SendStart()
			v.Run(2500, want)
			sim.Reset()
			last := sim.Positions()
			for range 2000 {
				v.Wait(time.Millisecond)
				v.Receive(sim.Handle(v.Codec.AppendQuery(nil)))
				now := sim.Positions()
				for i := range now {
					if step := math.Abs(now[i] - last[i]); step > 0.003 { // 1.8 strokes/s are 0.0018
						t.Fatalf("leaps by %g", step)
					}
				}
				last = now
			}
			if !motiontest.Near(sim.Positions(), wire.AllAt(0.5)) {
				t.Errorf("stands at %.3f after a restart", sim.Positions())
			}
			if v.Answers[wire.AnswerRestarted] == 0 {
				t.Errorf("nobody noticed the restart; heard %v", v.Answers)
			}
			v.SendStart()
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
				v := motiontest.NewConversation(newTestCodec(t, tt.protocol, tt.adjust), sim)
				v.Wait(3 * time.Second)
				v.SendStart()
				v.Run(50, wire.AllAt(0.6))
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

func TestTargetsAllocateNothing(t *testing.T) {
	for _, tt := range simulatedControllers {
		c := newTestCodec(t, tt.protocol, tt.adjust)
		buf, l := make([]byte, 0, 128), wire.AllAt(0.37)
		if n := testing.AllocsPerRun(100, func() { buf = c.AppendQuery(c.AppendTarget(buf[:0], &l)) }); n != 0 {
			t.Errorf("%s allocates %g times", tt.name, n)
		}
		if len(c.AppendTarget(nil, &l)) > c.TargetBytes() || len(c.AppendQuery(nil)) > c.QueryBytes() {
			t.Errorf("%s says more than it announces", tt.name)
		}
	}
}
