package telemetry

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
)

// Stats count what each output has sent, for metrics.
type Stats struct{ outs []outStats }

// outStats are the counts of one output.
type outStats struct {
	format, to string
	sent       atomic.Uint64 // packets
	failed     atomic.Uint64 // packets that the network, or the owner of the shared memory, refused
}

// NewStats returns counts of 0 for the outputs of a configuration.
func NewStats(c Config) *Stats {
	s := &Stats{outs: make([]outStats, len(c.Outs))}
	for i, o := range c.Outs {
		s.outs[i].format, s.outs[i].to = o.Format, o.To
	}
	return s
}

// WriteMetrics writes the counts in the text format of Prometheus.
func (s *Stats) WriteMetrics(w io.Writer) {
	for _, m := range []struct {
		name, help string
		count      func(*outStats) uint64
	}{
		{"rig_telemetry_packets_total", "Packets of telemetry that were sent.", func(o *outStats) uint64 { return o.sent.Load() }},
		{"rig_telemetry_failed_total", "Packets of telemetry that could not be sent.", func(o *outStats) uint64 { return o.failed.Load() }},
	} {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s counter\n", m.name, m.help, m.name)
		for i := range s.outs {
			o := &s.outs[i]
			fmt.Fprintf(w, "%s{out=\"%d\",format=\"%s\",to=\"%s\"} %d\n", m.name, i, o.format, escapeLabel(o.to), m.count(o))
		}
	}
}

// escapeLabel escapes the value of a label.
func escapeLabel(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}
