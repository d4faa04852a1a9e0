package cueing

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Kinds of platforms.
const (
	kindSeat      = "seat"       // pivots at the front, two actuators behind
	kindRollPitch = "roll-pitch" // a joint in the middle, two actuators side by side
	kindHeave     = "heave"      // three upright actuators, two at one end and one at the other
	kindCorners   = "corners"    // four upright actuators under the corners
	kindHexapod   = "hexapod"    // six linear actuators, a Gough-Stewart platform
	kindRotary    = "rotary"     // six cranks with rods
)

// Geometry describes the platform's mechanism and its dimensions. Kind decides which of the other
// fields are used. Axes follow ISO 8855: x forward, y left, z up.
type Geometry struct {
	// How the platform is built; `"pose"` is a controller that takes poses. Only the keys of your
	// kind have an effect; the others are checked and then ignored.
	Kind string `toml:"kind" oneof:"seat,roll-pitch,heave,corners,hexapod,rotary,pose"`
	// All kinds but rotary and pose: travel of an actuator from end to end. Measure it, do not trust
	// the label: half of it is the neutral position.
	Stroke float64 `toml:"stroke_m" range:"0.01..2"`

	// seat, roll-pitch: distance between the left and the right actuator. Wider gives less roll,
	// held stiffer.
	ActuatorSpacing float64 `toml:"actuator_spacing_m" range:"0.1..3"`
	// seat, roll-pitch: distance of both actuators behind the pivot or joint. roll-pitch only:
	// negative if they stand in front of it.
	ActuatorArm float64 `toml:"actuator_arm_m" range:"-3..-0.1 or 0.1..3" valid:"-"`

	// heave, corners: distance between the left and the right actuators.
	Track float64 `toml:"track_m" range:"0.1..4"`
	// heave, corners: distance between the front and the rear actuators. Poses refer to the middle
	// between them.
	Wheelbase float64 `toml:"wheelbase_m" range:"0.1..5"`
	// heave: which end has only one actuator.
	SingleActuatorEnd string `toml:"single_actuator" oneof:"rear,front"`

	// hexapod, rotary: radius of the circle of the lower joints; on a rotary platform of the
	// cranks' shafts.
	BaseRadius float64 `toml:"base_radius_m" range:"0.05..5"`
	// hexapod, rotary: half of the angle between the two lower joints of a pair. Pairs are at 60°,
	// 180° and 300° from straight ahead.
	BaseHalfAngle float64 `toml:"base_half_angle_deg" range:"0..59"`
	// hexapod, rotary: radius of the circle of the upper joints.
	PlatformRadius float64 `toml:"platform_radius_m" range:"0.05..5"`
	// hexapod, rotary: half of the angle between the two upper joints of a pair; these pairs are at
	// 0°, 120° and 240° from straight ahead. With smaller half angles the actuators are more
	// inclined: the platform is stiffer in yaw, and its workspace is smaller.
	PlatformHalfAngle float64 `toml:"platform_half_angle_deg" range:"0..59"`
	// hexapod, rotary: the platform has a pair of upper joints at the rear instead of the front. If
	// roll is right but surge and pitch are reversed, set it.
	TurnedAround bool `toml:"turned"`

	// hexapod: length of a retracted actuator from joint to joint.
	ActuatorLength float64 `toml:"actuator_length_m" range:"0.05..5"`

	// rotary: length of a crank from its shaft to the rod's joint.
	CrankLength float64 `toml:"crank_length_m" range:"0.01..1"`
	// rotary: length of a rod from joint to joint.
	RodLength float64 `toml:"rod_length_m" range:"0.02..5"`
	// rotary: angle of a crank from end to end, between the positions 0 and 1 of your controller. In
	// the middle the crank is level.
	CrankRange float64 `toml:"crank_range_deg" range:"10..170"`
	// rotary: `"outward"` if the cranks point away from the other shaft of their pair, `"inward"` if
	// they point towards it.
	CrankSide string `toml:"cranks" oneof:"outward,inward"`

	// hexapod, rotary: all lower joints one by one, six of [x, y, z] (ahead, left, up) from the
	// middle of the base, in place of radius and half angle. Give both lists or none. Actuators are
	// then called leg 1 to leg 6.
	BaseJoints [][]float64 `toml:"base_joints_m" range:"-5..5" count:"0 or 6"`
	// hexapod, rotary: all upper joints one by one, six of [x, y, z] (ahead, left, up) from the
	// middle of the platform. Give both lists or none.
	PlatformJoints [][]float64 `toml:"platform_joints_m" range:"-5..5" count:"0 or 6"`
	// rotary with `base_joints_m`: direction in which each crank points when it is level, from
	// straight ahead, positive to the left.
	CrankDirections []float64 `toml:"crank_directions_deg" range:"-360..360" count:"0 or 6"`

	// hexapod, rotary: the point about which the platform turns, from the middle of the upper joints
	// (forward, left, up). At the driver's head (for example [-0.1, 0, 0.9]) roll and pitch do not
	// move the head sideways, but the workspace is smaller.
	RotationCenter [3]float64 `toml:"rotation_center_m" range:"-3..3"`

	Range PoseRange `toml:"pose" valid:"-"` // pose: how far the controller moves in each degree of freedom

	// Last part of each actuator's travel, as a fraction of its stroke, in which it moves less and
	// less for the same motion of the car. 0: full motion up to the end, and a hard stop there.
	SoftEdge float64 `toml:"soft_edge_share" range:"0..0.5"`
	// Travel of an additional actuator that slides the rear sideways; extended is to the left. 0:
	// there is none.
	TractionLossStroke float64 `toml:"traction_loss_stroke_m" range:"0..2"`
	// An additional actuator tightens the belt: 0 slack, 0.5 neutral, 1 tightest.
	HasBelt bool `toml:"belt_tensioner"`
}

