package games

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"rig.example/rig/internal/core/follow"
)

// view reads little-endian values at offsets of bytes that are long enough.
type view []byte

type vector = [3]float64

func (v view) u32(at int) uint32   { return binary.LittleEndian.Uint32(v[at:]) }
func (v view) i32(at int) int32    { return int32(v.u32(at)) }
func (v view) u64(at int) uint64   { return binary.LittleEndian.Uint64(v[at:]) }
func (v view) f32(at int) float64  { return float64(math.Float32frombits(v.u32(at))) }
func (v view) f64(at int) float64  { return math.Float64frombits(v.u64(at)) }
func (v view) f32x3(at int) vector { return vector{v.f32(at), v.f32(at + 4), v.f32(at + 8)} }
func (v view) f64x3(at int) vector { return vector{v.f64(at), v.f64(at + 8), v.f64(at + 16)} }

// Each of these turns a vector from a game's axes to forward, left, up. An angular velocity is turned alike if the game's axes
// are right-handed, and has the opposite sign if they are left-handed.

func rightUpBack(v vector) vector        { return vector{-v[2], -v[0], v[1]} } // right-handed
func leftUpAhead(v vector) vector        { return vector{v[2], v[0], v[1]} }   // right-handed
func leftUpBack(v vector) vector         { return vector{-v[2], v[0], v[1]} }  // left-handed
func rightAheadUp(v vector) vector       { return vector{v[1], -v[0], v[2]} }  // right-handed
func scaled(v vector, by float64) vector { return vector{by * v[0], by * v[1], by * v[2]} }
func sum(a, b vector) vector             { return vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func dot(a, b vector) float64            { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func cross(a, b vector) vector {
	return vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// attitudeOf returns the attitude of a car that looks along forward and has left to its left, roughly at right angles and of any
// length [world]. It is NaN if they have no direction.
func attitudeOf(forward, left vector) [4]float64 {
	f := scaled(forward, 1/math.Sqrt(dot(forward, forward)))
	l := sum(left, scaled(f, -dot(left, f)))
	l = scaled(l, 1/math.Sqrt(dot(l, l)))
	u := cross(f, l)
	noseUp := math.Asin(min(max(f[2], -1), 1))
	heading, rightDown := math.Atan2(f[1], f[0]), math.Atan2(l[2], u[2])
	if math.Hypot(f[0], f[1]) < 1e-6 { // the nose points straight up or down: heading and roll are one angle
		heading, rightDown = math.Atan2(-l[0], l[1]), 0
	}
	return attitude(heading, noseUp, rightDown)
}

// unknown returns a sample of a source that has told nothing yet.
func unknown(source string) follow.Sample {
	nan := math.NaN()
	none, untold := vector{nan, nan, nan}, [4]float64{nan, nan, nan, nan}
	return follow.Sample{
		Source: Code(source), Time: nan, Pos: none, Att: [4]float64{nan, nan, nan, nan}, Vel: none, Rate: none, Acc: none,
		RPM: nan, Throttle: nan, Brake: nan, Clutch: nan, Steer: nan, RearSlip: nan,
		Travel: untold, Slip: untold, Rumble: untold,
	}
}

// Hash returns a number for a text that identifies a car or a game's version; 0 for none.
func Hash(text string) uint64 {
	if text == "" {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// text returns a text of at most size bytes, up to its first zero.
func (v view) text(at, size int) string {
	b := v[at : at+size]
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
