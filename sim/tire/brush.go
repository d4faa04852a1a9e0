package tire

import (
	"errors"
	"fmt"
	"math"
)

// BrushParams describe a brush tire by what a test rig measures.
type BrushParams struct {
	Friction          float64 `toml:"friction"`                  // mu at the nominal load on dry asphalt
	FrictionLoadSlope float64 `toml:"friction_load_slope"`       // share of mu lost for each nominal load more, 0..0.5
	NominalLoad       float64 `toml:"nominal_load_n"`            // where the other values hold
	Stiffness         float64 `toml:"slip_stiffness_n"`          // dF/dslip at no slip, the same ahead and sideways
	HalfLength        float64 `toml:"contact_half_length_m"`     // a of P ch. 3
	CarcassStiffness  float64 `toml:"carcass_stiffness_n_per_m"` // sideways, moves the contact away from the wheel plane
	RollingResistance float64 `toml:"rolling_resistance"`        // drag over load of a free-rolling wheel
}

// Brush205 is plausible for a 205/55 to 205/60 R15 road tire: 53 kN/rad and a
// trail of 28 mm at 4 kN.
func Brush205() BrushParams {
	return BrushParams{
		Friction:          1.0,
		FrictionLoadSlope: 0.08,
		NominalLoad:       4000,
		Stiffness:         53e3,
		HalfLength:        0.085,
		CarcassStiffness:  150e3,
		RollingResistance: 0.012,
	}
}

// Validate reports every parameter that is out of range.
func (p BrushParams) Validate() error {
	return errors.Join(
		inRange("friction", p.Friction, 0.01, 3),
		inRange("friction_load_slope", p.FrictionLoadSlope, 0, 0.5),
		inRange("nominal_load_n", p.NominalLoad, 100, 50e3),
		inRange("slip_stiffness_n", p.Stiffness, 1e3, 2e6),
		inRange("contact_half_length_m", p.HalfLength, 0.01, 0.5),
		inRange("carcass_stiffness_n_per_m", p.CarcassStiffness, 1e4, 1e9),
		inRange("rolling_resistance", p.RollingResistance, 0, 0.3),
	)
}

// Brush is a row of elastic bristles under parabolic pressure (P ch. 3), in
// combined slip, from adhesion to full sliding.
//
// The contact's length grows with the root of the load, as at constant
// pressure, so the stiffness is proportional to the load.
type Brush struct {
	p        BrushParams
	perLoad  float64 // stiffness over load
	flexible float64 // of the carcass [m/N]
	loads    float64 // 1 over the nominal load [1/N]
	rolling  float64 // rolling resistance moment over load [m]
}

// NewBrush returns a tire of parameters that pass Validate, on a wheel of a
// radius [m].
func NewBrush(p BrushParams, radius float64) (*Brush, error) {
	if err := errors.Join(p.Validate(), inRange("radius", radius, 0.05, 2)); err != nil {
		return nil, fmt.Errorf("tire: brush: %w", err)
	}
	return &Brush{
		p:        p,
		perLoad:  p.Stiffness / p.NominalLoad,
		flexible: 1 / p.CarcassStiffness,
		loads:    1 / p.NominalLoad,
		rolling:  p.RollingResistance * radius,
	}, nil
}

// Friction returns mu under a load [N]; it falls with load, within a half and
// one and a half of its nominal value.
func (b *Brush) Friction(load float64) float64 {
	share := 1 - b.p.FrictionLoadSlope*(load*b.loads-1)
	return b.p.Friction * within(share, 0.5, 1.5)
}

// HalfLength returns half the contact's length under a load [m].
func (b *Brush) HalfLength(load float64) float64 {
	return b.p.HalfLength * math.Sqrt(load*b.loads)
}

// Capacity returns the limits.
func (b *Brush) Capacity(c Contact) (can Capacity) {
	b.capacity(&can, &c)
	return can
}

// capacity fills in the limits at c.
func (b *Brush) capacity(can *Capacity, c *Contact) {
	load := atMost(c.Load, mostLoad)
	can.StiffnessX = b.perLoad * load * atMost(c.Surface.Stiffness, mostFactor)
	can.StiffnessY = can.StiffnessX
	can.ForceX = b.Friction(load) * load * atMost(c.Surface.Grip, mostFactor)
	can.ForceY = can.ForceX
	can.Rolling = rollingMoment(b.rolling, load, c.Surface.Rolling)
	can.HalfLength = b.HalfLength(load)
}

// leastRoll keeps the theoretical slip of a locked wheel finite.
const leastRoll = 1e-3

// Forces returns the steady forces; the force never exceeds mu·grip·load.
func (b *Brush) Forces(c Contact) (f Forces) {
	if !c.presses() {
		return f
	}
	var can Capacity
	b.capacity(&can, &c)
	kappa := bounded(c.Kappa)
	roll := 1 / max(1+kappa, leastRoll)
	b.forces(&f, &can, kappa*roll, bounded(c.TanAlpha)*roll)
	return f
}

// forces fills in the forces at theoretical slips, which count over the rolled way
// (P ch. 3). With q the slip over that from which on all slides, the force is
// mu·Fz·(3q - 3q² + q³), and the trail makes of it mu·Fz·a·q·(1 - q)³,
// which is greatest, 27/256·mu·Fz·a, at a quarter of that slip.
func (b *Brush) forces(f *Forces, can *Capacity, sx, sy float64) {
	third := can.StiffnessX * (1.0 / 3)
	perLimit := third / can.ForceX // known before the slip
	slip := math.Sqrt(sx*sx + sy*sy)
	perSlip, turn := 0.0, 0.0
	if q := slip * perLimit; q < 1 {
		rest := 1 - q
		perSlip = third * (3 - 3*q + q*q)
		turn = third * can.HalfLength * rest * rest * rest
	} else {
		perSlip = can.ForceX / slip
	}
	f.Fx, f.Fy = perSlip*sx, -perSlip*sy
	f.Mx, f.My = 0, -can.Rolling
	f.Mz = turn*sy - f.Fx*f.Fy*b.flexible
}

// presses tells whether there is any force between wheel and road.
func (c *Contact) presses() bool {
	return c.Load > leastLoad && c.Surface.Grip > leastFactor && c.Surface.Stiffness > leastFactor
}

// Less than this presses no tire on any road and only risks a division by 0.
const (
	leastLoad   = 1e-6 // [N]
	leastFactor = 1e-9
)

// Slips, loads and factors beyond these are beyond any road and only risk an overflow.
const (
	mostSlip   = 1e9
	mostLoad   = 1e9
	mostFactor = 1e3
)

// bounded brings v within ±mostSlip; what is no number counts as 0.
func bounded(v float64) float64 {
	if v != v {
		return 0
	}
	return within(v, -mostSlip, mostSlip)
}

func inRange(name string, v, low, high float64) error {
	if v >= low && v <= high { // false for NaN
		return nil
	}
	return fmt.Errorf("%s = %g: allowed is %g to %g", name, v, low, high)
}
