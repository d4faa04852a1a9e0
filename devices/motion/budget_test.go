package motion

import (
	"math"
	"testing"
	"time"
)

// SMC3 sends 15 bytes for a target and 5 for a query; a byte is ten bits.
func TestBudgetPicksTheRate(t *testing.T) {
	tests := []struct {
		name   string
		baud   int
		wanted float64
		rate   float64 // 0 if it is refused
		share  float64
	}{
		{"there is room", 500_000, 0, 250, 0.08333}, // 250·15 + 250/3·5 bytes a second
		{"115200", 115_200, 0, 250, 0.36169},
		{"a slow line", 38_400, 0, 131, 0.59701}, // 131·15 + 65.5·5
		{"a very slow line", 9600, 0, 28, 0.58333},
		{"no line for motion", 2400, 0, 0, 0},
		{"what was wanted", 115_200, 300, 300, 0.43403},
		{"more than the line carries", 38_400, 250, 0, 0},
		{"more than any actuator follows", 2_000_000, 501, 0, 0},
		{"less than a platform can do with", 115_200, 19, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := lineBudget{tt.baud, 15, 5}
			rate, err := b.rate(tt.wanted)
			if (err != nil) != (tt.rate == 0) {
				t.Fatalf("%g, %v", rate, err)
			}
			if err == nil && (rate != tt.rate || math.Abs(b.load(rate)-tt.share) > 1e-5) {
				t.Errorf("%g Hz keep %.5f of it busy, want %g Hz and %.5f", rate, b.load(rate), tt.rate, tt.share)
			}
		})
	}
}

func TestByteTime(t *testing.T) {
	if got, want := byteTime(15, 500_000), 300*time.Microsecond; got != want {
		t.Errorf("15 bytes take %v, want %v", got, want)
	}
}

func TestLatenciesTellThePercentiles(t *testing.T) {
	var l latencies
	if s := l.stats(); s != (LatencyStats{}) || l.newest() != 0 {
		t.Errorf("%+v of nothing", s)
	}
	for i := range 1000 {
		l.record(time.Duration(1000-i) * time.Microsecond)
	}
	want := LatencyStats{1000, 501 * time.Microsecond, 991 * time.Microsecond, time.Millisecond}
	if got := l.stats(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for range latencySamples {
		l.record(2 * time.Microsecond)
	}
	if got := l.stats(); got.P99 != 2*time.Microsecond || got.Worst != time.Millisecond || l.newest() != 2e-6 {
		t.Errorf("%+v, newest %g s", got, l.newest())
	}
}
