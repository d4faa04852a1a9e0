package tire

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// VerticalParams describe the vertical spring of a tire and its effective rolling radius, by the
// equations of MF-Tyre 6.1 (load P 4.E68; radii and stiffness in Besselink, Schmeitz and Pacejka, An
// improved Magic Formula/Swift tyre model that can handle inflation pressure changes, 2010, eqs. 1, 5
// and 7). For a linear spring leave all fields after FReff at 0.
type VerticalParams struct {
	Radius          float64 // R0, unloaded radius at rest [m]
	Stiffness       float64 // Cz0, at the nominal load and pressure [N/m]; 0 takes that of QFz1 and QFz2
	Damping         float64 // [N·s/m]
	NominalLoad     float64 // Fz0 [N]
	MeasuredSpeed   float64 // V0, at which the tire was measured [m/s]; may be 0 where QV1 and QV2 are 0
	NominalPressure float64 // p0, inflation pressure [Pa]; 0 ignores inflation

	RimDeflection float64 // deflection at which the tire is flat on its rim [m]; 0 is a quarter of Radius
	RimStiffness  float64 // added to the stiffness beyond that [N/m]; 0 is four times Stiffness

	BReff float64 // effective radius: how fast it drops at small loads
	DReff float64 // effective radius: height of that drop
	FReff float64 // effective radius: share of the deflection at large loads; all three 0 take the defaults

	QRe0 float64 // radius of the free tire over Radius; 0 is 1
	QV1  float64 // growth of that radius with the square of the spin
	QV2  float64 // growth of the stiffness with spin
	QFz1 float64 // linear part of the load over the deflection; 0 takes that of Stiffness
	QFz2 float64 // quadratic part of the load over the deflection
	QFcx float64 // loss of load by Fx
	QFcy float64 // loss of load by Fy
	PFz1 float64 // growth of the stiffness with pressure
}

// Typical shape of a radial tire's effective radius: it drops at small loads and
// then hardly changes with the deflection (P §8.3.1).
const (
	DefaultBReff = 8.4
	DefaultDReff = 0.27
	DefaultFReff = 0.07
)

// Validate reports every parameter that is out of range.
func (p VerticalParams) Validate() error {
	errs := []error{
		valid.InRange("vertical radius", p.Radius, 0.05, 2),
		valid.InRange("vertical stiffness", p.Stiffness, 0, 1e8),
		valid.InRange("vertical damping", p.Damping, 0, 20e3),
		valid.InRange("vertical nominal load", p.NominalLoad, 10, 1e6),
		valid.InRange("vertical measuring speed", p.MeasuredSpeed, 0, 200),
		valid.InRange("vertical nominal pressure", p.NominalPressure, 0, 5e6),
		valid.InRange("vertical deflection to the rim", p.RimDeflection, 0, max(p.Radius, 0)),
		valid.InRange("vertical rate of the rim", p.RimStiffness, 0, 1e8),
		valid.InRange("effective radius B", p.BReff, 0, 100),
		valid.InRange("effective radius D", p.DReff, 0, 10),
		valid.InRange("effective radius F", p.FReff, -1, 2),
		valid.InRange("effective radius q_re0", p.QRe0, 0, 2),
		valid.InRange("effective radius q_v1", p.QV1, -1, 1),
		valid.InRange("vertical q_v2", p.QV2, -1, 10),
		valid.InRange("vertical q_fz1", p.QFz1, 0, 1e4),
		valid.InRange("vertical q_fz2", p.QFz2, -1e4, 1e5),
		valid.InRange("vertical q_fcx", p.QFcx, -10, 10),
		valid.InRange("vertical q_fcy", p.QFcy, -10, 10),
		valid.InRange("vertical p_fz1", p.PFz1, -10, 10),
	}
	if p.MeasuredSpeed == 0 && (p.QV1 != 0 || p.QV2 != 0) {
		errs = append(errs, errors.New("vertical measuring speed is missing, and q_v1 or q_v2 are given: set both to 0, or give the speed"))
	}
	return errors.Join(errs...)
}

