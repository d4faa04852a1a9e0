package export_test

import (
	"bytes"
	"io"
	"math"
	"slices"
	"testing"
	"time"

	"rig.example/rig/internal/files/drivelog"
)

// lap returns a log of 9 seconds of two laps at 2 Hz.
func lap() *drivelog.Log {
	fill := func(f func(t float64) float64) []float64 {
		v := make([]float64, 18)
		for i := range v {
			v[i] = f(float64(i) / 2)
		}
		return v
	}
	load := fill(func(t float64) float64 { return 3500 + t })
	load[0], load[4], load[5] = math.NaN(), math.NaN(), math.NaN()
	return &drivelog.Log{
		Car: "coupe", Track: "nürburg", Rate: 2, Start: 10,
		Began: time.Date(2026, 7, 3, 14, 5, 30, 250e6, time.FixedZone("CEST", 2*3600)),
		Channels: []drivelog.Channel{
			{Name: "speed", Unit: "m/s", About: "over ground, forward", MoTeC: "Ground Speed", Decimals: 2, Values: fill(func(t float64) float64 { return 10 * t })},
			{Name: "lateral", Unit: "m/s²", About: "to the left", MoTeC: "G Force Lat", Decimals: 3, Values: fill(func(t float64) float64 { return 9.80665 * t })},
			{Name: "wheel_fl_load", Unit: "N", Decimals: 0, Values: load},
			{Name: "steer", Unit: "rad", MoTeC: "Steered Angle", Decimals: 9, Values: fill(func(t float64) float64 { return math.Pi * t / 90 })},
			{Name: "torque", Unit: "N·m", Decimals: 1, Values: fill(func(t float64) float64 { return t - 0.1 })},
			{Name: "brake_temp", Unit: "°C", Values: fill(func(t float64) float64 { return 20 + t })},
		},
		Laps: []drivelog.Lap{
			{Number: 1, Start: 6, Time: 5, Valid: true},       // began before the log
			{Number: 2, Start: 11, Time: 3.25, Valid: true},   // 1 to 4.25
			{Number: 3, Start: 14.2505, Time: 2, Valid: true}, // half a millisecond of rounding; to 6.2505
			{Number: 4, Start: 16.25, Time: 1.5},              // to 7.75, does not count
			{Number: 5, Start: 17.75, Time: 4, Valid: true},   // ends after the log
		},
	}
}

// written returns the bytes of a writer.
func written(t *testing.T, write func(io.Writer, *drivelog.Log) error, log *drivelog.Log) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, log); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// same reports whether a and b differ by less than tolerance, or are both NaN.
func same(a, b []float64, tolerance float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= tolerance
	})
}
