package watch

import (
	"testing"

	"rig.example/rig/devices/motion/wire"
)

// Each fault of a platform has its remedy.
func TestEveryFaultHasItsRemedy(t *testing.T) {
	for bit := wire.Faults(1); bit.String() != "none" && bit != 0; bit <<= 1 {
		if RemedyOf(bit) == "see the log" {
			t.Errorf("no remedy for %s", bit)
		}
	}
}

func TestNamesOfFaults(t *testing.T) {
	if FaultNames(0) != "" || FaultNames(uint64(wire.FaultTemperature)) != "too hot" || RemedyOf(1<<30) != "see the log" {
		t.Error("names of faults")
	}
}
