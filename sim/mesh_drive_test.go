package sim

import (
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/road/mesh"
)

// A level mesh is level asphalt, bit for bit, for a whole drive.
func TestALevelMeshDrivesAsAsphalt(t *testing.T) {
	const far = 1024
	corners := []float64{-far, -far, 0, far, -far, 0, far, far, 0, -far, far, 0}
	level, err := mesh.Build(mesh.Triangles{Positions: corners, Indices: []uint32{0, 1, 2, 0, 2, 3}}, mesh.DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var ends [2]State
	for i, g := range []road.Ground{road.Asphalt(), level} {
		c, err := New(DefaultCar(), g, Dt)
		if err != nil {
			t.Fatal(err)
		}
		ends[i] = recorded(c)
	}
	if ends[0].Hash() != ends[1].Hash() {
		t.Errorf("the car ends at %v on asphalt, at %v on the mesh", ends[0].Pos, ends[1].Pos)
	}
}
