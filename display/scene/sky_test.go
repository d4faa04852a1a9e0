package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// Each direction above the lowest hills has sky, from whatever side of a sector's edge, and only visible sectors are listed.
func TestSkyIsClosed(t *testing.T) {
	k := NewSky(LightAt(Day))
	for step := range 90 {
		azimuth := math.Pi*float64(step)/45 + 0.001
		for _, rise := range []float64{-0.1, -0.001, 0.02, 0.05, 0.11, 0.119, 0.4, 0.86, 0.9, 5} {
			at := mgl64.Vec3{math.Cos(azimuth), math.Sin(azimuth), rise}
			if n := k.facesAt(at); n == 0 {
				t.Fatalf("no sky at %.3f rad, rise %g", azimuth, rise)
			}
		}
	}
}

// facesAt returns how many triangles of the sky itself, without the sun, a ray from the eye hits from the inside.
func (k *Sky) facesAt(ray mgl64.Vec3) (n int) {
	for i := 0; i < k.sun.First; i += 3 {
		a, b, c := k.corner(i), k.corner(i+1), k.corner(i+2)
		inside := true
		for _, edge := range [3][2]mgl64.Vec3{{a, b}, {b, c}, {c, a}} {
			inside = inside && edge[0].Cross(edge[1]).Dot(ray) <= 1e-12
		}
		if inside {
			n++
		}
	}
	return n
}

func (k *Sky) corner(i int) mgl64.Vec3 { return vec64(k.Vertices[k.Indices[i]].direction) }

func TestVisibleSkyIsThatAhead(t *testing.T) {
	k := NewSky(LightAt(Day))
	for heading := range 12 {
		e, frustum := eyeAt(mgl64.Vec3{500, -200, 30}, float64(heading)*math.Pi/6+0.2)
		e.Pos = mgl64.Vec3{500, -200, 30}
		seen := 0
		spans, sun := k.Visible(e.Pos, frustum)
		for _, s := range spans {
			seen += s.Count
		}
		if share := float64(seen) / float64(k.sun.First); share < 0.2 || share > 0.5 || sun.Count != 0 && heading > 3 {
			t.Errorf("heading %d: %.2f of the sky is listed, %d indices of the sun", heading, share, sun.Count)
		}
	}
	e, frustum := eyeAt(mgl64.Vec3{500, -200, 30}, 0)
	e.Target = e.Pos.Add(toSun)
	if _, sun := k.Visible(e.Pos, NewFrustum(matrix(e, 1))); sun.Count == 0 {
		t.Error("an eye that looks at the sun does not see it")
	}
	if n := testing.AllocsPerRun(10, func() { k.Visible(e.Pos, frustum) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
