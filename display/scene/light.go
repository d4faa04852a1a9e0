package scene

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// Times of day.
const (
	Day  = "day"
	Dusk = "dusk"
)

// Light is the light of a time of day. Colors are sRGB, 0..1.
type Light struct {
	ToSun                 mgl64.Vec3 // direction to the sun, length 1
	Haze                  mgl32.Vec3 // of the air, and of the sky at the horizon
	Zenith                mgl32.Vec3
	Glow                  mgl32.Vec3 // added to the sky at the horizon below the sun
	FarHills, NearHills   mgl32.Vec3
	Ground                mgl32.Vec3 // factor on the color of ground, 1 by day
	FromBelow, FromAbove  mgl32.Vec3 // light of ground and sky on solid surfaces
	Sun                   mgl32.Vec3 // light of the sun on them
	MirrorLow, MirrorHigh mgl32.Vec3 // what glossy surfaces mirror below and above the horizon
	Cloud                 mgl32.Vec3 // sky and air in rain
	Lamps                 bool       // the car's headlamps are on
	Shadow                float64    // darkness of a shadow of the sun, 0..1
}

var lights = map[string]*Light{
	Day: {
		ToSun: mgl64.Vec3{0.42, 0.36, 0.83}.Normalize(),
		Haze:  mgl32.Vec3{0.74, 0.83, 0.91}, Zenith: mgl32.Vec3{0.25, 0.50, 0.83},
		FarHills: mgl32.Vec3{0.60, 0.71, 0.83}, NearHills: mgl32.Vec3{0.52, 0.64, 0.68},
		Ground:    mgl32.Vec3{1, 1, 1},
		FromBelow: mgl32.Vec3{0.36, 0.37, 0.36}, FromAbove: mgl32.Vec3{0.56, 0.62, 0.70}, Sun: mgl32.Vec3{0.62, 0.58, 0.50},
		MirrorLow: mgl32.Vec3{0.30, 0.34, 0.30}, MirrorHigh: mgl32.Vec3{0.62, 0.77, 0.95},
		Cloud: mgl32.Vec3{0.62, 0.66, 0.70}, Shadow: 0.62,
	},
	Dusk: {
		ToSun: mgl64.Vec3{0.72, 0.62, 0.21}.Normalize(),
		Haze:  mgl32.Vec3{0.50, 0.43, 0.47}, Zenith: mgl32.Vec3{0.09, 0.13, 0.29},
		Glow:     mgl32.Vec3{0.44, 0.20, -0.04},
		FarHills: mgl32.Vec3{0.30, 0.28, 0.37}, NearHills: mgl32.Vec3{0.20, 0.20, 0.26},
		Ground:    mgl32.Vec3{0.46, 0.43, 0.48},
		FromBelow: mgl32.Vec3{0.15, 0.14, 0.16}, FromAbove: mgl32.Vec3{0.30, 0.30, 0.40}, Sun: mgl32.Vec3{0.42, 0.26, 0.14},
		MirrorLow: mgl32.Vec3{0.12, 0.12, 0.13}, MirrorHigh: mgl32.Vec3{0.42, 0.38, 0.45},
		Cloud: mgl32.Vec3{0.30, 0.30, 0.35}, Lamps: true, Shadow: 0.34,
	},
}

// LightAt returns the light at a time of day: Day or Dusk. It is nil for other words.
func LightAt(time string) *Light { return lights[time] }

// Overcast returns how much of the sky rain clouds cover, 0..1, at this intensity of rain, 0..1.
func Overcast(rain float64) float64 { return min(1, 3*rain) }

// Air returns the color of the air at this intensity of rain, 0..1.
func (l *Light) Air(rain float64) mgl32.Vec3 { return mixColor(l.Haze, l.Cloud, Overcast(rain)) }

// Rain returns the intensity of rain in a frame, 0..1: by its loss of grip.
func Rain(f *frame.Frame) float64 {
	const heaviest = 0.5 // highest loss of grip that the driver can order
	return valid.Clamp(f.GripLoss/heaviest, 0, 1)
}

// Headlamps returns where the headlamps of a car at p are [m, world], the horizontal direction of their light, of length 1,
// and the distance at which it is half as bright as at the car [m]: more while the driver flashes.
func Headlamps(f *frame.Frame, p Pose, s *frame.Scene) (at, ahead mgl64.Vec2, reach float64) {
	const dipped, full = 24, 60 // [m]
	d := p.att.Rotate(mgl64.Vec3{1, 0, 0})
	ahead = mgl64.Vec2{d[0], d[1]}
	if length := ahead.Len(); length > 1e-6 {
		ahead = ahead.Mul(1 / length)
	}
	nose := s.CGToFront - s.Wheelbase/2 + s.Length/2
	at = mgl64.Vec2{p.pos[0], p.pos[1]}.Add(ahead.Mul(nose))
	reach = dipped
	if f.Flags&frame.HeadlightFlash != 0 {
		reach = full
	}
	return at, ahead, reach
}
