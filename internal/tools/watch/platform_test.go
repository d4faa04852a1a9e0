package watch

import (
	"testing"

	"rig.example/rig/devices/motion/wire"
)

func TestNamesOfFaults(t *testing.T) {
	if FaultNames(0) != "" || FaultNames(uint64(wire.FaultTemperature)) != "too hot" || wire.Faults(1<<30).Remedy() != "see the log" {
		t.Error("names of faults")
	}
}
