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
	"rig.example/rig/internal/core/frame"
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
	*scenePrograms // those of the quality
	effectPrograms
	skyProgram, overlay *program

	quality  int                             // index in details
	compiled [len(details)][2]*scenePrograms // without and with rain; nil until they are used for the first time
	light    *scene.Light                    // of the time of day
	rain     float64                         // intensity of rain in the picture, 0..1

	noise, atlas uint32  // textures: surface noise; the characters of the instruments
	atlasHeight  int     // height of the pictures for which these are drawn [pixels]
	plane        *buffer // level ground to the horizon
	fullScreen   *buffer // a square from -1 to 1 in x and y, which covers the whole picture
	sky          *scene.Sky
	skyMesh      *buffer
	falling      falling
	wheels       [4][4]float32 // contact points and spray of the wheels, handed to OpenGL from here
	sunDepths    *sunDepths    // nil in qualities without the sun's shadow
	instruments  *buffer       // vertices of the instruments, new for each picture
	hud          *hud.Canvas

	inside   *inside        // mirrors and instruments of the car
	ownModel scene.OwnModel // of the car, for the next scene
	world    *world         // nil until the scene has been read
	others   otherMeshes
	drawn    Drawn // what the picture took so far
	timer    drawTimer
}

// scenePrograms are the programs that depend on the quality: solid draws car, scenery and fixtures; road, wetRoad, marks,
// kerb and side draw the road; ground draws terrain and verges, rough terrain with patterns.
type scenePrograms struct{ solid, road, wetRoad, marks, kerb, side, ground, rough *program }

func (s *scenePrograms) all() [8]*program {
	return [...]*program{s.solid, s.road, s.wetRoad, s.marks, s.kerb, s.side, s.ground, s.rough}
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

	others *scene.OtherCars // of a session; nil without one
}

// newRenderer compiles the shaders and uploads what does not depend on the scene. The characters are drawn for
// pictures of this height [pixels]. quality is an index in details, time a time of day. An OpenGL context must be current.
func newRenderer(height, quality int, time string) (*renderer, error) {
	r := &renderer{light: scene.LightAt(time)}
	err := compileAll("", []shaderPair{
		{&r.skyProgram, "sky", skyVertexShader, skyFragmentShader},
		{&r.overlay, "overlay", overlayVertexShader, overlayFragmentShader},
	})
	if err != nil {
		return nil, err
	}
	if err := r.effectPrograms.compile(); err != nil {
		return nil, err
	}
	if err := r.setQuality(quality); err != nil {
		return nil, err
	}
	if r.hud, err = hud.New(hudScale(height)); err != nil {
		return nil, err
	}
	r.atlasHeight = height
	r.noise = newTexture(scene.Noise(), scene.NoiseSize)
	r.atlas = newTexture(r.hud.Atlas())
	r.plane = groundBuffer(&r.drawn, scene.Horizon())
	r.fullScreen = newBuffer(&r.drawn, [][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, []uint32{0, 1, 2, 0, 2, 3}, 2)
	r.sky = scene.NewSky(r.light)
	r.skyMesh = newBuffer(&r.drawn, r.sky.Vertices, r.sky.Indices, 3, 3)
	r.falling = newFalling(&r.drawn)
	r.instruments = newBuffer(&r.drawn, []hud.Vertex{}, nil, 2, 2, 4)
	r.inside, err = newInside(&r.drawn)
	return r, err
}

// shaderPair is a program to compile: where to put it, its name in errors, and its shaders.
type shaderPair struct {
	to               **program
	name             string
	vertex, fragment string
}

// compileAll compiles programs, with header before each shader.
func compileAll(header string, pairs []shaderPair) (err error) {
	for _, p := range pairs {
		if *p.to, err = newProgram(p.name, header+p.vertex, header+p.fragment); err != nil {
			return err
		}
	}
	return nil
}

// setQuality draws the following pictures at a quality, an index in details.
func (r *renderer) setQuality(quality int) error {
	for rains, already := range r.compiled[quality] {
		if already != nil {
			continue
		}
		s := &scenePrograms{}
		header := details[quality].shaderHeader() + lightHeader(r.light, rains == 1)
		if err := compileAll(header, s.sources()); err != nil {
			return err
		}
		r.compiled[quality][rains] = s
	}
	r.quality, r.scenePrograms = quality, r.compiled[quality][0]
	return r.setSunShadow(details[quality].sunShadow)
}

// sources returns the shaders of all programs.
func (s *scenePrograms) sources() []shaderPair {
	return []shaderPair{
		{&s.solid, "solid", solidVertexShader, solidFragmentShader},
		{&s.road, "road", roadVertexShader, materialCounts.Replace(roadFragmentShader)},
		{&s.wetRoad, "wet road", shaderWater + roadVertexShader, shaderWater + materialCounts.Replace(roadFragmentShader)},
		{&s.kerb, "kerb", roadVertexShader, materialCounts.Replace(kerbFragmentShader)},
		{&s.marks, "marks", shaderPatterns + roadVertexShader, materialCounts.Replace(marksFragmentShader)},
		{&s.side, "side", shaderPatterns + roadVertexShader, materialCounts.Replace(sideFragmentShader)},
		{&s.ground, "ground", groundVertexShader, groundFragmentShader},
		{&s.rough, "rough", shaderPatterns + groundVertexShader, roughFragmentShader},
	}
}

// distances returns how far parts of the scene are drawn.
func (r *renderer) distances() scene.Detail {
	if r.inside.inMirror {
		return mirrorDetail
	}
	return details[r.quality].distances
}

// setScene uploads the meshes of s, and frees those of the previous scene.
func (r *renderer) setScene(s *frame.Scene) {
	if r.world != nil {
		r.world.free()
	}
	r.world = newWorld(&r.drawn, s, r.ownModel)
	r.forgetMirrors()
	r.hud.SetScene(s)
}

// hudScale returns the pixels for a layout unit of the instruments.
func hudScale(height int) float64 { return float64(height) / hud.Height }

// draw draws p into the bound framebuffer of this size [pixels] and returns what that took.
func (r *renderer) draw(p *picture, width, height int) Drawn {
	r.drawn = Drawn{}
	r.timer.begin()
	if details[r.quality].samples == 0 {
		gl.Disable(gl.MULTISAMPLE)
	}
	r.setWeather(p)
	if p.frame != nil {
		r.world.addTireMarks(p)
		if p.others != nil {
			r.prepareOthers(p.others)
		}
		if r.sunDepths != nil {
			r.castShadow(p)
		}
		if p.inCockpit {
			r.prepareInside(p, width, height)
		}
	}
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	for i := range p.views {
		r.viewport(p.views[i].Part, width, height)
		r.drawView(p, &p.views[i].Lens)
	}
	if len(p.views) == 0 {
		straight := screens.Straight(p.eye.FOV, float64(width)/float64(height))
		r.drawView(p, &straight)
	}
	gl.Enable(gl.MULTISAMPLE)
	if !p.bare {
		aspect := r.viewport(p.hud, width, height)
		r.drawOverlay(r.hud.Draw(p.frame, p.status, aspect), aspect)
	}
	r.timer.end()
	return r.drawn
}

// drawView draws the world through a lens into the viewport.
func (r *renderer) drawView(p *picture, lens *screens.Lens) {
	view := p.eye.Through(lens)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LEQUAL)
	gl.Enable(gl.CULL_FACE)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D, r.noise)
	if p.frame != nil { // near objects first, so that hidden surfaces are not shaded
		r.drawCar(p, view)
		r.drawOthers(p, view, true)
		if p.inCockpit && !r.inside.inMirror {
			r.drawInside(p, view)
		}
		r.drawCircuit(p, view)
	}
	r.drawGround(p, view)
	gl.Enable(gl.BLEND)
	r.drawSky(p, view)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	if p.frame != nil {
		r.drawTireMarks(p, view)
		r.drawOtherShadows(p, view)
	}
	if p.frame != nil && !p.inCockpit {
		r.drawShadow(p, view)
	}
	if p.frame != nil && p.ghost != nil && p.ghost.InSight(scene.NewFrustum(view)) {
		r.drawGhost(p, view)
	}
	if p.frame != nil {
		r.drawOthers(p, view, false)
		r.drawRain(p, view)
	}
	gl.Disable(gl.BLEND)
}

