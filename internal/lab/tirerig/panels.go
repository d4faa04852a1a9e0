package tirerig

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// panel is one diagram: y over x for some curves.
type panel struct {
	title  string
	x, y   quantity
	curves []curve
	square bool // the same scale on both axes, with 0 in the middle
}

// quantity is a column in the unit that people read.
type quantity struct {
	label string
	of    func(Row) float64
}

var (
	slipRatio = quantity{"slip ratio κ", func(r Row) float64 { return r.Kappa }}
	slipAngle = quantity{"slip angle α [deg]", func(r Row) float64 { return r.Alpha / perDegree }}
	camber    = quantity{"camber γ [deg]", func(r Row) float64 { return r.Gamma / perDegree }}
	pressing  = quantity{"load Fz [kN]", func(r Row) float64 { return r.Fz / 1e3 }}
	along     = quantity{"longitudinal force Fx [kN]", func(r Row) float64 { return r.Fx / 1e3 }}
	sideways  = quantity{"lateral force Fy [kN]", func(r Row) float64 { return r.Fy / 1e3 }}
	aligning  = quantity{"aligning moment Mz [N·m]", func(r Row) float64 { return r.Mz }}
)

// abscissa is what a sweep is drawn over.
var abscissa = map[string]quantity{"slip-angle": slipAngle, "slip-ratio": slipRatio, "camber": camber, "load": pressing}

// panels chooses the diagrams of a sweep, in rows.
func (r *Result) panels() [][]panel {
	if r.Sweep == "combined" {
		return r.ellipses()
	}
	x := abscissa[r.Sweep]
	var row []panel
	for _, y := range []quantity{along, sideways, aligning} {
		if r.shows(y) {
			row = append(row, panel{x: x, y: y, curves: r.curves})
		}
	}
	if row == nil { // nothing acts, which is worth a look, too
		row = []panel{{x: x, y: sideways, curves: r.curves}}
	}
	return [][]panel{row}
}

// ellipses are the forces in the road plane, a diagram for each load, and the
// moment below or beside it if there is one.
func (r *Result) ellipses() [][]panel {
	var forces, moments []panel
	for _, load := range distinct(r.curves, func(c curve) float64 { return c.Load }) {
		var curves []curve
		for _, c := range r.curves {
			if c.Load == load {
				curves = append(curves, c)
			}
		}
		title := "Fz = " + label(load/1e3) + " kN"
		forces = append(forces, panel{title: title, x: along, y: sideways, curves: curves, square: true})
		moments = append(moments, panel{x: slipRatio, y: aligning, curves: curves})
	}
	switch {
	case !r.shows(aligning):
		return [][]panel{forces}
	case len(forces) == 1:
		return [][]panel{{forces[0], moments[0]}}
	}
	return [][]panel{forces, moments}
}

// shows tells whether a force is more than a twentieth of the load somewhere,
// or a moment more than that force on a lever of 1 cm: less than that is what
// is left of the offsets of a tire.
func (r *Result) shows(q quantity) bool {
	unit := 1e-3 // of a force in kN
	if q.label == aligning.label {
		unit = 1e-2
	}
	return slices.ContainsFunc(r.Rows, func(row Row) bool { return math.Abs(q.of(row)) > 0.05*unit*row.Fz })
}

// distinct returns the values that a curve's key takes, in their order.
func distinct(curves []curve, key func(curve) float64) (found []float64) {
	for _, c := range curves {
		if v := key(c); !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	return found
}

// names tells the curves of a panel apart, by what differs between them.
func (p panel) names() []string {
	byLoad := len(distinct(p.curves, func(c curve) float64 { return c.Load })) > 1
	byAngle := len(distinct(p.curves, func(c curve) float64 { return c.Alpha })) > 1
	names := make([]string, len(p.curves))
	for i, c := range p.curves {
		var parts []string
		if byLoad {
			parts = append(parts, "Fz "+label(c.Load/1e3)+" kN")
		}
		if byAngle {
			parts = append(parts, "α "+label(c.Alpha)+"°")
		}
		names[i] = strings.Join(parts, ", ")
	}
	return names
}

// headline names the tire.
func (r *Result) headline() string {
	return strings.Join(named(shortened(filepath.Base(r.Tire)), r.size, r.Model), ", ")
}

// shortened takes the middle out of a name that no heading has room for.
func shortened(name string) string {
	const most, ends = 50, 24
	if r := []rune(name); len(r) > most {
		return string(r[:ends]) + "…" + string(r[len(r)-ends:])
	}
	return name
}

// conditions tells what is held.
func (r *Result) conditions() string {
	parts := []string{r.Sweep + " sweep, steady state, surface " + r.Surface}
	one := func(values []float64) bool { return len(values) == 1 }
	if alphas := distinct(r.curves, func(c curve) float64 { return c.Alpha }); one(alphas) && r.Sweep != "slip-angle" {
		parts = append(parts, "α = "+label(alphas[0])+"°")
	}
	if loads := distinct(r.curves, func(c curve) float64 { return c.Load }); one(loads) && r.Sweep != "load" && r.Sweep != "combined" {
		parts = append(parts, "Fz = "+label(loads[0]/1e3)+" kN")
	}
	if r.Sweep != "slip-ratio" && r.Sweep != "combined" {
		parts = append(parts, "κ = "+label(r.asked.Kappa))
	}
	if r.Sweep != "camber" {
		parts = append(parts, "γ = "+label(r.asked.Gamma)+"°")
	}
	if r.PressureKPa > 0 {
		parts = append(parts, label(r.PressureKPa)+" kPa")
	}
	if r.Speed > 0 {
		parts = append(parts, label(r.Speed)+" m/s")
	}
	return strings.Join(parts, ", ")
}
