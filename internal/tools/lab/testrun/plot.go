package testrun

import (
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/internal/tools/lab/chart"
	"rig.example/rig/internal/tools/lab/picture"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

// panelsPerRow is the number of panels side by side.
const panelsPerRow = 3

// WritePlot draws the report into a file that ends with .svg or .png.
func (r *Report) WritePlot(path string) error {
	return picture.Write(r.sheet(), programName, "--plot", path)
}

// sheet returns the picture of the report: the manoeuvre's own plots, the path, and values over time. With
// a reference it has a panel for each compared column instead, with both curves.
func (r *Report) sheet() chart.Sheet {
	panels := r.comparisonPanels()
	if r.Reference == nil {
		panels = slices.Concat(r.tracePanels(), r.pathPanel(), r.historyPanels())
	}
	if len(panels) == 0 {
		panels = []chart.Panel{r.creepPanel()}
	}
	s := chart.Sheet{Title: r.title(), Subtitle: maneuver.About(r.Maneuver)}
	if r.Reference != nil {
		s.Subtitle = "against " + r.Reference.Name
	}
	s.Rows = chart.InRows(panels, panelsPerRow)
	return s
}

// tracePanels returns the manoeuvre's own plots.
func (r *Report) tracePanels() (list []chart.Panel) {
	for _, t := range r.Traces {
		p := chart.Panel{Title: t.Title, X: t.XLabel, Y: t.YLabel, LogX: strings.HasPrefix(t.XLabel, "frequency"), MinRange: minPanelRange}
		for _, s := range t.Series {
			dots := strings.Contains(s.Name, "cone") || strings.Contains(s.Name, "point")
			x, y := thinOut(s.X, s.Y)
			p.Series = append(p.Series, chart.Series{Name: s.Name, X: x, Y: y, Dots: dots})
		}
		if len(p.Series) == 1 && strings.EqualFold(p.Series[0].Name, t.Title) {
			p.Series[0].Name = "" // the title has that name
		}
		if len(p.Series) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// pathPanel returns a panel with the path seen from above. It returns none if the car drove straight ahead
// or if the manoeuvre itself has such a plot.
func (r *Report) pathPanel() []chart.Panel {
	hasPath := slices.ContainsFunc(r.Traces, func(t maneuver.Trace) bool { return strings.HasPrefix(t.XLabel, "x [m]") })
	x, y := column(r.Rows, "x_m", 1), column(r.Rows, "y_m", 1)
	if hasPath || !varies(y) {
		return nil
	}
	return []chart.Panel{{Title: "Path", X: "x [m]", Y: "y to the left [m], in a scale of its own", Series: []chart.Series{{X: x, Y: y}}, MinRange: minPanelRange}}
}

// creepPanel returns the distance from the start over time, for a car that hardly moves.
func (r *Report) creepPanel() chart.Panel {
	s := chart.Series{X: column(r.Rows, timeColumn, 1)}
	for _, row := range r.Rows {
		first := r.Rows[0]
		s.Y = append(s.Y, 1e3*math.Hypot(math.Hypot(row.X-first.X, row.Y-first.Y), row.Z-first.Z))
	}
	return chart.Panel{Title: "Creep", X: "time [s]", Y: "distance from the start [mm]", Series: []chart.Series{s}}
}

// history describes a panel of some columns of the recording over time.
type history struct {
	title, label string
	curveNames   []string // names in the legend; nil for a single curve
	columns      []string
	scale        float64 // factor from the unit of the columns to that of the label
}

// minPanelRange is the smallest range of a panel's vertical axis, in the axis's unit. A curve that does not vary by
// more is taken for noise.
const minPanelRange = 0.02

// perDegree is one degree [rad].
const perDegree = math.Pi / 180

// histories are the panels over time, in the order of the sheet.
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
	{"Height", "height of the center of mass [m]", nil, []string{"z_m"}, 1},
}

// historyPanels returns the panels over time, without those that are constant.
func (r *Report) historyPanels() (list []chart.Panel) {
	time := column(r.Rows, timeColumn, 1)
	for _, h := range histories {
		p := chart.Panel{Title: h.title, X: "time [s]", Y: h.label, MinRange: minPanelRange}
		isVarying := false
		for i, name := range h.columns {
			values := column(r.Rows, name, h.scale)
			isVarying = isVarying || varies(values)
			s := chart.Series{}
			s.X, s.Y = thinOut(time, values)
			if len(h.curveNames) > 0 {
				s.Name = h.curveNames[i]
			}
			p.Series = append(p.Series, s)
		}
		if isVarying {
			list = append(list, p)
		}
	}
	return list
}

// comparisonPanels returns a panel for each column of the reference.
func (r *Report) comparisonPanels() (list []chart.Panel) {
	if r.Reference == nil {
		return nil
	}
	for _, h := range histories {
		for i, name := range h.columns {
			if !r.Reference.has(name) {
				continue
			}
			title := h.title
			if len(h.curveNames) > 0 {
				title += ": " + h.curveNames[i]
			}
			list = append(list, r.comparisonPanel(name, title, h.label, h.scale))
		}
	}
	for _, c := range []struct{ name, title, label string }{{"x_m", "Distance", "x [m]"}, {"y_m", "Offset", "y [m]"}, {"vy_mps", "Lateral speed", "vy [m/s]"}} {
		if r.Reference.has(c.name) {
			list = append(list, r.comparisonPanel(c.name, c.title, c.label, 1))
		}
	}
	return list
}

// comparisonPanel draws a column of the run and of the reference.
func (r *Report) comparisonPanel(name, title, label string, scale float64) chart.Panel {
	p := chart.Panel{Title: title, X: "time [s]", Y: label, MinRange: minPanelRange}
	x, y := thinOut(column(r.Rows, timeColumn, 1), column(r.Rows, name, scale))
	p.Series = append(p.Series, chart.Series{Name: "rig", X: x, Y: y})
	x, y = thinOut(column(r.Reference.Rows, timeColumn, 1), column(r.Reference.Rows, name, scale))
	p.Series = append(p.Series, chart.Series{Name: "reference", X: x, Y: y, Dashed: true})
	return p
}

// column returns the values of a column of a recording, each times scale. name must be one of
// trial.Columns.
func column(rows []trial.Row, name string, scale float64) []float64 {
	index := slices.Index(trial.Columns(), name)
	values := make([]float64, len(rows))
	for i := range rows {
		values[i] = rows[i].Values()[index] * scale
	}
	return values
}

// varies reports whether values change by more than noise.
func varies(values []float64) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if valid.Finite(v) {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	return high-low > minPanelRange
}

// thinOut reduces a long curve to the smallest and the largest value of each of 1000 intervals, so that no
// peak is lost.
func thinOut(x, y []float64) (tx, ty []float64) {
	const intervals = 1000
	n := min(len(x), len(y))
	if n <= 3*intervals {
		return x[:n], y[:n]
	}
	for k := range intervals {
		start, end := k*n/intervals, (k+1)*n/intervals
		low, high := start, start
		for i := start; i < end; i++ {
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
