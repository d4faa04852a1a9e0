package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

// Wipers is the number of wipers. Each turns about the point at its foot.
const Wipers = 2

const (
	wiperSweep  = 95 * math.Pi / 180 // from its rest to the other end [rad]
	wiperLength = 0.30               // as a share of the car's width
	slowWipe    = 1.5                // time of a stroke to and fro in little rain [s]
	fastWipe    = 0.9                // in much rain
	muchRain    = 0.25               // loss of grip
)

// WiperAngle returns how far the wipers are from their rest [rad], by the loss of grip to rain and the time of the drive [s].
func WiperAngle(gripLoss, time float64) float64 {
	if !(gripLoss > 0) {
		return 0
	}
	period := slowWipe
	if gripLoss >= muchRain {
		period = fastWipe
	}
	return wiperSweep * (1 - math.Cos(2*math.Pi*math.Mod(time/period, 1))) / 2
}

// windscreen holds the feet of the wipers, and the directions to the right and up on the windscreen, in body axes.
type windscreen struct {
	feet              [Wipers]mgl64.Vec3
	right, up, normal mgl64.Vec3 // unit directions; normal points to the driver
}

func newWindscreen(c carShape) windscreen {
	base, top := vec64(c.at(screenBase, 0, 0.615)), vec64(c.at(screenTop, 0, 0.965))
	w := windscreen{right: mgl64.Vec3{0, -1, 0}, up: top.Sub(base).Normalize()}
	w.normal = w.right.Cross(w.up)
	for i, side := range [Wipers]float64{0.70, 0.04} {
		w.feet[i] = vec64(c.at(screenBase, side, 0.615))
	}
	return w
}

// WiperMatrix places the mesh of a wiper in body axes at an angle from its rest [rad]. At rest it points to the right.
func (w *World) WiperMatrix(i int, angle float64) mgl64.Mat4 {
	s := &w.windscreen
	foot := s.feet[i]
	return mgl64.Mat4FromCols(s.right.Vec4(0), s.up.Vec4(0), s.normal.Vec4(0), foot.Vec4(1)).
		Mul4(mgl64.HomogRotate3DZ(angle))
}

// buildWiper returns a wiper about its foot, along x: an arm and a blade, with z to the driver.
func buildWiper(s *frame.Scene) *Mesh {
	length := float32(wiperLength * s.Width)
	m := &Mesh{}
	m.box(mgl32.Vec3{length * 0.35, 0, -0.012}, mgl32.Vec3{length * 0.35, 0.006, 0.003}, trimPaint)
	m.box(mgl32.Vec3{length * 0.6, 0, -0.006}, mgl32.Vec3{length * 0.4, 0.009, 0.003}, rubberPaint)
	return m
}
