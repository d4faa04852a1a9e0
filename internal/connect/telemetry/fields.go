package telemetry

import (
	"math"
	"strings"
)

// Values that a field of a packet cannot hold become its nearest ones, and NaN becomes 0, because readers do not know it.

func u8(v float64) uint8    { return uint8(bounded(v, 0, math.MaxUint8)) }
func i8(v float64) int8     { return int8(bounded(v, math.MinInt8, math.MaxInt8)) }
func u16(v float64) uint16  { return uint16(bounded(v, 0, math.MaxUint16)) }
func u32(v float64) uint32  { return uint32(bounded(v, 0, math.MaxUint32)) }
func i32(v float64) int32   { return int32(bounded(v, math.MinInt32, math.MaxInt32)) }
func f32(v float64) float32 { return float32(bounded(v, -math.MaxFloat32, math.MaxFloat32)) }
func f64(v float64) float64 { return bounded(v, -math.MaxFloat64, math.MaxFloat64) }

func vector32(v [3]float64) [3]float32 { return [3]float32{f32(v[0]), f32(v[1]), f32(v[2])} }
func vector64(v [3]float64) [3]float64 { return [3]float64{f64(v[0]), f64(v[1]), f64(v[2])} }

// setText sets a field to the first bytes of a text, filled up with zeros; the last one is always 0.
func setText(field []byte, s string) {
	clear(field[copy(field, strings.ToValidUTF8(s[:min(len(s), len(field)-1)], "")):])
}

// bounded returns v within low and high; NaN becomes 0.
func bounded(v, low, high float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, low), high)
}

// number returns 1 for true.
func number(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
