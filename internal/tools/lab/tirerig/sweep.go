package tirerig

import (
	"math"
	"slices"
	"strings"
)

// Sweep says which quantity is varied, and which others are held constant.
type Sweep struct {
	Kind   string    // one of Kinds
	Loads  []float64 // [N]; empty is 0.5, 1 and 1.5 times the nominal load
	Alphas []float64 // held slip angles [deg]; empty is the kind's default
	Kappa  float64   // held longitudinal slip, positive when driving
	Gamma  float64   // held inclination [deg]

	// Range and step of the varied quantity, in the kind's unit; nil is the kind's default.
	From, To, Step *float64
}

// sweepKind holds the defaults and limits of a kind of sweep.
type sweepKind struct {
	name           string
	swept          string  // name and unit of the swept quantity
	from, to, step float64 // default range, in that unit
	min, max       float64 // limits of from and to
	heldAlphas     []float64
}

// sweepKinds are the kinds of sweep. The default range of a load sweep depends on the tire.
var sweepKinds = []sweepKind{
	{name: "slip-angle", swept: "slip angle in deg", from: -20, to: 20, step: 0.25, min: -89, max: 89},
	{name: "slip-ratio", swept: "slip ratio", from: -1, to: 1, step: 0.01, min: -1, max: 10, heldAlphas: []float64{0}},
	{name: "camber", swept: "camber in deg", from: -10, to: 10, step: 0.5, min: -89, max: 89, heldAlphas: []float64{0}},
	{name: "load", swept: "load in N", min: 0, max: maxLoad, heldAlphas: []float64{1, 2, 4, 8}},
	{name: "combined", swept: "slip ratio", from: -0.3, to: 0.3, step: 0.01, min: -1, max: 10,
		heldAlphas: []float64{-12, -8, -6, -4, -2, -1, 0, 1, 2, 4, 6, 8, 12}},
}

// loadSteps is the number of steps of a load sweep from 0 to the largest load. With 60 steps the half,
// the third and the quarter of the largest load are among the values.
const loadSteps = 60

// maxRows limits the size of a sweep. A batch has no limit.
const maxRows = 1_000_000

// Kinds returns the names of the kinds of sweep.
func Kinds() []string {
	names := make([]string, len(sweepKinds))
	for i, k := range sweepKinds {
		names[i] = k.name
	}
	return names
}

// curve holds the rows of a sweep at one load and one slip angle. If one of these is the varied quantity,
// its field has the first value of the sweep.
type curve struct {
	Load  float64 // [N]
	Alpha float64 // [deg]
	Rows  []Row
}

// Result is the result of a sweep. Its rows are ordered by load, then by held slip angle, then along the
// sweep.
type Result struct {
	Tire        string   `json:"tire"`
	Model       string   `json:"model"`
	Sweep       string   `json:"sweep"`
	Surface     string   `json:"surface"`
	PressureKPa float64  `json:"pressure_kpa,omitempty"` // missing if the model does not depend on it
	Speed       float64  `json:"speed_mps,omitempty"`    // missing if the model does not depend on it
	Notices     []string `json:"notices"`                // what the tire's file left out, and what else to know
	Rows        []Row    `json:"rows"`

	Aligning []Aligning `json:"aligning,omitempty"` // peaks at each load of a slip angle sweep; missing for other sweeps

	curves []curve
	size   string
	sweep  Sweep
}

// Run takes the tire through a sweep. Its errors are *config.Problem.
func (b *Bench) Run(s Sweep) (*Result, error) {
	k, s, err := b.resolve(s)
	if err != nil {
		return nil, err
	}
	swept, err := values(k, s)
	if err != nil {
		return nil, err
	}
	heldLoads, heldAlphas := s.Loads, s.Alphas
	switch s.Kind {
	case "load":
		heldLoads = swept[:1]
	case "slip-angle":
		heldAlphas = swept[:1]
	}
	if n := len(heldLoads) * len(heldAlphas) * len(swept); n > maxRows {
		return nil, flagError("--step", "the sweep would have %d rows, more than %d; take wider steps, or give the points as a file with --points", n, maxRows)
	}
	r := b.result(s)
	r.Rows = make([]Row, 0, len(heldLoads)*len(heldAlphas)*len(swept))
	ranges := b.newRangeCheck()
	for _, load := range heldLoads {
		for _, alpha := range heldAlphas {
			b.curve(r, ranges, load, alpha, swept)
		}
	}
	r.Notices = append(r.Notices, ranges.notices()...)
	if s.Kind == "slip-angle" {
		b.addAligningPeaks(r)
	}
	return r, nil
}

// result returns a sweep's result without rows.
func (b *Bench) result(s Sweep) *Result {
	return &Result{
		Tire: b.Tire.Name, Model: b.Tire.Kind, Sweep: s.Kind, Surface: b.SurfaceName,
		PressureKPa: effective(b.Pressure, b.Tire.Pressure) / perKPa, Speed: effective(b.Speed, b.Tire.MeasuredSpeed),
		Notices: b.tireNotices(), size: b.Tire.Size, sweep: s,
	}
}

// effective returns the bench's value or, without one, the tire's own. It is 0 for a tire that does not
// depend on the quantity.
func effective(bench, own float64) float64 {
	if own > 0 && bench > 0 {
		return bench
	}
	return own
}

