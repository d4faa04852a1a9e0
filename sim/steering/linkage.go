package steering

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Linkage describes rack, tie rods and steering arms, seen from above with the wheels straight ahead. The
// length of the tie rods follows from the other dimensions.
type Linkage struct {
	// position of the rack ahead of the front axle; negative behind it. The steering arms point the same way
	RackAhead float64 `toml:"rack_ahead_m" range:"-0.5..-0.02 or 0.02..0.5"`
	// distance between the inner joints of the tie rods
	RackLength float64 `toml:"rack_length_m" range:"0.1..1.5"`
	// length of the steering arm, from the kingpin's axis to the outer joint
	ArmLength float64 `toml:"arm_length_m" range:"0.05..0.4"`
	// angle of the steering arm to the car's x, positive towards the car's middle. The tie rods' length
	// follows; a linkage that jams before the lock is refused
	ArmAngle float64 `toml:"arm_angle_deg" range:"-45..45"`
}

// defaultLinkage returns a rack behind the axle, with arms that turn the inner wheel further.
func defaultLinkage() Linkage {
	return Linkage{RackAhead: -0.10, RackLength: 0.70, ArmLength: 0.13, ArmAngle: 12}
}

// Validate returns an error that names every parameter that is out of range.
func (l Linkage) Validate() error {
	return valid.Struct(l)
}

// fourBar is the left half of a linkage as a four-bar mechanism: car, steering arm, tie rod, rack. The
// origin is the kingpin, x forward and y left.
type fourBar struct {
	armX, armY     float64 // outer tie rod joint, straight ahead [m]
	jointX, jointY float64 // inner tie rod joint, rack in the middle [m]
	rod            float64 // length of the tie rod [m]
	rackSign       float64 // 1 if the rack moves left to steer left, -1 if it moves right
	branch         float64 // sign that selects one of the two intersections of the joint's circles
}

// newFourBar returns the left half of the linkage l; kingpinDistance is the distance of the two kingpins [m].
func newFourBar(l Linkage, kingpinDistance float64) fourBar {
	rackSign := math.Copysign(1, l.RackAhead)
	sin, cos := math.Sincos(l.ArmAngle * degree)
	f := fourBar{
		armX: rackSign * l.ArmLength * cos, armY: -l.ArmLength * sin,
		jointX: l.RackAhead, jointY: (l.RackLength - kingpinDistance) / 2, rackSign: rackSign,
	}
	f.rod = math.Hypot(f.armX-f.jointX, f.armY-f.jointY)
	moment := f.jointX*f.armY - f.jointY*f.armX // moment of the tie rod's tension about the kingpin
	f.branch = -math.Copysign(1, moment)
	return f
}

// angle returns the wheel's angle [rad] and its slope [rad/m] at a travel of the rack [m]. ok is false if the
// tie rod is too short or too long for that travel.
//
// The outer joint has the distance of the arm's length from the kingpin, and that of the rod's length from
// the inner joint. This gives the equation p·cos(angle) + q·sin(angle) = c.
func (f *fourBar) angle(travel float64) (angle, slope float64, ok bool) {
	x, y := -f.jointX, -(f.jointY + f.rackSign*travel) // inner joint to kingpin
	p, q := x*f.armX+y*f.armY, y*f.armX-x*f.armY
	c := (f.rod*f.rod - f.armX*f.armX - f.armY*f.armY - x*x - y*y) / 2
	size := math.Hypot(p, q)
	if !(math.Abs(c) < size) {
		return 0, 0, false
	}
	angle = math.Remainder(math.Atan2(q, p)+f.branch*math.Acos(c/size), 2*math.Pi)
	sin, cos := math.Sincos(angle)
	slope = f.rackSign * (f.armY*cos + f.armX*sin + y) / (q*cos - p*sin)
	return angle, slope, true
}

// halfPieces is the number of pieces of a linkage's table to each side of straight ahead.
const halfPieces = 64

// linkage is the left wheel's angle as a function of the rack's travel, in cubic Hermite pieces.
type linkage struct {
	piecesPerMetre float64 // pieces for each metre of travel [1/m]
	nodes          [2*halfPieces + 1]linkNode
}

// linkNode is an end of a piece: the wheel's angle there, and the angle's slope over the rack's travel.
type linkNode struct {
	angle float64 // [rad]
	rise  float64 // slope times the width of a piece [rad]
}

// newLinkage computes the table of the linkage over the rack's whole travel. track is the front track [m]. It
// returns an error if the linkage jams.
func newLinkage(s Params, track float64) (*linkage, error) {
	f := newFourBar(s.Linkage, track-2*s.ScrubRadius)
	_, gainAtCenter, ok := f.angle(0)
	if !ok || !(gainAtCenter > 1) {
		return nil, errors.New("linkage: the tie rods cannot turn the wheels: move the rack or turn the arms")
	}
	maxTravel := s.MaxSteer * degree / gainAtCenter // rack travel to each side [m]
	width := maxTravel / halfPieces
	l := &linkage{piecesPerMetre: 1 / width}
	for i := range l.nodes {
		if i == halfPieces {
			l.nodes[i] = linkNode{0, gainAtCenter * width}
			continue
		}
		angle, slope, ok := f.angle(float64(i-halfPieces) * width)
		if steep := slope / gainAtCenter; !ok || !(steep > 1.0/3 && steep < 3) {
			return nil, fmt.Errorf("linkage: it jams before the rack has gone %.0f mm to either side, for max_steer_deg = %g: steer less, lengthen the arms or move the rack",
				maxTravel*1e3, s.MaxSteer)
		}
		l.nodes[i] = linkNode{angle, slope * width}
	}
	return l, nil
}

// gainAtCenter returns the wheels' angle for each metre of rack travel, straight ahead [rad/m].
func (l *linkage) gainAtCenter() float64 { return l.nodes[halfPieces].rise * l.piecesPerMetre }

// angle returns the left wheel's angle [rad] and its slope [rad/m] at a travel
// of the rack [m].
func (l *linkage) angle(travel float64) (angle, slope float64) {
	at := min(max(travel*l.piecesPerMetre+halfPieces, 0), 2*halfPieces)
	i := min(int(at), 2*halfPieces-1)
	t := at - float64(i)
	a, b := &l.nodes[i], &l.nodes[i+1]
	rise := b.angle - a.angle
	square := 3*rise - 2*a.rise - b.rise
	cube := a.rise + b.rise - 2*rise
	angle = a.angle + t*(a.rise+t*(square+t*cube))
	return angle, (a.rise + t*(2*square+t*3*cube)) * l.piecesPerMetre
}
