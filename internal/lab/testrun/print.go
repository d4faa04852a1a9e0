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

	"rig.example/rig/internal/printable"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

// kph is a speed in km/h, without the noise of the conversion.
func (r *Report) kph() float64 { return math.Round(r.Speed*3.6e9)/1e9 + 0 }

// title is a report's first line.
func (r *Report) title() string {
	t := r.Maneuver + ", " + r.Car
	if r.Speed > 0 {
		t += ", " + strconv.FormatFloat(r.kph(), 'g', 4, 64) + " km/h"
	}
	if text := assistText(r.Assists); text != "" {
		t += ", " + text
	}
	return t
}

// Print writes the figures for people.
func (r *Report) Print(to io.Writer) error {
	var w bytes.Buffer
	w.WriteString(printable.Sprintf("%s\n%s\n\n", r.title(), maneuver.About(r.Maneuver)))
	t := tabwriter.NewWriter(&w, 0, 0, 2, ' ', 0)
	for _, m := range r.Metrics {
		fmt.Fprint(t, printable.Sprintf("%s\t%s\t%s\n", m.Name, amount(m), m.Text))
	}
	t.Flush()
	if r.Reference != nil {
		r.printDeviations(&w)
	}
	if len(r.Notes) > 0 {
		w.WriteByte('\n')
	}
	for _, n := range printable.Few(r.Notes) {
		w.WriteString(printable.Sprintf("note: %s\n", n))
	}
	_, err := w.WriteTo(to)
	return err
}

// printDeviations is a line for each column of the reference.
func (r *Report) printDeviations(w io.Writer) {
	io.WriteString(w, printable.Sprintf("\nerror against %s, in the column's unit and in percent of the reference's range\n\n", r.Reference.Name))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "column\tlargest\tmean\trange\tlargest %%\tmean %%\tat s\t\n")
	for _, d := range r.Deviations {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", d.Column, number(d.Largest, 4), number(d.Mean, 4), number(d.Range, 4),
			percent(d.LargestPct), percent(d.MeanPct), strconv.FormatFloat(d.At, 'f', 2, 64))
	}
	t.Flush()
}

// percent of a range; a reference that never changes has none.
func percent(v float64) string {
	if !finite(v) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// amount is a figure with its unit.
func amount(m maneuver.Metric) string {
	switch v := m.Value.(type) {
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case float64:
		if !finite(v) {
			return "none"
		}
		if m.Unit == "" && v == math.Trunc(v) && math.Abs(v) < 1e6 {
			return strconv.Itoa(int(v)) // a count, a gear
		}
		return strings.TrimSpace(number(v, 4) + " " + m.Unit)
	}
	return fmt.Sprint(m.Value)
}

// number has so many digits, and no exponent where people would not write one.
func number(v float64, digits int) string {
	a := math.Abs(v)
	switch {
	case a < 1e-8:
		return "0" // what rounding left
	case a >= 1e-4 && a < 1e7:
		before := int(math.Floor(math.Log10(a))) + 1
		return strconv.FormatFloat(v, 'f', max(0, digits-before), 64)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// MarshalJSON writes one flat object: what was driven, then every figure. What
// has no number, as a rise time that was never reached, is null.
func (r *Report) MarshalJSON() ([]byte, error) {
	var o object
	o.add("maneuver", r.Maneuver)
	o.add("car", r.Car)
	o.add("speed_kph", r.kph())
	if text := assistText(r.Assists); text != "" {
		o.add("assists", text)
	}
	for _, m := range r.Metrics {
		o.add(m.Name, known(m.Value))
	}
	if r.Reference != nil {
		var all object
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

func deviation(d trial.Deviation) *object {
	var o object
	o.add("largest", known(d.Largest))
	o.add("mean", known(d.Mean))
	o.add("largest_pct", known(d.LargestPct))
	o.add("mean_pct", known(d.MeanPct))
	o.add("at_s", known(d.At))
	return &o
}

// known is a value that JSON can hold: null for a number that is none.
func known(v any) any {
	if f, ok := v.(float64); ok && !finite(f) {
		return nil
	}
	return v
}

// object is a JSON object whose keys keep their order.
type object struct {
	text bytes.Buffer
	err  error
}

func (o *object) add(key string, value any) {
	k, err := json.Marshal(key)
	v, also := json.Marshal(value)
	if o.err == nil {
		o.err = errors.Join(err, also)
	}
	if o.text.Len() > 0 {
		o.text.WriteByte(',')
	}
	o.text.Write(k)
	o.text.WriteByte(':')
	o.text.Write(v)
}

// MarshalJSON returns the object.
func (o *object) MarshalJSON() ([]byte, error) {
	return []byte("{" + o.text.String() + "}"), o.err
}
