package motion

import (
	"errors"
	"testing"
	"time"

	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

// By its own methods alone a Virtual does what a Platform does, in steps of the loop.
func TestVirtualObeysOrders(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait = ProtocolSMC3, 0.1
	sim := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	v, err := NewVirtual(cfg, sim, nil)
	if err != nil {
		t.Fatal(err)
	}
	var p interface { // what the loop asks of a platform
		Push(wire.Legs)
		Halt()
		Interlock(bool)
		Status() Status
		Latency() LatencyStats
	} = v
	reach := func(want State) {
		t.Helper()
		for ticks := 0; p.Status().State != want; ticks++ {
			p.Push(wire.AllAt(0.6))
			if err := v.Step(time.Millisecond); err != nil || ticks > 20_000 {
				t.Fatalf("%v: never %s but %s", err, want, p.Status().State)
			}
		}
	}
	v.OrderHome()
	reach(Active)
	p.Interlock(true)
	reach(Parked)
	if v.OrderHome() {
		t.Error("ordered to home behind an open belt")
	}
	p.Interlock(false)
	if !v.OrderHome() {
		t.Error("not ordered to home with the belt closed")
	}
	reach(Active)
	p.Halt()
	reach(Halted)
	v.OrderPark()
	reach(Parked)
	if p.Latency().Count == 0 {
		t.Error("no target was measured")
	}
	sim.SetStalled(true)
	if err := v.Step(time.Second); !errors.Is(err, wire.ErrStalled) {
		t.Errorf("a line that takes nothing: %v", err)
	}
	sim.SetStalled(false)
	reach(Parked)
	v.Leave()
	for range 1000 {
		if err := v.Step(time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	if !v.Left() || p.Status().State != Parked {
		t.Errorf("left: %v, %s", v.Left(), p.Status().State)
	}
}

func TestAVirtualPlatformNeedsAProtocol(t *testing.T) {
	if _, err := NewVirtual(DefaultConfig(), smc3.NewSimulator(smc3.DefaultSimulatorConfig()), nil); err == nil {
		t.Error("made one of none")
	}
}
