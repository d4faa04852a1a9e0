package motion4sim

import (
	"testing"
	"time"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/wire"
)

// Preparing may take longer than the host waits at the start.
func TestMotion4SimIsOrderedOnlineWhenItIsReady(t *testing.T) {
	for _, order := range []bool{true, false} {
		sim := NewSimulator(DefaultSimulatorConfig())
		v := motiontest.NewConversation(newCodec(t, func(c *Config) { c.GoOnline = order }), sim)
		v.SendStart()
		v.Run(100, wire.AllAt(0.6))
		if v.Fault != wire.FaultOffline {
			t.Errorf("fault %v while it prepares, want offline", v.Fault)
		}
		v.Run(3000, wire.AllAt(0.6))
		if online := v.Fault == 0 && motiontest.Near(sim.Positions(), wire.AllAt(0.6)); online != order {
			t.Errorf("ordered online %v: fault %v, at %.3f", order, v.Fault, sim.Positions())
		}
	}
}

func TestMotion4SimSimEmergency(t *testing.T) {
	sim := NewSimulator(DefaultSimulatorConfig())
	v := motiontest.NewConversation(newCodec(t, nil), sim)
	v.Wait(3 * time.Second)
	v.SendStart()
	v.Run(1000, wire.AllAt(0.6))
	emergency := appendCommand(nil, commandEmergency, 0)
	if got := sim.Handle(emergency); string(got) != "\xf9\xf9\x00\x05\x00\x01\x0a\x0d" {
		t.Errorf("answers % x", got)
	}
	v.Run(500, wire.AllAt(0.8))
	if v.Fault != wire.FaultStop || !motiontest.Near(sim.Positions(), wire.AllAt(0.6)) {
		t.Errorf("fault %v, at %.3f", v.Fault, sim.Positions())
	}
	sim.Handle(emergency)
	v.Wait(3 * time.Second)
	v.Run(1000, wire.AllAt(0.8))
	if v.Fault != 0 || !motiontest.Near(sim.Positions(), wire.AllAt(0.8)) {
		t.Errorf("fault %v after the release, at %.3f", v.Fault, sim.Positions())
	}
}

func FuzzMotion4SimSim(f *testing.F) {
	l, cfg := wire.AllAt(1), DefaultConfig()
	f.Add(appendPoseFrame(nil, &l, &cfg))
	f.Add(appendDirectFrame(nil, &l, 6))
	f.Add(appendCommand(appendCommand(nil, commandEmergency, 0), commandReboot, 0))
	f.Fuzz(func(t *testing.T, in []byte) {
		sim := NewSimulator(DefaultSimulatorConfig())
		sim.Advance(2 * time.Second)
		sim.Handle(appendCommand(nil, commandOnline, 0))
		if out := sim.Handle(in); len(out)%commandFrameLen != 0 {
			t.Fatalf("answers % x", out)
		}
		sim.Advance(50 * time.Millisecond)
		motiontest.CheckPositions(t, sim)
	})
}
