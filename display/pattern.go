//go:build cgo

package display

import (
	"context"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"rig.example/rig/display/hud"
	"rig.example/rig/display/screens"
)

// ShowPattern shows the pattern by which one checks with a ruler whether the screens are described as they stand, until Escape, ctx
// ends or the window is closed. It must be called as Run must.
func ShowPattern(ctx context.Context, o Options) error {
	if err := Available(); err != nil {
		return err
	}
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	window, err := openWindow(o, 0)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	defer window.Destroy()
	first, err := newSurface(window, o.Monitor, 0, o.Time)
	if err != nil {
		return err
	}
	v := &viewer{Options: o, surface: first, screens: screens.NewSetup(o.Screens, o.EachScreen), head: screens.AtRest(), start: time.Now()}
	if err := v.openOthers(); err != nil {
		return err
	}
	defer v.closeOthers()
	if err := v.setFullscreen(o.Fullscreen); err != nil {
		return err
	}
	for began := time.Now(); ctx.Err() == nil && !v.shouldClose(); {
		if err := v.drawPattern(); err != nil {
			return err
		}
		if o.Screenshot != "" && time.Since(began) > o.After {
			return v.savePattern()
		}
		v.window.SwapBuffers()
		glfw.PollEvents()
		for _, s := range append([]*surface{v.surface}, v.others...) {
			if s.window.GetKey(glfw.KeyEscape) == glfw.Press {
				return nil
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// drawPattern draws the pattern in every window.
func (v *viewer) drawPattern() error {
	for i, s := range v.others {
		s.window.MakeContextCurrent()
		width, height := s.window.GetFramebufferSize()
		if err := s.renderer.drawPattern(v.screens, v.otherIndex[i], width, height); err != nil {
			return err
		}
		s.window.SwapBuffers()
	}
	v.window.MakeContextCurrent()
	width, height := v.window.GetFramebufferSize()
	return v.renderer.drawPattern(v.screens, 0, width, height)
}

// savePattern writes the pattern of the first window.
func (v *viewer) savePattern() error {
	img, err := renderImage(v.Width, v.Height, func(width, height int) {
		if err := v.renderer.drawPattern(v.screens, 0, width, height); err != nil {
			panic(err) // the characters were drawn before
		}
	})
	if err != nil {
		return err
	}
	return writePNG(v.Screenshot, img)
}

// drawPattern draws the pattern of a window of this size [pixels].
func (r *renderer) drawPattern(setup *screens.Setup, window, width, height int) error {
	if width < 1 || height < 1 {
		return nil
	}
	if err := r.fit(height); err != nil {
		return err
	}
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.ClearColor(0.03, 0.04, 0.06, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	h := screens.AtRest()
	for _, v := range setup.Views(nil, window, &h) {
		aspect := r.viewport(v.Part, width, height)
		r.drawOverlay(r.hud.Pattern(&v.Lens, aspect), aspect)
	}
	for i, part := range setup.Parts(window) {
		if s := &setup.Screens()[i]; part != (screens.Part{}) && s.Radius == 0 {
			aspect := r.viewport(part, width, height)
			r.drawOverlay(r.hud.Card(s.Width, s.Height, aspect), aspect)
		}
	}
	return nil
}

// viewport draws into a part of a window of this size [pixels] from now on, and returns the part's width over its height.
func (r *renderer) viewport(p screens.Part, width, height int) (aspect float64) {
	x, y, w, h := p.Pixels(width, height)
	gl.Viewport(int32(x), int32(y), int32(w), int32(h))
	return float64(w) / float64(h)
}

// drawOverlay draws triangles in layout units over the picture.
func (r *renderer) drawOverlay(vertices []hud.Vertex, aspect float64) {
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	gl.Disable(gl.DEPTH_TEST)
	gl.Disable(gl.CULL_FACE)
	r.overlay.use()
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D, r.atlas)
	gl.Uniform2f(r.overlay.uniform("size"), float32(hud.Height*aspect), hud.Height)
	gl.BindVertexArray(r.instruments.vertexArray)
	gl.BindBuffer(gl.ARRAY_BUFFER, r.instruments.vertexBuffer)
	upload(gl.ARRAY_BUFFER, vertices, gl.STREAM_DRAW)
	gl.DrawArrays(gl.TRIANGLES, 0, int32(len(vertices)))
	gl.Disable(gl.BLEND)
	r.drawn.Calls++
	r.drawn.Triangles += len(vertices) / 3
}
