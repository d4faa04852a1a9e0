package dash

import (
	"strconv"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// sampleColumns are the names of what a sample holds, in its order: a time, and quantities in SI units with the
// signs of a frame.
var sampleColumns = []string{
	"time_ms", "rim_torque_nm", "asked_torque_nm", "torque_limit_nm",
	"surge_m", "sway_m", "heave_m", "roll_rad", "pitch_rad", "yaw_rad", "throttle", "brake", "steer_rad",
}

// sample is a point of all charts.
type sample struct {
	time   time.Duration // since an arbitrary start
	values [12]float64   // in the order of sampleColumns
}

func sampleOf(f *frame.Frame, now time.Duration) sample {
	p := &f.Pose
	return sample{now, [12]float64{
		f.RimTorque, f.AskedTorque, f.RatedTorque,
		p[frame.Surge], p[frame.Sway], p[frame.Heave], p[frame.Roll], p[frame.Pitch], p[frame.Yaw], f.Throttle, f.Brake, f.Steer,
	}}
}

// encodeFrame returns the JSON object of a state, unless it is nil, and samples.
func encodeFrame(state []byte, samples []sample) []byte {
	const sampleSize = 110 // a typical one [bytes]
	b := make([]byte, 0, len(state)+len(samples)*sampleSize+32)
	b = append(b, '{')
	if state != nil {
		b = append(b, `"state":`...)
		b = append(b, state...)
		b = append(b, ',')
	}
	b = append(b, `"samples":[`...)
	for i, s := range samples {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.append(b)
	}
	return append(b, "]}"...)
}

// append appends the JSON array of a sample.
func (s *sample) append(b []byte) []byte {
	b = append(b, '[')
	b = strconv.AppendInt(b, s.time.Milliseconds(), 10)
	for _, v := range s.values {
		b = append(b, ',')
		b = appendNumber(b, v, 4)
	}
	return append(b, ']')
}

// appendNumber appends a JSON number with that many digits, or null for NaN and Inf, which JSON does not have.
func appendNumber(b []byte, v float64, digits int) []byte {
	if !valid.Finite(v) {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, v, 'g', digits, 64)
}

// number is a float64 in JSON objects: six digits, and null for NaN and Inf.
type number float64

// MarshalJSON returns the number as JSON.
func (n number) MarshalJSON() ([]byte, error) { return appendNumber(nil, float64(n), 6), nil }