// drawGround draws the terrain, and a level plane below it, which fills unknown terrain and the cracks
// between levels of detail.
func (r *renderer) drawGround(p *picture, view mgl64.Mat4) {
	lowest := 0.0
	for _, pr := range [2]*program{r.rough, r.ground} {
		if pr == r.rough && (r.world == nil || !r.world.HasPatterns) {
			continue
		}
		pr.use()
		pr.matrix("viewProj", view)
		pr.vector("eye", p.eye.Pos)
		pr.vector("origin", mgl64.Vec3{})
		if r.world != nil {
			r.world.drawTerrain(p.eye, scene.NewFrustum(view), r.distances(), pr == r.rough)
			lowest = r.world.Lowest
		}
	}
	r.ground.vector("origin", mgl64.Vec3{p.eye.Pos[0], p.eye.Pos[1], lowest - groundOffset})
	r.plane.draw()
}

// drawSky draws the sky behind everything else, and adds the light of the sun. Blending must be on.
func (r *renderer) drawSky(p *picture, view mgl64.Mat4) {
	r.skyProgram.use()
	r.skyProgram.matrix("viewProj", view)
	gl.BlendFunc(gl.ONE, gl.ZERO)
	sky, sun := r.sky.Visible(p.eye.Pos, scene.NewFrustum(view))
	cloud, overcast := r.light.Cloud, float32(scene.Overcast(r.rain))
	gl.Uniform4f(r.skyProgram.uniform("cloud"), cloud[0], cloud[1], cloud[2], overcast)
	gl.Uniform1f(r.skyProgram.uniform("strength"), 1)
	r.skyMesh.drawSpans(sky)
	gl.BlendFunc(gl.ONE, gl.ONE)
	gl.Uniform4f(r.skyProgram.uniform("cloud"), 0, 0, 0, 0)
	gl.Uniform1f(r.skyProgram.uniform("strength"), 1-overcast)
	r.skyMesh.drawSpan(sun)
}
