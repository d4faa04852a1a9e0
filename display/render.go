//go:build cgo

package display

import (
	"fmt"
	"strings"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/hud"
	"rig.example/rig/display/scene"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/frame"
)

// groundOffset is how far the level ground plane lies below the lowest known point [m], so that it does not
// show through.
const groundOffset = 0.03

// materialCounts replaces two placeholders in the shader sources: VERGES, the number of materials of a verge, and
// PAINTS, that of a whole cross-section.
var materialCounts = strings.NewReplacer("VERGES", fmt.Sprintf("%d.0", frame.VergeMaterials),
	"PAINTS", fmt.Sprintf("%d.0", frame.MaterialsAcross))

// renderer draws pictures. It owns all OpenGL objects.
type renderer struct {
	// solid draws car, scenery and fixtures; road, marks and side draw the road; ground draws terrain and
	// verges; overlay draws the instruments.
	solid, road, marks, side, ground, sky, shadow, overlay *program

	noise, atlas uint32  // textures: surface noise; the characters of the instruments
	atlasHeight  int     // height of the pictures for which these are drawn [pixels]
	plane        *buffer // level ground to the horizon
	fullScreen   *buffer // a square from -1 to 1 in x and y, which covers the whole picture
	instruments  *buffer // vertices of the instruments, new for each picture
	hud          *hud.Canvas

	world *world // nil until the scene has been read
}

// picture holds what one picture shows. Unless frame is nil, the renderer must have a world.
type picture struct {
	frame      *frame.Frame // nil until the first frame has been read
	age        float64      // time since the frame was read, by which the car is extrapolated [s]
	eye        scene.Eye
	views      []screens.View // parts of the window; none: all of it, straight ahead
	bare       bool           // without instruments
	hud        screens.Part   // where the instruments are
	inCockpit  bool           // cockpit view
	racingLine bool           // draw the racing line
	status     hud.Status

	ghost         *scene.Pose // the ghost's car; nil without one
	ghostDistance float64     // that it has driven in its lap [m]
}

// newRenderer compiles the shaders and uploads what does not depend on the scene. The characters are drawn for
// pictures of this height [pixels]. An OpenGL context must be current.
func newRenderer(height int) (*renderer, error) {
	r := &renderer{}
	for _, shader := range []struct {
		to               **program
		name             string
		vertex, fragment string
	}{
		{&r.solid, "solid", solidVertexShader, solidFragmentShader},
		{&r.road, "road", roadVertexShader, materialCounts.Replace(roadFragmentShader)},
		{&r.marks, "marks", roadVertexShader, materialCounts.Replace(marksFragmentShader)},
		{&r.side, "side", roadVertexShader, materialCounts.Replace(sideFragmentShader)},
		{&r.ground, "ground", groundVertexShader, groundFragmentShader},
		{&r.sky, "sky", skyVertexShader, skyFragmentShader},
		{&r.shadow, "shadow", shadowVertexShader, shadowFragmentShader},
		{&r.overlay, "overlay", overlayVertexShader, overlayFragmentShader},
	} {
		var err error
		if *shader.to, err = newProgram(shader.name, shader.vertex, shader.fragment); err != nil {
			return nil, err
		}
	}
	var err error
	if r.hud, err = hud.New(hudScale(height)); err != nil {
		return nil, err
	}
	r.atlasHeight = height
	r.noise = newTexture(scene.Noise(), scene.NoiseSize)
	r.atlas = newTexture(r.hud.Atlas())
	r.plane = groundBuffer(scene.Horizon())
	r.fullScreen = newBuffer([][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, []uint32{0, 1, 2, 0, 2, 3}, 2)
	r.instruments = newBuffer([]hud.Vertex{}, nil, 2, 2, 4)
	return r, nil
}

// setScene uploads the meshes of s, and frees those of the previous scene.
func (r *renderer) setScene(s *frame.Scene) {
	if r.world != nil {
		r.world.free()
	}
	r.world = newWorld(s)
}

// hudScale returns the pixels for a layout unit of the instruments.
func hudScale(height int) float64 { return float64(height) / hud.Height }

// draw draws p into the bound framebuffer of this size [pixels] and returns the number of triangles.
func (r *renderer) draw(p *picture, width, height int) (n int) {
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.ClearColor(0.74, 0.83, 0.91, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	straight := [1]screens.View{{Part: screens.Whole, Lens: screens.Straight(p.eye.FOV, float64(width)/float64(height))}}
	views := p.views
	if len(views) == 0 {
		views = straight[:]
	}
	for i := range views {
		r.viewport(views[i].Part, width, height)
		n += r.drawView(p, &views[i].Lens)
	}
	if p.bare {
		return n
	}
	aspect := r.viewport(p.hud, width, height)
	return n + r.drawOverlay(r.hud.Draw(p.frame, p.status, aspect), aspect)
}

// drawView draws the world through a lens into the viewport.
func (r *renderer) drawView(p *picture, lens *screens.Lens) (n int) {
	view := p.eye.Through(lens)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LEQUAL)
	gl.Enable(gl.CULL_FACE)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D, r.noise)
	if p.frame != nil { // near objects first, so that hidden surfaces are not shaded
		n += r.drawCar(p, view)
		n += r.drawCircuit(p, view)
	}
	n += r.drawGround(p, view)
	n += r.drawSky(p, lens)
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	if p.frame != nil && !p.inCockpit {
		n += r.drawShadow(p, view)
	}
	if p.frame != nil && p.ghost != nil {
		n += r.drawGhost(p, view)
	}
	gl.Disable(gl.BLEND)
	return n
}

// drawGround draws the terrain, and a level plane below it, which fills unknown terrain and the cracks
// between levels of detail.
func (r *renderer) drawGround(p *picture, view mgl64.Mat4) (n int) {
	r.ground.use()
	r.ground.matrix("viewProj", view)
	r.ground.vector("eye", p.eye.Pos)
	lowest := 0.0
	if r.world != nil {
		r.ground.vector("origin", mgl64.Vec3{})
		n += r.world.drawTerrain(p.eye, scene.NewFrustum(view))
		lowest = r.world.Lowest
	}
	r.ground.vector("origin", mgl64.Vec3{p.eye.Pos[0], p.eye.Pos[1], lowest - groundOffset})
	return n + r.plane.draw()
}

// drawSky draws the sky behind everything else.
func (r *renderer) drawSky(p *picture, lens *screens.Lens) int {
	middle, right, up := p.eye.Rays(lens)
	r.sky.use()
	r.sky.vector("eye", p.eye.Pos)
	r.sky.vector("ahead", middle)
	r.sky.vector("right", right)
	r.sky.vector("up", up)
	return r.fullScreen.draw()
}
