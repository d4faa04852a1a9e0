package frame

import (
	"math"
	"testing"
)

func TestClock(t *testing.T) {
	for _, tt := range []struct {
		seconds  float64
		decimals int
		want     string
	}{
		{83.4567, 3, "1:23.457"}, {59.9996, 3, "1:00.000"}, {59.94, 1, "0:59.9"}, {59.96, 1, "1:00.0"}, {605.05, 2, "10:05.05"},
		{0, 3, "-:--.---"}, {-1, 1, "-:--.-"}, {math.NaN(), 2, "-:--.--"}, {math.Inf(1), 3, "99:59.000"},
	} {
		if got := FormatTime(tt.seconds, tt.decimals); got != tt.want {
			t.Errorf("%g s with %d decimals: %q, want %q", tt.seconds, tt.decimals, got, tt.want)
		}
	}
}
