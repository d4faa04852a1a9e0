package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/maneuver"
)

// Unit is one manoeuvre with one car: all that a worker must know.
type Unit struct {
	Index    int             `json:"index"` // in its sweep, from 0
	Maneuver string          `json:"maneuver"`
	Car      config.CarFiles `json:"car"`
	Set      []string        `json:"set,omitempty"`       // KEY=VALUE, fixed and swept
	Speed    float64         `json:"speed_kph,omitempty"` // [km/h]; 0 takes the manoeuvre's own
	Assists  assist.Switches `json:"assists"`
	Track    string          `json:"track,omitempty"` // circuit of a lap; empty for the built-in club
}

// Result is what a unit gave: metrics, or the reason why it has none.
type Result struct {
	Index   int      `json:"index"`
	Error   string   `json:"error,omitempty"`
	Metrics []Metric `json:"metrics,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// Metric is a metric of a manoeuvre.
type Metric struct {
	Name  string `json:"name"`
	Unit  string `json:"unit,omitempty"`
	Value string `json:"value"` // true or false, or the number in the shortest text that gives its bits again
}

// number returns the value: 1 for true and 0 for false, NaN for what the manoeuvre did not reach.
func (m *Metric) number() float64 {
	switch m.Value {
	case "true":
		return 1
	case "false":
		return 0
	}
	v, err := strconv.ParseFloat(m.Value, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

const (
	Lap          = "lap"  // the manoeuvre that drives on a circuit
	DefaultTrack = "club" // the circuit of a lap that names none
)

// perKPH is 1 km/h [m/s].
const perKPH = 1 / 3.6

// errInterrupted ends a manoeuvre from within, as a panic.
var errInterrupted = errors.New("interrupted")

// Drive drives the unit as `rig maneuver` does. What goes wrong is in the result; the error is not nil only if ctx has
// ended, and then there is no result.
func (u *Unit) Drive(ctx context.Context) (r Result, err error) {
	defer func() {
		switch p := recover(); {
		case p == errInterrupted:
			r, err = Result{}, ctx.Err()
		case p != nil:
			r = Result{Index: u.Index, Error: clean(fmt.Sprintf("the simulation failed: %v", p))}
		}
	}()
	r = Result{Index: u.Index}
	done, err := u.drive(func(float64) {
		if ctx.Err() != nil {
			panic(errInterrupted)
		}
	})
	if err != nil {
		r.Error = clean(config.OneLine(err))
		return r, nil
	}
	for _, note := range printable.FirstLines(done.Notes) {
		r.Notes = append(r.Notes, clean(note))
	}
	for _, m := range done.Metrics {
		r.Metrics = append(r.Metrics, Metric{m.Name, m.Unit, valueText(m.Value)})
	}
	return r, nil
}

// drive loads car and circuit and drives the manoeuvre. It calls progress often meanwhile.
func (u *Unit) drive(progress func(float64)) (*maneuver.Result, error) {
	progress(0)
	car, err := u.Car.Unpack(u.Set...)
	if err != nil {
		return nil, err
	}
	o := maneuver.Options{Speed: u.Speed * perKPH, Progress: progress, Assists: u.Assists}
	var warnings []string
	if u.Maneuver == Lap {
		if o.Circuit, warnings, err = circuit.Load(cmp.Or(u.Track, DefaultTrack), circuit.Options{Cache: circuit.UserCache()}); err != nil {
			return nil, err
		}
	}
	r, err := maneuver.Do(u.Maneuver, car, o)
	if err == nil {
		r.Notes = slices.Concat(r.Notes, warnings, config.TireNotices(car))
	}
	return r, err
}

// valueText returns the text of a metric's value.
func valueText(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// Limits of results from elsewhere.
const (
	maxMetrics = 500
	maxText    = 1000 // bytes
)

// clean returns a text of a result as ParseResult takes it: one line of at most maxText bytes. Of a longer one the start
// (what is wrong) and the end (what to do) remain.
func clean(text string) string {
	if text = printable.Line(text); len(text) <= maxText {
		return text
	}
	const gap = " … "
	end, start := maxText*2/3, len(text)-(maxText/3-len(gap))
	for !utf8.RuneStart(text[end]) {
		end--
	}
	for !utf8.RuneStart(text[start]) {
		start++
	}
	return text[:end] + gap + text[start:]
}

var metricName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// ParseResult returns the result of a unit of this plan, or an error if data holds none.
func (p *Plan) ParseResult(data []byte) (r Result, err error) {
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("not a result: %w", err)
	}
	unclean := func(text string) bool { return clean(text) != text }
	if r.Index < 0 || r.Index >= p.Len() || unclean(r.Error) || len(r.Metrics) > maxMetrics || len(r.Notes) > maxMetrics ||
		(r.Error == "") != (len(r.Metrics) > 0) || slices.ContainsFunc(r.Notes, unclean) {
		return r, errors.New("not a result of this sweep")
	}
	seen := map[string]bool{}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		_, err := strconv.ParseFloat(m.Value, 64)
		isBool := m.Value == "true" || m.Value == "false"
		if !metricName.MatchString(m.Name) || seen[m.Name] || unclean(m.Unit) || !isBool && err != nil {
			return r, fmt.Errorf("not a result: metric %q", printable.Name(m.Name))
		}
		seen[m.Name] = true
	}
	return r, nil
}

// ParseUnit returns a unit that came from elsewhere, or an error if data holds none that can be driven without a file of
// this machine.
func ParseUnit(data []byte) (u Unit, err error) {
	if err := json.Unmarshal(data, &u); err != nil {
		return u, fmt.Errorf("not a unit: %w", err)
	}
	switch {
	case u.Index < 0 || u.Index >= MaxUnits || !slices.Contains(maneuver.Names(), u.Maneuver):
		return u, fmt.Errorf("not a unit: manoeuvre %q", printable.Name(u.Maneuver))
	case u.Track != "" && !slices.Contains(config.Circuits(), u.Track):
		return u, fmt.Errorf("not a unit for workers: circuit %q is not built in", printable.Name(u.Track))
	}
	return u, nil
}
