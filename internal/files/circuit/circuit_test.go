package circuit

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// load loads a circuit without errors.
func load(t *testing.T, name string, o Options) (*road.Circuit, []string) {
	t.Helper()
	c, warnings, err := Load(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return c, warnings
}

// surfaceAt returns the name of the surface at x, y.
func surfaceAt(c *road.Circuit, x, y float64) string {
	list := c.Surfaces()
	at := c.Touch(r3.Vec{X: x, Y: y, Z: 30})
	if int(at.Material) >= len(list) {
		return "nothing"
	}
	return list[at.Material].Name
}

const straightLine = "x,y,left,right\n5,0,5,5\n60,0,5,5\n130,0,5,5\n195,0,5,5\n"

func TestEveryKindLoads(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	const tail = `
[materials]
Asphalt = "tarmac"
Shade = "black-ice"
[areas]
Shade = "shade"
[surface.black-ice]
base = "ice"
grip = 0.12
[line]
file = "line.csv"
[start]
at_m = 10
[[sector]]
at_m = 90
[[change]]
area = "shade"
at_s = 5
over_s = 10
grip = 0.5
`
	tests := []struct {
		name, toml, file, text string
		length, height, at     float64 // of the line; of the ground at x = 100 m
		warn                   []string
	}{
		{"obj", "[ground]\nfile = \"a.obj\"\n" + tail, "a.obj", circuittest.OBJ(circuittest.Plate()), 190, 2, 100, nil},
		{"gltf", "[ground]\nfile = \"a.gltf\"\n" + tail, "a.gltf", circuittest.GLTF(t, circuittest.Plate()), 190, 2, 100, nil},
		{"asc", "[ground]\nfile = \"a.asc\"\n[line]\nfile = \"line.csv\"\n", "a.asc", circuittest.ASC(), 190, 10, 100, nil},
		{"xodr", "[ground]\nfile = \"a.xodr\"\n", "a.xodr", circuittest.XODR, 300, 5, 100, nil},
		{"xodr with materials", "[ground]\nfile = \"a.xodr\"\n", "a.xodr", strings.ReplaceAll(circuittest.XODR, "d=\"0\"/></lane>",
			"d=\"0\"/><material sOffset=\"0\" surface=\"asphalt\" friction=\"0.9\"/></lane>"), 300, 5, 100, []string{"friction"}},
		{"crg", "[ground]\nfile = \"a.crg\"\n", "a.crg", circuittest.CRG(), 100, 0, 50, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := circuittest.Folder(t, map[string]string{"c.toml": tt.toml, tt.file: tt.text, "line.csv": straightLine})
			c, warnings := load(t, filepath.Join(dir, "c.toml"), Options{Cache: t.TempDir()})
			near.Value(t, "length", c.Length(), tt.length, 0.01)
			z, ok := HeightBelow(c.Ground, tt.at, 0.5, 40)
			if near.Value(t, "height", z, tt.height, 0.03); !ok {
				t.Error("there is no ground")
			}
			for _, want := range tt.warn {
				if !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, want) }) {
					t.Errorf("no warning tells of %s: %q", want, warnings)
				}
			}
			if len(warnings) > len(tt.warn) {
				t.Errorf("more warnings: %q", warnings)
			}
			if direct, _ := load(t, filepath.Join(dir, tt.file), Options{}); direct.Touch(r3.Vec{X: tt.at, Y: 0.5, Z: 40}).Depth < -500 {
				t.Error("the file by itself has no ground")
			}
		})
	}
}

