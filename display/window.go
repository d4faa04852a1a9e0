//go:build cgo

package display

import (
	"context"
	"fmt"
	"log"
	"math"
	"strings"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"rig.example/rig/display/hud"
	"rig.example/rig/display/pacing"
	"rig.example/rig/display/scene"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
)

// hasWindow reports whether this build can open a window.
const hasWindow = true

// errNoCgo is not used in this build.
var errNoCgo error

// viewer is the state of one run of the window.
type viewer struct {
	Options
	*surface   // the first window
	sharedPage *framepage.Page
	start      time.Time

	screens    *screens.Setup
	views      []screens.View // of the first window
	head       screens.Head   // of the driver, compared with its rest before the screens
	platform   screens.Platform
	others     []*surface // windows of other screens
	otherIndex []int      // their numbers in setup
	otherViews []screens.View
	kept       remembered
	car        string        // name of the car
	asked      time.Duration // when the driver was asked whether to leave; 0: not

	frame         frame.Frame
	running       bool // false until the first frame has been read
	auto          *autoQuality
	software      bool          // a program draws in place of a graphics card
	interval      time.Duration // in which pictures are due
	shown         time.Duration // from the beginning of the last picture until it was handed to the screen
	camera        string        // Chase, Cockpit, Bonnet or Trackside
	racingLine    bool          // draw the racing line
	pressed       uint64        // keys pressed since the last picture, as bits of frame.Keys
	names         frame.Names
	session       session
	replay        frame.Replay // which part of a recording is shown, if one is
	seeking       bool         // the mouse was pressed on the scrub bar and is still down
	chaseCamera   *scene.ChaseCamera
	pacer         *pacing.Pacer
	seen          time.Duration // when the picture will be seen, on the clock of frame.Frame.Due
	seenBefore    time.Duration // when the one before it was
	age           float64       // by which the car of the frame is extrapolated [s]
	page          hud.Page      // that is shown
	writerMonitor writerMonitor
	pictureCount  int           // number of pictures shown
	firstTime     time.Duration // time of the first picture with a car, from start
	lastTime      time.Duration // time of the last picture, from start
	drawTime      time.Duration // total time spent on drawing
	rate          float64       // smoothed picture rate [1/s]
	triangles     int           // triangles of the last picture
}

// run does what Run describes. Available must have returned nil, and o must have its defaults.
func run(ctx context.Context, p *framepage.Page, o Options) error {
	log.SetFlags(0) // the GLFW binding logs without need for time stamps: the rig's log adds them
	quality, software := detailIndex(o.Quality, false), false
	window, err := openWindow(o, details[quality].samples)
	if err == nil && IsSoftware(gl.GoStr(gl.GetString(gl.RENDERER))) {
		quality, software = detailIndex(o.Quality, true), true
		window.Destroy()
		window, err = openWindow(o, 0)
	}
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	defer window.Destroy()
	first, err := newSurface(window, o.Monitor, quality, o.Time)
	if err != nil {
		return err
	}
	v := &viewer{
		Options: o, surface: first, sharedPage: p, start: time.Now(), screens: screens.NewSetup(o.Screens, o.EachScreen), head: screens.AtRest(),
		auto: newAutoQuality(quality), software: software, interval: refreshInterval(),
		pacer: newPacer(window, o.VSync), page: o.firstPage(), camera: o.Camera, racingLine: true, chaseCamera: scene.NewChaseCamera(),
	}
	if err := first.renderer.arrange(hud.Options{Scale: o.HUDScale, PagesLeft: o.PagesLeft}); err != nil {
		return err
	}
	if first.renderer.ownModel, err = loadModel(o.Model); err != nil {
		log.Printf("%v; the built-in car is shown", err)
	}
	if v.kept, err = remember(o.Remember); err != nil {
		log.Print(err)
	}
	if err := v.openOthers(); err != nil {
		return err
	}
	defer v.closeOthers()
	window.SetKeyCallback(v.onKey)
	if v.beginsFull() {
		if err := v.setFullscreen(true); err != nil {
			log.Print(err)
		}
	}
	err = v.runLoop(ctx)
	v.fillStats()
	return err
}

