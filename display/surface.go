//go:build cgo

package display

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"rig.example/rig/display/hud"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/printable"
)

// surface is a window with a context of its own, and what is drawn there.
type surface struct {
	window   *glfw.Window
	renderer *renderer
	monitor  string // that shows it when it fills a monitor; empty: that where it is
	full     bool   // it fills a monitor, or several
	windowed [4]int // x, y, width and height before that
}

// newSurface returns a window whose context is current, drawn at a quality and a time of day.
func newSurface(window *glfw.Window, monitor string, quality int, time string) (*surface, error) {
	_, height := window.GetFramebufferSize()
	r, err := newRenderer(max(height, 1), quality, time)
	return &surface{window: window, renderer: r, monitor: monitor}, err
}

// openOthers opens the windows of the other screens, if each has its own. Only the first window waits for its monitor, so that
// their refreshes do not add up.
func (v *viewer) openOthers() error {
	if !v.EachScreen {
		return nil
	}
	list := v.screens.Screens()
	for i := range list {
		if v.screens.Window(i) == 0 {
			v.monitor = list[i].Monitor
			continue
		}
		w, err := glfw.CreateWindow(v.Width, v.Height, "rig: "+printable.Line(list[i].Name), nil, nil)
		if err != nil {
			return fmt.Errorf("display: the window of screen %d: %w", i+1, err)
		}
		w.MakeContextCurrent()
		glfw.SwapInterval(0)
		s, err := newSurface(w, list[i].Monitor, v.renderer.quality, v.Time)
		if err != nil {
			return err
		}
		s.renderer.ownModel = v.renderer.ownModel
		w.SetKeyCallback(v.onKey)
		v.others = append(v.others, s)
		v.otherIndex = append(v.otherIndex, v.screens.Window(i))
	}
	v.window.MakeContextCurrent()
	return nil
}

// drawOthers draws a picture in the other windows, and leaves the context of the first one current.
func (v *viewer) drawOthers(p *picture) {
	if len(v.others) == 0 {
		return
	}
	views := p.views
	for i, s := range v.others {
		s.window.MakeContextCurrent()
		v.otherViews = v.screens.Views(v.otherViews[:0], v.otherIndex[i], &v.head)
		p.views, p.bare = v.otherViews, true
		if width, height := s.window.GetFramebufferSize(); width > 0 && height > 0 {
			v.triangles += s.renderer.draw(p, width, height).Triangles
		}
		s.window.SwapBuffers()
	}
	p.views, p.bare = views, false
	v.window.MakeContextCurrent()
}

// setScene gives a scene to every window.
func (v *viewer) setScene(s *frame.Scene) {
	for _, o := range v.others {
		o.window.MakeContextCurrent()
		o.renderer.setScene(s)
	}
	if len(v.others) > 0 {
		v.window.MakeContextCurrent()
	}
	v.renderer.setScene(s)
	v.names, v.car = s.Names, s.CarName
}

// setQuality draws the following pictures of every window at a quality.
func (v *viewer) setQuality(quality int) error {
	for _, o := range v.others {
		o.window.MakeContextCurrent()
		if err := o.renderer.setQuality(quality); err != nil {
			return err
		}
	}
	if len(v.others) > 0 {
		v.window.MakeContextCurrent()
	}
	return v.renderer.setQuality(quality)
}

// focused returns the window that has the keyboard, or nil.
func (v *viewer) focused() *glfw.Window {
	if v.window.GetAttrib(glfw.Focused) == glfw.True {
		return v.window
	}
	for _, s := range v.others {
		if s.window.GetAttrib(glfw.Focused) == glfw.True {
			return s.window
		}
	}
	return nil
}

// shouldClose reports whether the driver has closed one of the windows.
func (v *viewer) shouldClose() bool {
	for _, s := range v.others {
		if s.window.ShouldClose() {
			return true
		}
	}
	return v.window.ShouldClose()
}

// closeOthers closes the other windows.
func (v *viewer) closeOthers() {
	for _, s := range v.others {
		s.window.Destroy()
	}
}

// setFullscreen lets every window fill its monitor, or gives back its frame. One window across several screens fills all monitors
// that they name, or all there are.
func (v *viewer) setFullscreen(on bool) error {
	var err error
	across := len(v.screens.Screens()) > 1 && !v.EachScreen
	for _, s := range append([]*surface{v.surface}, v.others...) {
		switch {
		case on && across:
			err = errors.Join(err, s.fillAll(v.screens.Screens()))
		case on:
			err = errors.Join(err, s.fill())
		default:
			s.restore()
		}
	}
	return err
}