func TestMeshesHaveTheirSurfacesAndAreas(t *testing.T) {
	toml := `[ground]
file = "a.obj"
surface = "concrete"
[materials]
Shade = "black-ice"
[areas]
Shade = "shade"
[surface.black-ice]
base = "ice"
grip = 0.12
[[change]]
area = "shade"
at_s = 5
over_s = 10
grip = 0.5
[[change]]
area = "nowhere"
grip = 0.5
`
	dir := circuittest.Folder(t, map[string]string{"c.toml": toml, "a.obj": circuittest.OBJ(circuittest.Plate())})
	c, warnings := load(t, filepath.Join(dir, "c.toml"), Options{})
	for _, tt := range []struct {
		x, y float64
		want string
		area uint8
	}{{50, 0, "concrete", 0}, {150, 0, "black-ice", 1}, {50, 15, "grass", 0}} {
		if got := surfaceAt(c, tt.x, tt.y); got != tt.want {
			t.Errorf("at %g, %g: %s, want %s", tt.x, tt.y, got, tt.want)
		}
		if got := c.Touch(r3.Vec{X: tt.x, Y: tt.y, Z: 3}).AreaNumber; got != tt.area {
			t.Errorf("at %g, %g: area %d, want %d", tt.x, tt.y, got, tt.area)
		}
		caster, from, way := road.SweeperOf(c), r3.Vec{X: tt.x, Y: tt.y, Z: 4}, r3.Vec{Z: -3}
		ball, hit := caster.SweepSphere(from, 0.3, way)
		wheel, met := caster.SweepCylinder(from, r3.Vec{Y: 1}, 0.3, 0.1, way)
		if !hit || !met || ball.AreaNumber != tt.area || wheel.AreaNumber != tt.area {
			t.Errorf("swept at %g, %g: areas %d and %d, want %d", tt.x, tt.y, ball.AreaNumber, wheel.AreaNumber, tt.area)
		}
	}
	caster := road.SweeperOf(c)
	if n := testing.AllocsPerRun(100, func() { caster.SweepSphere(r3.Vec{X: 150, Z: 4}, 0.3, r3.Vec{Z: -3}) }); n > 0 {
		t.Errorf("%g allocations a sweep", n)
	}
	near.Value(t, "grip", c.Touch(r3.Vec{X: 150, Z: 3}).Surface.Grip, 0.12, 0)
	near.Value(t, "slick in the middle of the change", c.Weather.GripLoss(10, 0)[1], 0.25, 1e-12)
	near.Value(t, "slick beside it", c.Weather.GripLoss(10, 0)[0], 0, 0)
	for _, want := range []string{`material "Asphalt"`, `change[1].area = "nowhere"`} {
		if !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, want) }) {
			t.Errorf("no warning tells of %s: %q", want, warnings)
		}
	}
	if !c.Roadless {
		t.Error("there is a road, out of nothing")
	}
	near.Value(t, "the start is on the ground", c.At(0).Pos.Z, 2, 0.02)
}

// A surface with a hole all along its middle has no line, but ground.
func TestOpenCRGWithoutALine(t *testing.T) {
	text := strings.Replace(circuittest.CRG(), "$KD_Definition", "$ROAD_CRG_MODS\nGRID_NAN_MODE = 0\n$\n$KD_Definition", 1)
	head, rows, _ := strings.Cut(text, "$$$$****\n")
	var b strings.Builder
	b.WriteString(head + "$$$$****\n")
	for row := range strings.Lines(rows) {
		b.WriteString(row[:20] + "**********" + row[30:])
	}
	name := filepath.Join(circuittest.Folder(t, map[string]string{"a.crg": b.String(), "c.toml": "[ground]\nfile = \"a.crg\"\n[start]\nx_m = 10.5\ny_m = 1.5\n"}), "c.toml")
	c, warnings := load(t, name, Options{})
	if !c.Roadless || len(warnings) != 1 || !strings.Contains(warnings[0], "no line") || surfaceAt(c, 10.5, 1.5) != "tarmac" {
		t.Errorf("roadless %v, %q, %s", c.Roadless, warnings, surfaceAt(c, 10.5, 1.5))
	}
}

// Faces that look down carry a car only if the file says so.
func TestTwoSided(t *testing.T) {
	mesh := strings.ReplaceAll(circuittest.OBJ([]circuittest.Quad{circuittest.Strip("tarmac", -80, 80, -80, 80, 1)}), "f 1 2 3 4", "f 4 3 2 1")
	dir := circuittest.Folder(t, map[string]string{"a.obj": mesh, "c.toml": "[ground]\nfile = \"a.obj\"\ntwo_sided = true\n"})
	c, _ := load(t, filepath.Join(dir, "c.toml"), Options{})
	near.Value(t, "depth", c.Touch(r3.Vec{X: 3, Y: 4, Z: 1.5}).Depth, -0.5, 0.01) // tarmac is rough
	if _, _, err := Load(filepath.Join(dir, "a.obj"), Options{}); err == nil || !strings.Contains(err.Error(), "no ground") {
		t.Errorf("error %v", err)
	}
}

// A part of kerb keeps its teeth where bends have no kerbs.
func TestAPartOfKerb(t *testing.T) {
	name := filepath.Join(circuittest.Folder(t, map[string]string{"c.toml": "[[layout.piece]]\nturn_deg = 360\nradius_m = 200\n[[layout.part]]\nfrom_m = 10\nto_m = 20\nsurface = \"kerb\"\n"}), "c.toml")
	c, _ := load(t, name, Options{})
	at := slices.IndexFunc(c.Surfaces(), func(u road.Surface) bool { return u.Name == "kerb" })
	if kind := c.Surfaces()[at].Profile.Kind; kind != "kerb" {
		t.Errorf("profile %q", kind)
	}
}

