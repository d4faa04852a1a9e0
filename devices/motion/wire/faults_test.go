package wire

import "testing"

func TestFaultsAreNamed(t *testing.T) {
	tests := []struct {
		faults Faults
		want   string
	}{
		{0, "none"},
		{FaultTemperature, "too hot"},
		{FaultDrive | FaultStop, "drive fault, emergency stop"},
		{FaultSilent, "controller not reached"},
	}
	for _, tt := range tests {
		if got := tt.faults.String(); got != tt.want {
			t.Errorf("%b is %q, want %q", tt.faults, got, tt.want)
		}
	}
}

// Each fault of a platform has its remedy.
func TestEveryFaultHasItsRemedy(t *testing.T) {
	for bit := Faults(1); bit.String() != "none" && bit != 0; bit <<= 1 {
		if bit.Remedy() == "see the log" {
			t.Errorf("no remedy for %s", bit)
		}
	}
}
