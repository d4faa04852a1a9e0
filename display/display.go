// Package display shows the driver's view in a window, in a process of its own: the road, the car and the
// instruments. Packages scene and hud compute what is drawn; only this package calls GLFW and OpenGL 3.3.
// In: frames, scene and messages from the shared memory of package framepage.
// Out: pictures, on request a screenshot as a PNG file, and in the page the pressed keys and how evenly pictures come.
// It never drives a device, and the control loop never waits for it.
package display

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"rig.example/rig/display/hud"
	"rig.example/rig/display/model"
	"rig.example/rig/display/scene"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/kit/valid"
)

// Cameras of Options.Camera.
const (
	Chase     = "chase"     // behind the car, carried by a spring
	Cockpit   = "cockpit"   // at the driver's eye
	Bonnet    = "bonnet"    // on the bonnet, straight ahead
	Trackside = "trackside" // beside the road, turned to the car; behind it where no camera is near
)

// Values of Options.VSync.
const (
	VSyncOn       = "on"       // a picture waits for the screen's refresh
	VSyncOff      = "off"      // a picture is shown at once, and tears
	VSyncAdaptive = "adaptive" // a picture that is late is shown at once, the others wait
)

// ErrNoDisplay reports that there is no screen to open a window on.
var ErrNoDisplay = errors.New("no DISPLAY or WAYLAND_DISPLAY")

// Setup is where and how the picture is shown.
type Setup struct {
	Fullscreen     bool             // fill the monitor, unless the driver chose otherwise last time
	Monitor        string           // that the full screen fills; empty: that where the window is
	Screens        []screens.Screen // before the driver, from the left to the right; empty: unknown
	EachScreen     bool             // each screen has a window of its own
	Time           string           // time of day: scene.Day or scene.Dusk; empty: scene.Day
	FOV            float64          // vertical field of view from the driver's seat where no screen is known [rad]; 0: 50°
	ScreensOnFloor bool             // the screens do not move with the platform
	EyeFromPivot   [3]float64       // of the driver, from the point about which the platform turns: ahead, left, up [m]
	PlatformDelay  float64          // from a target pose to the platform's being there, where it is not measured [s]
	HUDScale       float64          // size of the instruments; 0: 1
	PagesLeft      bool             // the pages of the instruments are on the left, not on the right
	Page           string           // of the instruments at the start, as hud.PageNamed knows it; empty: none
	Model          model.Config     // the user's own model of the car, with absolute paths; no paths: the built-in car
}

// Options holds the settings of the window and when it closes.
type Options struct {
	Setup
	Width, Height int           // window [pixels]; 0: 1280 by 720
	Camera        string        // Chase, Cockpit, Bonnet or Trackside; empty: Chase
	VSync         string        // VSyncOn, VSyncOff or VSyncAdaptive; empty: VSyncOn
	Quality       string        // Auto, Low, Medium or High; empty: Auto
	Force         bool          // show the force page from the start
	Motion        bool          // show the motion page from the start
	Screenshot    string        // path of a PNG to write before the window closes; empty: none
	After         time.Duration // with Screenshot: time from the first picture to the screenshot
	MaxRPM        float64       // full scale of the rev counter [1/min]; 0: 8000
	Remember      string        // path of the file that keeps what the driver chooses in the window; empty: none
	Stats         *Stats        // filled in before Run returns, unless nil
}

// Monitor is a connected monitor.
type Monitor struct {
	Name        string  `json:"name"`
	Place       [2]int  `json:"place_px"`
	Size        [2]int  `json:"resolution_px"`
	Refresh     int     `json:"refresh_hz"`
	Millimeters [2]int  `json:"size_mm"` // as the monitor says; 0 if it does not
	Scale       float64 `json:"scale"`
}

// Stats measures how fast the window drew.
type Stats struct {
	Frames    int           // pictures shown
	Elapsed   time.Duration // from the first picture to the last
	Drawing   time.Duration // part of Elapsed spent on drawing
	Triangles int           // in the last picture, with the instruments
	Size      [2]int        // of the last picture [pixels]
	Quality   string        // Low, Medium or High, in which the last picture was drawn
	Renderer  string        // OpenGL's name of the graphics card, or of the program that draws in its place
}

// firstPage returns the page of the instruments at the start.
func (o *Options) firstPage() hud.Page {
	switch {
	case o.Motion:
		return hud.MotionPage
	case o.Force:
		return hud.ForcePage
	}
	return hud.PageNamed(o.Page)
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
		return errors.New("display: the window needs X11: WAYLAND_DISPLAY is set, DISPLAY is not; install Xwayland (Debian: xwayland) and log in anew, or run with --headless")
	}
	return nil
}

// Run shows p in a window until the window is closed, ctx ends or the process that writes p has
// ended. Only the last of these is an error.
//
// Window systems require that Run is called on the main thread, locked with runtime.LockOSThread
// in an init function. When the user closes the window, Run sets frame.KeyClose in the page.
func Run(ctx context.Context, p *framepage.Page, o Options) error {
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
	if o.VSync == "" {
		o.VSync = VSyncOn
	}
	if o.Time == "" {
		o.Time = scene.Day
	}
	if o.FOV == 0 {
		o.FOV = 50 * math.Pi / 180
	}
	err := errors.Join(
		valid.InRange("width", float64(o.Width), 320, 30720),
		valid.InRange("height", float64(o.Height), 240, 8640),
		valid.InRange("maximum engine speed", o.MaxRPM, 100, 30000),
		checkWord("camera", o.Camera, Chase, Cockpit, Bonnet, Trackside),
		checkWord("vsync", o.VSync, VSyncOn, VSyncOff, VSyncAdaptive),
		checkQuality(o.Quality), checkWord("time", o.Time, scene.Day, scene.Dusk),
	)
	if err != nil {
		return o, fmt.Errorf("display: %w", err)
	}
	return o, nil
}

// checkWord returns an error unless word is one of the allowed ones.
func checkWord(name, word string, allowed ...string) error {
	if !slices.Contains(allowed, word) {
		return fmt.Errorf("%s %q: must be \"%s\"", name, word, strings.Join(allowed, `" or "`))
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
