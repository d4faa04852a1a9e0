//go:build cgo

package display

import "github.com/go-gl/gl/v3.3-core/gl"

// reducedPicture is a framebuffer smaller than the picture, whose color is a texture. The zero value has no framebuffer
// yet.
type reducedPicture struct {
	width, height    int // [pixels]
	id, color, depth uint32
	outer            int32 // framebuffer that was bound at begin
}

// begin binds a framebuffer of scale times this size [pixels]. It returns false, and changes nothing, if there is none of
// this size. Call end after drawing.
func (t *reducedPicture) begin(scale float64, width, height int) bool {
	width, height = max(int(scale*float64(width)), 1), max(int(scale*float64(height)), 1)
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, &t.outer)
	if t.width != width || t.height != height {
		t.free()
		t.make(width, height)
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.id)
	if t.id != 0 && gl.CheckFramebufferStatus(gl.FRAMEBUFFER) == gl.FRAMEBUFFER_COMPLETE {
		return true
	}
	t.end()
	return false
}

// make makes the framebuffer, of this size [pixels].
func (t *reducedPicture) make(width, height int) {
	t.width, t.height = width, height
	gl.GenTextures(1, &t.color)
	gl.BindTexture(gl.TEXTURE_2D, t.color)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, int32(width), int32(height), 0, gl.RGBA, gl.UNSIGNED_BYTE, nil)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	gl.GenRenderbuffers(1, &t.depth)
	gl.BindRenderbuffer(gl.RENDERBUFFER, t.depth)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, int32(width), int32(height))
	gl.GenFramebuffers(1, &t.id)
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.id)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, t.color, 0)
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, t.depth)
}

// end binds the framebuffer again that was bound at begin.
func (t *reducedPicture) end() { gl.BindFramebuffer(gl.FRAMEBUFFER, uint32(t.outer)) }

// free deletes the framebuffer from graphics memory.
func (t *reducedPicture) free() {
	if t.id == 0 {
		return
	}
	gl.DeleteFramebuffers(1, &t.id)
	gl.DeleteRenderbuffers(1, &t.depth)
	gl.DeleteTextures(1, &t.color)
	t.id = 0
}
