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
//
// A Model takes a Contact (slips, camber, load, surface, inflation, speed) and gives steady Forces, and a
// Capacity (stiffnesses, limits, relaxation lengths) by which Wheel makes slip transient. Wheel holds what all
// models share: carcass deflection and spin, solved together; the sliding beyond what friction holds; the
// twist of a standing contact. CoulombWheel is the other Roller: it stops what slides within a tick and knows no
// slip. Vertical is the tire as a spring, Thermal its temperatures, tread and inflation. Parse reads .tir files;
// data holds the built-in sets.
//
// A contact that slides counts as one that rolls faster (stretch.go): cutting the deflection back along itself
// would hold a locked wheel beside its sliding direction, and make a braked wheel with side slip swing. Powers and
// exponentials are our own (elementary.go), as the library's choose instructions by processor and drives must
// repeat on all; sines and arc tangents (trig.go, pieces.go) are for speed. Wheel calls this package's models by name
// and by pointer (steady.go): values copied right after they were stored cost it half of its time.
package tire

// Contact is how a wheel stands and slips on the road, rolling forward.
type Contact struct {
	Kappa    float64 // longitudinal slip; driving is positive, -1 is locked
	TanAlpha float64 // tangent of the slip angle
	Gamma    float64 // inclination of the wheel plane about x [rad], top to the right is positive
	Load     float64 // normal force [N]; none or less gives no force
	Surface  Surface // what it stands on
	Pressure float64 // inflation [Pa]; 0 is the tire's own
	Speed    float64 // of the wheel along its heading [m/s], >= 0; 0 is the speed the tire was measured at
}

// Surface is what the ground changes about a tire: factors on friction, on slip
// stiffness and on rolling resistance. Dry asphalt has 1 in each.
type Surface struct {
	Grip      float64
	Stiffness float64
	Rolling   float64
}

// Dry is the asphalt that a tire's own values hold on.
func Dry() Surface { return Surface{Grip: 1, Stiffness: 1, Rolling: 1} }

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
	StiffnessX  float64 // slope of Fx over kappa at no slip [N], > 0
	StiffnessY  float64 // slope of -Fy over alpha at no slip [N], > 0
	ForceX      float64 // the most it holds along the wheel [N]
	ForceY      float64 // the most it holds sideways [N]
	Rolling     float64 // moment that resists free rolling [N·m], >= 0
	RelaxationX float64 // longitudinal relaxation length [m]; 0 if the model knows none
	RelaxationY float64 // lateral relaxation length [m]; 0 if the model knows none
	HalfLength  float64 // half the contact's length [m]
}

// Model is a steady-state tire. It is pure and may be shared by wheels.
type Model interface {
	// Forces returns the forces of a steady slip. They are finite for every
	// contact, and 0 where nothing presses the tire on the road.
	Forces(c Contact) Forces
	// Capacity returns the limits at c's load, surface, pressure and speed; its
	// slips and its inclination do not count. The load must be > 0.
	Capacity(c Contact) Capacity
}

// SlipAngle returns the angle of a tangent [rad], within 1e-11.
func SlipAngle(tangent float64) float64 { return atan(tangent) }
