package suspension

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/tire"
)

// TireChoice names the tire model of an axle, and holds the parameters of the models that are described in
// the car's file. Only the parameters of the chosen model count.
type TireChoice struct {
	// `"brush"`, `"dugoff"`, `"curve"`, `"coulomb"`, a built-in set (`rig tire` lists them), or a file
	// `NAME.tir` beside the car's file
	Model string `toml:"model"`
	// inflation pressure when cold, above the atmosphere's; 0 for the tire's own. It affects Magic Formula
	// tires from version 6.1 on, and the turning resistance of all standing tires
	Pressure float64 `toml:"pressure_kpa" range:"0 (the tire's own) or 10..2000"`

	Brush   tire.BrushParams   `toml:"brush"`
	Dugoff  tire.DugoffParams  `toml:"dugoff"`
	Curve   tire.CurveParams   `toml:"curve"`
	Coulomb tire.CoulombParams `toml:"coulomb"`
	Heat    tire.HeatParams    `toml:"heat"`

	File *tire.Tire `toml:"-"` // contents of the .tir file; the code that reads the car's file must set it
}

// DefaultTire returns a brush tire, with plausible values for the other models.
func DefaultTire() TireChoice {
	return TireChoice{
		Model: "brush", Brush: tire.DefaultBrush(), Dugoff: tire.DefaultDugoff(), Curve: tire.DefaultCurve(),
		Coulomb: tire.DefaultCoulomb(), Heat: tire.DefaultHeat(),
	}
}

// describedModels returns the names of the models whose parameters stand in the car's file.
func describedModels() []string { return []string{"brush", "coulomb", "curve", "dugoff"} }

// TireModels returns all values of the key model, except names of files.
func TireModels() []string {
	list := append(describedModels(), tire.Names()...)
	slices.Sort(list)
	return slices.Compact(list)
}

// FromFile reports whether the model key names a .tir file.
func (t TireChoice) FromFile() bool { return strings.HasSuffix(strings.ToLower(t.Model), ".tir") }

// Validate reports every parameter that is out of range.
func (t TireChoice) Validate() error {
	var model error
	if !t.FromFile() && !slices.Contains(TireModels(), t.Model) {
		model = fmt.Errorf("model = %q: must be %s, or a file that ends with .tir", t.Model,
			strings.Join(TireModels(), ", "))
	}
	return errors.Join(
		valid.Struct(t),
		model,
	)
}

// FitTires returns the tires of the front and the rear axle. Both axles share one tire if they have the same
// built-in set, so that its tables stay in the processor's cache.
func FitTires(front, rear *Params) (tires [2]*tire.Tire, err error) {
	if tires[0], err = front.fitTire(); err != nil {
		return tires, err
	}
	if t := rear.Tire; t.Model == front.Tire.Model && !t.isDescribed() && !t.FromFile() {
		tires[1] = tires[0]
		return tires, nil
	}
	tires[1], err = rear.fitTire()
	return tires, err
}

// fitTire returns the tire of an axle. A tire that is described in the car's file has the axle's radius and
// vertical stiffness. A built-in set or a .tir file has its own.
func (a Params) fitTire() (*tire.Tire, error) {
	t := &tire.Tire{Name: a.Tire.Model, Kind: a.Tire.Model, NominalLoad: defaultLoad, Radius: a.Wheel.Radius}
	var err error
	switch {
	case a.Tire.FromFile():
		if a.Tire.File == nil {
			return nil, fmt.Errorf("tire %q was not read: put what tire.Parse returns into Tire.File",
				a.Tire.Model)
		}
		return a.Tire.File, nil
	case a.Tire.Model == "brush":
		t.NominalLoad = a.Tire.Brush.NominalLoad
		t.Model, err = tire.NewBrush(a.Tire.Brush, a.Wheel.Radius)
	case a.Tire.Model == "dugoff":
		t.NominalLoad = a.Tire.Dugoff.NominalLoad
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

// TireSpring returns the vertical parameters of the tire t: its own, or those of the axle if it has none.
func (a Params) TireSpring(t *tire.Tire) tire.VerticalParams {
	if t.Vertical.Radius > 0 {
		return t.Vertical
	}
	return tire.VerticalParams{Radius: t.Radius, Stiffness: a.TireRate, Damping: a.TireDamping,
		NominalLoad: t.NominalLoad}
}

// defaultLoad is the nominal load of tire models that do not define one [N].
const defaultLoad = 4000

// isDescribed reports whether the tire is described in the car's file, not by a built-in set or a .tir file.
func (t TireChoice) isDescribed() bool { return slices.Contains(describedModels(), t.Model) }

// checkRelaxation returns an error if a relaxation length is missing: the axle must give it if the tire model
// has none.
func (a Params) checkRelaxation() error {
	if !a.Tire.isDescribed() || a.Tire.Model == "coulomb" { // other models have their own, and coulomb has no carcass
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

// Roller returns the model that rolls the axle's wheel with the tire t, on one side of the car; dt is the
// time step [s].
func (a Params) Roller(t *tire.Tire, side tire.Side, dt float64) (tire.WheelModel, error) {
	p := a.Wheel
	p.Radius = t.Radius
	if c, ok := t.Model.(*tire.Coulomb); ok {
		return tire.NewCoulombWheel(c, p, dt)
	}
	if !a.Tire.isDescribed() {
		can := t.Model.Capacity(tire.Contact{Load: t.NominalLoad, Surface: tire.Dry()})
		if can.RelaxationX > 0 {
			p.RelaxationX = 0
		}
		if can.RelaxationY > 0 {
			p.RelaxationY = 0
		}
	}
	return tire.NewWheel(t.ModelFor(side), p, dt)
}

// Radius returns the unloaded radius of the tire in use [m], or the axle's wheel.radius_m if the tire
// cannot be built.
func (a Params) Radius() float64 {
	if t, err := a.fitTire(); err == nil {
		return a.TireSpring(t).Radius
	}
	return a.Wheel.Radius
}