// openWindow opens the window and makes its OpenGL context current. If the window system fails half-way,
// the GLFW binding logs the cause and panics on the next call; openWindow returns both as one error.
func openWindow(o Options, samples int) (w *glfw.Window, err error) {
	var logged strings.Builder
	logWriter := log.Writer()
	log.SetOutput(&logged)
	defer func() {
		log.SetOutput(logWriter)
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
	// With this hint glGetError reports a reset of the graphics card, if its driver supports that.
	glfw.WindowHint(glfw.ContextRobustness, glfw.LoseContextOnReset)
	glfw.WindowHint(glfw.Samples, samples)
	glfw.WindowHint(glfw.AutoIconify, glfw.False) // a full screen stays when another window gets the keys: the driver needs it
	w, err = glfw.CreateWindow(o.Width, o.Height, "rig", nil, nil)
	if err != nil {
		glfw.Terminate()
		return nil, fmt.Errorf("display: %w; install a driver for OpenGL 3.3 (Debian: libgl1-mesa-dri)", err)
	}
	w.MakeContextCurrent()
	setVSync(o.VSync)
	if err := gl.Init(); err != nil {
		glfw.Terminate()
		return nil, fmt.Errorf("display: OpenGL: %w; install a driver for OpenGL 3.3 (Debian: libgl1-mesa-dri)", err)
	}
	return w, nil
}

// runLoop draws pictures until the window is closed, the rig ends, ctx ends or something fails.
func (v *viewer) runLoop(ctx context.Context) error {
	for ctx.Err() == nil {
		now := time.Since(v.start)
		if v.shouldClose() {
			v.sharedPage.SetKeys(frame.KeyClose)
			return nil
		}
		if _, ended := v.sharedPage.Ended(); ended && v.Screenshot == "" {
			return nil
		}
		if v.writerMonitor.isDead(now, v.sharedPage.Seq(), v.sharedPage.WriterAlive) {
			return fmt.Errorf("display: the rig (process %d) has ended; start it again", v.sharedPage.WriterPID())
		}
		p := v.nextPicture(now)
		if v.Screenshot != "" && v.running && now-v.firstTime >= v.After {
			return v.saveScreenshot(p)
		}
		v.present(p, now)
		if err := v.adaptQuality(); err != nil {
			return err
		}
		if err := contextError(gl.GetError()); err != nil {
			return err
		}
	}
	v.sharedPage.SetKeys(0)
	return nil
}

// nextPicture reads the scene and the newest frame from the shared memory, and returns the picture to show at time
// now, which counts from the start of the window.
func (v *viewer) nextPicture(now time.Duration) *picture {
	if v.renderer.world == nil {
		if s, ok := v.sharedPage.Scene(); ok {
			v.setScene(s)
		}
	}
	p := &picture{eye: scene.EmptyEye(), hud: screens.Whole, status: hud.Status{
		Question: v.question(now), Names: v.names, Page: v.page, Notice: v.sharedPage.Notice(), Rate: v.rate, MaxRPM: v.MaxRPM,
		Display: v.pacer.Figures(),
	}}
	replayed := v.sharedPage.Replay(&v.replay)
	if v.renderer.world != nil && v.readFrame() && !v.running {
		v.running, v.firstTime, v.seenBefore = true, now, v.seen
	}
	if !v.running {
		return p
	}
	p.frame, p.inCockpit, p.racingLine = &v.frame, v.camera == Cockpit, v.racingLine
	p.status.ShiftUpRPM = v.renderer.world.scene.ShiftUpRPM
	p.age = v.age
	if replayed {
		p.status.Replay, p.age = v.replay.Bar(), 0 // a car in slow motion is where the recording has it
	}
	p.status.Extrapolated = p.age
	v.addGhost(p)
	car := scene.CarPose(&v.frame, p.age)
	p.eye = v.eye(car)
	v.addViews(p, now)
	v.addSession(p, car)
	p.status.Cockpit = p.inCockpit && v.dashboardInSight(p, car)
	return p
}

// addGhost places the ghost in p, if the scene has one.
func (v *viewer) addGhost(p *picture) {
	s := v.renderer.world.scene
	if len(s.Ghost.Points) == 0 {
		return
	}
	lapTime := 0.0 // before the start line the ghost waits there
	if v.frame.Lap.Number > 0 {
		lapTime = v.frame.Lap.Time + p.age
	}
	pose, distance := scene.GhostPose(&s.Ghost, lapTime)
	p.ghost, p.ghostDistance = &pose, distance
	p.status.Ghost, p.status.GhostAt, p.status.Gap = true, pose.Plan(), v.renderer.world.GhostGap(&v.frame, s)
}

// present draws p in the window and writes the pressed keys to the page.
func (v *viewer) present(p *picture, now time.Duration) {
	if dt := (now - v.lastTime).Seconds(); v.pictureCount > 0 && dt > 0 {
		v.rate = smoothRate(v.rate, dt)
	}
	v.lastTime = now
	width, height := v.window.GetFramebufferSize()
	v.triangles = 0
	v.drawOthers(p)
	if width > 0 && height > 0 { // a minimized window has 0 by 0 pixels
		if err := v.renderer.fit(height); err != nil {
			log.Print(err)
		}
		v.triangles += v.renderer.draw(p, width, height).Triangles
	}
	v.swap()
	v.shown = time.Since(v.start) - now
	v.pictureCount++
	v.sharedPage.SetKeys(v.keys())
	v.sharedPage.SetSeek(v.seek())
	glfw.PollEvents()
	v.drawTime += time.Since(v.start) - now
	v.waitHidden(now)
}

// adaptQuality changes the quality of the next picture if Options.Quality is Auto and the time that the last pictures took
// demands it.
func (v *viewer) adaptQuality() error {
	drawing, ok := v.renderer.timer.next()
	if v.software { // which does not wait for the screen
		drawing, ok = v.shown, v.running
	}
	if !ok || v.Quality != Auto {
		return nil
	}
	q := v.auto.next(drawing, v.interval)
	if q == v.renderer.quality {
		return nil
	}
	return v.setQuality(q)
}

// refreshInterval returns the interval at which pictures are due: that of the screen.
func refreshInterval() time.Duration {
	rate := refreshRate(glfw.GetPrimaryMonitor())
	if rate <= 0 {
		rate = 60
	}
	return time.Duration(float64(time.Second) / rate)
}

// refreshRate returns how many pictures a second a screen shows; 0 if there is no screen or it does not say.
func refreshRate(m *glfw.Monitor) float64 {
	if m == nil {
		return 0
	}
	if mode := m.GetVideoMode(); mode != nil {
		return float64(mode.RefreshRate)
	}
	return 0
}

// bindings maps keys of the keyboard to the bits of frame.Keys.
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
	{glfw.KeyP, frame.KeyPit}, {glfw.KeyL, frame.KeyLaunch}, {glfw.KeyI, frame.KeyEngineStartStop},
	{glfw.KeyG, frame.KeyAutoGears}, {glfw.KeyE, frame.KeyGearUp}, {glfw.KeyQ, frame.KeyGearDown},
	{glfw.KeyO, frame.KeyPause}, {glfw.KeyF, frame.KeyFlash},
	{glfw.KeyZ, frame.KeyLookLeft}, {glfw.KeyX, frame.KeyLookRight},
	{glfw.KeyMinus, frame.KeyGainLess}, {glfw.KeyEqual, frame.KeyGainMore}, {glfw.KeyH, frame.KeyHandbrake},
	{glfw.KeyU, frame.KeyHighTorque}, {glfw.KeyB, frame.KeyDeadMan},
	{glfw.KeyLeftBracket, frame.KeyMotionLess}, {glfw.KeyRightBracket, frame.KeyMotionMore}, {glfw.KeyK, frame.KeyCueNext},
	{glfw.KeyComma, frame.KeyCueLess}, {glfw.KeyPeriod, frame.KeyCueMore}, {glfw.KeyJ, frame.KeyMotionToggle},
	{glfw.Key9, frame.KeyDrier}, {glfw.Key0, frame.KeyWetter}, {glfw.KeyY, frame.KeyMark},
	{glfw.KeyHome, frame.KeyHome}, {glfw.KeyEnd, frame.KeyEnd}, {glfw.KeyPageUp, frame.KeyPageUp}, {glfw.KeyPageDown, frame.KeyPageDown},
	{glfw.KeyBackspace, frame.KeyPrevious},
}

