//go:build cgo

package display

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/hud"
	"rig.example/rig/display/scene"
	"rig.example/rig/internal/frame"
)

// groundDrop is how far level ground lies below the lowest point of all that is known, so
// that the two do not fight for pixels [m].
const groundDrop = 0.03

// paintSizes puts the sizes of a road's table of materials into its shader.
var paintSizes = strings.NewReplacer("VERGES", fmt.Sprintf("%d.0", frame.VergePaints), "PAINTS", fmt.Sprintf("%d.0", frame.Paints))

// renderer draws one picture after the other. It owns all that is on the card.
type renderer struct {
	solid, road, marks, side, ground, sky, shadow, flat *program

	clouds, letters uint32  // textures
	plane, corners  *buffer // level ground to the horizon; a square over the whole picture
	instruments     *buffer
	hud             *hud.Canvas

	world *world // nil until a scene is there
}

// picture is all that one picture shows. A frame needs a world to stand in.
type picture struct {
	frame  *frame.Frame // nil until there is one
	age    float64      // of frame [s]
	eye    scene.Eye
	inside bool // seen from the driver's seat
	guide  bool // with the line to drive
	status hud.Status
}

// newRenderer compiles and uploads what every scene needs. A current OpenGL
// context must be there; height is the picture's [pixels].
func newRenderer(height int) (*renderer, error) {
	r := &renderer{}
	for _, p := range []struct {
		to               **program
		name             string
		vertex, fragment string
	}{
		{&r.solid, "solid", solidVertexShader, solidFragmentShader},
		{&r.road, "road", roadVertexShader, paintSizes.Replace(roadFragmentShader)},
		{&r.marks, "marks", roadVertexShader, paintSizes.Replace(marksFragmentShader)},
		{&r.side, "side", roadVertexShader, paintSizes.Replace(sideFragmentShader)},
		{&r.ground, "ground", groundVertexShader, groundFragmentShader},
		{&r.sky, "sky", skyVertexShader, skyFragmentShader},
		{&r.shadow, "shadow", shadowVertexShader, shadowFragmentShader},
		{&r.flat, "flat", flatVertexShader, flatFragmentShader},
	} {
		var err error
		if *p.to, err = newProgram(p.name, p.vertex, p.fragment); err != nil {
			return nil, err
		}
	}
	var err error
	if r.hud, err = hud.New(float64(height) / hud.Height); err != nil {
		return nil, err
	}
	r.clouds = newTexture(scene.Noise(), scene.NoiseSize)
	r.letters = newTexture(r.hud.Letters())
	r.plane = groundBuffer(scene.Horizon())
	r.corners = newBuffer([][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, []uint32{0, 1, 2, 0, 2, 3}, 2)
	r.instruments = newBuffer([]hud.Vertex{}, nil, 2, 2, 4)
	return r, nil
}

// setScene replaces the world.
func (r *renderer) setScene(s *frame.Scene) {
	if r.world != nil {
		r.world.free()
	}
	r.world = newWorld(s)
}

// draw draws p into the bound framebuffer of this size [pixels] and returns
// how many triangles it took.
func (r *renderer) draw(p *picture, width, height int) int {
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.ClearColor(0.74, 0.83, 0.91, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	aspect := float64(width) / float64(height)
	view := p.eye.Matrix(aspect)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LEQUAL)
	gl.Enable(gl.CULL_FACE)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D, r.clouds)
	n := 0
	if p.frame != nil { // near things first: what they hide costs nothing
		n += r.drawCar(p, view)
		n += r.drawCircuit(p, view)
	}
	n += r.drawGround(p, view)
	n += r.drawSky(p, aspect)
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	if p.frame != nil && !p.inside {
		n += r.drawShadow(p, view)
	}
	n += r.drawFlat(p, aspect)
	gl.Disable(gl.BLEND)
	return n
}

// drawGround draws the terrain, and level ground below it: that shows where the terrain is
// not known, and in the cracks between its levels of detail.
func (r *renderer) drawGround(p *picture, view mgl64.Mat4) (n int) {
	r.ground.use()
	r.ground.matrix("viewProj", view)
	r.ground.vector("eye", p.eye.Pos)
	low := 0.0
	if r.world != nil {
		r.ground.vector("origin", mgl64.Vec3{})
		n += r.world.drawTerrain(p.eye, scene.NewFrustum(view))
		low = r.world.Lowest
	}
	r.ground.vector("origin", mgl64.Vec3{p.eye.Pos[0], p.eye.Pos[1], low - groundDrop})
	return n + r.plane.draw()
}

func (r *renderer) drawSky(p *picture, aspect float64) int {
	ahead := p.eye.Target.Sub(p.eye.Pos).Normalize()
	right := ahead.Cross(p.eye.Up).Normalize()
	half := math.Tan(p.eye.FOV / 2)
	r.sky.use()
	r.sky.vector("eye", p.eye.Pos)
	r.sky.vector("ahead", ahead)
	r.sky.vector("right", right.Mul(half*aspect))
	r.sky.vector("up", right.Cross(ahead).Mul(half))
	return r.corners.draw()
}

// drawFlat draws the instruments over the picture.
func (r *renderer) drawFlat(p *picture, aspect float64) int {
	vertices := r.hud.Draw(p.frame, p.status, aspect)
	gl.Disable(gl.DEPTH_TEST)
	gl.Disable(gl.CULL_FACE)
	r.flat.use()
	gl.BindTexture(gl.TEXTURE_2D, r.letters)
	gl.Uniform2f(r.flat.uniform("size"), float32(hud.Height*aspect), hud.Height)
	gl.BindVertexArray(r.instruments.array)
	gl.BindBuffer(gl.ARRAY_BUFFER, r.instruments.vertices)
	upload(gl.ARRAY_BUFFER, vertices, gl.STREAM_DRAW)
	gl.DrawArrays(gl.TRIANGLES, 0, int32(len(vertices)))
	return len(vertices) / 3
}
