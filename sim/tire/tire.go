// Package tire turns slip and load into the forces between a wheel and the road.
//
// The axes are defined here and nowhere else. Forces and moments act on the
// wheel, at the center of its contact patch, in the axes of ISO 8855 and
// TYDEX W: x along the wheel's heading in the road plane, y to the left, z
// along the road's normal. The slips are
//
//	kappa = (Omega*Re - Vx) / |Vx|   positive when driving
//	alpha = atan(Vy / |Vx|)          positive when the hub moves to the left of its heading
//
// so that a positive kappa gives a positive Fx, and a positive alpha a negative
// Fy and a positive Mz, which turns the wheel towards its direction of travel. A
// Model handles wheels that roll forward; Wheel mirrors those that roll backward.
//
// P in the comments is H. B. Pacejka, Tire and Vehicle Dynamics, 3rd edition.
//
// A Model takes a Contact (slips, camber, load, surface, inflation, speed) and returns steady Forces, and a
// Capacity (stiffnesses, limits, relaxation lengths) from which Wheel makes the slip transient. Wheel holds what
// all models share: carcass deflection and spin, solved together; sliding beyond the friction limit; the
// twist of a standing contact. CoulombWheel is the other WheelModel: dry friction without slip, which stops a
// sliding contact within a tick. Vertical is the tire as a spring; Thermal has its temperatures, tread wear and
// inflation pressure. Parse reads .tir files; the folder data holds the built-in ones.
//
// A sliding contact is treated as one that rolls faster (carcass.go). Scaling the deflection back along its own
// direction would hold a locked wheel beside its sliding direction, and a braked wheel with side slip would
// oscillate. A contact that hardly rolls is a spring with dry friction (standing.go).
//
// Powers and exponentials are implemented here (elementary.go), because the standard library picks instructions by
// processor and a drive must repeat on all of them; sines and arc tangents (trig.go, pieces.go) are implemented here
// for speed. Wheel calls the models of this package by type and passes pointers (steady.go): copying values right
// after they were stored took half of its time.
package tire

// Contact is how a wheel stands and slips on the road while it rolls forward.
type Contact struct {
	Kappa    float64 // longitudinal slip, positive when driving; -1 is a locked wheel
	TanAlpha float64 // tangent of the slip angle
	Gamma    float64 // inclination of the wheel plane about x [rad], positive when the top leans to the right
	Load     float64 // normal force Fz [N]; at 0 or less there is no force
	Surface  Surface // surface under the tire
	Pressure float64 // inflation pressure [Pa]; 0 is the tire's nominal pressure
	Speed    float64 // speed of the wheel along its heading [m/s], >= 0; 0 is the speed at which the tire was measured
}

// Surface is what the ground changes about a tire: factors on friction (Grip), on slip stiffness and on
// rolling resistance. All three are 1 on dry asphalt.
type Surface struct {
	Grip      float64
	Stiffness float64
	Rolling   float64
}

// Dry returns dry asphalt, the surface on which a tire's own values hold.
func Dry() Surface { return Surface{Grip: 1, Stiffness: 1, Rolling: 1} }

// Forces are the forces and moments of the road on the wheel.
type Forces struct {
	Fx float64 // longitudinal force, forward positive [N]
	Fy float64 // lateral force, left positive [N]
	Mx float64 // overturning moment [N·m]
	My float64 // rolling resistance moment [N·m], negative for a wheel that rolls forward
	Mz float64 // aligning moment [N·m], positive when it turns the wheel to the left
}

// Capacity is what a tire can do at a load: its largest forces, and the stiffnesses and relaxation lengths with
// which it builds them up.
type Capacity struct {
	StiffnessX  float64 // slip stiffness: slope of Fx over kappa at zero slip [N], > 0
	StiffnessY  float64 // cornering stiffness: slope of -Fy over alpha at zero slip [N/rad], > 0
	ForceX      float64 // largest longitudinal force [N]
	ForceY      float64 // largest lateral force [N]
	Rolling     float64 // moment of rolling resistance [N·m], >= 0
	RelaxationX float64 // longitudinal relaxation length [m]; 0 if the model has none
	RelaxationY float64 // lateral relaxation length [m]; 0 if the model has none
	HalfLength  float64 // half the contact length [m]
}

// Model is a steady-state tire model. It has no state, so several wheels may share one.
type Model interface {
	// Forces returns the forces at a steady slip. They are finite for every contact, and 0 where no load
	// presses the tire on the road.
	Forces(c Contact) Forces
	// Capacity returns the limits at c's load, surface, pressure and speed. It ignores the slips and the
	// inclination. The load must be > 0.
	Capacity(c Contact) Capacity
}

// SlipAngle returns the slip angle [rad] of a tangent, accurate to 1e-11.
func SlipAngle(tangent float64) float64 { return atan(tangent) }
