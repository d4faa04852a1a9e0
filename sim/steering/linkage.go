package steering

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
)

// Linkage is rack, tie rods and steering arms, seen from above with the wheels
// straight ahead. The tie rods' length follows.
type Linkage struct {
	RackAhead  float64 `toml:"rack_ahead_m"`  // of the front axle; negative behind. The arms point the same way
	RackLength float64 `toml:"rack_length_m"` // between the inner joints of the tie rods
	ArmLength  float64 `toml:"arm_length_m"`  // from the kingpin's axis to the outer joint
	ArmAngle   float64 `toml:"arm_angle_deg"` // the arm leans from straight ahead or behind towards the car's middle
}

// defaultLinkage returns a rack behind the axle whose arms turn the inner wheel further,
// ready to be chosen.
func defaultLinkage() Linkage {
	return Linkage{RackAhead: -0.10, RackLength: 0.70, ArmLength: 0.13, ArmAngle: 12}
}

// Validate returns an error that names every parameter that is out of range.
func (l Linkage) Validate() error {
	return errors.Join(
		l.aside(),
		valid.InRange("rack_length_m", l.RackLength, 0.1, 1.5),
		valid.InRange("arm_length_m", l.ArmLength, 0.05, 0.4),
		valid.InRange("arm_angle_deg", l.ArmAngle, -45, 45),
	)
}

func (l Linkage) aside() error {
	if size := math.Abs(l.RackAhead); size >= 0.02 && size <= 0.5 {
		return nil
	}
	return fmt.Errorf("rack_ahead_m = %g: allowed is 0.02 to 0.5, and -0.5 to -0.02 behind the axle", l.RackAhead)
}

// fourBar is the left half of a linkage: car, steering arm, tie rod, rack. The
// origin is the kingpin.
type fourBar struct {
	armX, armY     float64 // outer joint, straight ahead [m]
	jointX, jointY float64 // inner joint, rack in the middle [m]
	rod            float64 // length of the tie rod [m]
	way            float64 // to the left (1) or right (-1) the rack turns the wheels left
	branch         float64 // which of the two circles' crossings is the joint
}

// newFourBar places the linkage between kingpins that stand apart [m].
func newFourBar(l Linkage, apart float64) fourBar {
	way := math.Copysign(1, l.RackAhead)
	sin, cos := math.Sincos(l.ArmAngle * degree)
	f := fourBar{
		armX: way * l.ArmLength * cos, armY: -l.ArmLength * sin,
		jointX: l.RackAhead, jointY: (l.RackLength - apart) / 2, way: way,
	}
	f.rod = math.Hypot(f.armX-f.jointX, f.armY-f.jointY)
	across := f.jointX*f.armY - f.jointY*f.armX // moment of the rod's pull about the kingpin
	f.branch = -math.Copysign(1, across)
	return f
}

// angle returns the wheel's angle [rad] and its slope [rad/m] at a travel of
// the rack [m], and whether the rod reaches that far.
//
// The outer joint, at the arm's length from the kingpin and the rod's from the inner
// joint, solves P·cos(angle) + Q·sin(angle) = C.
func (f *fourBar) angle(travel float64) (angle, slope float64, ok bool) {
	x, y := -f.jointX, -(f.jointY + f.way*travel) // inner joint to kingpin
	p, q := x*f.armX+y*f.armY, y*f.armX-x*f.armY
	c := (f.rod*f.rod - f.armX*f.armX - f.armY*f.armY - x*x - y*y) / 2
	size := math.Hypot(p, q)
	if !(math.Abs(c) < size) {
		return 0, 0, false
	}
	angle = math.Remainder(math.Atan2(q, p)+f.branch*math.Acos(c/size), 2*math.Pi)
	sin, cos := math.Sincos(angle)
	slope = f.way * (f.armY*cos + f.armX*sin + y) / (q*cos - p*sin)
	return angle, slope, true
}

// halfSteps is the number of pieces of a linkage's table to either side.
const halfSteps = 64

// linkage is the left wheel's angle over the rack's travel by pieces of third
// degree, which meet without a jump in slope.
type linkage struct {
	per  float64 // pieces for each metre of travel [1/m]
	node [2*halfSteps + 1]linkNode
}

// linkNode is an end of a piece.
type linkNode struct {
	angle float64 // [rad]
	rise  float64 // its slope times the width of a piece [rad]
}

// newLinkage solves the linkage over the rack's whole travel.
func newLinkage(s Params, track float64) (*linkage, error) {
	f := newFourBar(s.Linkage, track-2*s.Scrub)
	_, middle, ok := f.angle(0)
	if !ok || !(middle > 1) {
		return nil, errors.New("linkage: the tie rods cannot turn the wheels: move the rack or turn the arms")
	}
	most := s.MaxSteer * degree / middle // travel [m]
	width := most / halfSteps
	l := &linkage{per: 1 / width}
	for i := range l.node {
		if i == halfSteps {
			l.node[i] = linkNode{0, middle * width}
			continue
		}
		angle, slope, ok := f.angle(float64(i-halfSteps) * width)
		if steep := slope / middle; !ok || !(steep > 1.0/3 && steep < 3) {
			return nil, fmt.Errorf("linkage: it jams before the rack has gone %.0f mm to either side, for max_steer_deg = %g: steer less, lengthen the arms or move the rack",
				most*1e3, s.MaxSteer)
		}
		l.node[i] = linkNode{angle, slope * width}
	}
	return l, nil
}

// middle returns the wheels' turn for each metre of rack, straight ahead [rad/m].
func (l *linkage) middle() float64 { return l.node[halfSteps].rise * l.per }

// angle returns the left wheel's angle [rad] and its slope [rad/m] at a travel
// of the rack [m].
func (l *linkage) angle(travel float64) (angle, slope float64) {
	at := min(max(travel*l.per+halfSteps, 0), 2*halfSteps)
	i := min(int(at), 2*halfSteps-1)
	t := at - float64(i)
	a, b := &l.node[i], &l.node[i+1]
	climb := b.angle - a.angle
	square := 3*climb - 2*a.rise - b.rise
	cube := a.rise + b.rise - 2*climb
	angle = a.angle + t*(a.rise+t*(square+t*cube))
	return angle, (a.rise + t*(2*square+t*3*cube)) * l.per
}
