package valid

import (
	"errors"
	"math"
	"testing"
)

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"inside", InRange("gain", 1, 0, 1), ""},
		{"beyond", InRange("gain", 1.5, 0, 1), "gain = 1.5: allowed is 0 to 1"},
		{"no number", InRange("gain", math.NaN(), 0, 1), "gain = NaN: allowed is 0 to 1"},
		{"off", ZeroOr("rate_hz", 0, 20, 500), ""},
		{"neither on nor off", ZeroOr("rate_hz", 3, 20, 500), "rate_hz = 3: allowed is 20 to 500, or 0 for off"},
		{"known", OneOf("mode", "direct", "direct", "washout"), ""},
		{"unknown", OneOf("mode", "dierct", "direct", "washout"), `mode = "dierct" is not known; choose direct, washout`},
		{"no fault in a table", Within("extra", nil), ""},
		{"each fault of a table", Within("a", errors.Join(Within("b", InRange("c", 2, 0, 1)), InRange("d", 3, 0, 1))),
			"a.b.c = 2: allowed is 0 to 1\na.d = 3: allowed is 0 to 1"},
	} {
		got := ""
		if tt.err != nil {
			got = tt.err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestClamp(t *testing.T) {
	for _, tt := range [][2]float64{{-3, -1}, {0.5, 0.5}, {3, 2}, {math.Inf(1), 2}, {math.NaN(), 0}} {
		if got := Clamp(tt[0], -1, 2); got != tt[1] {
			t.Errorf("%g becomes %g, want %g", tt[0], got, tt[1])
		}
	}
}
