//go:build cgo

package display

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/hud"
	"rig.example/rig/display/scene"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/scenery"
	"rig.example/rig/test/x11"
)

// clubScene returns the scene of the built-in circuit.
var clubScene = sync.OnceValues(func() (*frame.Scene, error) {
	parts, err := assembly.New(config.Default(), circuit.Options{Cache: circuit.UserCache()})
	if err != nil {
		return nil, err
	}
	setup := &parts.Drive.Setup
	line, err := scenery.NewRacingLine(setup, nil)
	if err != nil {
		return nil, err
	}
	return scenery.Scene(setup, r3.Vec{}, line), nil
})

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

// testRenderer opens a window of this size and returns a renderer for it.
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
	r, err := newRenderer(height, detailIndex(Medium, true))
	if err != nil {
		t.Fatal(err)
	}
	return window, r
}

func testPicture(r *renderer, f *frame.Frame, camera string) *picture {
	p := &picture{frame: f, inCockpit: camera == Cockpit, racingLine: true, status: hud.Status{Names: displaytest.Names, Rate: 60, MaxRPM: 8000}}
	car := scene.CarPose(f, 0)
	p.eye = r.world.AboveGround(scene.NewChaseCamera().Follow(car, f, 0))
	if p.inCockpit {
		p.eye = r.world.CockpitEye(car)
	}
	return p
}

func processorTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkPicture(b *testing.B) {
	s, err := clubScene()
	if err != nil {
		b.Fatal(err)
	}
	window, r := testRenderer(b, 1280, 720)
	r.setScene(s)
	for _, camera := range []string{Chase, Cockpit} {
		for quality, d := range details {
			b.Run(camera+"/"+d.name, func(b *testing.B) {
				runtime.LockOSThread()
				window.MakeContextCurrent()
				defer glfw.DetachCurrentContext()
				if err := r.setQuality(quality); err != nil {
					b.Fatal(err)
				}
				benchmarkPictures(b, window, r, camera)
			})
		}
	}
	window.MakeContextCurrent()
}

func benchmarkPictures(b *testing.B, window *glfw.Window, r *renderer, camera string) {
	var pictures []*picture
	for i := range 8 {
		pictures = append(pictures, testPicture(r, frameAt(r.world.scene, float64(i)/8), camera))
	}
	for i, p := range pictures {
		r.draw(p, 1280, 720)
		if dir := os.Getenv("DISPLAY_PICTURES"); dir != "" {
			img, err := r.renderImage(p, 1280, 720)
			if err != nil {
				b.Fatal(err)
			}
			os.MkdirAll(dir+"/"+details[r.quality].name, 0o755)
			writePNG(fmt.Sprintf("%s/%s/%s-%d.png", dir, details[r.quality].name, camera, i), img)
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	var sum Drawn
	start, best := processorTime(), time.Hour
	for i := range b.N {
		t := time.Now()
		drawn := r.draw(pictures[i%len(pictures)], 1280, 720)
		sum.Calls, sum.Triangles = sum.Calls+drawn.Calls, sum.Triangles+drawn.Triangles
		window.SwapBuffers()
		gl.Finish()
		best = min(best, time.Since(t))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pictures/s")
	b.ReportMetric(1e3*best.Seconds(), "best-ms")
	b.ReportMetric(1e3*(processorTime()-start).Seconds()/float64(b.N), "cpu-ms")
	b.ReportMetric(float64(sum.Calls)/float64(b.N), "calls")
	b.ReportMetric(float64(sum.Triangles)/float64(b.N), "triangles")
}
