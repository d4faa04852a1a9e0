//go:build cgo

package display

import (
	"image"
	"math"
	"runtime"
	"sync"
	"testing"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/hud"
	"rig.example/rig/display/scene"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/scenery"
	"rig.example/rig/test/x11"
)

// clubParts returns the parts of a drive on the built-in circuit.
func clubParts(t testing.TB) *drive.Setup {
	t.Helper()
	parts, err := loadClubOnce()
	if err != nil {
		t.Fatal(err)
	}
	return &parts.Drive.Setup
}

var loadClubOnce = sync.OnceValues(func() (*drivesetup.Parts, error) {
	return drivesetup.New(config.Default(), circuit.Options{Cache: circuit.UserCache()})
})

// clubScene returns the scene of the built-in circuit.
func clubScene(t testing.TB) *frame.Scene {
	t.Helper()
	setup := clubParts(t)
	line, err := scenery.NewRacingLine(setup, nil)
	if err != nil {
		t.Fatal(err)
	}
	return scenery.Scene(setup, r3.Vec{}, line)
}

// frameAt returns a frame of a car on the road of s, at a share of the lap.
func frameAt(s *frame.Scene, share float64) *frame.Frame {
	i := int(share * float64(len(s.Points)))
	p, q := &s.Points[i], &s.Points[(i+1)%len(s.Points)]
	f := displaytest.PlatformFrame()
	yaw := math.Atan2(q.Y-p.Y, q.X-p.X)
	att := mgl64.QuatRotate(yaw, mgl64.Vec3{0, 0, 1})
	f.Att = [4]float64{att.W, att.V[0], att.V[1], att.V[2]}
	ground := p.Heights[frame.MiddleHeight]
	f.Pos = [3]float64{p.X, p.Y, ground + s.CGHeight}
	f.Vel = att.Rotate(mgl64.Vec3{30, 0, 0})
	f.Station = share * s.LapLength
	for i := range f.Wheels {
		hub := mgl64.Vec3{s.CGToFront, 0.79, s.WheelRadius - s.CGHeight}
		if i >= 2 {
			hub[0] -= s.Wheelbase
		}
		if i%2 == 1 {
			hub[1] = -hub[1]
		}
		f.Wheels[i].Pos = mgl64.Vec3(f.Pos).Add(att.Rotate(hub))
	}
	return f
}

// testRenderer opens a window of this size in this process, and returns it with a renderer for it. It draws at medium
// quality.
func testRenderer(t testing.TB, width, height int) (*glfw.Window, *renderer) {
	t.Helper()
	runtime.LockOSThread()
	t.Setenv("DISPLAY", x11.Start(t))
	t.Setenv("LIBGL_ALWAYS_SOFTWARE", "1")
	window, err := openWindow(Options{Width: width, Height: height}, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(glfw.Terminate)
	glfw.SwapInterval(0)
	r, err := newRenderer(height, detailIndex(Medium, true), scene.Day)
	if err != nil {
		t.Fatal(err)
	}
	return window, r
}

// testPicture returns a picture of f, whose camera is at rest.
func testPicture(r *renderer, f *frame.Frame, camera string) *picture {
	p := &picture{frame: f, hud: screens.Whole, inCockpit: camera == Cockpit, racingLine: true, status: hud.Status{Names: displaytest.Names, Rate: 60, MaxRPM: 8000}}
	car := scene.CarPose(f, 0)
	p.eye = r.world.AboveGround(scene.NewChaseCamera().Follow(car, f, 0))
	switch camera {
	case Cockpit:
		p.eye = r.world.CockpitEye(car, [3]float64{}, 0.9)
	case Bonnet:
		p.eye = r.world.BonnetEye(car, 0.9)
	case Trackside:
		p.eye, _ = r.world.TracksideEye(car)
	}
	p.status.Cockpit = p.inCockpit
	return p
}

// imageOf draws a picture into an image.
func imageOf(r *renderer, p *picture, width, height int) (*image.RGBA, error) {
	return renderImage(width, height, func(width, height int) { r.draw(p, width, height) })
}

// liveObjects counts the OpenGL objects that have not been deleted. Names of deleted ones need not be used again.
func liveObjects() (n int) {
	for id := uint32(1); id < 1<<16; id++ {
		for _, is := range []func(uint32) bool{gl.IsBuffer, gl.IsVertexArray, gl.IsTexture, gl.IsFramebuffer, gl.IsRenderbuffer, gl.IsProgram, gl.IsShader, gl.IsQuery} {
			if is(id) {
				n++
			}
		}
	}
	return n
}
