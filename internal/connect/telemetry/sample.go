package telemetry

import (
	"math"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// Sample is what a packet is made of.
type Sample struct {
	Frame *frame.Frame
	Scene *frame.Scene // names and sizes of car and circuit

	AngularAcceleration [3]float64 // [rad/s², body], from the change of Frame.Rate between two packets
}

// wheels32 returns a value of each wheel in an order of the wheels.
func (s *Sample) wheels32(order [4]int, value func(w *frame.Wheel, i int) float64) (list [4]float32) {
	for k, i := range order {
		list[k] = f32(value(&s.Frame.Wheels[i], i))
	}
	return list
}

const (
	gravity  = 9.80665 // [m/s²]
	degrees  = 180 / math.Pi
	perMin   = 30 / math.Pi // from rad/s to 1/min
	psiOfBar = 14.5038
)

// axes returns the car's axes from its quaternion.
func (s *Sample) axes() packets.Axes {
	w, x, y, z := s.Frame.Att[0], s.Frame.Att[1], s.Frame.Att[2], s.Frame.Att[3]
	if w*w+x*x+y*y+z*z == 0 { // a frame without a car
		w = 1
	}
	return packets.Axes{
		Ahead: [3]float64{1 - 2*(y*y+z*z), 2 * (x*y + w*z), 2 * (x*z - w*y)},
		Left:  [3]float64{2 * (x*y - w*z), 1 - 2*(x*x+z*z), 2 * (y*z + w*x)},
		Up:    [3]float64{2 * (x*z + w*y), 2 * (y*z - w*x), 1 - 2*(x*x+y*y)},
	}
}

// angles returns roll (positive with the right side down), pitch (positive with the nose down) and yaw (positive to the
// left, 0 along the world's x axis) [rad]: turned by yaw, then pitch, then roll.
func angles(a *packets.Axes) (roll, pitch, yaw float64) {
	return math.Atan2(a.Left[2], a.Up[2]), -math.Asin(bounded(a.Ahead[2], -1, 1)), math.Atan2(a.Ahead[1], a.Ahead[0])
}

// rightAheadUp returns a vector of x forward, y left, z up by its parts to the right, ahead and up. With the world's x
// axis as "ahead" it is the world of LFS, BeamNG and simapi.
func rightAheadUp(v [3]float64) [3]float64 { return [3]float64{-v[1], v[0], v[2]} }

// rightUpAhead is rightAheadUp in the order of Forza.
func rightUpAhead(v [3]float64) [3]float64 { return [3]float64{-v[1], v[2], v[0]} }

// isDriving reports whether the car moves: what games call being on the track.
func (s *Sample) isDriving() bool {
	return guard.State(s.Frame.State).Moves() && s.Frame.Flags&frame.Paused == 0
}

// has reports whether a flag of the frame is set.
func (s *Sample) has(flag uint64) bool { return s.Frame.Flags&flag != 0 }

// milliseconds returns the time of the drive [ms], which stands while the car stands for a pause.
func (s *Sample) milliseconds() float64 { return float64(uint32(s.Frame.Tick)) } // it wraps, as that of games does

// steer returns the steering wheel's angle as a share of its lock, -1 (left) to 1 (right).
func (s *Sample) steer() float64 { return -share(s.Frame.Steer, s.Scene.SteerLock) }

// gearFromReverse returns the gear counted from 0 for reverse: 1 is neutral.
func (s *Sample) gearFromReverse() float64 { return float64(s.Frame.Gear + 1) }

// lapsBefore returns the number of laps before the present one.
func (s *Sample) lapsBefore() float64 { return math.Max(float64(s.Frame.Lap.Number)-1, 0) }

// slip returns the longitudinal and the lateral slip of a wheel, each as a share of the slip of the largest force in its
// direction: together they have the length NormalizedSlip.
func slip(w *frame.Wheel) (longitudinal, lateral float64) {
	along, across := w.SlipRatio, math.Tan(w.SlipAngle)
	total := math.Hypot(along, across)
	return share(w.NormalizedSlip*along, total), share(w.NormalizedSlip*across, total)
}

// share returns v/whole, or 0 if whole is 0 or not known.
func share(v, whole float64) float64 {
	if !(math.Abs(whole) > 0) {
		return 0
	}
	return v / whole
}

// bit returns value if on, else 0.
func bit(on bool, value uint32) uint32 {
	if on {
		return value
	}
	return 0
}
