package bench

import (
	"fmt"
	"io"
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/watch"
)

// record is what was demanded of a platform and what it told, sampled evenly enough.
type record struct {
	times            []float64 // [s]
	demand, feedback []cueing.Legs
}

func newRecord(seconds float64) *record {
	n := int(seconds*200) + 100
	return &record{make([]float64, 0, n), make([]cueing.Legs, 0, n), make([]cueing.Legs, 0, n)}
}

// add notes a moment; nothing where nobody keeps a record.
func (r *record) add(t float64, at *motion.Status) {
	if r == nil {
		return
	}
	r.times = append(r.times, t)
	r.demand = append(r.demand, cueing.Legs(at.Demand))
	r.feedback = append(r.feedback, cueing.Legs(at.Feedback))
}

// Movement is what one movement came to. Lengths are in Unit: % of the stroke, mm or deg.
type Movement struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // actuator, degree of freedom
	Unit     string   `json:"unit"`
	Demand   Range    `json:"demanded"`
	Measured *Range   `json:"measured"`  // null where nothing measures, as the three below
	Error    *float64 `json:"error_max"` // most that the feedback was away from the demand
	RMS      *float64 `json:"error_rms"`
	Delay    *float64 `json:"delay_ms"` // from demand to feedback, as it is known here; null also where the two do not agree

	times, demand, feedback []float64
}

// Range is from where to where something moved.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// add widens the range.
func (r *Range) add(v float64) { r.Low, r.High = min(r.Low, v), max(r.High, v) }

var nowhere = Range{math.Inf(1), math.Inf(-1)}

// judge measures a task by its record.
func (t task) judge(note *record) Movement {
	m := Movement{Name: t.name, Kind: t.kind, Unit: t.unit, Demand: nowhere}
	measured, worst, sum := nowhere, 0.0, 0.0
	whole := true
	for i, at := range note.times {
		demand, ok := t.value(note.demand[i])
		if !ok {
			continue
		}
		feedback, told := t.value(note.feedback[i])
		whole = whole && told
		m.times, m.demand, m.feedback = append(m.times, at), append(m.demand, demand), append(m.feedback, feedback)
		m.Demand.add(demand)
		measured.add(feedback)
		worst = max(worst, math.Abs(feedback-demand))
		sum += (feedback - demand) * (feedback - demand)
	}
	if len(m.times) == 0 {
		m.Demand = Range{}
		return m
	}
	if whole {
		m.Measured, m.Error, m.RMS = &measured, watch.Known(worst), watch.Known(math.Sqrt(sum/float64(len(m.times))))
		m.Delay = watch.Known(1000 * lag(m.times, m.demand, m.feedback))
	}
	return m
}

// How a delay is looked for.
const (
	lagStep  = 0.005 // [s]
	lagMost  = 0.5   // [s]
	lagAgree = 0.9   // least correlation of demand and feedback
)

// lag returns by how much feedback comes after demand [s]: where their correlation is
// highest, between the steps by a parabola. It is NaN where they do not agree or do not move.
func lag(times, demand, feedback []float64) float64 {
	n := int(times[len(times)-1] / lagStep)
	if n < int(2*lagMost/lagStep) {
		return math.NaN()
	}
	a, b := evenly(times, demand, n), evenly(times, feedback, n)
	steps := int(lagMost / lagStep)
	score := make([]float64, steps+1)
	best := 0
	for k := range score {
		if score[k] = correlation(a[:n-steps], b[k:n-steps+k]); score[k] > score[best] {
			best = k
		}
	}
	if !(score[best] >= lagAgree) || best == steps {
		return math.NaN()
	}
	if best == 0 {
		return 0
	}
	left, mid, right := score[best-1], score[best], score[best+1]
	return (float64(best) + (left-right)/(2*(left-2*mid+right))) * lagStep
}

// evenly reads values at even times between those that are known.
func evenly(times, values []float64, n int) []float64 {
	out := make([]float64, n)
	i := 0
	for k := range out {
		t := float64(k) * lagStep
		for i+2 < len(times) && times[i+1] < t {
			i++
		}
		share := 0.0
		if step := times[i+1] - times[i]; step > 0 {
			share = min(max((t-times[i])/step, 0), 1)
		}
		out[k] = values[i] + share*(values[i+1]-values[i])
	}
	return out
}

// correlation is Pearson's coefficient; NaN where one of the two stands still.
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

// Print tells people what moved.
func (r MotionResult) Print(w io.Writer) {
	if len(r.Moves) > 0 {
		fmt.Fprintf(w, "%-16s %-5s %17s %17s %9s %9s %9s\n", "", "unit", "demanded", "measured", "error max", "rms", "delay")
	}
	for _, m := range r.Moves {
		fmt.Fprintf(w, "%-16s %-5s %17s %17s %9s %9s %9s\n", printable.Name(m.Name), m.Unit, span(&m.Demand), span(m.Measured), figure("%.2f", m.Error), figure("%.2f", m.RMS), figure("%.0f ms", m.Delay))
	}
	if r.Ended != done { // the error tells
		return
	}
	port := r.Protocol + " on " + r.Port
	if r.Simulated {
		port = "simulated platform"
	}
	fmt.Fprintf(w, "%s: %s, %s\n", printable.Line(port), r.Ended, r.State)
}

func span(r *Range) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%+.2f .. %+.2f", r.Low, r.High)
}

func figure(format string, v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}
