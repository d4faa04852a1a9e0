//go:build cgo

package display

import (
	"fmt"
	"image"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// screenshotSamples is the number of samples per pixel of a screenshot, which may be slow to draw.
const screenshotSamples = 4

// saveScreenshot clears all keys in the page and writes p to the file Options.Screenshot.
func (v *viewer) saveScreenshot(p *picture) error {
	v.sharedPage.SetKeys(0)
	img, err := renderImage(v.Width, v.Height, func(width, height int) { v.renderer.draw(p, width, height) })
	if err != nil {
		return err
	}
	return writePNG(v.Screenshot, img)
}

// renderImage returns what draw draws into an off-screen framebuffer, so that no other window covers it.
func renderImage(width, height int, draw func(width, height int)) (*image.RGBA, error) {
	antialiased, err := newFramebuffer(width, height, screenshotSamples)
	if err != nil {
		return nil, err
	}
	defer antialiased.free()
	resolved, err := newFramebuffer(width, height, 0)
	if err != nil {
		return nil, err
	}
	defer resolved.free()
	defer gl.BindFramebuffer(gl.FRAMEBUFFER, 0)

	gl.BindFramebuffer(gl.FRAMEBUFFER, antialiased.id)
	draw(width, height)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, antialiased.id)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, resolved.id)
	w, h := int32(width), int32(height)
	gl.BlitFramebuffer(0, 0, w, h, 0, 0, w, h, gl.COLOR_BUFFER_BIT, gl.NEAREST)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, resolved.id)
	pixels := make([]uint8, 4*width*height)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	gl.ReadPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(pixels))
	if code := gl.GetError(); code != gl.NO_ERROR {
		return nil, fmt.Errorf("display: screenshot: OpenGL error %#x; try a smaller window", code)
	}
	return imageFromRows(pixels, width, height), nil
}

// framebuffer is an off-screen framebuffer: the OpenGL names of it and of its two renderbuffers.
type framebuffer struct{ id, color, depth uint32 }

// newFramebuffer returns a framebuffer of this size [pixels]; with samples of 0 it is not antialiased.
func newFramebuffer(width, height int, samples int32) (*framebuffer, error) {
	t := &framebuffer{}
	gl.GenFramebuffers(1, &t.id)
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.id)
	for _, attachment := range []struct {
		id           *uint32
		format, slot uint32
	}{{&t.color, gl.RGBA8, gl.COLOR_ATTACHMENT0}, {&t.depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT}} {
		gl.GenRenderbuffers(1, attachment.id)
		gl.BindRenderbuffer(gl.RENDERBUFFER, *attachment.id)
		gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, samples, attachment.format, int32(width), int32(height))
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, attachment.slot, gl.RENDERBUFFER, *attachment.id)
	}
	if s := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		t.free()
		return nil, fmt.Errorf("display: screenshot: no framebuffer of %d by %d pixels (OpenGL status %#x); try a smaller window", width, height, s)
	}
	return t, nil
}

// free deletes the framebuffer.
func (t *framebuffer) free() {
	gl.DeleteFramebuffers(1, &t.id)
	gl.DeleteRenderbuffers(1, &t.color)
	gl.DeleteRenderbuffers(1, &t.depth)
}
