// Package tire turns slip and load into the forces between a wheel and the road.
//
// This comment is the one place that states the axes. Forces and moments act
// on the wheel, at the centre of its contact, in the axes of ISO 8855 and
// TYDEX W: x along the wheel's heading in the road plane, y to the left, z
// along the road's normal. The slips are
//
//	kappa = (Omega*Re - Vx) / |Vx|   positive when driving
//	alpha = atan(Vy / |Vx|)          positive when the hub moves to the left of its heading
//
// so that a positive kappa gives a positive Fx, and a positive alpha a negative
// Fy and a positive Mz, which turns the wheel towards its travel. A model sees
// wheels that roll forward only; Wheel mirrors the ones that roll backward.
//
// P in the comments is H. B. Pacejka, Tire and Vehicle Dynamics, 3rd edition.
package tire

// Contact is how a wheel stands and slips on the road, rolling forward.
type Contact struct {
	Kappa    float64 // longitudinal slip, > -1; driving is positive
	TanAlpha float64 // tangent of the slip angle
	Gamma    float64 // inclination of the wheel plane about x [rad], top to the right is positive
	Load     float64 // normal force [N]; none or less gives no force
	Grip     float64 // the surface's factor on friction, 1 on dry asphalt
}

// Forces are what the road does to the wheel.
type Forces struct {
	Fx float64 // ahead [N]
	Fy float64 // to the left [N]
	Mx float64 // overturning moment [N·m]
	My float64 // rolling resistance moment [N·m], negative for a wheel that rolls forward
	Mz float64 // aligning moment [N·m], turns the wheel to the left when positive
}

// Capacity is what a tire can do at all under a load.
type Capacity struct {
	Stiffness   float64 // slope of Fx over kappa at no slip [N]
	SlidingSlip float64 // theoretical slip, hypot(kappa, tan alpha)/(1+kappa), from which on all of it slides
	Force       float64 // the most it can hold in the road plane [N]
	Rolling     float64 // moment that resists free rolling [N·m], >= 0
}

// Model is a steady-state tire. It is pure and may be shared by wheels.
type Model interface {
	// Forces returns the forces of a steady slip.
	Forces(c Contact) Forces
	// Capacity returns the limits under a load [N] and a surface's grip, both > 0.
	Capacity(load, grip float64) Capacity
}
