package tire

import (
	"errors"
	"fmt"
	"math"
)

// VerticalParams describe how a tire carries its load and how far it rolls on
// a turn, by the equations of MF-Tyre 6.1 (load P 4.E68; radii and stiffness in
// Besselink, Schmeitz and Pacejka, An improved Magic Formula/Swift tyre model
// that can handle inflation pressure changes, 2010, eqs. 1, 5 and 7). A plain
// spring leaves all after F at 0.
type VerticalParams struct {
	Radius    float64 // unloaded, at rest [m]
	Stiffness float64 // at the nominal load and pressure [N/m]; 0 follows QFz1 and QFz2
	Damping   float64 // [N·s/m]
	Load      float64 // nominal, Fz0 [N]
	Speed     float64 // that the tire was measured at, V0 [m/s]; may be 0 where no factor of spin is given
	Pressure  float64 // nominal inflation [Pa]; 0 leaves inflation out

	Rim     float64 // deflection at which the tire is flat on its rim [m]; 0 is a quarter of Radius
	RimRate float64 // added to the stiffness from there on [N/m]; 0 is four times Stiffness

	B float64 // of the effective radius: how fast it drops at small loads
	D float64 // of the effective radius: height of that drop
	F float64 // of the effective radius: share of the deflection that stays; all three 0 take DefaultB, DefaultD, DefaultF

	QRe0 float64 // radius of the free tire over Radius; 0 is 1
	QV1  float64 // growth of that radius with the square of the spin
	QV2  float64 // growth of the stiffness with spin
	QFz1 float64 // linear part of the load over the deflection; 0 follows Stiffness
	QFz2 float64 // quadratic part of the load over the deflection
	QFcx float64 // loss of load by Fx
	QFcy float64 // loss of load by Fy
	PFz1 float64 // growth of the stiffness with pressure
}

// Usual shape of a radial tire's effective radius, where a file has none: it
// drops soon and then hardly follows the deflection (P §8.3.1).
const (
	DefaultB = 8.4
	DefaultD = 0.27
	DefaultF = 0.07
)

// Validate reports every parameter that is out of range.
func (p VerticalParams) Validate() error {
	errs := []error{
		inRange("vertical radius", p.Radius, 0.05, 2),
		inRange("vertical stiffness", p.Stiffness, 0, 1e8),
		inRange("vertical damping", p.Damping, 0, 20e3),
		inRange("vertical nominal load", p.Load, 10, 1e6),
		inRange("vertical measuring speed", p.Speed, 0, 200),
		inRange("vertical nominal pressure", p.Pressure, 0, 5e6),
		inRange("vertical deflection to the rim", p.Rim, 0, max(p.Radius, 0)),
		inRange("vertical rate of the rim", p.RimRate, 0, 1e8),
		inRange("effective radius B", p.B, 0, 100),
		inRange("effective radius D", p.D, 0, 10),
		inRange("effective radius F", p.F, -1, 2),
		inRange("effective radius q_re0", p.QRe0, 0, 2),
		inRange("effective radius q_v1", p.QV1, -1, 1),
		inRange("vertical q_v2", p.QV2, -1, 10),
		inRange("vertical q_fz1", p.QFz1, 0, 1e4),
		inRange("vertical q_fz2", p.QFz2, -1e4, 1e5),
		inRange("vertical q_fcx", p.QFcx, -10, 10),
		inRange("vertical q_fcy", p.QFcy, -10, 10),
		inRange("vertical p_fz1", p.PFz1, -10, 10),
	}
	if p.Speed == 0 && (p.QV1 != 0 || p.QV2 != 0) {
		errs = append(errs, errors.New("vertical measuring speed is missing, and q_v1 or q_v2 are given: set both to 0, or give the speed"))
	}
	return errors.Join(errs...)
}

// Vertical is a tire as a spring under its load. It is pure.
type Vertical struct {
	p           VerticalParams
	free        float64 // radius of the free tire at rest [m]
	grow        float64 // of it with the square of the spin [m·s²/rad²]
	linear      float64 // [N/m]
	square      float64 // [N/m²]
	sink        float64 // Fz0 over the stiffness, which scales the effective radius [m]
	perLoad     float64 // [1/N]
	perPressure float64 // [1/Pa]
	stiffen     float64 // growth of the stiffness with spin [s/rad]
	even        bool    // neither spin nor forces nor inflation change the stiffness
}

// NewVertical returns a tire of parameters that pass Validate, whose load
// grows with its deflection down to the rim.
func NewVertical(p VerticalParams) (*Vertical, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("tire: %w", err)
	}
	if p.B == 0 && p.D == 0 && p.F == 0 {
		p.B, p.D, p.F = DefaultB, DefaultD, DefaultF
	}
	if p.QRe0 == 0 {
		p.QRe0 = 1
	}
	if err := p.completeStiffness(); err != nil {
		return nil, fmt.Errorf("tire: %w", err)
	}
	if p.Rim == 0 {
		p.Rim = 0.25 * p.Radius
	}
	if p.RimRate == 0 {
		p.RimRate = 4 * p.Stiffness
	}
	v := &Vertical{
		p: p, free: p.Radius * p.QRe0, sink: p.Load / p.Stiffness, perLoad: 1 / p.Load,
		linear: p.QFz1 * p.Load / p.Radius, square: p.QFz2 * p.Load / (p.Radius * p.Radius),
	}
	if p.Speed > 0 {
		perSpeed := p.Radius / p.Speed
		v.grow, v.stiffen = p.Radius*p.QV1*perSpeed*perSpeed, p.QV2*perSpeed
	}
	if p.Pressure > 0 {
		v.perPressure = 1 / p.Pressure
	}
	v.even = p.QV2 == 0 && p.QFcx == 0 && p.QFcy == 0 && p.PFz1 == 0
	return v, nil
}

