package thanos

import (
	"testing"
	"time"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/wire"
)

func TestThanosSimKeepsItsLastPositionThenStandsByThenParks(t *testing.T) {
	sim := NewSimulator(DefaultSimulatorConfig())
	v := motiontest.NewConversation(newCodec(t, nil), sim)
	v.Run(1000, wire.AllAt(0.7))
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
		if !motiontest.Near(sim.Positions(), wire.AllAt(tt.want)) {
			t.Errorf("at %.3f, want %.3f", sim.Positions(), tt.want)
		}
	}
}

// The filter holds a leap and then lets the actuator come after slowly.
func TestThanosSimFiltersSpikes(t *testing.T) {
	sim := NewSimulator(DefaultSimulatorConfig())
	v := motiontest.NewConversation(newCodec(t, nil), sim)
	sim.Handle([]byte("spv17001"))
	v.Run(1000, wire.AllAt(0.3)) // by itself a leap: it was at the standby position
	v.Run(500, wire.AllAt(0.9))
	if at := sim.Positions()[0]; at > 0.5 {
		t.Errorf("leapt to %.3f", at)
	}
	v.Run(8000, wire.AllAt(0.9))
	if !motiontest.Near(sim.Positions(), wire.AllAt(0.9)) {
		t.Errorf("at %.3f, want 0.9", sim.Positions())
	}
}

func TestThanosSimWarnsOfItsSpikeFilter(t *testing.T) {
	for _, on := range []bool{false, true} {
		sim := NewSimulator(DefaultSimulatorConfig())
		if on {
			sim.Handle([]byte("spv17001"))
		}
		v := motiontest.NewConversation(newCodec(t, nil), sim)
		v.SendStart()
		warned := false
		for _, text := range v.Texts {
			warned = warned || text == spikeWarning
		}
		if warned == on {
			t.Errorf("filter on %v: heard %q", on, v.Texts)
		}
	}
}

func FuzzThanosSim(f *testing.F) {
	f.Add([]byte("RQMCMD55spv17001spv45Park"))
	l := wire.AllAt(1)
	f.Add(appendFrame(nil, &l, 4))
	f.Fuzz(func(t *testing.T, in []byte) {
		sim := NewSimulator(DefaultSimulatorConfig())
		sim.Handle(in)
		sim.Advance(50 * time.Millisecond)
		motiontest.CheckPositions(t, sim)
	})
}