// Vertical is a tire as a spring under its load. It is immutable.
type Vertical struct {
	params             VerticalParams
	freeRadius         float64 // radius of the free tire at rest [m]
	radiusGrowth       float64 // growth of the free radius with the square of the spin [m·s²/rad²]
	linear             float64 // linear coefficient of the load over the deflection [N/m]
	quadratic          float64 // quadratic coefficient [N/m²]
	nominalDeflection  float64 // Fz0/Cz0, which scales the effective radius [m]
	perNominalLoad     float64 // 1 over the nominal load [1/N]
	perNominalPressure float64 // 1 over the nominal pressure [1/Pa]; 0 ignores inflation
	stiffnessGrowth    float64 // growth of the stiffness with spin [s/rad]
	hasConstantRate    bool    // neither spin nor forces nor inflation change the stiffness
}

// NewVertical returns the spring of a tire. The parameters must pass Validate, and the load must grow
// with the deflection down to the rim.
func NewVertical(p VerticalParams) (*Vertical, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("tire: %w", err)
	}
	if p.BReff == 0 && p.DReff == 0 && p.FReff == 0 {
		p.BReff, p.DReff, p.FReff = DefaultBReff, DefaultDReff, DefaultFReff
	}
	if p.QRe0 == 0 {
		p.QRe0 = 1
	}
	if err := p.completeStiffness(); err != nil {
		return nil, fmt.Errorf("tire: %w", err)
	}
	if p.RimDeflection == 0 {
		p.RimDeflection = 0.25 * p.Radius
	}
	if p.RimStiffness == 0 {
		p.RimStiffness = 4 * p.Stiffness
	}
	v := &Vertical{
		params: p, freeRadius: p.Radius * p.QRe0, nominalDeflection: p.NominalLoad / p.Stiffness, perNominalLoad: 1 / p.NominalLoad,
		linear: p.QFz1 * p.NominalLoad / p.Radius, quadratic: p.QFz2 * p.NominalLoad / (p.Radius * p.Radius),
	}
	if p.MeasuredSpeed > 0 {
		perSpeed := p.Radius / p.MeasuredSpeed
		v.radiusGrowth, v.stiffnessGrowth = p.Radius*p.QV1*perSpeed*perSpeed, p.QV2*perSpeed
	}
	if p.NominalPressure > 0 {
		v.perNominalPressure = 1 / p.NominalPressure
	}
	v.hasConstantRate = p.QV2 == 0 && p.QFcx == 0 && p.QFcy == 0 && p.PFz1 == 0
	return v, nil
}

// completeStiffness sets QFz1 from Stiffness or the other way round: at Fz0 the slope of the load over
// the deflection is Fz0/R0·√(q_fz1² + 4·q_fz2).
func (p *VerticalParams) completeStiffness() error {
	slope := p.Stiffness * p.Radius / p.NominalLoad
	if p.QFz1 == 0 {
		square := slope*slope - 4*p.QFz2
		if !(square > 0) {
			return fmt.Errorf("vertical stiffness = %g: with q_fz2 = %g it must be above %g, or set q_fz1",
				p.Stiffness, p.QFz2, 2*math.Sqrt(max(p.QFz2, 0))*p.NominalLoad/p.Radius)
		}
		p.QFz1 = math.Sqrt(square)
	}
	if !(p.QFz1+2*p.QFz2 > 0) || !(p.QFz1*p.QFz1+4*p.QFz2 > 0) {
		return fmt.Errorf("vertical q_fz2 = %g: with q_fz1 = %g the stiffness is not positive; increase it", p.QFz2, p.QFz1)
	}
	if p.Stiffness == 0 {
		p.Stiffness = p.NominalLoad / p.Radius * math.Sqrt(p.QFz1*p.QFz1+4*p.QFz2)
	}
	return nil
}

// VerticalInput is what changes the spring of a loaded tire.
type VerticalInput struct {
	Spin     float64 // [rad/s]; the sign does not matter
	Pressure float64 // inflation pressure [Pa]; 0 is the nominal one
	Fx, Fy   float64 // forces in the road plane [N]
}

