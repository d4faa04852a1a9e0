package frame

// Highest numbers of elements in a Scene.
const (
	MaxPoints    = 4096
	MaxCells     = 384 * 384
	MaxMaterials = 256
	MaxCones     = 1024
	MaxWalls     = 512
	MaxGuides    = 4096
	MaxGhost     = 8192
)

// Scene holds what does not change during a drive: the ground, the objects on it, and the car's size.
type Scene struct {
	Points    []Point    // cross-sections of the road, evenly spaced along its center line; empty without a road
	Closed    bool       // the road is a closed circuit: the last point connects to the first
	LapLength float64    `channel:"lap_length" unit:"m"` // length of the center line [m]; 0 means the sum of the distances between Points
	Start     float64    // position of the start line along the center line [m]
	Sectors   []float64  // positions of the sector boundaries along the center line [m]
	Pit       Pit        // the pit lane
	Field     Field      // the ground around the road
	Materials []Material // surface materials, which Points and Field refer to by index
	Cones     []Cone
	Walls     []Wall
	Guides    []Guide // the racing line, evenly spaced; may be empty
	Names     Names   // names of the codes in frames
	Ghost     Ghost   // the lap that is driven against; empty without one

	CarName   string // such as coupe; only the first 24 bytes are published
	TrackName string // such as club; only the first 24 bytes are published

	Car
}

// Car is the size of the car, and what its instruments need to know.
type Car struct {
	Length      float64 // bumper to bumper [m]
	Width       float64 // [m]
	Height      float64 // [m]
	CGHeight    float64 // center of mass above the ground at rest [m]
	CGToFront   float64 // center of mass to front axle [m]
	Wheelbase   float64 // [m]
	WheelRadius float64 // [m]
	SteerRatio  float64 // steering wheel angle over road wheel angle

	Eye          [3]float64 // the driver's eye: ahead of the center of mass, to the left of the middle, above the ground [m]; 0 for a usual place
	SteerLock    float64    `channel:"steer_lock" unit:"rad"` // largest steering wheel angle to each side [rad]
	Radius       [2]float64 // unloaded radius of the front and the rear wheels [m]
	Travel       [2]float64 // travel of the front and the rear suspension from full droop to full bump [m]
	IdleRPM      float64    `channel:"idle_rpm" unit:"1/min"`     // [1/min]
	ShiftUpRPM   float64    `channel:"shift_up_rpm" unit:"1/min"` // engine speed at which to change up [1/min]
	MaxRPM       float64    `channel:"max_rpm" unit:"1/min"`      // engine speed at which its torque ends [1/min]
	ForwardGears int64      // number of forward gears
	FrontShare   float64    // share of the torque on the front wheels: 0 rear drive, 1 front drive
	TankCapacity float64    `channel:"tank_capacity" unit:"L"` // [L]; 0 for an electric car
	Electric     uint64     `channel:"electric"`               // 1 if a motor drives the car
	Cylinders    int64      // of a four-stroke engine
	PeakTorque   float64    // highest torque of the engine or the motor [N·m]
	Turbo        uint64     // 1 if a turbocharger feeds the engine
}

// Pit is the pit lane.
type Pit struct {
	From, To    float64 // positions of its ends along the center line [m]
	Right, Left float64 // lateral positions of its sides from the center line, positive to the left [m]; both 0 without a pit lane
}

// Material is the surface material of a part of the ground.
type Material struct {
	Name   string     // only the first 24 bytes are published
	Colour [3]float64 // red, green, blue, linear, 0..1
	Rumble uint64     // 1 for kerbs and rumble strips
	Sound  string     // rolling sound, one of road.Sounds; empty is none; only the first 24 bytes are published
	Pitch  float64    // distance from one tooth of its profile to the next along the road [m]; 0 without a profile
	Height float64    // of the profile [m]
	Wet    uint64     // 1 if water stands on it
}

