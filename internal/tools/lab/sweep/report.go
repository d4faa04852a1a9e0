package sweep

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/valid"
)

// Report is a sweep with the results that there are.
type Report struct {
	Plan    *Plan
	Metric  string   // that order and plot show
	results []Result // by index
	stats   []stat   // of the metrics, in the order in which they first occur
}

// stat is how a metric varies. Points without a finite value do not count.
type stat struct {
	name, unit       string
	isBool           bool
	order            []int // indices into Report.results, by rising value
	low, mid, high   float64
	lowest, greatest int // indices into Report.results
}

// NewReport evaluates results, whose order does not matter. metric chooses what order and plot show; without
// it, or if no result has it, that is the first one that varies.
func NewReport(p *Plan, results []Result, metric string) *Report {
	byIndex := func(a, b Result) int { return a.Index - b.Index }
	r := &Report{Plan: p, Metric: metric, results: slices.SortedFunc(slices.Values(results), byIndex)}
	for _, result := range r.results {
		for _, m := range result.Metrics {
			if r.stat(m.Name) == nil {
				r.stats = append(r.stats, r.evaluate(m))
			}
		}
	}
	if r.stat(metric) == nil && len(r.stats) > 0 {
		varying := slices.IndexFunc(r.stats, func(s stat) bool { return !s.isBool && s.low < s.high })
		r.Metric = r.stats[max(0, varying)].name
	}
	return r
}

// CheckMetric returns an error if the result has metrics, but none of this name; every result has the empty one.
func (r *Result) CheckMetric(name string) error {
	var names []string
	for _, m := range r.Metrics {
		names = append(names, m.Name)
	}
	if name == "" || len(names) == 0 || slices.Contains(names, name) {
		return nil
	}
	return &config.Problem{File: "--metric", Text: fmt.Sprintf("%q not found; choose %s", name, strings.Join(names, ", "))}
}

// stat returns the statistics of a metric, nil if no result has it.
func (r *Report) stat(name string) *stat {
	if i := slices.IndexFunc(r.stats, func(s stat) bool { return s.name == name }); i >= 0 {
		return &r.stats[i]
	}
	return nil
}

// value returns a metric of result i, NaN if it has none.
func (r *Report) value(i int, name string) float64 {
	for _, m := range r.results[i].Metrics {
		if m.Name == name {
			return m.number()
		}
	}
	return math.NaN()
}

// evaluate returns the statistics of a metric.
func (r *Report) evaluate(m Metric) stat {
	s := stat{name: m.Name, unit: m.Unit, isBool: m.Value == "true" || m.Value == "false", low: math.NaN(), mid: math.NaN(), high: math.NaN()}
	values := make([]float64, len(r.results)) // looked up once, because a sort compares each of them often
	for i := range values {
		if values[i] = r.value(i, m.Name); valid.Finite(values[i]) {
			s.order = append(s.order, i)
		}
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	if n := len(s.order); n > 0 {
		s.lowest, s.greatest = s.order[0], s.order[n-1]
		s.low, s.high = values[s.lowest], values[s.greatest]
		s.mid = (values[s.order[(n-1)/2]] + values[s.order[n/2]]) / 2
	}
	return s
}

// Failed returns the number of points that have no metrics.
func (r *Report) Failed() (n int) {
	for _, result := range r.results {
		if result.Error != "" {
			n++
		}
	}
	return n
}

// point returns the swept values of result i as KEY=VALUE.
func (r *Report) point(i int) string {
	var list []string
	for k, v := range r.Plan.Values(r.results[i].Index) {
		list = append(list, r.Plan.Axes[k].Key+"="+v)
	}
	return strings.Join(list, " ")
}

// Print writes the statistics, the order by the chosen metric and what went wrong.
func (r *Report) Print(to io.Writer) error {
	var w bytes.Buffer
	w.WriteString(printable.Sprintf("%s\n", r.Plan.String()))
	if done := len(r.results); done < r.Plan.Len() {
		fmt.Fprintf(&w, "%d points are not done\n", r.Plan.Len()-done)
	}
	if len(r.stats) > 0 {
		t := tabwriter.NewWriter(&w, 0, 0, 2, ' ', 0)
		fmt.Fprint(t, "\nmetric\tleast\tmedian\tgreatest\tunit\tleast at\tgreatest at\n")
		for i := range r.stats {
			r.stats[i].print(t, r)
		}
		t.Flush()
		r.printOrder(&w)
	}
	r.printFaults(&w)
	_, err := w.WriteTo(to)
	return err
}

// print writes the line of a metric.
func (s *stat) print(w io.Writer, r *Report) {
	switch {
	case len(s.order) == 0:
		fmt.Fprintf(w, "%s\tnone\t\t\t%s\t\t\n", s.name, s.unit)
	case s.low == s.high:
		where := "everywhere"
		if n := len(s.order); n < r.Plan.Len() {
			where = fmt.Sprintf("at %d points", n)
		}
		fmt.Fprintf(w, "%s\t%s\t\t\t%s\t%s\t\n", s.name, s.text(s.low), s.unit, where)
	default:
		fmt.Fprint(w, printable.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.name, s.text(s.low), s.text(s.mid), s.text(s.high), s.unit, r.point(s.lowest), r.point(s.greatest)))
	}
}