// keys returns the bits of the keys that are down in the window that has the keyboard, or were pressed since the last picture, and
// frame.WindowFocused. While another program has it, it returns none, because this one would not be notified of their release.
func (v *viewer) keys() uint64 {
	bits := v.pressed | frame.WindowFocused
	v.pressed = 0
	w := v.focused()
	if w == nil {
		return 0
	}
	for _, b := range bindings {
		if w.GetKey(b.key) == glfw.Press {
			bits |= b.bit
		}
	}
	return bits
}

// seek returns the place on the scrub bar at which the mouse is pressed, or NaN.
func (v *viewer) seek() float64 {
	if v.replay.Active == 0 || v.window.GetMouseButton(glfw.MouseButtonLeft) != glfw.Press {
		v.seeking = false
		return math.NaN()
	}
	x, y := v.window.GetCursorPos()
	width, height := v.window.GetSize()
	part := v.instruments()
	x, y = part.Share(x/float64(max(width, 1)), 1-y/float64(max(height, 1)))
	place, near := v.renderer.hud.ScrubPlace(x, 1-y)
	if v.seeking = v.seeking || near; !v.seeking {
		return math.NaN()
	}
	return place
}

// onKey records a pressed key, and switches what the window itself shows.
func (v *viewer) onKey(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
	if action != glfw.Press {
		return
	}
	bits := uint64(0)
	for _, b := range bindings {
		if b.key == key {
			bits |= b.bit
		}
	}
	if bits == 0 && !(key == glfw.KeyEscape && v.asked != 0) && key != glfw.KeyF11 {
		bits = frame.KeyOther
	}
	v.pressed |= bits
	switch key {
	case glfw.KeyC, glfw.KeyV:
		v.camera = nextCamera(v.camera, v.replay.Active != 0)
	case glfw.KeyT:
		v.racingLine = !v.racingLine
	case glfw.KeyTab:
		v.page = v.page.Next()
	case glfw.KeyN:
		v.page = v.page.Toggled(hud.ForcePage)
	case glfw.KeyM:
		v.page = v.page.Toggled(hud.MotionPage)
	case glfw.KeyF3:
		v.page = v.page.Toggled(hud.PicturesPage)
	case glfw.KeyEscape:
		v.leave(time.Since(v.start))
	default:
		v.onWindowKey(key)
	}
}

// fillStats fills in Options.Stats, unless it is nil.
func (v *viewer) fillStats() {
	if v.Stats == nil {
		return
	}
	width, height := v.window.GetFramebufferSize()
	*v.Stats = Stats{
		Size:   [2]int{width, height},
		Frames: v.pictureCount, Elapsed: v.lastTime, Drawing: v.drawTime, Triangles: v.triangles, Quality: details[v.renderer.quality].name,
		Renderer: gl.GoStr(gl.GetString(gl.RENDERER)),
	}
}
