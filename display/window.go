//go:build cgo

package display

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"rig.example/rig/display/hud"
	"rig.example/rig/display/scene"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/page"
)

const hasWindow = true

// errNoCgo is never met in this build.
var errNoCgo error

// smoothEdges is how many samples a pixel gets where a graphics card does it.
const smoothEdges = 4

// viewer is one run of the window.
type viewer struct {
	Options
	page   *page.Page
	window *glfw.Window
	draw   *renderer
	start  time.Time

	frame   frame.Frame
	running bool // a frame was read
	inside  bool
	guide   bool   // the line to drive is drawn
	tapped  uint64 // keys that went down since the last picture
	force   hud.ForcePage
	motion  hud.MotionPage
	chase   *scene.ChaseCamera
	age     scene.FrameAge
	vigil   vigil
	shown   int           // pictures
	first   time.Duration // when the first picture with a car was shown
	last    time.Duration // when the last picture was begun
	drawing time.Duration
	rate    float64 // smoothed [1/s]
	corners int     // triangles of the last picture
}

func run(ctx context.Context, p *page.Page, o Options) error {
	log.SetFlags(0) // the binding's own lines are among those of rig, which date theirs
	window, err := openWindow(o, smoothEdges)
	if err == nil && isSoftware(gl.GoStr(gl.GetString(gl.RENDERER))) {
		window.Destroy()
		window, err = openWindow(o, 0)
	}
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	defer window.Destroy()
	_, height := window.GetFramebufferSize()
	draw, err := newRenderer(max(height, 1))
	if err != nil {
		return err
	}
	v := &viewer{
		Options: o, page: p, window: window, draw: draw, start: time.Now(),
		inside: o.Camera == Cockpit, guide: true, force: hud.ForcePage{Name: o.EffectName},
		motion: hud.MotionPage{State: o.MotionState, Faults: o.FaultNames, Tuning: o.TuningName}, chase: scene.NewChaseCamera(),
	}
	window.SetKeyCallback(v.onKey)
	err = v.show(ctx)
	v.report()
	return err
}

// openWindow opens the window and makes its context current. Where a window
// system fails half-way the binding logs the cause and panics on the next call;
// here both become one error.
func openWindow(o Options, samples int) (w *glfw.Window, err error) {
	var logged strings.Builder
	before := log.Writer()
	log.SetOutput(&logged)
	defer func() {
		log.SetOutput(before)
		if p := recover(); p != nil {
			cause := strings.TrimPrefix(strings.TrimSpace(logged.String()), "PlatformError: ")
			if cause == "" {
				cause = fmt.Sprint(p)
			}
			w, err = nil, fmt.Errorf("display: no window: %s; check DISPLAY and the X server", cause)
		}
	}()
	if err := glfw.Init(); err != nil {
		return nil, fmt.Errorf("display: %w; check DISPLAY and the X server", err)
	}
	glfw.WindowHint(glfw.ContextVersionMajor, 3)
	glfw.WindowHint(glfw.ContextVersionMinor, 3)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	glfw.WindowHint(glfw.ContextRobustness, glfw.LoseContextOnReset) // where the driver can, a reset of the card shows
	glfw.WindowHint(glfw.Samples, samples)
	w, err = glfw.CreateWindow(o.Width, o.Height, "rig", nil, nil)
	if err != nil {
		glfw.Terminate()
		return nil, fmt.Errorf("display: %w; a driver for OpenGL 3.3 is needed (Debian: libgl1-mesa-dri)", err)
	}
	w.MakeContextCurrent()
	glfw.SwapInterval(1)
	if err := gl.Init(); err != nil {
		glfw.Terminate()
		return nil, fmt.Errorf("display: OpenGL: %w; a driver for OpenGL 3.3 is needed (Debian: libgl1-mesa-dri)", err)
	}
	return w, nil
}

// show draws pictures until there is a reason to stop.
func (v *viewer) show(ctx context.Context) error {
	for ctx.Err() == nil {
		now := time.Since(v.start)
		if v.window.ShouldClose() {
			v.page.SetKeys(frame.KeyClose)
			return nil
		}
		if _, ended := v.page.Ended(); ended && v.Screenshot == "" {
			return nil
		}
		if v.vigil.gone(now, v.page.Seq(), v.page.WriterLives) {
			return fmt.Errorf("display: the rig (process %d) is gone; start it again", v.page.Writer())
		}
		p := v.next(now)
		if v.Screenshot != "" && v.running && now-v.first >= v.After {
			return v.shoot(p)
		}
		v.present(p, now)
		if err := lostPicture(gl.GetError()); err != nil {
			return err
		}
	}
	v.page.SetKeys(0)
	return nil
}

