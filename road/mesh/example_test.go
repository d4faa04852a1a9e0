package mesh_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road/mesh"
)

func ExampleBuild() {
	ramp := mesh.Triangles{
		Positions: []float64{0, 0, 0, 8, 0, 2, 8, 4, 2, 0, 4, 0},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
	}
	m, err := mesh.Build(ramp, mesh.DefaultOptions(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := m.Touch(r3.Vec{X: 4, Y: 1, Z: 3})
	fmt.Printf("%.2f m above the ramp\n", -c.Depth)
	// Output: 1.94 m above the ramp
}