// completeStiffness finds QFz1 from Stiffness or the other way round: at Fz0 the
// slope of the load over the deflection is Fz0/R0·√(q_fz1² + 4·q_fz2).
func (p *VerticalParams) completeStiffness() error {
	slope := p.Stiffness * p.Radius / p.Load
	if p.QFz1 == 0 {
		left := slope*slope - 4*p.QFz2
		if !(left > 0) {
			return fmt.Errorf("vertical stiffness = %g: with q_fz2 = %g it must be more than %g, or q_fz1 be given",
				p.Stiffness, p.QFz2, 2*math.Sqrt(max(p.QFz2, 0))*p.Load/p.Radius)
		}
		p.QFz1 = math.Sqrt(left)
	}
	if !(p.QFz1+2*p.QFz2 > 0) || !(p.QFz1*p.QFz1+4*p.QFz2 > 0) {
		return fmt.Errorf("vertical q_fz2 = %g: with q_fz1 = %g the tire gives way as it is pressed; make it larger", p.QFz2, p.QFz1)
	}
	if p.Stiffness == 0 {
		p.Stiffness = p.Load / p.Radius * math.Sqrt(p.QFz1*p.QFz1+4*p.QFz2)
	}
	return nil
}

// Running is what changes the spring of a tire that carries a load.
type Running struct {
	Spin     float64 // [rad/s], either way
	Pressure float64 // inflation [Pa]; 0 is the tire's own
	Fx, Fy   float64 // forces in the road plane [N]
}

// Force returns the load that a deflection [m] of the free tire carries [N]; a
// tire in the air carries none, and one pressed flat stands on its rim.
func (v *Vertical) Force(deflection float64, r Running) float64 {
	if !(deflection > 0) {
		return 0
	}
	x := atMost(deflection, v.free)
	force := v.factor(&r) * (v.linear + v.square*x) * x
	if x > v.p.Rim {
		force += v.p.RimRate * (x - v.p.Rim)
	}
	return force
}

// Rate returns the slope of Force [N/m].
func (v *Vertical) Rate(deflection float64, r Running) float64 {
	if !(deflection > 0) {
		return 0
	}
	rate := v.factor(&r) * (v.linear + 2*v.square*atMost(deflection, v.free))
	if deflection > v.p.Rim {
		rate += v.p.RimRate
	}
	return rate
}

// Flat returns the height of the hub of a tire that is pressed flat [m].
func (v *Vertical) Flat() float64 { return v.free - v.p.Rim }

// Damping returns what resists the speed of the deflection [N·s/m].
func (v *Vertical) Damping() float64 { return v.p.Damping }

// factor returns what spin, forces and inflation make of the spring.
func (v *Vertical) factor(r *Running) float64 {
	if v.even {
		return 1
	}
	fx, fy := v.p.QFcx*r.Fx*v.perLoad, v.p.QFcy*r.Fy*v.perLoad
	factor := 1 + v.stiffen*math.Abs(r.Spin) - fx*fx - fy*fy
	if r.Pressure > 0 && v.perPressure > 0 {
		factor *= 1 + v.p.PFz1*(r.Pressure*v.perPressure-1)
	}
	const least, most = 0.1, 10 // beyond any tire
	if factor != factor {
		return 1
	}
	return atMost(atLeast(factor, least), most)
}

// Deflection returns how far a standing tire at its own pressure yields to a
// load [m].
func (v *Vertical) Deflection(load float64) float64 {
	if !(load > 0) {
		return 0
	}
	if rim := v.p.Rim; load > (v.linear+v.square*rim)*rim { // flat: what the air adds beyond is linear enough
		over := load - (v.linear+v.square*rim)*rim
		return min(rim+over/(v.linear+2*v.square*rim+v.p.RimRate), v.free)
	}
	root := math.Sqrt(max(v.linear*v.linear+4*v.square*load, 0))
	return min(2*load/(v.linear+root), v.free) // also for a square part of 0
}

// FreeRadius returns the radius of the unloaded tire at a spin [rad/s], which
// the centrifugal force widens [m].
func (v *Vertical) FreeRadius(spin float64) float64 {
	return v.free + v.widened(spin)
}

// widened returns how much the free tire grows with spin [m], a tenth at most.
func (v *Vertical) widened(spin float64) float64 {
	wide := v.grow * spin * spin
	if wide != wide {
		return 0
	}
	return atMost(atLeast(wide, -0.1*v.free), 0.1*v.free)
}

// EffectiveRadius returns the way that a free-rolling wheel makes on a turn of
// one radian [m], under a load [N] at a spin [rad/s]:
// Re = R(spin) - Fz0/Cz·(D·atan(B·Fz/Fz0) + F·Fz/Fz0).
func (v *Vertical) EffectiveRadius(load, spin float64) float64 {
	const heaviest = 10 // nominal loads
	share := 0.0
	if load > 0 {
		share = atMost(load*v.perLoad, heaviest)
	}
	re := v.FreeRadius(spin) - v.sink*(v.p.D*atan(v.p.B*share)+v.p.F*share)
	return atLeast(re, v.free/2)
}