func TestClosedTable(t *testing.T) {
	dir := circuittest.Folder(t, map[string]string{
		"c.toml":   "[ground]\nfile = \"a.obj\"\n[line]\nfile = \"ring.csv\"\nclosed = true\n[start]\nat_m = 20\n[[sector]]\nat_m = 10\n",
		"a.obj":    circuittest.OBJ([]circuittest.Quad{circuittest.Strip("tarmac", -80, 80, -80, 80, 1)}),
		"ring.csv": circuittest.RingTable(50, 60),
	})
	c, _ := load(t, filepath.Join(dir, "c.toml"), Options{})
	near.Value(t, "length", c.Length(), 2*math.Pi*50, 0.01)
	for s := 0.0; s < 400; s += 7 {
		p := c.At(s)
		near.Value(t, "radius", math.Hypot(p.Pos.X, p.Pos.Y), 50, 1e-3)
		near.Value(t, "curvature", p.Curvature, 1.0/50, 1e-4)
		near.Value(t, "height", p.Pos.Z, 1, 1e-3)
		near.Value(t, "left", p.Left, 4, 1e-9)
	}
}

func TestWallsFollowTheRoad(t *testing.T) {
	dir := circuittest.Folder(t, map[string]string{
		"c.toml": `[ground]
file = "a.obj"
[line]
file = "ring.csv"
closed = true
[[wall]]
from_m = 0
to_m = 150
side = "left"
offset_m = 2
[[wall]]
from_m = 0
to_m = 150
side = "right"
offset_m = 3
height_m = 2.5
[[wall]]
from = [-20, 5]
to = [20, 5]
[[cone]]
from_m = 10
to_m = 50
every_m = 8
left_m = 1
[[cone]]
lanes = "iso-3888-2"
from_m = 100
`,
		"a.obj":    circuittest.OBJ([]circuittest.Quad{circuittest.Strip("tarmac", -80, 80, -80, 80, 1)}),
		"ring.csv": circuittest.RingTable(50, 60),
	})
	c, _ := load(t, filepath.Join(dir, "c.toml"), Options{})
	fence := road.WallsOf(c)
	if fence == nil || len(c.Walls) < 15 {
		t.Fatalf("%d walls, fence %v", len(c.Walls), fence)
	}
	for s := 5.0; s < 145; s += 3 {
		p := c.At(s)
		for _, side := range []float64{1, -1} {
			edge := 4.0 + 2
			if side < 0 {
				edge = 5 + 3
			}
			if hits(fence, p.Offset(side*(edge-0.2))) || !hits(fence, p.Offset(side*(edge+0.3))) {
				t.Fatalf("at %g m, side %g: the wall's face is not %.1f m beside the line", s, side, edge)
			}
		}
	}
	near.Value(t, "top", c.Walls[len(c.Walls)-2].Height, 2.5, 0)
	if n := len(c.Cones); n != 6+2*(5+5+5) {
		t.Errorf("%d cones", n)
	}
}

// hits reports whether a point a little above the ground is in a wall.
func hits(f *road.GroundWithWalls, p r3.Vec) bool {
	p.Z += 0.3
	for _, b := range f.Near(p) {
		if _, in := b.Contact(p); in {
			return true
		}
	}
	return false
}

func TestBuiltInCircuits(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, name := range config.Circuits() {
		c, warnings := load(t, name, Options{})
		if len(warnings) > 0 {
			t.Errorf("%s: %q", name, warnings)
		}
		if c.Length() < 100 || !c.Closed() || len(c.Sectors) == 0 {
			t.Errorf("%s: %.0f m, closed %v, sectors at %v", name, c.Length(), c.Closed(), c.Sectors)
		}
	}
}

// A circuit is read on all processors, and the race detector must find no race. There are more
// pieces than processors, and the result is that of one processor.
func TestParallelRunsEveryPiece(t *testing.T) {
	var done [100]int
	Parallel(len(done), func(i int) { done[i]++ })
	for i, n := range done {
		if n != 1 {
			t.Errorf("piece %d is done %d times", i, n)
		}
	}
	dir := circuittest.Folder(t, map[string]string{"a.obj": circuittest.OBJ(circuittest.Plate())})
	c, _ := load(t, filepath.Join(dir, "a.obj"), Options{})
	if z, ok := HeightBelow(c.Ground, 100, 0.5, 40); !ok || math.Abs(z-2) > 0.03 {
		t.Errorf("ground at %g m, %v", z, ok)
	}
}

// Circuits of one seed share its roughness, and another seed has another.
func TestARoughnessBelongsToItsSeed(t *testing.T) {
	first, other, again := unevenness(1), unevenness(2), unevenness(1)
	for _, u := range []*road.Unevenness{unevenness(1), road.NewUnevenness(1)} {
		if a := height(again); a == 0 || a != height(u) || a != height(first) || a == height(other) {
			t.Errorf("heights %g, %g, %g, %g", a, height(u), height(first), height(other))
		}
	}
	if again != unevenness(1) {
		t.Error("a second circuit makes the same roughness anew")
	}
}

func height(u *road.Unevenness) float64 { z, _, _ := u.Height(3, 4); return z }
