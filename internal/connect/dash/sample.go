package dash

import (
	"strconv"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/shown"
	"rig.example/rig/internal/kit/valid"
)

// sampleColumns are the names of what a sample holds, in its order: a time, and sampleQuantities.
var sampleColumns = []string{
	"time_ms", "rim_torque_nm", "asked_torque_nm", "torque_limit_nm",
	"surge_m", "sway_m", "heave_m", "roll_rad", "pitch_rad", "yaw_rad", "throttle", "brake", "steer_rad",
}

var sampleQuantities = shown.Pick[frame.Frame]("rim_torque", "rim_torque_requested", "rim_torque_allowed", "platform_surge",
	"platform_sway", "platform_heave", "platform_roll", "platform_pitch", "platform_yaw", "throttle", "brake", "steering_wheel_angle")

// sample is a point of all charts.
type sample struct {
	time   time.Duration // since an arbitrary start
	values [12]float64   // of sampleQuantities
}

func sampleOf(f *frame.Frame, now time.Duration) sample {
	s := sample{time: now}
	for i, q := range sampleQuantities {
		s.values[i] = q.At(f, 0)
	}
	return s
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
