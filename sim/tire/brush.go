package tire

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// BrushParams describe a brush tire by quantities that a test rig measures.
type BrushParams struct {
	Friction          float64 `toml:"friction" range:"0.01..3"`                     // friction coefficient at the nominal load on dry asphalt
	FrictionLoadSlope float64 `toml:"friction_load_slope" range:"0..0.5"`           // share of the friction lost per nominal load of additional load
	NominalLoad       float64 `toml:"nominal_load_n" range:"100..50000"`            // load at which the other values hold
	Stiffness         float64 `toml:"slip_stiffness_n" range:"1000..2000000"`       // slip stiffness: slope of force over slip at zero slip, longitudinal and lateral
	HalfLength        float64 `toml:"contact_half_length_m" range:"0.01..0.5"`      // half the contact length at the nominal load
	CarcassStiffness  float64 `toml:"carcass_stiffness_n_per_m" range:"10000..1e9"` // lateral stiffness of the carcass, which moves the contact out of the wheel plane
	RollingResistance float64 `toml:"rolling_resistance" range:"0..0.3"`            // drag of a free-rolling wheel over its load
}

// DefaultBrush is plausible for a 205/55 to 205/60 R15 road tire: 53 kN/rad and a pneumatic trail of 28
// mm at 4 kN.
func DefaultBrush() BrushParams {
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
	return valid.Struct(p)
}

// Brush is the brush model: a row of elastic bristles under parabolic pressure (P ch. 3), in combined
// slip, from adhesion to full sliding.
//
// The contact length grows with the square root of the load, as at constant pressure, so the stiffness
// is proportional to the load.
type Brush struct {
	params            BrushParams
	stiffnessPerLoad  float64 // slip stiffness over load
	carcassCompliance float64 // lateral compliance of the carcass [m/N]
	perNominalLoad    float64 // 1 over the nominal load [1/N]
	rollingArm        float64 // rolling resistance moment over load [m]
}

// NewBrush returns a brush tire on a wheel of a radius [m]. The parameters must pass Validate.
func NewBrush(p BrushParams, radius float64) (*Brush, error) {
	if err := errors.Join(p.Validate(), valid.InRange("radius", radius, 0.05, 2)); err != nil {
		return nil, fmt.Errorf("tire: brush: %w", err)
	}
	return &Brush{
		params:            p,
		stiffnessPerLoad:  p.Stiffness / p.NominalLoad,
		carcassCompliance: 1 / p.CarcassStiffness,
		perNominalLoad:    1 / p.NominalLoad,
		rollingArm:        p.RollingResistance * radius,
	}, nil
}

// Friction returns mu at a load [N]. It falls with the load and stays between 0.5 and 1.5 times its
// nominal value.
func (b *Brush) Friction(load float64) float64 {
	factor := 1 - b.params.FrictionLoadSlope*(load*b.perNominalLoad-1)
	return b.params.Friction * clamp(factor, 0.5, 1.5)
}

// HalfLength returns half the contact length at a load [m].
func (b *Brush) HalfLength(load float64) float64 {
	return b.params.HalfLength * math.Sqrt(load*b.perNominalLoad)
}

// Capacity returns stiffnesses and force limits for the load and surface of c.
func (b *Brush) Capacity(c Contact) (capacity Capacity) {
	b.capacity(&capacity, &c)
	return capacity
}

// capacity is Capacity, but writes the result through a pointer to avoid copies.
func (b *Brush) capacity(capacity *Capacity, c *Contact) {
	load := atMost(c.Load, maxLoad)
	capacity.StiffnessX = b.stiffnessPerLoad * load * atMost(c.Surface.Stiffness, maxFactor)
	capacity.StiffnessY = capacity.StiffnessX
	capacity.ForceX = b.Friction(load) * load * atMost(c.Surface.Grip, maxFactor)
	capacity.ForceY = capacity.ForceX
	capacity.Rolling = rollingMoment(b.rollingArm, load, c.Surface.Rolling)
	capacity.HalfLength = b.HalfLength(load)
}

// minRollRatio is the lower limit of the ratio of rolling speed to hub speed. It keeps the theoretical
// slip of a locked wheel finite.
const minRollRatio = 1e-3

// Forces returns the steady forces. The force in the road plane never exceeds mu·grip·load.
func (b *Brush) Forces(c Contact) (f Forces) {
	if !c.hasContact() {
		return f
	}
	var capacity Capacity
	b.capacity(&capacity, &c)
	kappa := boundedOrZero(c.Kappa)
	perRollRatio := 1 / max(1+kappa, minRollRatio)
	b.forces(&f, &capacity, kappa*perRollRatio, boundedOrZero(c.TanAlpha)*perRollRatio)
	return f
}

// forces sets f to the forces at theoretical slips, which are sliding speeds over the rolling speed (P
// ch. 3). Let q be the slip over the slip at which full sliding begins. The force is mu·Fz·(3q - 3q² +
// q³). Times the pneumatic trail it gives an aligning moment of mu·Fz·a·q·(1 - q)³, which has its largest
// value, 27/256·mu·Fz·a, at q = 1/4.
func (b *Brush) forces(f *Forces, capacity *Capacity, sx, sy float64) {
	third := capacity.StiffnessX * (1.0 / 3)
	perSlideSlip := third / capacity.ForceX // computed early: it does not depend on the slip
	slip := math.Sqrt(sx*sx + sy*sy)
	perSlip, momentPerSlip := 0.0, 0.0
	if q := slip * perSlideSlip; q < 1 {
		adhesion := 1 - q
		perSlip = third * (3 - 3*q + q*q)
		momentPerSlip = third * capacity.HalfLength * adhesion * adhesion * adhesion
	} else {
		perSlip = capacity.ForceX / slip
	}
	f.Fx, f.Fy = perSlip*sx, -perSlip*sy
	f.Mx, f.My = 0, -capacity.Rolling
	f.Mz = momentPerSlip*sy - f.Fx*f.Fy*b.carcassCompliance
}

// hasContact reports whether the contact can transmit any force.
func (c *Contact) hasContact() bool {
	return c.Load > minLoad && c.Surface.Grip > minFactor && c.Surface.Stiffness > minFactor
}

// Loads and factors below these count as 0, because they could lead to a division by 0.
const (
	minLoad   = 1e-6 // [N]
	minFactor = 1e-9
)

// Slips, loads and factors above these are clamped, because they could lead to an overflow. None occurs
// on a road.
const (
	maxSlip   = 1e9
	maxLoad   = 1e9
	maxFactor = 1e3
)

// boundedOrZero clamps v to ±maxSlip and returns 0 for NaN.
func boundedOrZero(v float64) float64 {
	if v != v {
		return 0
	}
	return clamp(v, -maxSlip, maxSlip)
}
