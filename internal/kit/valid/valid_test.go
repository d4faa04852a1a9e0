package valid

import (
	"errors"
	"math"
	"testing"
	"time"
)

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"inside", InRange("gain", 1, 0, 1), ""},
		{"beyond", InRange("gain", 1.5, 0, 1), "gain = 1.5: must be 0 to 1"},
		{"NaN", InRange("gain", math.NaN(), 0, 1), "gain = NaN: must be 0 to 1"},
		{"a flag", InRange("--hz", 0, 0.1, 100), "--hz 0: must be 0.1 to 100"},
		{"a time inside", DurationInRange("--hold", time.Minute, time.Second, time.Minute), ""},
		{"a time too long", DurationInRange("--hold", 20*time.Minute, 0, 10*time.Minute), "--hold 20m: must be 0s to 10m"},
		{"a time too short", DurationInRange("--hold", 500*time.Millisecond, time.Second, time.Hour), "--hold 500ms: must be 1s to 1h"},
		{"known", OneOf("mode", "direct", "direct", "washout"), ""},
		{"unknown", OneOf("mode", "dierct", "direct", "washout"), `mode = "dierct": must be direct or washout`},
		{"no fault in a table", WithPrefix("extra", nil), ""},
		{"each fault of a table", WithPrefix("a", errors.Join(WithPrefix("b", InRange("c", 2, 0, 1)), InRange("d", 3, 0, 1))),
			"a.b.c = 2: must be 0 to 1\na.d = 3: must be 0 to 1"},
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
