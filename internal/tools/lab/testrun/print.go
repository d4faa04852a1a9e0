package testrun

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

// kph returns the speed in km/h, without rounding errors of the conversion.
func (r *Report) kph() float64 { return math.Round(r.Speed*3.6e9)/1e9 + 0 }

// title returns the first line of a report.
func (r *Report) title() string {
	title := r.Maneuver + ", " + r.Car
	if r.Speed > 0 {
		title += ", " + strconv.FormatFloat(r.kph(), 'g', 4, 64) + " km/h"
	}
	if text := assistText(r.Assists); text != "" {
		title += ", " + text
	}
	return title
}

// Print writes the metrics for people.
func (r *Report) Print(to io.Writer) error {
	var w bytes.Buffer
	w.WriteString(printable.Sprintf("%s\n%s\n\n", r.title(), maneuver.About(r.Maneuver)))
	t := tabwriter.NewWriter(&w, 0, 0, 2, ' ', 0)
	for _, m := range r.Metrics {
		fmt.Fprint(t, printable.Sprintf("%s\t%s\t%s\n", m.Name, formatMetric(m), m.Text))
	}
	t.Flush()
	if r.Reference != nil {
		r.printDeviations(&w)
	}
	if len(r.Notes) > 0 {
		w.WriteByte('\n')
	}
	for _, n := range printable.FirstLines(r.Notes) {
		w.WriteString(printable.Sprintf("note: %s\n", n))
	}
	_, err := w.WriteTo(to)
	return err
}

// printDeviations writes a line for each column of the reference.
func (r *Report) printDeviations(w io.Writer) {
	io.WriteString(w, printable.Sprintf("\nerror against %s, in the column's unit and in percent of the reference's range\n\n", r.Reference.Name))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "column\tlargest\tmean\trange\tlargest %%\tmean %%\tat s\t\n")
	for _, d := range r.Deviations {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", d.Column, formatNumber(d.Largest, 4), formatNumber(d.Mean, 4), formatNumber(d.Range, 4),
			formatPercent(d.LargestPct), formatPercent(d.MeanPct), strconv.FormatFloat(d.At, 'f', 2, 64))
	}
	t.Flush()
}

// formatPercent formats a percentage, "-" for NaN or Inf.
func formatPercent(v float64) string {
	if !valid.Finite(v) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// formatMetric formats a metric with its unit.
func formatMetric(m maneuver.Metric) string {
	switch v := m.Value.(type) {
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case float64:
		if !valid.Finite(v) {
			return "none"
		}
		if m.Unit == "" && v == math.Trunc(v) && math.Abs(v) < 1e6 {
			return strconv.Itoa(int(v)) // a count, a gear
		}
		return strings.TrimSpace(formatNumber(v, 4) + " " + m.Unit)
	}
	return fmt.Sprint(m.Value)
}

// formatNumber formats v with this many significant digits. Only very small and very large numbers have
// an exponent.
func formatNumber(v float64, digits int) string {
	a := math.Abs(v)
	switch {
	case a < 1e-8:
		return "0" // rounding error
	case a >= 1e-4 && a < 1e7:
		before := int(math.Floor(math.Log10(a))) + 1
		return strconv.FormatFloat(v, 'f', max(0, digits-before), 64)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// MarshalJSON returns one flat object: what was driven, then every metric. NaN and Inf are null.
func (r *Report) MarshalJSON() ([]byte, error) {
	var o orderedObject
	o.add("maneuver", r.Maneuver)
	o.add("car", r.Car)
	o.add("speed_kph", r.kph())
	if text := assistText(r.Assists); text != "" {
		o.add("assists", text)
	}
	for _, m := range r.Metrics {
		o.add(m.Name, jsonValue(m.Value))
	}
	if r.Reference != nil {
		var all orderedObject
		for _, d := range r.Deviations {
			all.add(d.Column, deviation(d))
		}
		o.add("deviation", &all)
	}
	if len(r.Notes) > 0 {
		o.add("notes", r.Notes)
	}
	return o.MarshalJSON()
}

// deviation returns a deviation as a JSON object.
func deviation(d trial.Deviation) *orderedObject {
	var o orderedObject
	o.add("largest", jsonValue(d.Largest))
	o.add("mean", jsonValue(d.Mean))
	o.add("largest_pct", jsonValue(d.LargestPct))
	o.add("mean_pct", jsonValue(d.MeanPct))
	o.add("at_s", jsonValue(d.At))
	return &o
}

// jsonValue returns v, or nil for a number that is NaN or Inf.
func jsonValue(v any) any {
	if f, ok := v.(float64); ok && !valid.Finite(f) {
		return nil
	}
	return v
}

// orderedObject is a JSON object whose keys keep their order.
type orderedObject struct {
	text bytes.Buffer // the members so far, without braces
	err  error        // first error of add, which MarshalJSON returns
}

// add appends a member.
func (o *orderedObject) add(key string, value any) {
	k, keyErr := json.Marshal(key)
	v, valueErr := json.Marshal(value)
	if o.err == nil {
		o.err = errors.Join(keyErr, valueErr)
	}
	if o.text.Len() > 0 {
		o.text.WriteByte(',')
	}
	o.text.Write(k)
	o.text.WriteByte(':')
	o.text.Write(v)
}

// MarshalJSON returns the object.
func (o *orderedObject) MarshalJSON() ([]byte, error) {
	return []byte("{" + o.text.String() + "}"), o.err
}