// Field is the ground as a regular grid along the world's x and y axes.
type Field struct {
	X, Y      float64   // position of the first cell [m, world]
	CellSize  float64   // distance between neighboring cells [m]
	NX, NY    int       // number of cells along x and y
	Heights   []float32 // height of each cell [m, world], row by row along x; NaN where there is no ground
	Materials []uint8   // index of each cell's material in Scene.Materials, in the order of Heights
}

// Cone is the position of a traffic cone's base.
type Cone struct{ X, Y, Z float64 } // [m, world]

// Wall is an upright wall.
type Wall struct {
	Corners   [4][2]float64 // seen from above, counter-clockwise [m, world]
	Foot, Top float64       // heights of its lower and upper edge [m, world]
}

// Values of Guide.Phase: what the driver does with the pedals there.
const (
	Accelerating uint64 = iota
	Coasting
	Braking
)

// Guide is a point of the racing line.
type Guide struct {
	X, Y, Z float64 // [m, world]
	Phase   uint64  // Accelerating, Coasting or Braking
}

// Ghost is a recorded lap as a table by lap time.
type Ghost struct {
	Step   float64      // time between two points [s]; the first one is at the start of the lap
	Points []GhostPoint // at most MaxGhost
}

// GhostPoint is where a car was at one time of a lap.
type GhostPoint struct {
	X, Y, Z          float32 // center of mass [m, world]
	Roll, Pitch, Yaw float32 // [rad], ISO 8855: turned by yaw about z, then pitch about y, then roll about x
	Distance         float32 // distance of the front axle from the start line [m]; never decreases
}

// Numbers of positions across the road at which a Point stores heights and materials.
const (
	HeightsAcross = 11
	MiddleHeight  = HeightsAcross / 2 // index of the height on the center line

	VergeMaterials  = 20 // positions on each verge
	RoadMaterials   = 24 // positions from edge to edge of the road
	MaterialsAcross = 2*VergeMaterials + RoadMaterials
)

// Point is a cross-section of the road and its verges.
type Point struct {
	X, Y                  float64 // position on the center line [m, world]
	Left, Right           float64 // distances from the center line to the road's edges [m]
	KerbLeft, KerbRight   float64 // widths of the kerbs beyond the edges [m]; 0 without a kerb
	VergeLeft, VergeRight float64 // widths of the verges, from the road's edges outwards [m]

	Heights   [HeightsAcross]float64 // ground heights [m, world] at HeightOffsets
	Materials [MaterialsAcross]uint8 // indices into Scene.Materials, at MaterialOffset
}

// HeightOffsets returns the lateral positions of the heights, positive to the left of the center line
// [m]: the end of the left verge, its middle, the kerb's outer side, its ridge, the road's edge, the
// center line, and the same on the right in reverse order.
func (p *Point) HeightOffsets() [HeightsAcross]float64 {
	side := func(edge, kerb, verge float64) [MiddleHeight]float64 {
		verge = max(verge, kerb)
		return [MiddleHeight]float64{edge + verge, edge + (verge+kerb)/2, edge + kerb, edge + kerb/2, edge}
	}
	var d [HeightsAcross]float64
	left, right := side(p.Left, p.KerbLeft, p.VergeLeft), side(p.Right, p.KerbRight, p.VergeRight)
	for k := range MiddleHeight {
		d[k], d[HeightsAcross-1-k] = left[k], -right[k]
	}
	return d
}

// MaterialOffset returns the lateral position of material k, positive to the left of the center line [m].
// The first one is at the end of the left verge; they are evenly spaced on each verge and on the road.
func (p *Point) MaterialOffset(k int) float64 {
	along := func(k, n int, from, to float64) float64 {
		return from + (to-from)*(float64(k)+0.5)/float64(n)
	}
	switch {
	case k < VergeMaterials:
		return along(k, VergeMaterials, p.Left+p.VergeLeft, p.Left)
	case k < VergeMaterials+RoadMaterials:
		return along(k-VergeMaterials, RoadMaterials, p.Left, -p.Right)
	default:
		return along(k-VergeMaterials-RoadMaterials, VergeMaterials, -p.Right, -p.Right-p.VergeRight)
	}
}
