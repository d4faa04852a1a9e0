//go:build cgo

package display

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/display/scene"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/scenery"
	"rig.example/rig/road"
	"rig.example/rig/road/mesh"
	"rig.example/rig/test/level"
)

// meshOf returns a mesh of about that many triangles with the heights and materials of a field.
func meshOf(t *testing.T, f *frame.Field, triangles int) *mesh.Mesh {
	t.Helper()
	n := int(math.Sqrt(float64(triangles) / 2))
	var m mesh.Triangles
	for k := range (n + 1) * (n + 1) {
		u, v := float64(k%(n+1))/float64(n)*float64(f.NX-1), float64(k/(n+1))/float64(n)*float64(f.NY-1)
		i, j := min(int(u), f.NX-2), min(int(v), f.NY-2)
		at := func(a, b int) float64 { return float64(f.Heights[(j+b)*f.NX+i+a]) }
		du, dv := u-float64(i), v-float64(j)
		z := (at(0, 0)*(1-du)+at(1, 0)*du)*(1-dv) + (at(0, 1)*(1-du)+at(1, 1)*du)*dv
		m.Positions = append(m.Positions, f.X+u*f.CellSize, f.Y+v*f.CellSize, z)
	}
	for k := range n * n {
		a := uint32(k/n*(n+1) + k%n)
		b, c, d := a+1, a+uint32(n)+2, a+uint32(n)+1
		m.Indices = append(m.Indices, a, b, c, a, c, d)
		i, j := (k%n*f.NX)/n, (k/n*f.NY)/n
		material := f.Materials[j*f.NX+i]
		m.Materials = append(m.Materials, material, material)
	}
	ground, err := mesh.Build(m, mesh.DefaultOptions(), circuit.Parallel)
	if err != nil {
		t.Fatal(err)
	}
	return ground
}

// A picture of a circuit that is a mesh costs at most twice that of the built-in one, whatever the mesh has of triangles:
// the scene samples it. The mesh has the line, the heights and the materials of the built-in circuit.
func TestALargeMeshIsDrawnAsFast(t *testing.T) {
	club := clubScene(t)
	_, r := testRenderer(t, 1280, 720)
	parts := clubParts(t)
	ground := meshOf(t, &club.Field, level.Pick(0, 60_000, 2_000_000))
	ground.SetSurfaces(parts.Circuit.Surfaces())
	setup := *parts
	setup.Circuit = &road.Circuit{Ground: ground, Line: parts.Circuit.Line, Start: parts.Circuit.Start}
	line, err := scenery.NewRacingLine(&setup, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, started := allocated(), time.Now()
	s := scenery.Scene(&setup, r3.Vec{}, line)
	sampled := time.Since(started)
	world, meshes := scene.Build(s)
	built := time.Since(started) - sampled
	t.Logf("figure: %d triangles: sampled in %v, built in %v, with %d MiB", ground.TriangleCount(), sampled, built, (allocated()-before)>>20)
	runtime.KeepAlive(world)
	runtime.KeepAlive(meshes)
	runtime.KeepAlive(ground)

	var cost [2]time.Duration
	var drawn [2]Drawn
	for range 3 {
		for k, s := range []*frame.Scene{club, s} {
			r.setScene(s)
			lap, took := shortestLap(r)
			if drawn[k] = lap; cost[k] == 0 || took < cost[k] {
				cost[k] = took
			}
		}
	}
	t.Logf("figure: 8 pictures take %v of the processor, %+v; of the mesh %v, %+v", cost[0], drawn[0], cost[1], drawn[1])
	if drawn[1].Triangles > 2*drawn[0].Triangles || drawn[1].Calls > 2*drawn[0].Calls {
		t.Error("the mesh takes more than twice as much")
	}
}

// shortestLap draws eight places of a lap, each several times, and returns what they took and the sum of the shortest
// processor times.
func shortestLap(r *renderer) (sum Drawn, took time.Duration) {
	for _, p := range picturesOfALap(r, Chase) {
		shortest := time.Hour
		var drawn Drawn
		for range 4 {
			start := processorTime()
			drawn = r.draw(p, 1280, 720)
			gl.Finish()
			shortest = min(shortest, processorTime()-start)
		}
		sum.Calls, sum.Triangles, took = sum.Calls+drawn.Calls, sum.Triangles+drawn.Triangles, took+shortest
	}
	return sum, took
}

// allocated returns the bytes of Go's heap that are in use.
func allocated() int {
	runtime.GC()
	runtime.GC() // what pools hold is freed by the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
