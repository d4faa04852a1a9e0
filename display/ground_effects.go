//go:build cgo

package display

import (
	"errors"
	"unsafe"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/scene"
)

// effectPrograms are the programs of what lies on the ground and flies over it. They are the same in all qualities.
type effectPrograms struct{ shadow, caster, sunShadow, tireMarks, rainProgram, spray *program }

func (e *effectPrograms) compile() error {
	return compileAll("", []shaderPair{
		{&e.shadow, "shadow", shadowVertexShader, shadowFragmentShader},
		{&e.caster, "caster", casterVertexShader, casterFragmentShader},
		{&e.sunShadow, "sun shadow", sunShadowVertexShader, sunShadowFragmentShader},
		{&e.tireMarks, "tire marks", marksOfTiresVertexShader, marksOfTiresFragmentShader},
		{&e.rainProgram, "rain", rainVertexShader, rainFragmentShader},
		{&e.spray, "spray", sprayVertexShader, sprayFragmentShader},
	})
}

// addTireMarks leaves the tire marks of a picture's frame on the road.
func (w *world) addTireMarks(p *picture) {
	m := w.marks
	m.Add(p.frame, w.scene)
	if m.Changed.Count == 0 {
		return
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, w.tireMarks.vertexBuffer)
	const size = 4 * int(unsafe.Sizeof(scene.MarkVertex{})) // of a segment
	for i := range m.Changed.Count {
		k := (m.Changed.First + i) % scene.MaxMarks
		gl.BufferSubData(gl.ARRAY_BUFFER, k*size, size, unsafe.Pointer(&m.Vertices[4*k]))
	}
}

// drawTireMarks draws the tire marks on the ground. Blending must be on.
func (r *renderer) drawTireMarks(p *picture, view mgl64.Mat4) {
	if r.world.marks.Count == 0 {
		return
	}
	onGround(func() {
		r.tireMarks.use()
		r.tireMarks.matrix("viewProj", view)
		r.tireMarks.vector("eye", p.eye.Pos)
		gl.Uniform1f(r.tireMarks.uniform("now"), float32(float64(p.frame.Tick)/1000))
		r.world.tireMarks.drawSpan(scene.Span{Count: 6 * r.world.marks.Count})
	})
}

// onGround calls draw with a depth offset that keeps what it draws in front of the ground, and without writing depths.
func onGround(draw func()) {
	gl.DepthMask(false)
	gl.Enable(gl.POLYGON_OFFSET_FILL)
	gl.PolygonOffset(-1, -2)
	draw()
	gl.Disable(gl.POLYGON_OFFSET_FILL)
	gl.DepthMask(true)
}

// drawShadow draws the car's shadow on the ground: a soft one right below it, shifted a little away from the sun, and if
// the quality has it, that of the sun.
func (r *renderer) drawShadow(p *picture, view mgl64.Mat4) {
	s := r.world.scene
	car := scene.CarPose(p.frame, p.age)
	sunshine := 1 - min(2.7*r.rain, 0.9)
	hasSun := r.sunDepths != nil
	onGround(func() {
		soft := 0.62
		if hasSun {
			soft = 0.5
		}
		model := scene.GroundAxes(p.frame, car, s).
			Mul4(mgl64.Translate3D(-0.15, -0.13, 0.02)).
			Mul4(mgl64.Scale3D(0.54*s.Length, 0.68*s.Width, 1))
		r.shadow.use()
		r.shadow.matrix("viewProj", view)
		r.shadow.matrix("model", model)
		gl.Uniform1f(r.shadow.uniform("strength"), float32(soft))
		r.fullScreen.draw()
		if !hasSun {
			return
		}
		r.sunShadow.use()
		r.sunShadow.matrix("viewProj", view)
		r.sunShadow.matrix("model", r.light.ShadowGround(p.frame, car, s))
		r.sunShadow.matrix("fromSun", r.light.ShadowView(car, s))
		gl.Uniform1f(r.sunShadow.uniform("strength"), float32(r.light.Shadow*sunshine))
		gl.Uniform1i(r.sunShadow.uniform("depths"), 2)
		gl.ActiveTexture(gl.TEXTURE2)
		gl.BindTexture(gl.TEXTURE_2D, r.sunDepths.texture)
		r.fullScreen.draw()
		gl.ActiveTexture(gl.TEXTURE0)
	})
}

// sunDepths is how far each point of the car is from the sun: a framebuffer with a depth texture.
type sunDepths struct {
	framebuffer, texture uint32
	bound                int32 // framebuffer that was bound before
}

const sunDepthsSize = 1024 // texels along an edge

func newSunDepths() (*sunDepths, error) {
	d := &sunDepths{}
	gl.GenTextures(1, &d.texture)
	gl.BindTexture(gl.TEXTURE_2D, d.texture)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.DEPTH_COMPONENT24, sunDepthsSize, sunDepthsSize, 0, gl.DEPTH_COMPONENT, gl.FLOAT, nil)
	for key, value := range map[uint32]int32{
		gl.TEXTURE_MIN_FILTER: gl.LINEAR, gl.TEXTURE_MAG_FILTER: gl.LINEAR, gl.TEXTURE_WRAP_S: gl.CLAMP_TO_EDGE, gl.TEXTURE_WRAP_T: gl.CLAMP_TO_EDGE,
		gl.TEXTURE_COMPARE_MODE: gl.COMPARE_REF_TO_TEXTURE,
	} {
		gl.TexParameteri(gl.TEXTURE_2D, key, value)
	}
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, &d.bound)
	gl.GenFramebuffers(1, &d.framebuffer)
	gl.BindFramebuffer(gl.FRAMEBUFFER, d.framebuffer)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, d.texture, 0)
	gl.DrawBuffer(gl.NONE)
	gl.ReadBuffer(gl.NONE)
	status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER)
	gl.BindFramebuffer(gl.FRAMEBUFFER, uint32(d.bound))
	if status != gl.FRAMEBUFFER_COMPLETE {
		return nil, errors.New("display: OpenGL cannot draw shadows; choose quality medium")
	}
	return d, nil
}

// setSunShadow switches the shadow of the sun on or off.
func (r *renderer) setSunShadow(on bool) (err error) {
	switch {
	case on && r.sunDepths == nil:
		r.sunDepths, err = newSunDepths()
	case !on && r.sunDepths != nil:
		gl.DeleteFramebuffers(1, &r.sunDepths.framebuffer)
		gl.DeleteTextures(1, &r.sunDepths.texture)
		r.sunDepths = nil
	}
	return err
}

// castShadow draws the car into the depths that the sun sees, before anything else of the picture.
func (r *renderer) castShadow(p *picture) {
	w, d := r.world, r.sunDepths
	car := scene.CarPose(p.frame, p.age)
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, &d.bound)
	gl.BindFramebuffer(gl.FRAMEBUFFER, d.framebuffer)
	gl.Viewport(0, 0, sunDepthsSize, sunDepthsSize)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LEQUAL)
	gl.Disable(gl.CULL_FACE)
	gl.Clear(gl.DEPTH_BUFFER_BIT)
	r.caster.use()
	r.caster.matrix("viewProj", r.light.ShadowView(car, w.scene))
	r.caster.matrix("model", car.Matrix())
	w.body.draw()
	w.cabin.draw()
	for i := range p.frame.Wheels {
		r.caster.matrix("model", scene.WheelMatrix(p.frame, i, car, p.age, w.scene.WheelRadius))
		w.leftWheel.draw()
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, uint32(d.bound))
}
