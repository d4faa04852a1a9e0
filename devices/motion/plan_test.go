package motion

import (
	"strings"
	"testing"
)

func TestPlanOfALine(t *testing.T) {
	for _, tt := range []struct {
		name     string
		protocol string
		baud     int
		rate     float64
		axes     int
		want     float64 // targets a second; 0 for none
		err      string
	}{
		{"as fast as it is picked", ProtocolSMC3, 500_000, 0, 3, 250, ""},
		{"as fast as is asked for", ProtocolSMC3, 500_000, 100, 3, 100, ""},
		{"no protocol", "", 500_000, 0, 0, 0, "protocol"},
		{"faster than the line", ProtocolSMC3, 9600, 400, 0, 0, "rate_hz"},
	} {
		cfg := DefaultConfig()
		cfg.Protocol, cfg.Port, cfg.Baud, cfg.Rate = tt.protocol, "/dev/null", tt.baud, tt.rate
		plan, err := cfg.Plan()
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v, want %q", tt.name, err, tt.err)
			}
			continue
		}
		if err != nil || plan.Axes != tt.axes || plan.Rate != tt.want || !(plan.LineShare > 0 && plan.LineShare <= 0.6) {
			t.Errorf("%s: %+v, %v", tt.name, plan, err)
		}
	}
}