// DefaultGeometry returns a common two-actuator seat mover. The dimensions of the other kinds are
// those of a small platform with one seat.
func DefaultGeometry() Geometry {
	return Geometry{
		Kind: kindSeat, Stroke: 0.15, ActuatorSpacing: 0.5, ActuatorArm: 0.6,
		Track: 0.6, Wheelbase: 1.2, SingleActuatorEnd: "rear",
		BaseRadius: 0.7, BaseHalfAngle: 20, PlatformRadius: 0.55, PlatformHalfAngle: 20,
		ActuatorLength: 0.55, CrankLength: 0.12, RodLength: 0.6, CrankRange: 90, CrankSide: "outward",
		Range: DefaultPoseRange(), SoftEdge: 0.05,
	}
}

// Validate returns an error for every field that is out of range; if none is, it returns an error
// if no platform can be built with these dimensions.
func (g Geometry) Validate() error {
	_, err := g.build(FullStroke())
	return err
}

// validateFields reports every field that is out of range. Actuators may be ahead of the joint only
// if the joint is in the middle, and the ranges of a pose are checked only for a controller that
// takes poses.
func (g Geometry) validateFields() error {
	arm := valid.Fields(g, "actuator_arm_m")
	if g.Kind != kindRollPitch {
		arm = valid.AtLeast(g, "actuator_arm_m", 0)
	}
	var pose error
	if g.Kind == KindPose {
		pose = valid.WithPrefix("pose", g.Range.Validate())
	}
	return errors.Join(valid.Struct(g), arm, pose, g.validateLists())
}

// validateLists reports joints that are not [x, y, z], lists of joints without their counterpart,
// and a wrong number of crank directions.
func (g Geometry) validateLists() error {
	err := errors.Join(checkPoints("base_joints_m", g.BaseJoints), checkPoints("platform_joints_m", g.PlatformJoints))
	if (len(g.BaseJoints) == 0) != (len(g.PlatformJoints) == 0) {
		err = errors.Join(err, errors.New("base_joints_m and platform_joints_m go together: give both or none"))
	}
	want := 0
	if g.Kind == kindRotary && g.hasListedJoints() {
		want = 6
	}
	if n := len(g.CrankDirections); n != want {
		err = errors.Join(err, fmt.Errorf("crank_directions_deg has %d angles: give 6 with base_joints_m of a rotary platform, else none", n))
	}
	return err
}

// checkPoints returns an error for every point of a key that does not have three coordinates.
func checkPoints(key string, points [][]float64) error {
	var errs []error
	for i, p := range points {
		if len(p) != 3 {
			errs = append(errs, fmt.Errorf("%s[%d] has %d numbers: give [x, y, z]", key, i, len(p)))
		}
	}
	return errors.Join(errs...)
}

// hasListedJoints reports whether the joints are configured one by one.
func (g Geometry) hasListedJoints() bool { return len(g.BaseJoints) > 0 }

// Legs has the position of each actuator as a fraction of its stroke, 0 retracted, 1 extended; that
// of a crank is a fraction of its angle range, 0 down, 1 up.
type Legs = [8]float64

const neutral = 0.5 // position of every leg at neutral, fraction of the stroke

// neutralLegs are the legs of a platform at neutral.
var neutralLegs = Legs{neutral, neutral, neutral, neutral, neutral, neutral, neutral, neutral}

const degree = math.Pi / 180
