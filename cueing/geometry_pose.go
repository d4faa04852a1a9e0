package cueing

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
)

// KindPose is the kind of a platform whose controller finds its legs by itself.
const KindPose = "pose"

// PoseRange is how far a controller that takes poses goes in each degree of
// freedom, to either side; 0 where it does not move.
type PoseRange struct {
	Surge float64 `toml:"surge_m"`
	Sway  float64 `toml:"sway_m"`
	Heave float64 `toml:"heave_m"`
	Roll  float64 `toml:"roll_deg"`
	Pitch float64 `toml:"pitch_deg"`
	Yaw   float64 `toml:"yaw_deg"`
}

// DefaultPoseRange is that of a small platform for one seat.
func DefaultPoseRange() PoseRange {
	return PoseRange{Surge: 0.05, Sway: 0.05, Heave: 0.05, Roll: 8, Pitch: 8, Yaw: 8}
}

// Validate reports every field that is out of range.
func (r PoseRange) Validate() error {
	err := errors.Join(
		valid.InRange("pose.surge_m", r.Surge, 0, 1),
		valid.InRange("pose.sway_m", r.Sway, 0, 1),
		valid.InRange("pose.heave_m", r.Heave, 0, 1),
		valid.InRange("pose.roll_deg", r.Roll, 0, 45),
		valid.InRange("pose.pitch_deg", r.Pitch, 0, 45),
		valid.InRange("pose.yaw_deg", r.Yaw, 0, 180),
	)
	if err == nil && r == (PoseRange{}) {
		return errors.New("pose: every range is 0: give those that the controller has")
	}
	return err
}

// freedoms is a platform whose legs are the pose itself, each a share of its
// range: 0 is its end backwards, to the right or down, 1 the other one.
//
// A controller keeps each range alone, so the platform is at its end where the
// first of them is used up.
type freedoms struct {
	most [6]float64 // [m], [rad]
	per  [6]float64 // one over it, 0 where there is none
}

func newFreedoms(r PoseRange) *freedoms {
	f := &freedoms{most: [6]float64{r.Surge, r.Sway, r.Heave, r.Roll * degree, r.Pitch * degree, r.Yaw * degree}}
	for i, most := range f.most {
		if most > 0 {
			f.per[i] = 1 / most
		}
	}
	return f
}

func (f *freedoms) names() []string {
	return []string{"surge", "sway", "heave", "roll", "pitch", "yaw"}
}

func (f *freedoms) box() Pose {
	m := &f.most
	return Pose{Surge: 2 * m[0], Sway: 2 * m[1], Heave: 2 * m[2], Roll: 2 * m[3], Pitch: 2 * m[4], Yaw: 2 * m[5]}
}

func (f *freedoms) firmness(Pose) float64 { return 1 } // what holds it is the controller's affair

func (f *freedoms) legs(p Pose) (Legs, float64) {
	l, load := level, 0.0
	for i, v := range [6]float64{p.Surge, p.Sway, p.Heave, p.Roll, p.Pitch, p.Yaw} {
		share := v * f.per[i]
		l[i], load = neutral+neutral*share, max(load, math.Abs(share))
	}
	return l, load
}

func (f *freedoms) pose(l Legs, _ Pose) (Pose, bool) {
	at := func(i int) float64 { return (l[i] - neutral) / neutral * f.most[i] }
	p := Pose{Surge: at(0), Sway: at(1), Heave: at(2), Roll: at(3), Pitch: at(4), Yaw: at(5)}
	return p, p.finite()
}
