//go:build cgo

package display

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/hud"
)

// BenchmarkPicture draws eight places of the built-in circuit in turn. Environment variable DISPLAY_PICTURES names a
// folder that keeps the pictures.
//
//	go test ./display -run none -bench Picture -benchtime 200x
func BenchmarkPicture(b *testing.B) {
	s := clubScene(b)
	window, r := testRenderer(b, 1280, 720)
	r.setScene(s)
	for _, camera := range []string{Chase, Cockpit} {
		for quality, d := range details {
			b.Run(camera+"/"+d.name, func(b *testing.B) {
				makeCurrent(b, window)
				if err := r.setQuality(quality); err != nil {
					b.Fatal(err)
				}
				benchmarkPictures(b, window, r, picturesOfALap(r, camera))
			})
			b.Run(camera+"/"+d.name+"/15 cars", func(b *testing.B) {
				makeCurrent(b, window)
				if err := r.setQuality(quality); err != nil {
					b.Fatal(err)
				}
				pictures := picturesOfALap(r, camera)
				for _, p := range pictures {
					inSession(r, p, displaytest.Session(s, p.frame.Station, 10, 8, 15))
				}
				benchmarkPictures(b, window, r, pictures)
			})
		}
	}
	window.MakeContextCurrent()
}

// makeCurrent makes the OpenGL context of a window current in a benchmark within another one.
func makeCurrent(b *testing.B, window *glfw.Window) {
	runtime.LockOSThread()
	window.MakeContextCurrent()
	b.Cleanup(glfw.DetachCurrentContext)
}

func benchmarkPictures(b *testing.B, window *glfw.Window, r *renderer, pictures []*picture) {
	for i, p := range pictures {
		r.draw(p, 1280, 720)
		if folder := os.Getenv("DISPLAY_PICTURES"); folder != "" {
			img, err := imageOf(r, p, 1280, 720)
			if err == nil {
				name := fmt.Sprintf("%s-cockpit=%t-%d.png", details[r.quality].name, p.inCockpit, i)
				err = writePNG(filepath.Join(folder, name), img)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	var sum Drawn
	start, shortest := processorTime(), time.Hour
	for i := range b.N {
		begun := time.Now()
		drawn := r.draw(pictures[i%len(pictures)], 1280, 720)
		window.SwapBuffers()
		gl.Finish()
		shortest = min(shortest, time.Since(begun))
		sum.Calls, sum.Triangles = sum.Calls+drawn.Calls, sum.Triangles+drawn.Triangles
	}
	for unit, v := range map[string]float64{
		"pictures/s":   float64(b.N) / b.Elapsed().Seconds(),
		"shortest-ms":  1e3 * shortest.Seconds(),
		"processor-ms": 1e3 * (processorTime() - start).Seconds() / float64(b.N),
		"calls":        float64(sum.Calls) / float64(b.N),
		"triangles":    float64(sum.Triangles) / float64(b.N),
	} {
		b.ReportMetric(v, unit)
	}
}

// processorTime returns the processor time of this process so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A picture allocates nothing on Go's heap, and takes few calls and triangles.
func TestPicturesAreLean(t *testing.T) {
	s := displaytest.Hill()
	s.Ghost = displaytest.Ghost()
	_, r := testRenderer(t, 320, 240)
	r.setScene(s)
	for quality, d := range details {
		if err := r.setQuality(quality); err != nil {
			t.Fatal(err)
		}
		for _, camera := range []string{Chase, Cockpit} {
			p := testPicture(r, displaytest.PlatformFrame(), camera)
			p.status.Page = hud.MotionPage
			p.frame.GripLoss = 0.3
			r.draw(p, 320, 240) // with all mirrors
			drawn := r.draw(p, 320, 240)
			inSession(r, p, displaytest.Session(s, 190, 10, 8, 15))
			withCars := r.draw(p, 320, 240)
			if n := testing.AllocsPerRun(5, func() { r.draw(p, 320, 240) }); n != 0 {
				t.Errorf("%s, %s: %g allocations for each picture", camera, d.name, n)
			}
			t.Logf("figure: %s, %s: %d calls, %d triangles; with 15 cars %d and %d", camera, d.name, drawn.Calls, drawn.Triangles, withCars.Calls, withCars.Triangles)
			if more := withCars.Triangles - drawn.Triangles; more < 1000 || more > 24_000 || withCars.Calls-drawn.Calls > 120 {
				t.Errorf("%s, %s: 15 cars take %d triangles and %d calls", camera, d.name, more, withCars.Calls-drawn.Calls)
			}
			most := 20_000
			switch {
			case camera == Cockpit && quality == len(details)-1: // all mirrors in each picture
				most = 36_000
			case camera == Cockpit:
				most = 26_000
			}
			if drawn.Calls > 200 || drawn.Triangles > most {
				t.Errorf("%s, %s: %+v", camera, d.name, drawn)
			}
		}
	}
}

// The higher the quality, the more is drawn; and no quality changes a picture much.
func TestQualitiesShowTheSame(t *testing.T) {
	s := displaytest.Oval()
	_, r := testRenderer(t, 320, 240)
	r.setScene(s)
	var last Drawn
	var best []uint8
	for quality := len(details) - 1; quality >= 0; quality-- {
		if err := r.setQuality(quality); err != nil {
			t.Fatal(err)
		}
		name, p := details[quality].name, testPicture(r, displaytest.OvalFrame(30), Chase)
		drawn := r.draw(p, 320, 240)
		img, err := imageOf(r, p, 320, 240)
		if err != nil {
			t.Fatal(err)
		}
		if best == nil {
			last, best = drawn, img.Pix
			continue
		}
		if drawn.Triangles >= last.Triangles {
			t.Errorf("%s draws %d triangles, the next higher quality %d", name, drawn.Triangles, last.Triangles)
		}
		if d := meanDifference(img.Pix, best); d < 0.05 || d > 4 {
			t.Errorf("%s differs by %.2f of 255 from the best, want 0.05 to 4", name, d)
		}
		last = drawn
	}
}

// meanDifference returns the mean difference of two pictures, of 255.
func meanDifference(a, b []uint8) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(float64(a[i]) - float64(b[i]))
	}
	return sum / float64(len(a))
}

// picturesOfALap returns pictures at eight places of the lap.
func picturesOfALap(r *renderer, camera string) (pictures []*picture) {
	for i := range 8 {
		pictures = append(pictures, testPicture(r, frameAt(r.world.scene, float64(i)/8), camera))
	}
	return pictures
}
