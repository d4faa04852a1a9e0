//go:build cgo

package display

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/hud"
	"rig.example/rig/display/scene"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/level"
)

// Many pictures, with all that may change while a window is open, raise no error of OpenGL, and neither the memory of the
// process nor the number of OpenGL objects grows.
func TestManyPictures(t *testing.T) {
	pictures := level.Pick(0, 400, 10_000)
	window, r := testRenderer(t, 320, 240)
	scenes := [2]*frame.Scene{displaytest.Oval(), displaytest.Hill()}
	scenes[1].Ghost = displaytest.Ghost()
	var objects, memory int
	for i := range pictures {
		if i%50 == 0 {
			r.setScene(scenes[i/50%2])
		}
		p := changingPicture(r, i)
		width, height := 320+16*(i/20%5), 240+8*(i/30%5)
		window.SetSize(width, height)
		r.draw(p, width, height)
		window.SwapBuffers()
		r.timer.next()
		if i%100 == 7 {
			if _, err := imageOf(r, p, width, height); err != nil {
				t.Fatal(err)
			}
		}
		glfw.PollEvents()
		if code := gl.GetError(); code != gl.NO_ERROR {
			t.Fatalf("picture %d: OpenGL error %#x", i, code)
		}
		if i == pictures/4 || i == pictures-1 { // every kind of picture has been drawn by then; the same scene
			r.setScene(scenes[0])
			if n := liveObjects(); objects != 0 && n != objects {
				t.Errorf("%d objects after %d pictures, %d before", n, i+1, objects)
			} else {
				objects = n
			}
			now := residentMemory(t)
			if grown := now - memory; memory != 0 && grown > 8<<20 {
				t.Errorf("the process grew by %d KiB", grown>>10)
			}
			t.Logf("figure: %d objects and %d MiB after %d pictures", objects, now>>20, i+1)
			memory = now
		}
	}
}

// changingPicture returns the i-th of many pictures, all of which differ.
func changingPicture(r *renderer, i int) *picture {
	camera := [2]string{Chase, Cockpit}[i/3%2]
	if i%10 == 0 {
		if err := r.setQuality(i / 10 % len(details)); err != nil {
			panic(err)
		}
	}
	if i%97 == 0 {
		return &picture{eye: testPicture(r, displaytest.OvalFrame(0), camera).eye} // before the first frame
	}
	f := onHill(float64(3 * i))
	f.RPM, f.Brake, f.Flags = float64(37*i%8000), float64(i%2), f.Flags^uint64(i)<<4
	p := testPicture(r, f, camera)
	p.racingLine = i/5%2 == 0
	p.status.Page = hud.Page(i / 7 % 7)
	p.status.Notice = []string{"", "wheel unplugged: plug it in again, the car coasts"}[i/13%2]
	if g := r.world.scene.Ghost; len(g.Points) > 0 {
		pose, distance := scene.GhostPose(&g, float64(i))
		p.ghost, p.ghostDistance = &pose, distance
	}
	return p
}

// residentMemory returns how much memory the process has [bytes], after garbage is collected.
func residentMemory(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, resident int
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		t.Fatal(err)
	}
	return resident * os.Getpagesize()
}
