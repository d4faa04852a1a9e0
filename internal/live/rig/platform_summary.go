package rig

import (
	"fmt"
	"io"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/printable"
)

// PlatformSummary is the platform's part of a drive's summary.
type PlatformSummary struct {
	Rate      float64         `json:"demands_per_s"`       // targets sent per second
	LineShare float64         `json:"line_share"`          // fraction of the serial line's capacity in use
	Latency   *LatencySummary `json:"latency_ms"`          // time from a tick to the last byte of its target on the wire; null if none was sent
	Faults    []FaultRemedy   `json:"faults,omitempty"`    // all faults during the drive
	Losses    uint64          `json:"line_losses"`         // how often the serial line was disconnected
	Restarts  uint64          `json:"controller_restarts"` // how often the controller restarted
	Jumps     uint64          `json:"leaping_demands"`     // number of targets that jumped implausibly far
}

// FaultRemedy is a fault of the platform and its remedy.
type FaultRemedy struct {
	Fault  string `json:"fault"`
	Remedy string `json:"remedy"`
}

// LatencySummary is the latency of targets [ms].
type LatencySummary struct {
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	Worst float64 `json:"max"`
}

// platformSummary returns the platform's summary, or nil without a platform.
func (r *Rig) platformSummary() *PlatformSummary {
	if r.platform == nil {
		return nil
	}
	s := r.platform.Status()
	m := &PlatformSummary{Rate: s.Rate, LineShare: s.LineShare, Losses: s.LinesLost, Restarts: s.Restarts, Jumps: s.TargetJumps}
	if l := r.platform.Latency(); l.Count > 0 {
		ms := func(d time.Duration) float64 { return d.Seconds() * 1e3 }
		m.Latency = &LatencySummary{ms(l.P50), ms(l.P99), ms(l.Worst)}
	}
	for bit := wire.Faults(1); bit != 0; bit <<= 1 {
		if r.extremes.faults&bit != 0 {
			m.Faults = append(m.Faults, FaultRemedy{bit.String(), bit.Remedy()})
		}
	}
	return m
}

func (m *PlatformSummary) print(w io.Writer) {
	latency := ""
	if m.Latency != nil {
		latency = fmt.Sprintf(", from a tick to its last byte %.2f ms (p99 %.2f, at most %.2f)", m.Latency.P50, m.Latency.P99, m.Latency.Worst)
	}
	fmt.Fprintf(w, "platform: %.0f targets per second on %.0f %% of its line%s\n", m.Rate, 100*m.LineShare, latency)
	for _, f := range m.Faults {
		fmt.Fprintf(w, "platform fault: %s; %s\n", printable.Line(f.Fault), printable.Line(f.Remedy))
	}
	if m.Losses+m.Restarts+m.Jumps > 0 {
		fmt.Fprintf(w, "platform: line lost %d times, controller restarted %d times, %d targets jumped\n", m.Losses, m.Restarts, m.Jumps)
	}
}
