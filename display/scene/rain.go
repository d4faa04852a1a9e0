package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// RainBox is the size of the box around the eye in which streaks of rain are drawn [m]. Streaks that leave it on one side
// come in on the other.
var RainBox = mgl64.Vec3{16, 16, 9}

// RainVertex is one corner of a streak of rain, laid out as the vertex shader reads it.
type RainVertex struct {
	place  mgl32.Vec3 // in the box, 0..1
	corner mgl32.Vec2 // -1 or 1 across the streak; 0 at its begin, 1 at its end
}

// SprayVertex is one corner of a puff of spray, laid out as the vertex shader reads it.
type SprayVertex struct {
	seed   mgl32.Vec4 // phase of its life, 0..1; wheel, 0..3; two random numbers from -1 to 1
	corner mgl32.Vec2 // -1 or 1 to the right and up
}

// RainStreaks returns count streaks of rain as quads, with their indices.
func RainStreaks(count int) (vertices []RainVertex, indices []uint32) {
	for i := range uint32(count) {
		place := mgl32.Vec3{float32(hashFloat(i, 21)), float32(hashFloat(i, 22)), float32(hashFloat(i, 23))}
		for _, corner := range [4]mgl32.Vec2{{-1, 0}, {1, 0}, {1, 1}, {-1, 1}} {
			vertices = append(vertices, RainVertex{place, corner})
		}
		indices = append(indices, 4*i, 4*i+1, 4*i+2, 4*i, 4*i+2, 4*i+3)
	}
	return vertices, indices
}

// SprayPuffs returns count puffs of spray behind each wheel as quads, with their indices. The puffs of all wheels take
// turns, so that the first ones of the list are a thinner spray of all.
func SprayPuffs(count int) (vertices []SprayVertex, indices []uint32) {
	for i := range uint32(4 * count) {
		phase := math.Mod(float64(i/4)*0.618034+0.25*float64(i%4), 1)
		seed := mgl32.Vec4{float32(phase), float32(i % 4), float32(2*hashFloat(i, 31) - 1), float32(2*hashFloat(i, 32) - 1)}
		for _, corner := range [4]mgl32.Vec2{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			vertices = append(vertices, SprayVertex{seed, corner})
		}
		indices = append(indices, 4*i, 4*i+1, 4*i+2, 4*i, 4*i+2, 4*i+3)
	}
	return vertices, indices
}

// RainFall returns how far the streaks of rain have moved through their box, in shares of it, 0..1, as seen from an eye at
// a time [s]; and how far a drop falls past a car of this velocity [m/s] while a picture is exposed [m].
func RainFall(eye, velocity mgl64.Vec3, time float64) (offset, streak mgl64.Vec3) {
	const exposure = 1.0 / 50 // [s]
	fall := mgl64.Vec3{0.6, 0.3, -8.5}
	for i := range offset {
		at := (fall[i]*time - eye[i]) / RainBox[i]
		offset[i] = at - math.Floor(at)
	}
	return offset, fall.Sub(velocity).Mul(exposure)
}

// Spray returns how dense the spray behind each wheel is, 0..1: with the speed, and with the water below the wheel.
func Spray(f *frame.Frame, s *frame.Scene) (density [4]float64) {
	const from, full = 5, 32 // [m/s]
	speed := valid.Clamp((math.Abs(f.Speed)-from)/(full-from), 0, 1)
	for i := range f.Wheels {
		water := min(2*Rain(f), 1)
		if m := f.Wheels[i].Material; m < uint64(len(s.Materials)) && wetnessOf(&s.Materials[m]) == wet {
			water = 1
		}
		density[i] = speed * water
	}
	return density
}
