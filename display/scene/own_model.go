package scene

import (
	"github.com/go-gl/mathgl/mgl32"

	"rig.example/rig/display/model"
	"rig.example/rig/internal/core/frame"
)

// OwnModel is the user's own model of the car. A part that is nil is the built-in one.
type OwnModel struct{ Body, Cockpit *model.Model }

// UseModel puts the user's model in place of the built-in body and cockpit. Wheels, mirrors, instruments and steering wheel
// remain where they are. The tail lamps go with the built-in body.
func (m *Meshes) UseModel(u OwnModel, s *frame.Scene) {
	c := newCarShape(s)
	if u.Cockpit != nil {
		m.Cockpit = c.placed(&u.Cockpit.Body)
		c.addFittings(m.Cockpit, newSeat(s))
	}
	if u.Body != nil {
		m.Body, m.Cabin, m.TailLamps = c.placed(&u.Body.Body), c.placed(&u.Body.Cabin), &Mesh{}
		c.addOuterMirrors(m.Cockpit) // the driver needs them; from outside the body has its own
	}
}

// placed returns a mesh of a model in body axes.
func (c carShape) placed(from *model.Mesh) *Mesh {
	origin := mgl32.Vec3{float32(c.CGToFront - c.Wheelbase/2), 0, float32(c.ground)}
	m := &Mesh{Vertices: make([]Vertex, 0, len(from.Vertices)), Indices: append([]uint32(nil), from.Indices...)}
	for i := range from.Vertices {
		v := &from.Vertices[i]
		m.add(origin.Add(v.Pos), v.Normal, paint{v.Color, v.Gloss})
	}
	return m
}
