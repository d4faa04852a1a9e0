package cueing

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
)

// Kinds of platforms.
const (
	kindSeat      = "seat"       // pivots in front, two actuators behind
	kindRollPitch = "roll-pitch" // a joint in the middle, two actuators beside each other
	kindHeave     = "heave"      // three upright actuators, two at one end and one at the other
	kindCorners   = "corners"    // four upright actuators under the corners
	kindHexapod   = "hexapod"    // six linear actuators, a Gough-Stewart platform
	kindRotary    = "rotary"     // six cranks with rods
)

// Geometry is what the platform is and how large. Kind says which of the other
// keys count. Directions follow ISO 8855: x ahead, y left, z up.
type Geometry struct {
	Kind   string  `toml:"kind"`
	Stroke float64 `toml:"stroke_m"` // of an actuator, end to end; neutral is half of it; all but rotary and pose

	Spacing float64 `toml:"actuator_spacing_m"` // seat, roll-pitch: between the left and the right actuator
	Arm     float64 `toml:"actuator_arm_m"`     // seat, roll-pitch: of both behind the pivot; below 0 ahead of it

	Track     float64 `toml:"track_m"`         // heave, corners: between left and right actuators
	Wheelbase float64 `toml:"wheelbase_m"`     // heave, corners: between front and rear ones
	Single    string  `toml:"single_actuator"` // heave: which end has only one, "rear" or "front"

	BaseRadius        float64 `toml:"base_radius_m"`           // hexapod, rotary: circle of the joints (cranks' shafts) on the base
	BaseHalfAngle     float64 `toml:"base_half_angle_deg"`     // half of what lies between the two of a pair
	PlatformRadius    float64 `toml:"platform_radius_m"`       // circle of the joints under the platform
	PlatformHalfAngle float64 `toml:"platform_half_angle_deg"` // half of what lies between the two of a pair
	Turned            bool    `toml:"turned"`                  // the platform has a pair behind instead of ahead

	Length float64 `toml:"actuator_length_m"` // hexapod: from joint to joint when drawn in

	Crank      float64 `toml:"crank_length_m"`  // rotary: from shaft to rod
	Rod        float64 `toml:"rod_length_m"`    // rotary: from joint to joint
	CrankRange float64 `toml:"crank_range_deg"` // rotary: end to end; the middle is level
	Cranks     string  `toml:"cranks"`          // rotary: "outward", away from the other of the pair, or "inward"

	BaseJoints      [][]float64 `toml:"base_joints_m"`        // hexapod, rotary: [x, y, z] of six, in place of radius and angle
	PlatformJoints  [][]float64 `toml:"platform_joints_m"`    // the same under the platform
	CrankDirections []float64   `toml:"crank_directions_deg"` // rotary with base_joints_m: where each level crank points, from ahead to the left

	Center [3]float64 `toml:"rotation_center_m"` // hexapod, rotary: what a pose is told of, from the middle of the platform's joints

	Range PoseRange `toml:"pose"` // pose: how far the controller goes

	Edge        float64 `toml:"soft_edge_share"`        // last part of the way that is approached ever slower
	SlideStroke float64 `toml:"traction_loss_stroke_m"` // above 0: one more leg that slides the rear
	Belt        bool    `toml:"belt_tensioner"`         // one more leg that pulls the belt
}

// DefaultGeometry is a common two-actuator seat mover; the other kinds' sizes
// are those of a small platform for one seat.
func DefaultGeometry() Geometry {
	return Geometry{
		Kind: kindSeat, Stroke: 0.15, Spacing: 0.5, Arm: 0.6,
		Track: 0.6, Wheelbase: 1.2, Single: "rear",
		BaseRadius: 0.7, BaseHalfAngle: 20, PlatformRadius: 0.55, PlatformHalfAngle: 20,
		Length: 0.55, Crank: 0.12, Rod: 0.6, CrankRange: 90, Cranks: "outward",
		Range: DefaultPoseRange(), Edge: 0.05,
	}
}

// Validate reports every field that is out of range, and else why no platform
// can be built like that.
func (g Geometry) Validate() error {
	_, err := g.build(WholeStroke())
	return err
}

func (g Geometry) validateFields() error {
	return errors.Join(g.validateChoices(), g.validateSizes(), g.validateLists())
}

