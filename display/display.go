// Package display is the driver's view: the road, the car and the instruments
// in a window of its own process.
//
// It reads the shared memory of package page and writes nothing but the keys
// into it. What is drawn comes from packages scene (geometry, camera) and hud
// (instruments), which are plain Go; only the files built with cgo here talk to
// GLFW and OpenGL 3.3.
package display

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"rig.example/rig/internal/page"
)

// Cameras of Options.Camera.
const (
	Chase   = "chase"   // behind the car, carried by a spring
	Cockpit = "cockpit" // at the driver's eye
)

// ErrNoDisplay tells that there is no screen at all to open a window on.
var ErrNoDisplay = errors.New("no DISPLAY or WAYLAND_DISPLAY")

// Options says how the window looks and how long it stays.
type Options struct {
	Width, Height int                 // window [pixels]; 0: 1280 by 720
	Camera        string              // Chase or Cockpit; empty: Chase
	Force         bool                // the page of the force is shown from the beginning
	Motion        bool                // the page of the motion is shown from the beginning
	Screenshot    string              // PNG to write before leaving; empty: none
	After         time.Duration       // with Screenshot: from the first picture to the shot
	StateName     func(uint64) string // name of Frame.State; nil: its number
	EffectName    func(int) string    // name of an effect of the force, "" where there is none; nil: its number
	MotionState   func(uint64) string // name of Frame.Motion.State; nil: its number
	FaultNames    func(uint64) string // names of Frame.Motion.Faults, "" for none; nil: their bits
	TuningName    func(int) string    // name of a factor of the motion, "" where there is none; nil: its number
	MaxRPM        float64             // end of the engine's scale [1/min]; 0: 8000
	MaxRate       float64             // most pictures a second; 0: 120
	Stats         *Stats              // filled when Run returns; nil: not wanted
}

// Stats is how fast the window was.
type Stats struct {
	Frames    int           // pictures shown
	Elapsed   time.Duration // from the first picture to the last
	Drawing   time.Duration // of it spent drawing, not waiting
	Triangles int           // in the last picture, instruments included
	Renderer  string        // as OpenGL names it
}

// Available reports why no window can be opened, or nil if one may be tried. It is
// ErrNoDisplay only where there is no screen: all else you must fix.
//
// It looks at the build and the environment only, and is cheap.
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

// Run shows page in a window until the window is closed, ctx ends or the
// process that writes the page is gone; only the last is an error.
//
// It must be called on the main thread, locked with runtime.LockOSThread in an
// init function, for window systems insist on it. A closed window leaves
// frame.KeyClose in the page.
func Run(ctx context.Context, p *page.Page, o Options) error {
	if err := Available(); err != nil {
		return err
	}
	o, err := o.complete()
	if err != nil {
		return err
	}
	return run(ctx, p, o)
}

// complete fills what o leaves open and refuses what it cannot mean.
func (o Options) complete() (Options, error) {
	if o.Width == 0 && o.Height == 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.Camera == "" {
		o.Camera = Chase
	}
	if o.MaxRPM == 0 {
		o.MaxRPM = 8000
	}
	if o.MaxRate == 0 {
		o.MaxRate = 120
	}
	if o.StateName == nil {
		o.StateName = func(code uint64) string { return fmt.Sprintf("state %d", code) }
	}
	if o.EffectName == nil {
		o.EffectName = func(i int) string { return fmt.Sprintf("effect %d", i) }
	}
	o.nameMotion()
	return o, errors.Join(
		inRange("width", float64(o.Width), 320, 7680),
		inRange("height", float64(o.Height), 240, 4320),
		inRange("largest engine speed", o.MaxRPM, 100, 30000),
		inRange("largest picture rate", o.MaxRate, 1, 1000),
		o.checkCamera(),
	)
}

// nameMotion fills the names of the motion that o leaves open.
func (o *Options) nameMotion() {
	if o.MotionState == nil {
		o.MotionState = func(code uint64) string { return fmt.Sprintf("state %d", code) }
	}
	if o.FaultNames == nil {
		o.FaultNames = func(bits uint64) string { return fmt.Sprintf("faults %b", bits) }
	}
	if o.TuningName == nil {
		o.TuningName = func(i int) string { return fmt.Sprintf("factor %d", i) }
	}
}

func (o Options) checkCamera() error {
	if o.Camera != Chase && o.Camera != Cockpit {
		return fmt.Errorf("display: camera %q; give %s or %s", o.Camera, Chase, Cockpit)
	}
	return nil
}

func inRange(name string, v, low, high float64) error {
	if !(v >= low && v <= high) { // also true for NaN
		return fmt.Errorf("display: %s %g; allowed are %g to %g", name, v, low, high)
	}
	return nil
}

// patience is how long a still page is taken for a pause of its writer.
const patience = 2 * time.Second

// vigil tells whether the process that writes a page still lives.
type vigil struct {
	seq   uint64
	since time.Duration // when seq was first seen
}

// gone reports, at time now, that seq stood still for too long and that alive
// says no. alive is asked only then.
func (v *vigil) gone(now time.Duration, seq uint64, alive func() bool) bool {
	if seq != v.seq {
		v.seq, v.since = seq, now
		return false
	}
	return now-v.since > patience && !alive()
}

// smoothRate returns the rate of pictures [1/s] after one that took dt [s].
func smoothRate(rate, dt float64) float64 {
	if rate == 0 {
		return 1 / dt
	}
	return rate + (1/dt-rate)*min(1, 2*dt)
}

// isSoftware reports whether renderer, as OpenGL names it, draws on the
// processor, where smooth edges cost more than they are worth.
func isSoftware(renderer string) bool {
	return strings.Contains(renderer, "llvmpipe") || strings.Contains(renderer, "softpipe")
}

// lostPicture returns an error if OpenGL says, by this code of glGetError, that what is drawn
// from now on is not what the driver would see.
func lostPicture(code uint32) error {
	switch code {
	case 0x0505:
		return errors.New("display: the graphics card's memory has run out")
	case 0x0506:
		return errors.New("display: OpenGL cannot draw into the window")
	case 0x0507:
		return errors.New("display: the graphics card was reset")
	}
	return nil
}