// next reads the page and composes the picture at time now.
func (v *viewer) next(now time.Duration) *picture {
	if v.draw.world == nil {
		if s, ok := v.page.Scene(); ok {
			v.draw.setScene(s)
			v.motion.Actuators = s.Legs
		}
	}
	if v.draw.world != nil && v.page.Read(&v.frame) && !v.running {
		v.running, v.first = true, now
	}
	p := &picture{eye: scene.EmptyEye(), status: hud.Status{
		State: v.StateName(v.frame.State), Notice: v.page.Notice(), Rate: v.rate, MaxRPM: v.MaxRPM,
	}}
	if v.Force {
		p.status.Force = &v.force
	}
	if v.Motion {
		p.status.Motion = &v.motion
	}
	if !v.running {
		return p
	}
	p.frame, p.inside, p.guide = &v.frame, v.inside, v.guide
	p.age = v.age.At(now, v.frame.Tick)
	car := scene.CarPose(&v.frame, p.age)
	aside := scene.LookAside(v.frame.Flags, v.inside)
	p.eye = v.draw.world.AboveGround(v.chase.Follow(car, &v.frame, (now-v.last).Seconds()).Turned(aside, car))
	if v.inside {
		p.eye = v.draw.world.CockpitEye(car).Turned(aside, car)
	}
	return p
}

// present shows p and waits for the turn of the next picture.
func (v *viewer) present(p *picture, now time.Duration) {
	if dt := (now - v.last).Seconds(); v.shown > 0 && dt > 0 {
		v.rate = smoothRate(v.rate, dt)
	}
	v.last = now
	width, height := v.window.GetFramebufferSize()
	if width > 0 && height > 0 { // it is 0 by 0 while it is an icon
		v.corners = v.draw.draw(p, width, height)
	}
	v.window.SwapBuffers()
	v.shown++
	v.page.SetKeys(v.keys())
	glfw.PollEvents()
	spent := time.Since(v.start) - now
	v.drawing += spent
	time.Sleep(time.Duration(float64(time.Second)/v.MaxRate) - spent)
}

// bindings are the keys that drive, those that stop, clear and reset, and the car's switches.
var bindings = []struct {
	key glfw.Key
	bit uint64
}{
	{glfw.KeyLeft, frame.KeyLeft}, {glfw.KeyA, frame.KeyLeft},
	{glfw.KeyRight, frame.KeyRight}, {glfw.KeyD, frame.KeyRight},
	{glfw.KeyUp, frame.KeyUp}, {glfw.KeyW, frame.KeyUp},
	{glfw.KeyDown, frame.KeyDown}, {glfw.KeyS, frame.KeyDown},
	{glfw.KeyC, frame.KeyCamera}, {glfw.KeyV, frame.KeyCamera},
	{glfw.KeySpace, frame.KeyStop},
	{glfw.KeyEnter, frame.KeyClear}, {glfw.KeyKPEnter, frame.KeyClear},
	{glfw.KeyR, frame.KeyReset},
	{glfw.Key1, frame.KeyABSLess}, {glfw.Key2, frame.KeyABSMore},
	{glfw.Key3, frame.KeyTractionLess}, {glfw.Key4, frame.KeyTractionMore},
	{glfw.Key5, frame.KeyStabilityLess}, {glfw.Key6, frame.KeyStabilityMore},
	{glfw.KeyP, frame.KeyPit}, {glfw.KeyL, frame.KeyLaunch}, {glfw.KeyI, frame.KeyEngine},
	{glfw.KeyG, frame.KeyAutoGears}, {glfw.KeyE, frame.KeyGearUp}, {glfw.KeyQ, frame.KeyGearDown},
	{glfw.KeyO, frame.KeyPause}, {glfw.KeyF, frame.KeyFlash},
	{glfw.KeyZ, frame.KeyLookLeft}, {glfw.KeyX, frame.KeyLookRight},
	{glfw.KeyMinus, frame.KeyGainLess}, {glfw.KeyEqual, frame.KeyGainMore}, {glfw.KeyH, frame.KeyHandbrake},
	{glfw.KeyU, frame.KeyHighTorque}, {glfw.KeyB, frame.KeyDeadMan},
	{glfw.KeyLeftBracket, frame.KeyMotionLess}, {glfw.KeyRightBracket, frame.KeyMotionMore}, {glfw.KeyK, frame.KeyMotionNext},
	{glfw.KeyComma, frame.KeyCueLess}, {glfw.KeyPeriod, frame.KeyCueMore}, {glfw.KeyJ, frame.KeyMotionOn},
	{glfw.Key9, frame.KeyDrier}, {glfw.Key0, frame.KeyWetter},
}

// keys returns the keys that are down now, or were for a moment since the last picture:
// none while another window has the keyboard, for their release would never be heard of.
func (v *viewer) keys() uint64 {
	bits := v.tapped
	v.tapped = 0
	if v.window.GetAttrib(glfw.Focused) == glfw.False {
		return 0
	}
	for _, b := range bindings {
		if v.window.GetKey(b.key) == glfw.Press {
			bits |= b.bit
		}
	}
	return bits
}

func (v *viewer) onKey(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
	if action != glfw.Press {
		return
	}
	for _, b := range bindings {
		if b.key == key {
			v.tapped |= b.bit
		}
	}
	switch key {
	case glfw.KeyC, glfw.KeyV:
		v.inside = !v.inside
	case glfw.KeyT:
		v.guide = !v.guide
	case glfw.KeyN:
		v.Force = !v.Force
	case glfw.KeyM:
		v.Motion = !v.Motion
	case glfw.KeyEscape:
		v.window.SetShouldClose(true)
	}
}

func (v *viewer) report() {
	if v.Stats == nil {
		return
	}
	*v.Stats = Stats{
		Frames: v.shown, Elapsed: v.last, Drawing: v.drawing, Triangles: v.corners,
		Renderer: gl.GoStr(gl.GetString(gl.RENDERER)),
	}
}
