// Package display shows the driver's view in a window, in a process of its own: the road, the car and the
// instruments. Packages scene and hud compute what is drawn; only this package calls GLFW and OpenGL 3.3.
// In: frames, scene and messages from the shared memory of package page.
// Out: pictures, on request a screenshot as a PNG file, and the pressed keys in the page.
// It never drives a device, and the control loop never waits for it.
package display

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"rig.example/rig/internal/page"
	"rig.example/rig/internal/valid"
)

// Cameras of Options.Camera.
const (
	Chase   = "chase"   // behind the car, carried by a spring
	Cockpit = "cockpit" // at the driver's eye
)

// ErrNoDisplay reports that there is no screen to open a window on.
var ErrNoDisplay = errors.New("no DISPLAY or WAYLAND_DISPLAY")

// Options holds the settings of the window and when it closes.
type Options struct {
	Width, Height int           // window [pixels]; 0: 1280 by 720
	Camera        string        // Chase or Cockpit; empty: Chase
	Quality       string        // Auto, Low, Medium or High; empty: Auto
	Force         bool          // show the force page from the start
	Motion        bool          // show the motion page from the start
	Screenshot    string        // path of a PNG to write before the window closes; empty: none
	After         time.Duration // with Screenshot: time from the first picture to the screenshot
	MaxRPM        float64       // full scale of the rev counter [1/min]; 0: 8000
	MaxRate       float64       // maximum pictures per second; 0: 120
	Stats         *Stats        // filled in before Run returns, unless nil
}

// Stats measures how fast the window drew.
type Stats struct {
	Frames    int           // pictures shown
	Elapsed   time.Duration // from the first picture to the last
	Drawing   time.Duration // part of Elapsed spent on drawing
	Triangles int           // in the last picture, with the instruments
	Quality   string        // Low, Medium or High, in which the last picture was drawn
	Renderer  string        // OpenGL's name of the graphics card, or of the program that draws in its place
}

// Available returns nil if a window can probably be opened, or else an error that says why not. The
// error is ErrNoDisplay if there is no screen; any other error is a fault that the user must fix.
//
// It checks only the build and the environment, and is cheap.
func Available() error {
	x, wayland := os.Getenv("DISPLAY") != "", os.Getenv("WAYLAND_DISPLAY") != ""
	switch {
	case !x && !wayland:
		return fmt.Errorf("display: %w; log in to a desktop, or run with --headless", ErrNoDisplay)
	case !hasWindow:
		return errNoCgo
	case !x:
		return errors.New("display: the window needs X11: WAYLAND_DISPLAY is set, DISPLAY is not; start Xwayland, or run with --headless")
	}
	return nil
}

// Run shows p in a window until the window is closed, ctx ends or the process that writes p has
// ended. Only the last of these is an error.
//
// Window systems require that Run is called on the main thread, locked with runtime.LockOSThread
// in an init function. When the user closes the window, Run sets frame.KeyClose in the page.
func Run(ctx context.Context, p *page.Page, o Options) error {
	if err := Available(); err != nil {
		return err
	}
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	return run(ctx, p, o)
}

// withDefaults returns o with defaults in place of zero fields, and an error for fields out of range.
func (o Options) withDefaults() (Options, error) {
	if o.Width == 0 && o.Height == 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.Camera == "" {
		o.Camera = Chase
	}
	if o.Quality == "" {
		o.Quality = Auto
	}
	if o.MaxRPM == 0 {
		o.MaxRPM = 8000
	}
	if o.MaxRate == 0 {
		o.MaxRate = 120
	}
	err := errors.Join(
		valid.InRange("width", float64(o.Width), 320, 7680),
		valid.InRange("height", float64(o.Height), 240, 4320),
		valid.InRange("maximum engine speed", o.MaxRPM, 100, 30000),
		valid.InRange("maximum picture rate", o.MaxRate, 1, 1000),
		checkCamera(o.Camera),
		checkQuality(o.Quality),
	)
	if err != nil {
		return o, fmt.Errorf("display: %w", err)
	}
	return o, nil
}

// checkCamera returns an error unless name is Chase or Cockpit.
func checkCamera(name string) error {
	if name != Chase && name != Cockpit {
		return fmt.Errorf("camera %q: must be %q or %q", name, Chase, Cockpit)
	}
	return nil
}

// staleAfter is how long a page may stay unchanged before Run checks whether its writer still lives.
const staleAfter = 2 * time.Second

// writerMonitor detects that the process that writes a page has ended without marking the page as ended.
type writerMonitor struct {
	seq   uint64        // the page's sequence number at the last call
	since time.Duration // when seq last changed
}

// isDead reports whether seq has not changed for longer than staleAfter and alive returns false. It
// calls alive only when the page is stale.
func (v *writerMonitor) isDead(now time.Duration, seq uint64, alive func() bool) bool {
	if seq != v.seq {
		v.seq, v.since = seq, now
		return false
	}
	return now-v.since > staleAfter && !alive()
}

// smoothRate returns the smoothed picture rate [1/s], given its last value and the time dt [s] that
// the newest picture took.
func smoothRate(rate, dt float64) float64 {
	if rate == 0 {
		return 1 / dt
	}
	return rate + (1/dt-rate)*min(1, 2*dt)
}

// contextError returns an error if code, as glGetError returned it, means that the window no longer shows
// what is drawn.
func contextError(code uint32) error {
	switch code {
	case 0x0505: // GL_OUT_OF_MEMORY
		return errors.New("display: out of graphics memory")
	case 0x0506: // GL_INVALID_FRAMEBUFFER_OPERATION
		return errors.New("display: OpenGL cannot draw into the window")
	case 0x0507: // GL_CONTEXT_LOST
		return errors.New("display: the graphics card was reset")
	}
	return nil
}
