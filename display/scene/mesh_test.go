package scene

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"rig.example/rig/display/displaytest"
)

// Faces turned away are not drawn, so a face that winds the wrong way is a hole.
func TestFacesWindAsTheirNormalsPoint(t *testing.T) {
	s := displaytest.Oval()
	for name, m := range map[string]*Mesh{
		"body": buildBody(s), "cabin": buildCabin(s), "tail lamps": buildTailLamps(s),
		"cockpit": buildCockpit(s), "wheel": buildWheel(0.33), "right wheel": buildWheel(0.33).mirrored(),
		"steering wheel": buildSteeringWheel(), "scenery": oneScenery(s), "fixtures": buildFixtures(displaytest.Hill()), "guide": oneGuide(displaytest.Hill()),
	} {
		wrong := 0
		for i := 0; i < len(m.Indices); i += 3 {
			a, b, c := m.Vertices[m.Indices[i]], m.Vertices[m.Indices[i+1]], m.Vertices[m.Indices[i+2]]
			face := b.pos.Sub(a.pos).Cross(c.pos.Sub(a.pos))
			if face.Len() < 1e-6 {
				continue // two corners in one place cover nothing
			}
			if face.Dot(a.normal.Add(b.normal).Add(c.normal)) < 0 {
				wrong++
			}
		}
		if len(m.Indices) == 0 || wrong > 0 {
			t.Errorf("%s: %d of %d faces wind against their normals", name, wrong, len(m.Indices)/3)
		}
	}
}

func TestBoxFacesAwayFromItsMiddle(t *testing.T) {
	m := &Mesh{}
	m.box(mgl32.Vec3{1, 2, 3}, mgl32.Vec3{0.5, 1, 2}, bodyPaint)
	m.beam(mgl32.Vec3{0, 2, 3}, mgl32.Vec3{2, 2, 3}, 0.1, bodyPaint)
	if len(m.Indices) != 2*36 {
		t.Fatalf("%d indices, want 36 for each box", len(m.Indices))
	}
	for _, v := range m.Vertices {
		if v.pos.Sub(mgl32.Vec3{1, 2, 3}).Dot(v.normal) <= 0 {
			t.Errorf("corner %v faces inward, normal %v", v.pos, v.normal)
		}
	}
}

func TestTireFacesAwayFromItsAxle(t *testing.T) {
	const radius = 0.33
	widest := float32(0)
	for _, v := range buildWheel(radius).Vertices {
		r := mgl32.Vec3{v.pos[0], 0, v.pos[2]}
		widest = max(widest, r.Len())
		if v.paint == rubberPaint && r.Len() > 0.999*radius && r.Dot(v.normal) < 0 {
			t.Errorf("tread at %v faces the axle, normal %v", v.pos, v.normal)
		}
	}
	if widest < 0.329 || widest > 0.331 {
		t.Errorf("wheel's radius %.3f m, want 0.330 m", widest)
	}
}

func TestCarFillsItsSize(t *testing.T) {
	s := displaytest.Oval()
	low, high := mgl32.Vec3{9, 9, 9}, mgl32.Vec3{-9, -9, -9}
	for _, m := range []*Mesh{buildBody(s), buildCabin(s)} {
		for _, v := range m.Vertices {
			for k := range 3 {
				low[k], high[k] = min(low[k], v.pos[k]), max(high[k], v.pos[k])
			}
		}
	}
	// Length 4.5 m, center of the wheelbase 0.05 m behind the center of mass;
	// height 1.28 m, center of mass 0.46 m up; mirrors stand out at the sides.
	for _, c := range []struct {
		name      string
		got, want float32
	}{
		{"front", high[0], 2.20}, {"rear", low[0], -2.30}, {"top", high[2], 0.82}, {"left", high[1], 1.03}, {"right", low[1], -1.03},
	} {
		if d := c.got - c.want; d > 0.06 || d < -0.06 {
			t.Errorf("%s at %.3f m, want %.2f m", c.name, c.got, c.want)
		}
	}
	if low[2] < -0.46+0.1 {
		t.Errorf("the body scrapes: lowest at %.3f m, the ground is at -0.46 m", low[2])
	}
}

// The axles are 1.25 m before and 1.35 m behind the center of mass, 0.13 m below it.
func TestArchesFaceTheirAxles(t *testing.T) {
	lining := 0
	for _, v := range buildBody(displaytest.Oval()).Vertices {
		if v.paint != wheelWellPaint || v.normal[1] > 0.9 || v.normal[1] < -0.9 {
			continue // the wall behind the wheel
		}
		lining++
		axle := mgl32.Vec3{1.25, v.pos[1], -0.13}
		if v.pos[0] < 0 {
			axle[0] = -1.35
		}
		if axle.Sub(v.pos).Dot(v.normal) <= 0 {
			t.Errorf("arch at %v faces away from its axle, normal %v", v.pos, v.normal)
		}
	}
	if lining == 0 {
		t.Error("the arches have no lining")
	}
}