// Force returns the load at a deflection [m] of the free tire [N]. It is 0 for a tire in the air; a tire
// pressed flat rests on its rim.
func (v *Vertical) Force(deflection float64, r VerticalInput) float64 {
	if !(deflection > 0) {
		return 0
	}
	x := atMost(deflection, v.freeRadius)
	force := v.stiffnessFactor(&r) * (v.linear + v.quadratic*x) * x
	if x > v.params.RimDeflection {
		force += v.params.RimStiffness * (x - v.params.RimDeflection)
	}
	return force
}

// Rate returns the slope of Force over the deflection [N/m].
func (v *Vertical) Rate(deflection float64, r VerticalInput) float64 {
	if !(deflection > 0) {
		return 0
	}
	rate := v.stiffnessFactor(&r) * (v.linear + 2*v.quadratic*atMost(deflection, v.freeRadius))
	if deflection > v.params.RimDeflection {
		rate += v.params.RimStiffness
	}
	return rate
}

// FlatHubHeight returns the height of the hub at which the tire is flat on its rim [m].
func (v *Vertical) FlatHubHeight() float64 { return v.freeRadius - v.params.RimDeflection }

// Damping returns the damping of the deflection [N·s/m].
func (v *Vertical) Damping() float64 { return v.params.Damping }

// stiffnessFactor returns the factor of spin, forces and inflation on the stiffness.
func (v *Vertical) stiffnessFactor(r *VerticalInput) float64 {
	if v.hasConstantRate {
		return 1
	}
	fx, fy := v.params.QFcx*r.Fx*v.perNominalLoad, v.params.QFcy*r.Fy*v.perNominalLoad
	factor := 1 + v.stiffnessGrowth*math.Abs(r.Spin) - fx*fx - fy*fy
	if r.Pressure > 0 && v.perNominalPressure > 0 {
		factor *= 1 + v.params.PFz1*(r.Pressure*v.perNominalPressure-1)
	}
	const low, high = 0.1, 10 // beyond any tire
	if factor != factor {
		return 1
	}
	return atMost(atLeast(factor, low), high)
}

// Deflection returns the deflection [m] of a standing tire at its nominal pressure under a load [N].
func (v *Vertical) Deflection(load float64) float64 {
	if !(load > 0) {
		return 0
	}
	if rim := v.params.RimDeflection; load > (v.linear+v.quadratic*rim)*rim { // flat on the rim: the air spring is nearly linear there
		excess := load - (v.linear+v.quadratic*rim)*rim
		return min(rim+excess/(v.linear+2*v.quadratic*rim+v.params.RimStiffness), v.freeRadius)
	}
	root := math.Sqrt(max(v.linear*v.linear+4*v.quadratic*load, 0))
	return min(2*load/(v.linear+root), v.freeRadius) // also valid without a quadratic part
}

// FreeRadius returns the radius of the unloaded tire [m] at a spin [rad/s], which the centrifugal force
// increases.
func (v *Vertical) FreeRadius(spin float64) float64 {
	return v.freeRadius + v.centrifugalGrowth(spin)
}

// centrifugalGrowth returns how much the free radius grows with spin [m], limited to ±10 %.
func (v *Vertical) centrifugalGrowth(spin float64) float64 {
	growth := v.radiusGrowth * spin * spin
	if growth != growth {
		return 0
	}
	return atMost(atLeast(growth, -0.1*v.freeRadius), 0.1*v.freeRadius)
}

// EffectiveRadius returns the effective rolling radius [m], the distance that a free-rolling wheel
// travels per radian, under a load [N] at a spin [rad/s]: Re = R(spin) - Fz0/Cz·(D·atan(B·Fz/Fz0) +
// F·Fz/Fz0).
func (v *Vertical) EffectiveRadius(load, spin float64) float64 {
	const maxLoadRatio = 10 // nominal loads
	loadRatio := 0.0
	if load > 0 {
		loadRatio = atMost(load*v.perNominalLoad, maxLoadRatio)
	}
	re := v.FreeRadius(spin) - v.nominalDeflection*(v.params.DReff*atan(v.params.BReff*loadRatio)+v.params.FReff*loadRatio)
	return atLeast(re, v.freeRadius/2)
}