// text formats a value of the metric.
func (s *stat) text(v float64) string {
	if s.isBool {
		return map[float64]string{0: "no", 1: "yes"}[v] // a median of as many of both has no text
	}
	if a := math.Abs(v); a >= 1e-3 && a < 1e7 {
		digits := max(0, 3-int(math.Floor(math.Log10(a))))
		return strconv.FormatFloat(v, 'f', digits, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// printOrder writes the points with the least and the greatest values of the chosen metric.
func (r *Report) printOrder(w io.Writer) {
	const ends = 5 // lines at either end
	s := r.stat(r.Metric)
	fmt.Fprintf(w, "\npoints by %s\n", s.name)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for rank, i := range s.order {
		if n := len(s.order); rank >= ends && rank < n-ends {
			if rank == ends {
				fmt.Fprintf(t, "…\t%d more\n", n-2*ends)
			}
			continue
		}
		fmt.Fprint(t, printable.Sprintf("%s\t%s\n", s.text(r.value(i, s.name)), r.point(i)))
	}
	t.Flush()
}

// printFaults writes each error and each note once, with the number of points that have it and the first of them.
func (r *Report) printFaults(w io.Writer) {
	count, first := map[string]int{}, []string{}
	add := func(i int, text string) {
		if count[text]++; count[text] == 1 {
			first = append(first, text, r.point(i))
		}
	}
	for i, result := range r.results {
		if result.Error != "" {
			add(i, "failed: "+result.Error)
		}
		for _, n := range result.Notes {
			add(i, "note: "+n)
		}
	}
	const most = 10 // lines
	for k := 0; k < len(first) && k < 2*most; k += 2 {
		if k == 0 {
			io.WriteString(w, "\n")
		}
		io.WriteString(w, printable.Sprintf("%s (%d points, first %s)\n", first[k], count[first[k]], first[k+1]))
	}
	if rest := len(first)/2 - most; rest > 0 {
		fmt.Fprintf(w, "%d more kinds of errors and notes: see --csv or --json\n", rest)
	}
}

// WriteCSV writes a line for each point: swept values, metrics with all their digits, and the error if there is one. The
// path "-" writes to out.
func (r *Report) WriteCSV(path string, out io.Writer) error {
	return sink.Sink{Command: "maneuver", Path: path, Out: out}.Fill(func(w io.Writer) error {
		table := csv.NewWriter(w)
		var header []string
		for _, a := range r.Plan.Axes {
			header = append(header, a.Key)
		}
		for _, s := range r.stats {
			header = append(header, s.name)
		}
		table.Write(append(header, "error"))
		for _, result := range r.results {
			line := r.Plan.Values(result.Index)
			for _, s := range r.stats {
				cell := ""
				if i := slices.IndexFunc(result.Metrics, func(m Metric) bool { return m.Name == s.name }); i >= 0 {
					cell = result.Metrics[i].Value
				}
				line = append(line, cell)
			}
			table.Write(append(line, result.Error))
		}
		table.Flush()
		return table.Error()
	})
}

// MarshalJSON returns what Print writes, and all results. A value that a manoeuvre did not reach is null.
func (r *Report) MarshalJSON() ([]byte, error) {
	type metric struct {
		Name        string  `json:"name"`
		Unit        string  `json:"unit,omitempty"`
		Least       any     `json:"least"`
		Median      any     `json:"median"`
		Greatest    any     `json:"greatest"`
		LeastAt     *string `json:"least_at"`
		GreatestAt  *string `json:"greatest_at"`
		FiniteCount int     `json:"count"`
	}
	type point struct {
		Values  map[string]string `json:"values"`
		Metrics map[string]any    `json:"metrics,omitempty"`
		Error   string            `json:"error,omitempty"`
		Notes   []string          `json:"notes,omitempty"`
	}
	o := struct {
		Maneuver string   `json:"maneuver"`
		Car      string   `json:"car"`
		Sweep    string   `json:"sweep"`
		Points   int      `json:"points"`
		Done     int      `json:"done"`
		Failed   int      `json:"failed"`
		Metrics  []metric `json:"metrics"`
		Results  []point  `json:"results"`
	}{r.Plan.Maneuver, r.Plan.Car.Name, r.Plan.String(), r.Plan.Len(), len(r.results), r.Failed(), []metric{}, []point{}}
	for _, s := range r.stats {
		m := metric{Name: s.name, Unit: s.unit, FiniteCount: len(s.order)}
		if len(s.order) > 0 {
			low, high := r.point(s.lowest), r.point(s.greatest)
			m.Least, m.Median, m.Greatest, m.LeastAt, m.GreatestAt = s.low, s.mid, s.high, &low, &high
		}
		o.Metrics = append(o.Metrics, m)
	}
	for _, result := range r.results {
		p := point{map[string]string{}, map[string]any{}, result.Error, result.Notes}
		for k, v := range r.Plan.Values(result.Index) {
			p.Values[r.Plan.Axes[k].Key] = v
		}
		for _, m := range result.Metrics {
			p.Metrics[m.Name] = m.json()
		}
		o.Results = append(o.Results, p)
	}
	return json.Marshal(o)
}

// json returns the value as `rig maneuver --json` prints it.
func (m *Metric) json() any {
	if v := m.number(); m.Value != "true" && m.Value != "false" {
		if !valid.Finite(v) {
			return nil
		}
		return v
	}
	return m.Value == "true"
}
