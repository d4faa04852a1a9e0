//go:build cgo

package display

import (
	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/hud"
	"rig.example/rig/display/scene"
	"rig.example/rig/display/screens"
)

// inside draws what moves or shines in the cockpit: mirrors, instruments of the dashboard, steering wheel and wipers.
type inside struct {
	mirror, panel *program
	instruments   *buffer // vertices of the instruments, new for each picture
	cluster       int     // how many of them are behind the steering wheel
	total         int

	mirrors     [scene.MirrorCount]mirrorPicture
	mirrorIndex int          // of the mirror that is being drawn
	lens        screens.Lens // of the mirror that is being drawn
	inMirror    bool         // the world is being drawn for a mirror
	turn        int          // mirror that is drawn next where they take turns
	picture     int          // number of this picture
	target      int32        // framebuffer of the picture

	frustums []scene.Frustum // of this picture's views
}

// newInside compiles the shaders and makes the pictures of the mirrors. What is drawn is added to drawn.
func newInside(drawn *Drawn) (*inside, error) {
	i := &inside{instruments: newBuffer(drawn, []hud.Vertex{}, nil, 2, 2, 4)}
	err := compileAll("", []shaderPair{
		{&i.mirror, "mirror", mirrorVertexShader, mirrorFragmentShader},
		{&i.panel, "panel", panelVertexShader, overlayFragmentShader},
	})
	if err != nil {
		return nil, err
	}
	for k := range i.mirrors {
		if i.mirrors[k], err = newMirrorPicture(mirrorSizes[k]); err != nil {
			return nil, err
		}
	}
	return i, nil
}

// showsBody reports whether the outside of the car can be seen: not in the inner mirror.
func (i *inside) showsBody() bool { return !i.inMirror || i.mirrorIndex != scene.InnerMirror }

// prepareInside draws what the mirrors in sight show, and lays out the dashboard of p, which must be a picture from the cockpit.
func (r *renderer) prepareInside(p *picture, width, height int) {
	i := r.inside
	i.picture++
	i.frustums = i.frustums[:0]
	for k := range p.views {
		i.frustums = append(i.frustums, scene.NewFrustum(p.eye.Through(&p.views[k].Lens)))
	}
	if len(p.views) == 0 {
		straight := screens.Straight(p.eye.FOV, float64(width)/float64(height))
		i.frustums = append(i.frustums, scene.NewFrustum(p.eye.Through(&straight)))
	}
	r.drawMirrors(p)
	vertices, cluster := r.hud.Dashboard(p.frame, &p.status)
	i.cluster, i.total = cluster, len(vertices)
	gl.BindVertexArray(i.instruments.vertexArray)
	gl.BindBuffer(gl.ARRAY_BUFFER, i.instruments.vertexBuffer)
	upload(gl.ARRAY_BUFFER, vertices, gl.STREAM_DRAW)
}

// drawInside draws the faces of the mirrors and the instruments. Their backgrounds must have been drawn, because they themselves have no
// depth.
func (r *renderer) drawInside(p *picture, view mgl64.Mat4) {
	i, w := r.inside, r.world
	model := scene.CarPose(p.frame, p.age).Matrix()
	r.drawMirrorFaces(p, view, model)
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	gl.DepthMask(false)
	gl.Disable(gl.CULL_FACE)
	i.panel.use()
	i.panel.matrix("viewProj", view)
	gl.BindTexture(gl.TEXTURE_2D, r.atlas)
	gl.BindVertexArray(i.instruments.vertexArray)
	i.panel.matrix("model", model.Mul4(w.PanelMatrix(0)).Mul4(mgl64.Scale3D(1.0/hud.ClusterWidth, 1.0/hud.ClusterHeight, 1)))
	gl.DrawArrays(gl.TRIANGLES, 0, int32(i.cluster))
	i.panel.matrix("model", model.Mul4(w.PanelMatrix(1)).Mul4(mgl64.Scale3D(1.0/hud.TimesWidth, 1.0/hud.TimesHeight, 1)))
	gl.DrawArrays(gl.TRIANGLES, int32(i.cluster), int32(i.total-i.cluster))
	r.drawn.Calls += 2
	r.drawn.Triangles += i.total / 3
	gl.Enable(gl.CULL_FACE)
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
	gl.BindTexture(gl.TEXTURE_2D, r.noise)
}

// drawMovingParts draws the steering wheel and, while it rains, the wipers of a car at a place. The program solid must be current.
func (r *renderer) drawMovingParts(p *picture, model mgl64.Mat4) {
	w, f := r.world, p.frame
	if r.inside.inMirror {
		return
	}
	r.solid.matrix("model", model.Mul4(w.SteeringWheelMatrix(f.Steer)))
	w.steeringWheel.draw()
	if !(f.GripLoss > 0) {
		return
	}
	const tick = 1e-3 // [s]
	angle := scene.WiperAngle(f.GripLoss, float64(f.Tick)*tick+p.age)
	for i := range scene.Wipers {
		r.solid.matrix("model", model.Mul4(w.WiperMatrix(i, angle)))
		w.wiper.draw()
	}
}
