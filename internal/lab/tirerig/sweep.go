package tirerig

import (
	"math"
	"slices"
	"strings"
)

// Sweep says which slips and loads a tire goes through.
type Sweep struct {
	Kind   string    // one of Kinds
	Loads  []float64 // [N]; empty is 0.5, 1 and 1.5 times the nominal one
	Alphas []float64 // slip angles that are held [deg]; empty is the kind's own
	Kappa  float64   // slip that is held
	Gamma  float64   // inclination that is held [deg]

	// Of the quantity that is swept, in the kind's unit; nil is the kind's own.
	From, To, Step *float64
}

// kind is how one of the sweeps goes unless it is told otherwise.
type kind struct {
	name           string
	swept          string  // name of what varies, with its unit
	from, to, step float64 // in that unit
	least, most    float64 // what from and to may be
	alphas         []float64
}

var kinds = []kind{
	{name: "slip-angle", swept: "slip angle in deg", from: -20, to: 20, step: 0.25, least: -89, most: 89},
	{name: "slip-ratio", swept: "slip ratio", from: -1, to: 1, step: 0.01, least: -1, most: 10, alphas: []float64{0}},
	{name: "camber", swept: "camber in deg", from: -10, to: 10, step: 0.5, least: -89, most: 89, alphas: []float64{0}},
	{name: "load", swept: "load in N", least: 0, most: mostLoad, alphas: []float64{1, 2, 4, 8}},
	{name: "combined", swept: "slip ratio", from: -0.3, to: 0.3, step: 0.01, least: -1, most: 10,
		alphas: []float64{-12, -8, -6, -4, -2, -1, 0, 1, 2, 4, 6, 8, 12}},
}

// loadSteps are those of a load sweep from 0 to the greatest load. 60 have the
// half, the third and the quarter of it among them.
const loadSteps = 60

// mostRows keep a sweep within what one looks at; a batch has no such limit.
const mostRows = 1_000_000

// Kinds lists the sweeps.
func Kinds() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// curve is the rows of one sweep while load and slip angle are held; of these
// the one that is swept is the first row's.
type curve struct {
	Load  float64 // [N]
	Alpha float64 // [deg]
	Rows  []Row
}

// Result is a finished sweep. Its rows are in the order of the loads, then of
// the slip angles that are held, then of the sweep.
type Result struct {
	Tire        string   `json:"tire"`
	Model       string   `json:"model"`
	Sweep       string   `json:"sweep"`
	Surface     string   `json:"surface"`
	PressureKPa float64  `json:"pressure_kpa,omitempty"` // missing if the model does not ask
	Speed       float64  `json:"speed_mps,omitempty"`    // missing if the model does not ask
	Notices     []string `json:"notices"`                // what the tire's file left out, and what else to know
	Rows        []Row    `json:"rows"`

	Aligning []Aligning `json:"aligning,omitempty"` // of a slip angle sweep, for each load

	curves []curve
	size   string
	asked  Sweep
}

// Run takes the tire through a sweep. Its faults are *config.Problem.
func (b *Bench) Run(s Sweep) (*Result, error) {
	k, s, err := b.plan(s)
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
	if n := len(heldLoads) * len(heldAlphas) * len(swept); n > mostRows {
		return nil, wrong("--step", "the sweep would have %d rows, more than %d; take wider steps, or give the points as a file with --points", n, mostRows)
	}
	r := b.result(s)
	r.Rows = make([]Row, 0, len(heldLoads)*len(heldAlphas)*len(swept))
	seen := b.tally()
	for _, load := range heldLoads {
		for _, alpha := range heldAlphas {
			b.curve(r, seen, load, alpha, swept)
		}
	}
	r.Notices = append(r.Notices, seen.notices()...)
	if s.Kind == "slip-angle" {
		b.early(r)
	}
	return r, nil
}

func (b *Bench) result(s Sweep) *Result {
	return &Result{
		Tire: b.Tire.Name, Model: b.Tire.Kind, Sweep: s.Kind, Surface: b.SurfaceName,
		PressureKPa: felt(b.Pressure, b.Tire.Pressure) / perKPa, Speed: felt(b.Speed, b.Tire.Speed),
		Notices: b.notices(), size: b.Tire.Size, asked: s,
	}
}

// felt is the bench's value or, without one, the tire's own. It is 0 for a tire
// that does not ask, whatever the bench was told.
func felt(bench, own float64) float64 {
	if own > 0 && bench > 0 {
		return bench
	}
	return own
}

