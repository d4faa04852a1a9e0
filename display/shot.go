//go:build cgo

package display

import (
	"fmt"
	"image"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// shotSamples smooths a screenshot's edges, which nobody waits for.
const shotSamples = 4

// shoot writes p to the screenshot's file, and lets go of the keys.
func (v *viewer) shoot(p *picture) error {
	v.page.SetKeys(0)
	img, err := v.draw.renderImage(p, v.Width, v.Height)
	if err != nil {
		return err
	}
	return writePNG(v.Screenshot, img)
}

// renderImage draws p off the screen, so that no other window covers it.
func (r *renderer) renderImage(p *picture, width, height int) (*image.RGBA, error) {
	smooth, err := newTarget(width, height, shotSamples)
	if err != nil {
		return nil, err
	}
	defer smooth.free()
	plain, err := newTarget(width, height, 0)
	if err != nil {
		return nil, err
	}
	defer plain.free()
	defer gl.BindFramebuffer(gl.FRAMEBUFFER, 0)

	gl.BindFramebuffer(gl.FRAMEBUFFER, smooth.id)
	r.draw(p, width, height)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, smooth.id)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, plain.id)
	w, h := int32(width), int32(height)
	gl.BlitFramebuffer(0, 0, w, h, 0, 0, w, h, gl.COLOR_BUFFER_BIT, gl.NEAREST)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, plain.id)
	pixels := make([]uint8, 4*width*height)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	gl.ReadPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(pixels))
	if code := gl.GetError(); code != gl.NO_ERROR {
		return nil, fmt.Errorf("display: screenshot: OpenGL error %#x; try a smaller window", code)
	}
	return upright(pixels, width, height), nil
}

// target is a framebuffer off the screen.
type target struct{ id, color, depth uint32 }

func newTarget(width, height int, samples int32) (*target, error) {
	t := &target{}
	gl.GenFramebuffers(1, &t.id)
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.id)
	for _, part := range []struct {
		id           *uint32
		format, slot uint32
	}{{&t.color, gl.RGBA8, gl.COLOR_ATTACHMENT0}, {&t.depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT}} {
		gl.GenRenderbuffers(1, part.id)
		gl.BindRenderbuffer(gl.RENDERBUFFER, *part.id)
		gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, samples, part.format, int32(width), int32(height))
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, part.slot, gl.RENDERBUFFER, *part.id)
	}
	if s := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		t.free()
		return nil, fmt.Errorf("display: screenshot: framebuffer of %d by %d pixels refused (%#x); try a smaller window", width, height, s)
	}
	return t, nil
}

func (t *target) free() {
	gl.DeleteFramebuffers(1, &t.id)
	gl.DeleteRenderbuffers(1, &t.color)
	gl.DeleteRenderbuffers(1, &t.depth)
}
