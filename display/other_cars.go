//go:build cgo

package display

import (
	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/hud"
	"rig.example/rig/display/scene"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/frame"
)

// session is what the window shows of a session.
type session struct {
	newest frame.Others
	cars   scene.OtherCars
	labels [hud.MaxLabels]hud.Label
	whole  [1]screens.View
}

// addSession adds the other cars and what race control says to p, if the rig is in a session.
func (v *viewer) addSession(p *picture, own scene.Pose) {
	s := &v.session
	if !v.sharedPage.Others(&s.newest) {
		return
	}
	if s.cars.Update(&s.newest, v.seen, own) {
		s.newest.Session.Connected = 0
	}
	p.others, p.status.Others = &s.cars, &s.newest
	width, height := v.window.GetFramebufferSize()
	p.status.Labels = s.label(p, float64(width)/float64(max(height, 1)))
}

// label places the labels of the nearest cars in the part of the picture that has the instruments.
func (s *session) label(p *picture, aspect float64) []hud.Label {
	const farthest, faint = 300, 0.3 // [m], and the opacity below which a car has no label
	list, views := s.labels[:0], p.views
	if len(views) == 0 {
		s.whole[0] = screens.View{Part: screens.Whole, Lens: screens.Straight(p.eye.FOV, aspect)}
		views = s.whole[:]
	}
	for i := range s.cars.Count {
		c := &s.cars.Cars[i]
		if len(list) == hud.MaxLabels || c.Distance() > farthest {
			break
		}
		if x, y, wide, ok := c.Above(p.eye, views, p.hud); ok && c.Opacity(p.eye) > faint {
			list = append(list, hud.Label{X: x, Y: y, Wide: wide, Distance: c.Distance(), Car: c.OtherCar})
		}
	}
	return list
}

// otherMesh is the mesh of a car in graphics memory.
type otherMesh struct {
	*buffer
	look  scene.OtherLook
	parts scene.OtherMesh // their spans
}

// otherMeshes are the meshes of the other cars, by slot; those that have not been needed yet are nil.
type otherMeshes [frame.MaxOthers + 1]*otherMesh

// prepareOthers builds the mesh of one car: the first that has none, or else one that has become another. A session of
// many cars comes into view over some pictures.
func (r *renderer) prepareOthers(cars *scene.OtherCars) {
	next := -1
	for i := cars.Count - 1; i >= 0; i-- { // the nearest is the first
		look := cars.Cars[i].Look()
		if m := r.others[look.Slot]; m == nil || m.look != look && next < 0 {
			next = i
		}
	}
	if next < 0 {
		return
	}
	look := cars.Cars[next].Look()
	if old := r.others[look.Slot]; old != nil {
		old.free()
	}
	built := scene.BuildOther(look)
	m := &otherMesh{buffer: solidBuffer(&r.drawn, &built.Mesh), look: look, parts: *built}
	m.parts.Mesh = scene.Mesh{}
	r.others[look.Slot] = m
}

// drawOthers draws the other cars that are opaque, or over the picture those that are not, with their depth first so that only their outside is
// visible.
func (r *renderer) drawOthers(p *picture, view mgl64.Mat4, opaque bool) {
	if p.others == nil {
		return
	}
	frustum, detail := scene.NewFrustum(view), r.distances()
	r.solid.use()
	r.solid.matrix("viewProj", view)
	r.solid.vector("eye", p.eye.Pos)
	for i := p.others.Count - 1; i >= 0; i-- {
		c := &p.others.Cars[i]
		m, opacity := r.others[c.Slot], c.Opacity(p.eye)
		if m == nil || m.look != c.Look() || (opacity >= 1) != opaque || opacity <= 0 || !c.InSight(p.eye, &frustum, &detail) {
			continue
		}
		if !opaque {
			gl.Uniform1f(r.solid.uniform("fade"), float32(1-opacity))
			gl.ColorMask(false, false, false, false)
			r.drawOther(c, m, p.eye, &detail)
			gl.ColorMask(true, true, true, true)
		}
		r.drawOther(c, m, p.eye, &detail)
	}
	gl.Uniform1f(r.solid.uniform("fade"), 0)
}

// drawOther draws a car. The program solid must be current.
func (r *renderer) drawOther(c *scene.OtherCar, m *otherMesh, e scene.Eye, d *scene.Detail) {
	r.solid.matrix("model", c.Matrix())
	if c.Fine(e, d) {
		m.drawSpan(m.parts.Body)
		for i := range 4 {
			r.solid.matrix("model", c.Wheel(i))
			m.drawSpan([2]scene.Span{m.parts.LeftWheel, m.parts.RightWheel}[i%2])
		}
		r.solid.matrix("model", c.Matrix())
	} else {
		m.drawSpan(m.parts.Far)
	}
	r.drawLamps(m.buffer, m.parts.TailLamps, c.Brake > braking)
	if c.Flash != 0 || r.light.Lamps {
		r.drawLamps(m.buffer, m.parts.HeadLamps, c.Flash != 0)
	}
}

// drawOtherShadows draws a soft shadow on the ground below each car. Blending must be on.
func (r *renderer) drawOtherShadows(p *picture, view mgl64.Mat4) {
	if p.others == nil {
		return
	}
	frustum, detail := scene.NewFrustum(view), r.distances()
	onGround(func() {
		r.shadow.use()
		r.shadow.matrix("viewProj", view)
		for i := range p.others.Count {
			if c := &p.others.Cars[i]; c.InSight(p.eye, &frustum, &detail) {
				r.shadow.matrix("model", c.Shadow())
				gl.Uniform1f(r.shadow.uniform("strength"), float32(0.62*c.Opacity(p.eye)))
				r.fullScreen.draw()
			}
		}
	})
}