// curve adds the rows of one curve to r and its points to ranges. load [N] and alpha [deg] are held
// constant, except for the one that the kind of sweep varies: swept has its values.
func (b *Bench) curve(r *Result, ranges *rangeCheck, load, alpha float64, swept []float64) {
	s, first := r.sweep, len(r.Rows)
	for _, v := range swept {
		p := Point{Kappa: s.Kappa, Alpha: alpha * perDegree, Gamma: s.Gamma * perDegree, Load: load}
		switch s.Kind {
		case "slip-angle":
			p.Alpha = v * perDegree
		case "camber":
			p.Gamma = v * perDegree
		case "load":
			p.Load = v
		default:
			p.Kappa = v
		}
		ranges.add(p)
		r.Rows = append(r.Rows, b.row(p))
	}
	r.curves = append(r.curves, curve{Load: load, Alpha: alpha, Rows: r.Rows[first:]})
}

// resolve finds the kind of a sweep and fills in defaults.
func (b *Bench) resolve(s Sweep) (sweepKind, Sweep, error) {
	i := slices.IndexFunc(sweepKinds, func(k sweepKind) bool { return k.name == s.Kind })
	if i < 0 {
		return sweepKind{}, s, flagError("--sweep", "%q not found; choose %s", s.Kind, strings.Join(Kinds(), ", "))
	}
	k := sweepKinds[i]
	if err := s.validate(); err != nil {
		return k, s, err
	}
	if len(s.Loads) == 0 {
		s.Loads = []float64{0.5 * b.Tire.NominalLoad, b.Tire.NominalLoad, 1.5 * b.Tire.NominalLoad}
	}
	if len(s.Alphas) == 0 {
		s.Alphas = k.heldAlphas
	}
	if largest := slices.Max(s.Loads); k.name == "load" {
		k.to, k.step = largest, largest/loadSteps
	}
	return k, s, nil
}

// validate returns an error for held values out of range, also for NaN.
func (s Sweep) validate() error {
	for _, load := range s.Loads {
		if !(load > 0 && load <= maxLoad) {
			return flagError("--fz", "%g N: loads must be above 0 and up to %.0f N, for example 2000,4000,6000", load, maxLoad)
		}
	}
	for _, alpha := range s.Alphas {
		if !(math.Abs(alpha) < 90) {
			return flagError("--alpha", "%g°: slip angles must be between -90 and 90 degrees", alpha)
		}
	}
	if !(math.Abs(s.Gamma) < 90) {
		return flagError("--gamma", "%g°: the inclination must be between -90 and 90 degrees", s.Gamma)
	}
	if !(s.Kappa >= -1 && s.Kappa <= 10) {
		return flagError("--kappa", "%g: the slip must be -1 (a locked wheel) to 10", s.Kappa)
	}
	return s.validateHeld()
}

// validateHeld returns an error for a held value of the quantity that is swept.
func (s Sweep) validateHeld() error {
	switch {
	case s.Kind == "slip-angle" && len(s.Alphas) > 0:
		return flagError("--alpha", "the slip angle is what is swept; set it with --from, --to and --step")
	case (s.Kind == "slip-ratio" || s.Kind == "combined") && s.Kappa != 0:
		return flagError("--kappa", "the slip ratio is what is swept; set it with --from, --to and --step")
	case s.Kind == "camber" && s.Gamma != 0:
		return flagError("--gamma", "the camber is what is swept; set it with --from, --to and --step")
	}
	return nil
}

// values returns the values of the varied quantity in the kind's unit. They are rounded to nine decimals,
// so that a symmetric range has exactly 0 in its middle.
func values(k sweepKind, s Sweep) ([]float64, error) {
	from, to, step := valueOr(s.From, k.from), valueOr(s.To, k.to), valueOr(s.Step, k.step)
	switch {
	case !(from >= k.min && from <= k.max):
		return nil, flagError("--from", "%g: must be %g to %g (%s)", from, k.min, k.max, k.swept)
	case s.To == nil && from > to:
		return nil, flagError("--from", "%g: the sweep ends at %g unless --to says otherwise; give --to, too (%s)", from, to, k.swept)
	case s.From == nil && to < from:
		return nil, flagError("--to", "%g: the sweep begins at %g unless --from says otherwise; give --from, too (%s)", to, from, k.swept)
	case !(to >= from && to <= k.max):
		return nil, flagError("--to", "%g: must be %g, where the sweep begins, to %g (%s)", to, from, k.max, k.swept)
	case !(step > 0 && step <= maxLoad):
		return nil, flagError("--step", "%g: the step must be above 0 and up to %g (%s)", step, maxLoad, k.swept)
	}
	steps := math.Floor((to-from)/step + 1e-6)
	if steps >= maxRows {
		return nil, flagError("--step", "%g: the sweep would have %.3g rows, more than %d; take wider steps", step, steps+1, maxRows)
	}
	list := make([]float64, int(steps)+1)
	for i := range list {
		list[i] = round(from + float64(i)*step)
	}
	return list, nil
}

// round removes rounding errors of the summation: it returns v rounded to nine decimals.
func round(v float64) float64 {
	const decimals = 1e9
	return math.Round(v*decimals)/decimals + 0 // not -0
}

// valueOr returns *v, or otherwise if v is nil.
func valueOr(v *float64, fallback float64) float64 {
	if v == nil {
		return fallback
	}
	return *v
}
