package frame

import "testing"

func TestNamesOfCodes(t *testing.T) {
	for i, want := range map[uint64]string{0: "parked", 1: "homing", 2: "", 1 << 63: ""} {
		if got := Name([]string{"parked", "homing"}, i); got != want {
			t.Errorf("name of %d is %q, want %q", i, got, want)
		}
	}
	n := Names{Faults: []string{"drive fault", "end stop", "too hot"}}
	for bits, want := range map[uint64]string{0: "", 1: "drive fault", 6: "end stop, too hot", 8: "unknown fault", 12: "too hot"} {
		if got := n.FaultText(bits); got != want {
			t.Errorf("faults %b are %q, want %q", bits, got, want)
		}
	}
}
