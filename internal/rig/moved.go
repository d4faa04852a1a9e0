package rig

import (
	"fmt"
	"io"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/watch"
)

// Moved is what a drive came to for the platform.
type Moved struct {
	Rate      float64   `json:"demands_per_s"`
	LineShare float64   `json:"line_share"`       // of the line's capacity in use
	Latency   *Late     `json:"latency_ms"`       // from a tick to the last byte of its demand on the wire; null where none was sent
	Faults    []Trouble `json:"faults,omitempty"` // that there were
	Losses    uint64    `json:"line_losses"`
	Restarts  uint64    `json:"controller_restarts"`
	Leaps     uint64    `json:"leaping_demands"` // that jumped farther than is believed
}

// Trouble is a fault of the platform and what to do about it.
type Trouble struct {
	Fault  string `json:"fault"`
	Remedy string `json:"remedy"`
}

// Late is how long demands took [ms].
type Late struct {
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	Worst float64 `json:"max"`
}

// moved sums up what the platform has been through, nil where there is none.
func (r *Rig) moved() *Moved {
	if r.platform == nil {
		return nil
	}
	s := r.platform.Status()
	m := &Moved{Rate: s.Rate, LineShare: s.LineShare, Losses: s.Losses, Restarts: s.Restarts, Leaps: s.Warnings}
	if l := r.platform.Latency(); l.Count > 0 {
		ms := func(d time.Duration) float64 { return d.Seconds() * 1e3 }
		m.Latency = &Late{ms(l.P50), ms(l.P99), ms(l.Worst)}
	}
	for bit := wire.Faults(1); bit != 0; bit <<= 1 {
		if r.peaks.faults&bit != 0 {
			m.Faults = append(m.Faults, Trouble{bit.String(), watch.RemedyOf(bit)})
		}
	}
	return m
}

func (m *Moved) print(w io.Writer) {
	late := ""
	if m.Latency != nil {
		late = fmt.Sprintf(", from a tick to its last byte %.2f ms (p99 %.2f, at most %.2f)", m.Latency.P50, m.Latency.P99, m.Latency.Worst)
	}
	fmt.Fprintf(w, "platform: %.0f demands a second on %.0f %% of its line%s\n", m.Rate, 100*m.LineShare, late)
	for _, f := range m.Faults {
		fmt.Fprintf(w, "platform fault: %s; %s\n", printable.Line(f.Fault), printable.Line(f.Remedy))
	}
	if m.Losses+m.Restarts+m.Leaps > 0 {
		fmt.Fprintf(w, "platform: line lost %d times, controller restarted %d times, %d demands that leapt\n", m.Losses, m.Restarts, m.Leaps)
	}
}
