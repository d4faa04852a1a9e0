package cueing

import (
	"errors"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// KindPose is the kind of a platform whose controller takes poses and computes the legs itself.
const KindPose = "pose"

// PoseRange is how far a controller that takes poses moves in each degree of freedom, to either side;
// 0 where it does not move.
type PoseRange struct {
	// Surge at the controller's largest number, and as far backwards at its smallest. If it is not
	// what the controller does, the platform moves too much or too little. 0: no surge.
	Surge float64 `toml:"surge_m" range:"0..1"`
	// Sway at the controller's largest number, and as far to the other side at its smallest. 0: no
	// sway.
	Sway float64 `toml:"sway_m" range:"0..1"`
	// Heave at the controller's largest number, and as far down at its smallest. 0: no heave.
	Heave float64 `toml:"heave_m" range:"0..1"`
	// Roll at the controller's largest number, and as far to the other side at its smallest. 0: no
	// roll.
	Roll float64 `toml:"roll_deg" range:"0..45"`
	// Pitch at the controller's largest number, and as far to the other side at its smallest. 0: no
	// pitch.
	Pitch float64 `toml:"pitch_deg" range:"0..45"`
	// Yaw at the controller's largest number, and as far to the other side at its smallest. 0: no
	// yaw.
	Yaw float64 `toml:"yaw_deg" range:"0..180"`
}

// DefaultPoseRange returns the range of a small platform with one seat.
func DefaultPoseRange() PoseRange {
	return PoseRange{Surge: 0.05, Sway: 0.05, Heave: 0.05, Roll: 8, Pitch: 8, Yaw: 8}
}

// Validate returns an error for every field that is out of range.
func (r PoseRange) Validate() error {
	err := valid.Struct(r)
	if err == nil && r == (PoseRange{}) {
		return errors.New("surge_m = 0, and every other range too: give those that the controller has")
	}
	return err
}

// poseMechanism is the mechanism of a platform whose controller takes poses: its legs are the six
// degrees of freedom, each as a fraction of its range. 0 is the negative end of the range (to the
// rear, to the right, down, or the negative angle), 1 the positive end.
//
// The controller limits each degree of freedom separately, so that the load of a pose is that of
// the degree of freedom closest to its end.
type poseMechanism struct {
	limit        [6]float64 // surge, sway, heave [m], roll, pitch, yaw [rad]
	inverseLimit [6]float64 // 1 over limit, 0 where limit is 0
}

func newPoseMechanism(r PoseRange) *poseMechanism {
	f := &poseMechanism{limit: [6]float64{r.Surge, r.Sway, r.Heave, r.Roll * degree, r.Pitch * degree, r.Yaw * degree}}
	for i, limit := range f.limit {
		if limit > 0 {
			f.inverseLimit[i] = 1 / limit
		}
	}
	return f
}

func (f *poseMechanism) names() []string {
	return []string{"surge", "sway", "heave", "roll", "pitch", "yaw"}
}

func (f *poseMechanism) bounds() Pose {
	m := &f.limit
	return Pose{Surge: 2 * m[0], Sway: 2 * m[1], Heave: 2 * m[2], Roll: 2 * m[3], Pitch: 2 * m[4], Yaw: 2 * m[5]}
}

func (f *poseMechanism) stability(Pose) float64 { return 1 } // the controller knows the legs; rig does not

func (f *poseMechanism) legs(p Pose) (Legs, float64) {
	l, load := neutralLegs, 0.0
	for i, v := range [6]float64{p.Surge, p.Sway, p.Heave, p.Roll, p.Pitch, p.Yaw} {
		fraction := v * f.inverseLimit[i]
		l[i], load = neutral+neutral*fraction, max(load, math.Abs(fraction))
	}
	return l, load
}

func (f *poseMechanism) pose(l Legs, _ Pose) (Pose, bool) {
	at := func(i int) float64 { return (l[i] - neutral) / neutral * f.limit[i] }
	p := Pose{Surge: at(0), Sway: at(1), Heave: at(2), Roll: at(3), Pitch: at(4), Yaw: at(5)}
	return p, p.isFinite()
}
