package chart

import (
	"strings"
	"testing"
)

func TestTicksAreRound(t *testing.T) {
	tests := []struct {
		low, high float64
		want      string
	}{
		{-20, 20, "−20 −10 0 10 20"},
		{-0.3, 0.3, "−0.3 −0.2 −0.1 0.0 0.1 0.2 0.3"},
		{0, 6, "0 1 2 3 4 5 6"},
		{-5.3, 5.3, "−4 −2 0 2 4"},
		{-0.0034, 0.011, "−0.002 0.000 0.002 0.004 0.006 0.008 0.010"},
		{1, 1, ""},
	}
	for _, tt := range tests {
		var got []string
		for _, tick := range (ticks{}).Ticks(tt.low, tt.high) {
			got = append(got, tick.Label)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%g to %g: %s, want %s", tt.low, tt.high, s, tt.want)
		}
	}
}
