//go:build cgo

package display

import (
	"log"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
	"golang.org/x/sys/unix"

	"rig.example/rig/display/pacing"
	"rig.example/rig/internal/core/frame"
)

// hiddenInterval is the shortest time from picture to picture of a window that is not visible, whose swaps may not wait.
const hiddenInterval = time.Second / 240

// monotonicNow reads the clock of frame.Frame.Due. Go's own readings have another zero point.
func monotonicNow() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return 0 // the kernel always has this clock
	}
	return time.Duration(now.Nano())
}

// setVSync sets whether swaps of the current context wait for a refresh.
func setVSync(mode string) {
	switch {
	case mode == VSyncOff:
		glfw.SwapInterval(0)
	case mode == VSyncAdaptive && glfw.ExtensionSupported("GLX_EXT_swap_control_tear"):
		glfw.SwapInterval(-1)
	case mode == VSyncAdaptive:
		log.Print("display: the driver has no adaptive vsync (GLX_EXT_swap_control_tear); vsync is on")
		fallthrough
	default:
		glfw.SwapInterval(1)
	}
}

// newPacer returns a pacer for a window. It is told the refresh rate of the window's screen if that fills one, else that of
// the first screen; pacing finds out if the window is on another one.
func newPacer(w *glfw.Window, vsync string) *pacing.Pacer {
	screen := w.GetMonitor()
	if screen == nil {
		screen = glfw.GetPrimaryMonitor()
	}
	return pacing.New(refreshRate(screen), vsync != VSyncOff)
}

// readFrame reads the newest frame, and predicts when its picture will be seen. It is called as late as possible before
// drawing. It reports whether there is a frame.
func (v *viewer) readFrame() bool {
	if !v.sharedPage.Read(&v.frame) {
		return false
	}
	v.seenBefore = v.seen
	v.seen = v.pacer.Seen(monotonicNow())
	v.age = v.pacer.Age(v.seen, v.frame.Tick, time.Duration(v.frame.Due)).Seconds()
	return true
}

// swap shows the picture that was drawn, and measures when that was.
func (v *viewer) swap() {
	called := monotonicNow()
	v.window.SwapBuffers()
	if !v.running {
		return
	}
	// A driver may wait for the refresh only when the next picture is begun. It then waits here, before the frame of that
	// picture is read.
	gl.Clear(gl.COLOR_BUFFER_BIT)
	v.pacer.Swapped(called, monotonicNow(), time.Duration(v.frame.Due))
	v.sharedPage.SetDisplay(v.figures())
}

// figures returns how evenly pictures are shown, and from where.
func (v *viewer) figures() frame.Display {
	f := v.pacer.Figures()
	if v.camera == Cockpit {
		f.Cockpit = 1
	}
	return f
}

// waitHidden waits until hiddenInterval has passed since the time began, if the window is not visible.
func (v *viewer) waitHidden(began time.Duration) {
	if v.window.GetAttrib(glfw.Iconified) == glfw.True || v.window.GetAttrib(glfw.Visible) == glfw.False {
		time.Sleep(hiddenInterval - (time.Since(v.start) - began))
	}
}
