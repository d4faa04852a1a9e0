package exercise

import (
	"fmt"
	"io"
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/tools/watch"
)

// record has targets and feedback of a platform, sampled about every 5 ms.
type record struct {
	times            []float64 // [s]
	target, feedback []cueing.Legs
	disturbed        string // what disturbed the movement first, "" for nothing
}

func newRecord(seconds float64) *record {
	n := int(seconds*200) + 100
	return &record{times: make([]float64, 0, n), target: make([]cueing.Legs, 0, n), feedback: make([]cueing.Legs, 0, n)}
}

// note keeps what disturbed the movement first; a nil record ignores it.
func (r *record) note(disturbance string) {
	if r != nil && r.disturbed == "" {
		r.disturbed = disturbance
	}
}

// add appends a sample; a nil record ignores it.
func (r *record) add(t float64, at *motion.Status) {
	if r == nil {
		return
	}
	r.times = append(r.times, t)
	r.target = append(r.target, cueing.Legs(at.Target))
	r.feedback = append(r.feedback, cueing.Legs(at.Feedback))
}

// Movement is the result of one movement. Lengths are in Unit: % of the stroke, mm or deg.
type Movement struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // actuator, degree of freedom
	Unit     string   `json:"unit"`
	Target   Range    `json:"demanded"`
	Measured *Range   `json:"measured"`  // null without feedback, as the three fields below
	MaxError *float64 `json:"error_max"` // largest distance of the feedback from the target
	RMSError *float64 `json:"error_rms"`
	Delay    *float64 `json:"delay_ms"` // of the feedback behind the target [ms]; null also if the two do not correlate

	times, target, feedback []float64
}

// Range is the range over which something moved.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// add extends the range to v.
func (r *Range) add(v float64) { r.Low, r.High = min(r.Low, v), max(r.High, v) }

var emptyRange = Range{math.Inf(1), math.Inf(-1)}

// measure returns the result of a task from its record.
func (t testMovement) measure(samples *record) Movement {
	m := Movement{Name: t.name, Kind: t.kind, Unit: t.unit, Target: emptyRange}
	measured, worst, sum := emptyRange, 0.0, 0.0
	complete := true
	for i, at := range samples.times {
		wanted, ok := t.measured(samples.target[i])
		if !ok {
			continue
		}
		feedback, known := t.measured(samples.feedback[i])
		complete = complete && known
		m.times, m.target, m.feedback = append(m.times, at), append(m.target, wanted), append(m.feedback, feedback)
		m.Target.add(wanted)
		measured.add(feedback)
		worst = max(worst, math.Abs(feedback-wanted))
		sum += (feedback - wanted) * (feedback - wanted)
	}
	if len(m.times) == 0 {
		m.Target = Range{}
		return m
	}
	if complete {
		m.Measured, m.MaxError, m.RMSError = &measured, watch.NumberOrNull(worst), watch.NumberOrNull(math.Sqrt(sum/float64(len(m.times))))
		m.Delay = watch.NumberOrNull(1000 * measureDelay(m.times, m.target, m.feedback))
	}
	return m
}

// Parameters of the delay measurement.
const (
	delayStep      = 0.005 // sampling period of the resampled values, and step of the shifts that are compared [s]
	maxDelay       = 0.5   // longest delay that is found [s]
	minCorrelation = 0.9   // smallest correlation of target and feedback for a valid result
)

// measureDelay returns by how much the feedback is behind the target [s]: the shift with the highest
// correlation, interpolated by a parabola. It is NaN if they do not correlate or do not move.
func measureDelay(times, wanted, feedback []float64) float64 {
	n := int(times[len(times)-1] / delayStep)
	if n < int(2*maxDelay/delayStep) {
		return math.NaN()
	}
	target, response := resample(times, wanted, n), resample(times, feedback, n)
	steps := int(maxDelay / delayStep)
	correlations := make([]float64, steps+1)
	best := 0
	for k := range correlations {
		if correlations[k] = correlation(target[:n-steps], response[k:n-steps+k]); correlations[k] > correlations[best] {
			best = k
		}
	}
	if !(correlations[best] >= minCorrelation) || best == steps {
		return math.NaN()
	}
	if best == 0 {
		return 0
	}
	left, mid, right := correlations[best-1], correlations[best], correlations[best+1]
	return (float64(best) + (left-right)/(2*(left-2*mid+right))) * delayStep
}

// resample interpolates values linearly at times delayStep apart.
func resample(times, values []float64, n int) []float64 {
	out := make([]float64, n)
	i := 0
	for k := range out {
		t := float64(k) * delayStep
		for i+2 < len(times) && times[i+1] < t {
			i++
		}
		fraction := 0.0
		if step := times[i+1] - times[i]; step > 0 {
			fraction = min(max((t-times[i])/step, 0), 1)
		}
		out[k] = values[i] + fraction*(values[i+1]-values[i])
	}
	return out
}

// correlation returns Pearson's coefficient, or NaN if one of the two does not change.
func correlation(a, b []float64) float64 {
	var sa, sb float64
	for i := range a {
		sa += a[i]
		sb += b[i]
	}
	n := float64(len(a))
	var ab, aa, bb float64
	for i := range a {
		da, db := a[i]-sa/n, b[i]-sb/n
		ab += da * db
		aa += da * da
		bb += db * db
	}
	return ab / math.Sqrt(aa*bb)
}

// Print writes the movements as a table of text.
func (r MotionResult) Print(w io.Writer) {
	if len(r.Movements) > 0 {
		fmt.Fprintf(w, "%-16s %-5s %17s %17s %9s %9s %9s\n", "", "unit", "target", "measured", "error max", "rms", "delay")
	}
	for _, m := range r.Movements {
		fmt.Fprintf(w, "%-16s %-5s %17s %17s %9s %9s %9s\n", printable.Name(m.Name), m.Unit, formatRange(&m.Target), formatRange(m.Measured), formatOptional("%.2f", m.MaxError), formatOptional("%.2f", m.RMSError), formatOptional("%.0f ms", m.Delay))
	}
	if r.Outcome != done { // the caller reports the error that ended the command
		return
	}
	port := r.Protocol + " on " + r.Port
	if r.Simulated {
		port = "simulated platform"
	}
	fmt.Fprintf(w, "%s: %s, %s\n", printable.Line(port), r.Outcome, r.State)
}

func formatRange(r *Range) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%+.2f .. %+.2f", r.Low, r.High)
}

func formatOptional(format string, v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}
