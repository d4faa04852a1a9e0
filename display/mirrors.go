//go:build cgo

package display

import (
	"fmt"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/scene"
)

// mirrorSizes holds the sizes of the pictures of the mirrors [pixels]. Below quality high they are half as wide and high.
var mirrorSizes = [scene.MirrorCount][2]int{scene.InnerMirror: {640, 192}, scene.LeftMirror: {320, 224}, scene.RightMirror: {320, 224}}

// mirrorDetail says how finely the world in a mirror is drawn.
var mirrorDetail = scene.Detail{Road: 20, Trees: 130, Terrain: 5, Range: 450}

// mirrorPicture is what a mirror shows, as a texture.
type mirrorPicture struct {
	framebuffer, texture, depth uint32 // their names in OpenGL
	size                        [2]int // of the texture [pixels]
	used                        [2]int // part of it that holds the picture, from its lower left corner
	drawn                       int    // number of the picture for which it was drawn last; 0: never
}

// newMirrorPicture returns a mirror's picture of this size [pixels].
func newMirrorPicture(size [2]int) (m mirrorPicture, err error) {
	m.size = size
	w, h := int32(size[0]), int32(size[1])
	gl.GenTextures(1, &m.texture)
	gl.BindTexture(gl.TEXTURE_2D, m.texture)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, w, h, 0, gl.RGBA, gl.UNSIGNED_BYTE, nil)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	gl.GenRenderbuffers(1, &m.depth)
	gl.BindRenderbuffer(gl.RENDERBUFFER, m.depth)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, w, h)
	gl.GenFramebuffers(1, &m.framebuffer)
	gl.BindFramebuffer(gl.FRAMEBUFFER, m.framebuffer)
	defer gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, m.texture, 0)
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, m.depth)
	if s := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		return m, fmt.Errorf("display: no framebuffer of %d by %d pixels for a mirror (OpenGL status %#x)", w, h, s)
	}
	return m, nil
}

// mirrorInSight reports whether a mirror may be seen in a picture from the cockpit.
func (r *renderer) mirrorInSight(mirror int, car scene.Pose) bool {
	for _, f := range r.inside.frustums {
		if r.world.MirrorInSight(mirror, car, f) {
			return true
		}
	}
	return false
}

// drawMirrors draws what the mirrors in sight show: all at quality high, else one at a time in turn, and those that were out of sight.
func (r *renderer) drawMirrors(p *picture) {
	const longest = 3 * scene.MirrorCount // pictures that one shown before may be old
	i, car := r.inside, scene.CarPose(p.frame, p.age)
	step := details[r.quality].mirrorStep
	turn := -1
	for k := range scene.MirrorCount {
		if next := (i.turn + 1 + k) % scene.MirrorCount; turn < 0 && r.mirrorInSight(next, car) {
			turn = next
		}
	}
	if turn < 0 {
		return
	}
	due := step == 0 || i.picture%step == 0
	if due {
		i.turn = turn
	}
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, &i.target)
	for k := range i.mirrors {
		m := &i.mirrors[k]
		late := m.drawn == 0 || i.picture-m.drawn > longest
		if (late || due && (k == turn || step == 0)) && r.mirrorInSight(k, car) {
			r.drawMirror(p, k, car)
			m.drawn = i.picture
		}
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, uint32(i.target))
}

// forgetMirrors makes the next picture draw all mirrors in sight anew.
func (r *renderer) forgetMirrors() {
	for k := range r.inside.mirrors {
		r.inside.mirrors[k].drawn = 0
	}
}

// drawMirror draws what a mirror of a car shows.
func (r *renderer) drawMirror(p *picture, mirror int, car scene.Pose) {
	eye := p.eye
	behind, lens, ok := r.world.MirrorView(mirror, eye, car)
	if !ok {
		return
	}
	m := &r.inside.mirrors[mirror]
	m.used = m.size
	if details[r.quality].mirrorStep > 0 {
		m.used = [2]int{m.size[0] / 2, m.size[1] / 2}
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, m.framebuffer)
	gl.Viewport(0, 0, int32(m.used[0]), int32(m.used[1]))
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	r.inside.inMirror, r.inside.mirrorIndex, r.inside.lens, p.eye = true, mirror, lens, behind
	r.drawView(p, &r.inside.lens)
	r.inside.inMirror, p.eye = false, eye
}

// drawMirrorFaces draws the faces of the mirrors of a car at a place.
func (r *renderer) drawMirrorFaces(p *picture, view, model mgl64.Mat4) {
	i, car := r.inside, scene.CarPose(p.frame, p.age)
	i.mirror.use()
	i.mirror.matrix("viewProj", view)
	i.mirror.matrix("model", model)
	for k := range i.mirrors {
		m := &i.mirrors[k]
		if m.drawn == 0 || !r.mirrorInSight(k, car) {
			continue
		}
		w, h := float32(m.size[0]), float32(m.size[1])
		gl.Uniform2f(i.mirror.uniform("part"), float32(m.used[0])/w, float32(m.used[1])/h)
		gl.Uniform2f(i.mirror.uniform("last"), (float32(m.used[0])-0.5)/w, (float32(m.used[1])-0.5)/h)
		gl.BindTexture(gl.TEXTURE_2D, m.texture)
		r.world.mirrors.drawSpan(r.world.mirrorSpans[k])
	}
}
