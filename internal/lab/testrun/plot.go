package testrun

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/lab/chart"
	"rig.example/rig/internal/sink"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

// inARow is how many panels stand side by side.
const inARow = 3

// CheckPlot refuses a name whose ending is no format of a plot.
func CheckPlot(path string) error {
	if _, ok := chart.Format(path); ok {
		return nil
	}
	return wrong("--plot", fmt.Sprintf("%q: end the name with .svg or .png", path))
}

// WritePlot draws the report into a file that ends with .svg or .png.
func (r *Report) WritePlot(path string) error {
	if err := CheckPlot(path); err != nil {
		return err
	}
	format, _ := chart.Format(path)
	data, err := r.sheet().Render(format)
	if err != nil {
		return fmt.Errorf("%s: plot: %w", subject, err)
	}
	return sink.Sink{By: subject, Path: path}.Fill(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// sheet has the manoeuvre's own plots first, then the histories. With a
// reference it has what is compared, both curves in each panel.
func (r *Report) sheet() chart.Sheet {
	panels := r.compared()
	if r.Reference == nil {
		panels = slices.Concat(r.traces(), r.path(), r.histories())
	}
	if len(panels) == 0 {
		panels = []chart.Panel{r.creep()}
	}
	s := chart.Sheet{Title: r.title(), Below: maneuver.About(r.Maneuver)}
	if r.Reference != nil {
		s.Below = "against " + r.Reference.Name
	}
	for row := range slices.Chunk(panels, inARow) {
		s.Rows = append(s.Rows, row)
	}
	last := len(s.Rows) - 1
	for len(s.Rows) > 1 && len(s.Rows[last]) < inARow {
		s.Rows[last] = append(s.Rows[last], chart.Panel{})
	}
	return s
}

// traces are the manoeuvre's own plots.
func (r *Report) traces() (list []chart.Panel) {
	for _, t := range r.Traces {
		p := chart.Panel{Title: t.Title, X: t.XLabel, Y: t.YLabel, LogX: strings.HasPrefix(t.XLabel, "frequency"), Least: least}
		for _, s := range t.Series {
			dots := strings.Contains(s.Name, "cone") || strings.Contains(s.Name, "point")
			x, y := thinned(s.X, s.Y)
			p.Series = append(p.Series, chart.Series{Name: s.Name, X: x, Y: y, Dots: dots})
		}
		if len(p.Series) == 1 && strings.EqualFold(p.Series[0].Name, t.Title) {
			p.Series[0].Name = "" // the heading says so
		}
		if len(p.Series) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// path is the way over ground, seen from above, where it leaves a line and the
// manoeuvre draws none itself.
func (r *Report) path() []chart.Panel {
	own := slices.ContainsFunc(r.Traces, func(t maneuver.Trace) bool { return strings.HasPrefix(t.XLabel, "x [m]") })
	x, y := column(r.Rows, "x_m", 1), column(r.Rows, "y_m", 1)
	if own || !moves(y) {
		return nil
	}
	return []chart.Panel{{Title: "Path", X: "x [m]", Y: "y to the left [m], in a scale of its own", Series: []chart.Series{{X: x, Y: y}}, Least: least}}
}

// creep is how far a car is from where it began, of which no other panel would
// show anything.
func (r *Report) creep() chart.Panel {
	s := chart.Series{X: column(r.Rows, timeColumn, 1)}
	for _, row := range r.Rows {
		first := r.Rows[0]
		s.Y = append(s.Y, 1e3*math.Hypot(math.Hypot(row.X-first.X, row.Y-first.Y), row.Z-first.Z))
	}
	return chart.Panel{Title: "Creep", X: "time [s]", Y: "distance from the start [mm]", Series: []chart.Series{s}}
}

// history is what is drawn over time.
type history struct {
	title, label string
	names        []string // of the curves
	columns      []string
	scale        float64 // from the columns' unit to the label's
}

// least is the height of a panel, in its unit, below which a curve is noise.
const least = 0.02

const perDegree = math.Pi / 180

var histories = []history{
	{"Speed", "speed along the car [km/h]", nil, []string{"vx_mps"}, 3.6},
	{"Engine", "speed [1/min]", nil, []string{"engine_rpm"}, 1},
	{"Gear", "engaged", nil, []string{"gear"}, 1},
	{"Pedals", "share", []string{"throttle", "brake", "clutch"}, []string{"throttle", "brake", "clutch"}, 1},
	{"Steering", "mean angle of the front wheels [°]", nil, []string{"steer_rad"}, 1 / perDegree},
	{"Yaw rate", "yaw rate [°/s]", nil, []string{"yaw_rate_radps"}, 1 / perDegree},
	{"Acceleration", "acceleration [m/s²]", []string{"ax, ahead", "ay, to the left"}, []string{"ax_mps2", "ay_mps2"}, 1},
	{"Attitude", "angle [°]", []string{"roll, right side down", "pitch, nose down"}, []string{"roll_rad", "pitch_rad"}, 1 / perDegree},
	{"Sideslip", "sideslip angle [°]", nil, []string{"beta_rad"}, 1 / perDegree},
	{"Wheel loads", "load [kN]", []string{"FL", "FR", "RL", "RR"}, []string{"fz_fl_n", "fz_fr_n", "fz_rl_n", "fz_rr_n"}, 1e-3},
	{"Rack", "rack force [kN]", nil, []string{"rack_force_n"}, 1e-3},
	{"Column", "column torque [N·m]", nil, []string{"column_torque_nm"}, 1},
	{"Height", "height of the centre of mass [m]", nil, []string{"z_m"}, 1},
}

// histories are the panels over time, without those where nothing happens.
func (r *Report) histories() (list []chart.Panel) {
	time := column(r.Rows, timeColumn, 1)
	for _, h := range histories {
		p := chart.Panel{Title: h.title, X: "time [s]", Y: h.label, Least: least}
		shows := false
		for i, name := range h.columns {
			values := column(r.Rows, name, h.scale)
			shows = shows || moves(values)
			s := chart.Series{}
			s.X, s.Y = thinned(time, values)
			if len(h.names) > 0 {
				s.Name = h.names[i]
			}
			p.Series = append(p.Series, s)
		}
		if shows {
			list = append(list, p)
		}
	}
	return list
}

// compared is a panel for each column of the reference.
func (r *Report) compared() (list []chart.Panel) {
	if r.Reference == nil {
		return nil
	}
	for _, h := range histories {
		for i, name := range h.columns {
			if !r.Reference.has(name) {
				continue
			}
			title := h.title
			if len(h.names) > 0 {
				title += ": " + h.names[i]
			}
			list = append(list, r.both(name, title, h.label, h.scale))
		}
	}
	for _, c := range []struct{ name, title, label string }{{"x_m", "Way", "x [m]"}, {"y_m", "Offset", "y [m]"}, {"vy_mps", "Lateral speed", "vy [m/s]"}} {
		if r.Reference.has(c.name) {
			list = append(list, r.both(c.name, c.title, c.label, 1))
		}
	}
	return list
}

// both draws a column of the run and of the reference.
func (r *Report) both(name, title, label string, scale float64) chart.Panel {
	p := chart.Panel{Title: title, X: "time [s]", Y: label, Least: least}
	x, y := thinned(column(r.Rows, timeColumn, 1), column(r.Rows, name, scale))
	p.Series = append(p.Series, chart.Series{Name: "rig", X: x, Y: y})
	x, y = thinned(column(r.Reference.Rows, timeColumn, 1), column(r.Reference.Rows, name, scale))
	p.Series = append(p.Series, chart.Series{Name: "reference", X: x, Y: y, Thin: true})
	return p
}

// column returns a column of a recording in another unit.
func column(rows []trial.Row, name string, scale float64) []float64 {
	at := slices.Index(trial.Columns(), name)
	list := make([]float64, len(rows))
	for i := range rows {
		list[i] = rows[i].Values()[at] * scale
	}
	return list
}

// moves tells whether values change by more than noise.
func moves(values []float64) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if finite(v) {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	return high-low > least
}

// thinned leaves so many points of a long curve that none of its peaks is lost:
// the least and the greatest value of each of many short stretches.
func thinned(x, y []float64) (tx, ty []float64) {
	const stretches = 1000
	n := min(len(x), len(y))
	if n <= 3*stretches {
		return x[:n], y[:n]
	}
	for k := range stretches {
		from, to := k*n/stretches, (k+1)*n/stretches
		low, high := from, from
		for i := from; i < to; i++ {
			if y[i] < y[low] {
				low = i
			}
			if y[i] > y[high] {
				high = i
			}
		}
		for _, i := range []int{min(low, high), max(low, high)} {
			tx, ty = append(tx, x[i]), append(ty, y[i])
		}
	}
	return append(tx, x[n-1]), append(ty, y[n-1])
}