func (g Geometry) validateChoices() error {
	return errors.Join(
		valid.OneOf("kind", g.Kind, kindSeat, kindRollPitch, kindHeave, kindCorners, kindHexapod, kindRotary, KindPose),
		valid.OneOf("single_actuator", g.Single, "rear", "front"),
		valid.OneOf("cranks", g.Cranks, "outward", "inward"),
	)
}

func (g Geometry) validateSizes() error {
	return errors.Join(
		valid.InRange("stroke_m", g.Stroke, 0.01, 2),
		valid.InRange("actuator_spacing_m", g.Spacing, 0.1, 3),
		g.validateArm(),
		valid.InRange("track_m", g.Track, 0.1, 4),
		valid.InRange("wheelbase_m", g.Wheelbase, 0.1, 5),
		valid.InRange("base_radius_m", g.BaseRadius, 0.05, 5),
		valid.InRange("base_half_angle_deg", g.BaseHalfAngle, 0, 59),
		valid.InRange("platform_radius_m", g.PlatformRadius, 0.05, 5),
		valid.InRange("platform_half_angle_deg", g.PlatformHalfAngle, 0, 59),
		valid.InRange("actuator_length_m", g.Length, 0.05, 5),
		valid.InRange("crank_length_m", g.Crank, 0.01, 1),
		valid.InRange("rod_length_m", g.Rod, 0.02, 5),
		valid.InRange("crank_range_deg", g.CrankRange, 10, 170),
		valid.InRange("rotation_center_m", g.Center[0], -3, 3),
		valid.InRange("rotation_center_m", g.Center[1], -3, 3),
		valid.InRange("rotation_center_m", g.Center[2], -3, 3),
		g.validateRange(),
		valid.InRange("soft_edge_share", g.Edge, 0, 0.5),
		valid.InRange("traction_loss_stroke_m", g.SlideStroke, 0, 2),
	)
}

// validateRange looks at the ranges of a controller that takes poses.
func (g Geometry) validateRange() error {
	if g.Kind != KindPose {
		return nil
	}
	return g.Range.Validate()
}

// validateArm lets actuators stand ahead of the joint only where it is in the middle.
func (g Geometry) validateArm() error {
	if g.Kind == kindRollPitch && g.Arm < 0 {
		return valid.InRange("actuator_arm_m", g.Arm, -3, -0.1)
	}
	return valid.InRange("actuator_arm_m", g.Arm, 0.1, 3)
}

// validateLists wants six joints of three finite numbers, or none.
func (g Geometry) validateLists() error {
	err := errors.Join(validateJoints("base_joints_m", g.BaseJoints), validateJoints("platform_joints_m", g.PlatformJoints))
	if (len(g.BaseJoints) == 0) != (len(g.PlatformJoints) == 0) {
		err = errors.Join(err, errors.New("base_joints_m and platform_joints_m go together: give both or none"))
	}
	want := 0
	if g.Kind == kindRotary && g.listed() {
		want = 6
	}
	if n := len(g.CrankDirections); n != want {
		err = errors.Join(err, fmt.Errorf("crank_directions_deg has %d angles: give 6 with base_joints_m of a rotary platform, else none", n))
	}
	for _, a := range g.CrankDirections {
		err = errors.Join(err, valid.InRange("crank_directions_deg", a, -360, 360))
	}
	return err
}

func validateJoints(name string, joints [][]float64) error {
	if n := len(joints); n != 0 && n != 6 {
		return fmt.Errorf("%s has %d joints: give 6, or none", name, n)
	}
	for i, j := range joints {
		if len(j) != 3 {
			return fmt.Errorf("%s: joint %d has %d numbers: give [x, y, z]", name, i+1, len(j))
		}
		for _, v := range j {
			if err := valid.InRange(fmt.Sprintf("%s: joint %d", name, i+1), v, -5, 5); err != nil {
				return err
			}
		}
	}
	return nil
}

// listed tells whether joints are given one by one.
func (g Geometry) listed() bool { return len(g.BaseJoints) > 0 }

// Legs are the actuator positions as shares of the stroke, 0 in, 1 out; those
// of cranks are shares of the angle range, 0 down, 1 up.
type Legs = [8]float64

const neutral = 0.5

// level is a platform in its neutral place.
var level = Legs{neutral, neutral, neutral, neutral, neutral, neutral, neutral, neutral}

const degree = math.Pi / 180
