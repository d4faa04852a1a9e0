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
	square bool // same scale on both axes, with 0 in the middle
}

// quantity is a value of a row in the unit of a plot's axis.
type quantity struct {
	label string            // label of the axis, with the unit
	of    func(Row) float64 // returns the value in that unit
}

var (
	slipRatio         = quantity{"slip ratio κ", func(r Row) float64 { return r.Kappa }}
	slipAngle         = quantity{"slip angle α [deg]", func(r Row) float64 { return r.Alpha / perDegree }}
	camber            = quantity{"camber γ [deg]", func(r Row) float64 { return r.Gamma / perDegree }}
	normalLoad        = quantity{"load Fz [kN]", func(r Row) float64 { return r.Fz / 1e3 }}
	longitudinalForce = quantity{"longitudinal force Fx [kN]", func(r Row) float64 { return r.Fx / 1e3 }}
	lateralForce      = quantity{"lateral force Fy [kN]", func(r Row) float64 { return r.Fy / 1e3 }}
	aligningMoment    = quantity{"aligning moment Mz [N·m]", func(r Row) float64 { return r.Mz }}
)

// sweptQuantity is the x axis of each kind of sweep.
var sweptQuantity = map[string]quantity{"slip-angle": slipAngle, "slip-ratio": slipRatio, "camber": camber, "load": normalLoad}

// panels returns the diagrams of a sweep, by rows of the sheet.
func (r *Result) panels() [][]panel {
	if r.Sweep == "combined" {
		return r.combinedPanels()
	}
	x := sweptQuantity[r.Sweep]
	var row []panel
	for _, y := range []quantity{longitudinalForce, lateralForce, aligningMoment} {
		if r.isSignificant(y) {
			row = append(row, panel{x: x, y: y, curves: r.curves})
		}
	}
	if row == nil { // no force is significant: show the lateral force anyway
		row = []panel{{x: x, y: lateralForce, curves: r.curves}}
	}
	return [][]panel{row}
}

// combinedPanels returns the diagrams of a combined sweep: the forces in the road plane, one diagram per
// load, and the moment below or beside it if it is significant.
func (r *Result) combinedPanels() [][]panel {
	var forces, moments []panel
	for _, load := range distinctValues(r.curves, func(c curve) float64 { return c.Load }) {
		var curves []curve
		for _, c := range r.curves {
			if c.Load == load {
				curves = append(curves, c)
			}
		}
		title := "Fz = " + shortNumber(load/1e3) + " kN"
		forces = append(forces, panel{title: title, x: longitudinalForce, y: lateralForce, curves: curves, square: true})
		moments = append(moments, panel{x: slipRatio, y: aligningMoment, curves: curves})
	}
	switch {
	case !r.isSignificant(aligningMoment):
		return [][]panel{forces}
	case len(forces) == 1:
		return [][]panel{{forces[0], moments[0]}}
	}
	return [][]panel{forces, moments}
}

// isSignificant reports whether the quantity is large enough to be plotted: a force of more than a
// twentieth of the load in any row, or a moment of more than that force times 1 cm. Smaller values are
// only the offsets of a tire.
func (r *Result) isSignificant(q quantity) bool {
	perLoad := 1e-3 // converts a load in N to the unit of the quantity: kN for forces, N·m at 1 cm for moments
	if q.label == aligningMoment.label {
		perLoad = 1e-2
	}
	return slices.ContainsFunc(r.Rows, func(row Row) bool { return math.Abs(q.of(row)) > 0.05*perLoad*row.Fz })
}

// distinctValues returns the different values of a key among the curves, in their order.
func distinctValues(curves []curve, key func(curve) float64) (found []float64) {
	for _, c := range curves {
		if v := key(c); !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	return found
}

// names returns the curves' names: load and slip angle, each only if it differs between the curves.
func (p panel) names() []string {
	byLoad := len(distinctValues(p.curves, func(c curve) float64 { return c.Load })) > 1
	byAngle := len(distinctValues(p.curves, func(c curve) float64 { return c.Alpha })) > 1
	names := make([]string, len(p.curves))
	for i, c := range p.curves {
		var parts []string
		if byLoad {
			parts = append(parts, "Fz "+shortNumber(c.Load/1e3)+" kN")
		}
		if byAngle {
			parts = append(parts, "α "+shortNumber(c.Alpha)+"°")
		}
		names[i] = strings.Join(parts, ", ")
	}
	return names
}

// headline names the tire.
func (r *Result) headline() string {
	return strings.Join(distinctNonEmpty(shortName(filepath.Base(r.Tire)), r.size, r.Model), ", ")
}

// shortName removes the middle of a name that is too long for a heading.
func shortName(name string) string {
	const maxRunes, ends = 50, 24
	if r := []rune(name); len(r) > maxRunes {
		return string(r[:ends]) + "…" + string(r[len(r)-ends:])
	}
	return name
}

// conditionsLine describes the conditions of the sweep that are constant.
func (r *Result) conditionsLine() string {
	parts := []string{r.Sweep + " sweep, steady state, surface " + r.Surface}
	isSingle := func(values []float64) bool { return len(values) == 1 }
	if alphas := distinctValues(r.curves, func(c curve) float64 { return c.Alpha }); isSingle(alphas) && r.Sweep != "slip-angle" {
		parts = append(parts, "α = "+shortNumber(alphas[0])+"°")
	}
	if loads := distinctValues(r.curves, func(c curve) float64 { return c.Load }); isSingle(loads) && r.Sweep != "load" && r.Sweep != "combined" {
		parts = append(parts, "Fz = "+shortNumber(loads[0]/1e3)+" kN")
	}
	if r.Sweep != "slip-ratio" && r.Sweep != "combined" {
		parts = append(parts, "κ = "+shortNumber(r.sweep.Kappa))
	}
	if r.Sweep != "camber" {
		parts = append(parts, "γ = "+shortNumber(r.sweep.Gamma)+"°")
	}
	if r.PressureKPa > 0 {
		parts = append(parts, shortNumber(r.PressureKPa)+" kPa")
	}
	if r.Speed > 0 {
		parts = append(parts, shortNumber(r.Speed)+" m/s")
	}
	return strings.Join(parts, ", ")
}
