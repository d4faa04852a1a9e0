package suspension

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/tire"
)

// TireChoice names the tire of an axle and holds the parameters of the models
// that a car describes itself. Only the chosen one's count.
type TireChoice struct {
	Model    string  `toml:"model"`        // brush, dugoff, curve, coulomb, a built-in set, or FILE.tir beside the car's file
	Pressure float64 `toml:"pressure_kpa"` // inflation when cold; 0 is the tire's own

	Brush   tire.BrushParams   `toml:"brush"`
	Dugoff  tire.DugoffParams  `toml:"dugoff"`
	Curve   tire.CurveParams   `toml:"curve"`
	Coulomb tire.CoulombParams `toml:"coulomb"`
	Heat    tire.HeatParams    `toml:"heat"`

	File *tire.Tire `toml:"-"` // what FILE.tir holds; whoever reads the car's file reads it too
}

// DefaultTire is a brush, with the other models ready to be chosen.
func DefaultTire() TireChoice {
	return TireChoice{
		Model: "brush", Brush: tire.Brush205(), Dugoff: tire.DefaultDugoff(), Curve: tire.DefaultCurve(),
		Coulomb: tire.DefaultCoulomb(), Heat: tire.DefaultHeat(),
	}
}

// described are the models whose parameters a car's file gives.
func described() []string { return []string{"brush", "coulomb", "curve", "dugoff"} }

// TireModels lists what a model key may name, beside files.
func TireModels() []string {
	list := append(described(), tire.Names()...)
	slices.Sort(list)
	return slices.Compact(list)
}

// FromFile tells whether the model is a file.
func (t TireChoice) FromFile() bool { return strings.HasSuffix(strings.ToLower(t.Model), ".tir") }

// Validate reports every parameter that is out of range.
func (t TireChoice) Validate() error {
	var model error
	if !t.FromFile() && !slices.Contains(TireModels(), t.Model) {
		model = fmt.Errorf("model = %q: choose %s, or a file that ends with .tir", t.Model, strings.Join(TireModels(), ", "))
	}
	return errors.Join(
		model,
		t.inflated(),
		valid.Within("brush", t.Brush.Validate()),
		valid.Within("dugoff", t.Dugoff.Validate()),
		valid.Within("curve", t.Curve.Validate()),
		valid.Within("coulomb", t.Coulomb.Validate()),
		valid.Within("heat", t.Heat.Validate()),
	)
}

// inflated reports an inflation that is most likely given in another unit.
func (t TireChoice) inflated() error {
	if t.Pressure == 0 || t.Pressure >= 10 && t.Pressure <= 2000 {
		return nil
	}
	return fmt.Errorf("pressure_kpa = %g: allowed is 10 to 2000, or 0 for the tire's own; 1 bar is 100 kPa", t.Pressure)
}

// Fit returns the tires in front and behind. Left and right share one, and so do
// both axles on the same built-in set: their tables stay in the processor's cache.
func Fit(front, rear *Params) (tires [2]*tire.Tire, err error) {
	if tires[0], err = front.fitTire(); err != nil {
		return tires, err
	}
	if t := rear.Tire; t.Model == front.Tire.Model && !t.own() && !t.FromFile() {
		tires[1] = tires[0]
		return tires, nil
	}
	tires[1], err = rear.fitTire()
	return tires, err
}

// fitTire returns the tire of an axle. One that the car describes stands on the
// axle's radius and vertical stiffness; a built-in set and a file bring theirs.
func (a Params) fitTire() (*tire.Tire, error) {
	t := &tire.Tire{Name: a.Tire.Model, Kind: a.Tire.Model, Load: usualLoad, Radius: a.Wheel.Radius}
	var err error
	switch {
	case a.Tire.FromFile():
		return a.filed()
	case a.Tire.Model == "brush":
		t.Load = a.Tire.Brush.NominalLoad
		t.Model, err = tire.NewBrush(a.Tire.Brush, a.Wheel.Radius)
	case a.Tire.Model == "dugoff":
		t.Load = a.Tire.Dugoff.NominalLoad
		t.Model, err = tire.NewDugoff(a.Tire.Dugoff, a.Wheel.Radius)
	case a.Tire.Model == "curve":
		t.Model, err = tire.NewCurve(a.Tire.Curve, a.Wheel.Radius)
	case a.Tire.Model == "coulomb":
		t.Model, err = tire.NewCoulomb(a.Tire.Coulomb, a.Wheel.Radius)
	default:
		return tire.Builtin(a.Tire.Model)
	}
	return t, err
}

// TireSpring returns how a tire carries its load: as it says itself, or by the
// axle's stiffness where it does not.
func (a Params) TireSpring(t *tire.Tire) tire.VerticalParams {
	if t.Vertical.Radius > 0 {
		return t.Vertical
	}
	return tire.VerticalParams{Radius: t.Radius, Stiffness: a.VerticalRate, Damping: a.TireDamping, Load: t.Load}
}

// usualLoad is the nominal load of a tire that does not tell its own [N].
const usualLoad = 4000

// filed returns the tire that was read from a file.
func (a Params) filed() (*tire.Tire, error) {
	if a.Tire.File == nil {
		return nil, fmt.Errorf("tire %q was not read: put what tire.Parse returns into Tire.File", a.Tire.Model)
	}
	return a.Tire.File, nil
}

// own tells whether the axle's car describes the tire itself.
func (t TireChoice) own() bool { return slices.Contains(described(), t.Model) }

// relaxes reports a relaxation length that neither the axle nor its tire has.
func (a Params) relaxes() error {
	if !a.Tire.own() || a.Tire.Model == "coulomb" { // the others bring theirs, and this one has no carcass
		return nil
	}
	var errs []error
	if a.Wheel.RelaxationX == 0 {
		errs = append(errs, fmt.Errorf("relaxation_long_m = 0: the model %q has no relaxation length of its own; give one, as 0.15", a.Tire.Model))
	}
	if a.Wheel.RelaxationY == 0 {
		errs = append(errs, fmt.Errorf("relaxation_lat_m = 0: the model %q has no relaxation length of its own; give one, as 0.3", a.Tire.Model))
	}
	return errors.Join(errs...)
}

// Roller returns the wheel that rolls a tire on a side of the car.
func (a Params) Roller(t *tire.Tire, side tire.Side, dt float64) (tire.Roller, error) {
	p := a.Wheel
	p.Radius = t.Radius
	if c, ok := t.Model.(*tire.Coulomb); ok {
		return tire.NewCoulombWheel(c, p, dt)
	}
	if !a.Tire.own() {
		can := t.Model.Capacity(tire.Contact{Load: t.Load, Surface: tire.Dry()})
		if can.RelaxationX > 0 {
			p.RelaxationX = 0
		}
		if can.RelaxationY > 0 {
			p.RelaxationY = 0
		}
	}
	return tire.NewWheel(t.On(side), p, dt)
}

// Radius returns the unloaded radius of the tire in use [m], or the axle's
// where there is none to ask.
func (a Params) Radius() float64 {
	if t, err := a.fitTire(); err == nil {
		return a.TireSpring(t).Radius
	}
	return a.Wheel.Radius
}