// curve sweeps with load [N] and alpha [deg] held, as far as they are.
func (b *Bench) curve(r *Result, seen *tally, load, alpha float64, swept []float64) {
	s, first := r.asked, len(r.Rows)
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
		seen.see(p)
		r.Rows = append(r.Rows, b.row(p))
	}
	r.curves = append(r.curves, curve{Load: load, Alpha: alpha, Rows: r.Rows[first:]})
}

// plan finds the kind of a sweep and fills in what was left out.
func (b *Bench) plan(s Sweep) (kind, Sweep, error) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == s.Kind })
	if i < 0 {
		return kind{}, s, wrong("--sweep", "%q is no sweep; choose %s", s.Kind, strings.Join(Kinds(), ", "))
	}
	k := kinds[i]
	if err := s.check(); err != nil {
		return k, s, err
	}
	if len(s.Loads) == 0 {
		s.Loads = []float64{0.5 * b.Tire.Load, b.Tire.Load, 1.5 * b.Tire.Load}
	}
	if len(s.Alphas) == 0 {
		s.Alphas = k.alphas
	}
	if most := slices.Max(s.Loads); k.name == "load" {
		k.to, k.step = most, most/loadSteps
	}
	return k, s, nil
}

// check refuses what no sweep can do; a comparison with NaN is false.
func (s Sweep) check() error {
	for _, load := range s.Loads {
		if !(load > 0 && load <= mostLoad) {
			return wrong("--fz", "%g N: give loads above 0 and up to %.0f N, as 2000,4000,6000", load, mostLoad)
		}
	}
	for _, alpha := range s.Alphas {
		if !(math.Abs(alpha) < 90) {
			return wrong("--alpha", "%g°: give slip angles between -90 and 90 degrees", alpha)
		}
	}
	if !(math.Abs(s.Gamma) < 90) {
		return wrong("--gamma", "%g°: give an inclination between -90 and 90 degrees", s.Gamma)
	}
	if !(s.Kappa >= -1 && s.Kappa <= 10) {
		return wrong("--kappa", "%g: give a slip from -1, which is a locked wheel, to 10", s.Kappa)
	}
	return s.checkHeld()
}

// checkHeld refuses to hold what is swept.
func (s Sweep) checkHeld() error {
	switch {
	case s.Kind == "slip-angle" && len(s.Alphas) > 0:
		return wrong("--alpha", "the slip angle is what is swept; set it with --from, --to and --step")
	case (s.Kind == "slip-ratio" || s.Kind == "combined") && s.Kappa != 0:
		return wrong("--kappa", "the slip ratio is what is swept; set it with --from, --to and --step")
	case s.Kind == "camber" && s.Gamma != 0:
		return wrong("--gamma", "the camber is what is swept; set it with --from, --to and --step")
	}
	return nil
}

// values returns what is swept, in the kind's unit: round numbers, and exactly
// 0 in the middle.
func values(k kind, s Sweep) ([]float64, error) {
	from, to, step := or(s.From, k.from), or(s.To, k.to), or(s.Step, k.step)
	switch {
	case !(from >= k.least && from <= k.most):
		return nil, wrong("--from", "%g: allowed is %g to %g (%s)", from, k.least, k.most, k.swept)
	case s.To == nil && from > to:
		return nil, wrong("--from", "%g: the sweep ends at %g unless --to says otherwise; give --to, too (%s)", from, to, k.swept)
	case s.From == nil && to < from:
		return nil, wrong("--to", "%g: the sweep begins at %g unless --from says otherwise; give --from, too (%s)", to, from, k.swept)
	case !(to >= from && to <= k.most):
		return nil, wrong("--to", "%g: allowed is %g, where the sweep begins, to %g (%s)", to, from, k.most, k.swept)
	case !(step > 0 && step <= mostLoad):
		return nil, wrong("--step", "%g: give a step above 0, to %g at most (%s)", step, mostLoad, k.swept)
	}
	steps := math.Floor((to-from)/step + 1e-6)
	if steps >= mostRows {
		return nil, wrong("--step", "%g: the sweep would have %.3g rows, more than %d; take wider steps", step, steps+1, mostRows)
	}
	list := make([]float64, int(steps)+1)
	for i := range list {
		list[i] = round(from + float64(i)*step)
	}
	return list, nil
}

// round takes the noise of the summing off v: it returns the number that is
// nearest to v rounded to nine decimals.
func round(v float64) float64 {
	const decimals = 1e9
	return math.Round(v*decimals)/decimals + 0 // not -0
}

func or(v *float64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return *v
}