// fill lets the window fill its monitor, without changing the monitor's mode.
func (s *surface) fill() error {
	m, err := s.home()
	if err != nil {
		return err
	}
	s.keepPlace()
	mode := m.GetVideoMode()
	s.window.SetMonitor(m, 0, 0, mode.Width, mode.Height, mode.RefreshRate)
	s.full = true
	return nil
}

// fillAll lets the window fill the monitors of all screens.
func (s *surface) fillAll(list []screens.Screen) error {
	var chosen []*glfw.Monitor
	for i := range list {
		if list[i].Monitor == "" {
			continue
		}
		m, err := monitorNamed(list[i].Monitor)
		if err != nil {
			return err
		}
		chosen = append(chosen, m)
	}
	if len(chosen) == 0 {
		chosen = glfw.GetMonitors()
	}
	left, top, right, bottom := 1<<30, 1<<30, -1<<30, -1<<30
	for _, m := range chosen {
		x, y := m.GetPos()
		mode := m.GetVideoMode()
		left, top, right, bottom = min(left, x), min(top, y), max(right, x+mode.Width), max(bottom, y+mode.Height)
	}
	if len(chosen) == 0 {
		return errNoMonitor
	}
	s.keepPlace()
	s.window.SetAttrib(glfw.Decorated, glfw.False)
	s.window.SetPos(left, top)
	s.window.SetSize(right-left, bottom-top)
	s.full = true
	return nil
}

func (s *surface) keepPlace() {
	if !s.full {
		x, y := s.window.GetPos()
		w, h := s.window.GetSize()
		s.windowed = [4]int{x, y, w, h}
	}
}

// restore gives the window the place back that it had.
func (s *surface) restore() {
	if !s.full {
		return
	}
	p := s.windowed
	if s.window.GetMonitor() != nil {
		s.window.SetMonitor(nil, p[0], p[1], p[2], p[3], 0)
	} else {
		s.window.SetAttrib(glfw.Decorated, glfw.True)
		s.window.SetPos(p[0], p[1])
		s.window.SetSize(p[2], p[3])
	}
	s.full = false
}

var errNoMonitor = errors.New("display: no monitor is connected")

// home returns the monitor that the window fills: the one that it names, or that in which its middle is.
func (s *surface) home() (*glfw.Monitor, error) {
	if s.monitor != "" {
		return monitorNamed(s.monitor)
	}
	x, y := s.window.GetPos()
	w, h := s.window.GetSize()
	for _, m := range glfw.GetMonitors() {
		left, top := m.GetPos()
		mode := m.GetVideoMode()
		if inX, inY := x+w/2-left, y+h/2-top; inX >= 0 && inX < mode.Width && inY >= 0 && inY < mode.Height {
			return m, nil
		}
	}
	if m := glfw.GetPrimaryMonitor(); m != nil {
		return m, nil
	}
	return nil, errNoMonitor
}

// monitorNamed returns the monitor with a name, or with a number counted from 1.
func monitorNamed(name string) (*glfw.Monitor, error) {
	var names []string
	for i, m := range glfw.GetMonitors() {
		if m.GetName() == name || strconv.Itoa(i+1) == name {
			return m, nil
		}
		names = append(names, printable.Line(m.GetName()))
	}
	return nil, fmt.Errorf("display: monitor %q is not connected; choose %s (rig screens --list)", name, strings.Join(names, ", "))
}

// Monitors lists the connected monitors.
func Monitors() (list []Monitor, err error) {
	if err := Available(); err != nil {
		return nil, err
	}
	if err := glfw.Init(); err != nil {
		return nil, fmt.Errorf("display: %w; check DISPLAY and the X server", err)
	}
	defer glfw.Terminate()
	for _, m := range glfw.GetMonitors() {
		x, y := m.GetPos()
		mode := m.GetVideoMode()
		wide, high := m.GetPhysicalSize()
		scale, _ := m.GetContentScale()
		list = append(list, Monitor{
			Name: printable.Line(m.GetName()), Place: [2]int{x, y}, Size: [2]int{mode.Width, mode.Height}, Refresh: mode.RefreshRate,
			Millimeters: [2]int{wide, high}, Scale: float64(scale),
		})
	}
	return list, nil
}

// arrange sets how the instruments are arranged.
func (r *renderer) arrange(o hud.Options) error {
	r.hud.Arrange(o)
	height := r.atlasHeight
	r.atlasHeight = 0
	return r.fit(height)
}

// fit draws the characters anew if the height of the picture has changed, so that they stay crisp.
func (r *renderer) fit(height int) error {
	if height == r.atlasHeight || height < 1 {
		return nil
	}
	if err := r.hud.Rescale(hudScale(height)); err != nil {
		return err
	}
	gl.DeleteTextures(1, &r.atlas)
	r.atlas, r.atlasHeight = newTexture(r.hud.Atlas()), height
	return nil
}
