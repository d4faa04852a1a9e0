package circuit

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/circuit/circuittest"
	"rig.example/rig/internal/config"
	"rig.example/rig/sim/road"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// load loads a circuit that must be right.
func load(t *testing.T, name string, o Options) (*road.Circuit, []string) {
	t.Helper()
	c, warnings, err := Load(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return c, warnings
}

// made names the surface of a place.
func made(c *road.Circuit, x, y float64) string {
	list := c.Surfaces()
	at := c.Touch(r3.Vec{X: x, Y: y, Z: 30})
	if int(at.Material) >= len(list) {
		return "nothing"
	}
	return list[at.Material].Name
}

const straightLine = "x,y,left,right\n5,0,5,5\n60,0,5,5\n130,0,5,5\n195,0,5,5\n"

func TestEveryKindLoads(t *testing.T) {
	level.NotQuick(t)
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
		{"obj", "[ground]\nfile = \"a.obj\"\n" + tail, "a.obj", circuittest.OBJ(circuittest.Plate()), 190, 2, 100, []string{"missing.mtl"}},
		{"gltf", "[ground]\nfile = \"a.gltf\"\n" + tail, "a.gltf", circuittest.GLTF(t, circuittest.Plate()), 190, 2, 100, []string{"missing.png"}},
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
		if got := made(c, tt.x, tt.y); got != tt.want {
			t.Errorf("at %g, %g: %s, want %s", tt.x, tt.y, got, tt.want)
		}
		if got := c.Touch(r3.Vec{X: tt.x, Y: tt.y, Z: 3}).Area; got != tt.area {
			t.Errorf("at %g, %g: area %d, want %d", tt.x, tt.y, got, tt.area)
		}
		caster, from, way := road.CasterOf(c), r3.Vec{X: tt.x, Y: tt.y, Z: 4}, r3.Vec{Z: -3}
		ball, hit := caster.SweepSphere(from, 0.3, way)
		wheel, met := caster.SweepCylinder(from, r3.Vec{Y: 1}, 0.3, 0.1, way)
		if !hit || !met || ball.Area != tt.area || wheel.Area != tt.area {
			t.Errorf("swept at %g, %g: areas %d and %d, want %d", tt.x, tt.y, ball.Area, wheel.Area, tt.area)
		}
	}
	caster := road.CasterOf(c)
	if n := testing.AllocsPerRun(100, func() { caster.SweepSphere(r3.Vec{X: 150, Z: 4}, 0.3, r3.Vec{Z: -3}) }); n > 0 {
		t.Errorf("%g allocations a sweep", n)
	}
	near.Value(t, "grip", c.Touch(r3.Vec{X: 150, Z: 3}).Surface.Grip, 0.12, 0)
	near.Value(t, "slick in the middle of the change", c.Weather.Slick(10, 0)[1], 0.25, 1e-12)
	near.Value(t, "slick beside it", c.Weather.Slick(10, 0)[0], 0, 0)
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
	if !c.Roadless || len(warnings) != 1 || !strings.Contains(warnings[0], "no line") || made(c, 10.5, 1.5) != "tarmac" {
		t.Errorf("roadless %v, %q, %s", c.Roadless, warnings, made(c, 10.5, 1.5))
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
		"ring.csv": circuittest.Ring(50, 60),
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
		"ring.csv": circuittest.Ring(50, 60),
	})
	c, _ := load(t, filepath.Join(dir, "c.toml"), Options{})
	fence := road.FenceOf(c)
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
			if hits(fence, p.Beside(side*(edge-0.2))) || !hits(fence, p.Beside(side*(edge+0.3))) {
				t.Fatalf("at %g m, side %g: the wall's face is not %.1f m beside the line", s, side, edge)
			}
		}
	}
	near.Value(t, "top", c.Walls[len(c.Walls)-2].Height, 2.5, 0)
	if n := len(c.Cones); n != 6+2*(5+5+5) {
		t.Errorf("%d cones", n)
	}
}

// hits tells whether a place, a little above the ground, is in a wall.
func hits(f *road.Fenced, p r3.Vec) bool {
	p.Z += 0.3
	for _, b := range f.Near(p) {
		if _, in := b.Hit(p); in {
			return true
		}
	}
	return false
}

func TestBadFilesAreToldInOneLine(t *testing.T) {
	const ground = "[ground]\nfile = \"a.obj\"\n"
	nan := strings.Replace(circuittest.OBJ(circuittest.Plate()), "v 0 2 5\n", "v NaN 2 5\n", 1)
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"missing ground", map[string]string{"c.toml": ground}, []string{"c.toml:2:1: ", `"a.obj"`, "no such file"}},
		{"unknown ending", map[string]string{"c.toml": "[ground]\nfile = \"a.fbx\"\n"}, []string{"c.toml:2:1: ", ".glb"}},
		{"two grounds", map[string]string{"c.toml": ground + "[[layout.piece]]\nlength_m = 5\n"}, []string{"c.toml:2:1: ", "leave one"}},
		{"nothing", map[string]string{"c.toml": "title = \"x\"\n"}, []string{"piece", "at least one"}},
		{"unknown key", map[string]string{"c.toml": ground + "scael = 2\n"}, []string{"c.toml:3:1: ", `"scale"`}},
		{"unknown key of a surface", map[string]string{"c.toml": ground + "[surface.x]\ngripp = 2\n"}, []string{"c.toml:4:1: ", `"grip"`}},
		{"wrong type", map[string]string{"c.toml": ground + "scale = \"big\"\n"}, []string{"c.toml:3:", "number"}},
		{"scale", map[string]string{"c.toml": ground + "scale = 0\n"}, []string{"c.toml:3:1: ground.scale = 0: allowed"}},
		{"empty mesh", map[string]string{"c.toml": ground, "a.obj": "v 0 0 0\n"}, []string{"a.obj", "no triangles"}},
		{"truncated mesh", map[string]string{"c.toml": ground, "a.obj": circuittest.OBJ(circuittest.Plate())[:strings.Index(circuittest.OBJ(circuittest.Plate()), "f 5")+5]}, []string{"a.obj"}},
		{"not a number", map[string]string{"c.toml": ground, "a.obj": nan}, []string{"a.obj"}},
		{"truncated binary", map[string]string{"c.toml": "[ground]\nfile = \"a.glb\"\n", "a.glb": "glTF\x02\x00\x00\x00"}, []string{"a.glb"}},
		{"truncated crg", map[string]string{"c.toml": "[ground]\nfile = \"a.crg\"\n", "a.crg": circuittest.CRG()[:300]}, []string{"a.crg"}},
		{"truncated xodr", map[string]string{"c.toml": "[ground]\nfile = \"a.xodr\"\n", "a.xodr": circuittest.XODR[:300]}, []string{"a.xodr"}},
		{"absurd grid", map[string]string{"c.toml": "[ground]\nfile = \"a.asc\"\n", "a.asc": "ncols 99999999\nnrows 99999999\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n"}, []string{"a.asc"}},
		{"no such road", map[string]string{"c.toml": "[ground]\nfile = \"a.xodr\"\n[line]\nroad = \"9\"\n", "a.xodr": circuittest.XODR}, []string{"c.toml:4:1: ", `"9"`, "7"}},
		{"used surface", map[string]string{"c.toml": ground + "[materials]\nAsphalt = \"tarmacc\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: ", "tarmacc", "not known"}},
		{"all is none", map[string]string{"c.toml": ground + "[materials]\nAsphalt = \"none\"\nShade = \"none\"\ngrass = \"none\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"something must be ground"}},
		{"missing line", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: ", "l.csv"}},
		{"line without header", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": "1,2\n3,4\n"}, []string{"l.csv", `column "1"`}},
		{"line with text", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": "x,y\n1,2\n3,four\n"}, []string{"l.csv: line 3: y", `"four"`}},
		{"line that stands", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": "x,y\n1,2\n1,2\n"}, []string{"l.csv", "place 2"}},
		{"sector ahead", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n[start]\nat_m = 50\n[[sector]]\nat_m = 20\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": straightLine}, []string{"c.toml:8:1: ", "must follow"}},
		{"sector beyond", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n[[sector]]\nat_m = 500\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": straightLine}, []string{"c.toml:6:1: ", "190.0 m long"}},
		{"wall without line", map[string]string{"c.toml": ground + "[[wall]]\nfrom_m = 1\nto_m = 20\nside = \"left\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: ", "no line"}},
		{"wall without side", map[string]string{"c.toml": ground + "[[wall]]\nfrom_m = 1\nto_m = 20\n"}, []string{"wall[0].side"}},
		{"piece", map[string]string{"c.toml": "[[layout.piece]]\nlength_m = 50\n[[layout.piece]]\nturn_deg = 90\nradius_m = 1\n"}, []string{"c.toml:5:1: layout.piece[1].radius_m = 1: allowed"}},
		{"part", map[string]string{"c.toml": circle + "[[layout.part]]\non = \"x\"\nto_m = 3\nsurface = \"ice\"\n"}, []string{"c.toml:8:1: ", `layout.part[0].on = "x"`}},
		{"part of nothing", map[string]string{"c.toml": circle + "[[layout.part]]\nto_m = 3\nsurface = \"ise\"\n"}, []string{"c.toml:9:1: ", "layout.part[0].surface"}},
		{"part where none has a name", map[string]string{"c.toml": "[[layout.piece]]\nturn_deg = 360\nradius_m = 60\n[start]\non = \"x\"\n"}, []string{"c.toml:5:1: ", "none has a name"}},
		{"wall of both kinds", map[string]string{"c.toml": circle + "[[wall]]\nfrom = [0, 0]\nto = [1, 0]\nside = \"left\"\n"}, []string{"wall[0].from", "leave them out"}},
		{"line with a short row", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": "x,y\n1,2\n3\n"}, []string{"l.csv: line 3: ", "2 columns"}},
		{"endless line", map[string]string{"c.toml": ground + "[line]\nfile = \"/dev/zero\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: ", "/dev/zero", "not a regular file"}},
		{"no ground at the start", map[string]string{"c.toml": ground + "[start]\nx_m = 500\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: start.x_m = 500", "give a place"}},
		{"start", map[string]string{"c.toml": circle + "[start]\non = \"x\"\n"}, []string{"c.toml:8:1: ", "is no piece"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := circuittest.Folder(t, tt.files)
			_, _, err := Load(filepath.Join(dir, "c.toml"), Options{})
			if err == nil {
				t.Fatal("no error")
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %v", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not tell %q", err, want)
				}
			}
		})
	}
}

const circle = `[layout]
verge_m = 5
[[layout.piece]]
name = "all"
turn_deg = 360
radius_m = 60
`

// A pipe without a writer would be waited for.
func TestPipesAreNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.obj")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Skip(err)
	}
	if _, _, err := Load(path, Options{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("error %v", err)
	}
}

// Where the middle has no ground, as inside of a ring, a car stands on what is nearest.
func TestCarsStandOnTheGroundOfARing(t *testing.T) {
	frame := []circuittest.Quad{circuittest.Strip("tarmac", -60, 60, 40, 60, 1), circuittest.Strip("tarmac", -60, 60, -60, -40, 1), circuittest.Strip("tarmac", 40, 60, -40, 40, 1), circuittest.Strip("tarmac", -60, -40, -40, 40, 1)}
	path := filepath.Join(circuittest.Folder(t, map[string]string{"a.obj": strings.Replace(circuittest.OBJ(frame), "mtllib missing.mtl\n", "", 1)}), "a.obj")
	c, warnings := load(t, path, Options{})
	p := c.At(0).Pos
	if far := max(math.Abs(p.X), math.Abs(p.Y)); far < 44 || far > 47 { // with 5 m beside it
		t.Errorf("a car stands at %.1f, %.1f m", p.X, p.Y)
	}
	near.Value(t, "height", p.Z, 1, 0.02)
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0], path+": start: no ground at 0.0, 0.0 m") {
		t.Errorf("warnings %q", warnings)
	}
}

// What nothing is made of may be wrong: the rest of the circuit is there.
func TestFaultsOfUnusedPartsAreWarnings(t *testing.T) {
	level.NotQuick(t)
	t.Parallel()
	tests := []struct{ name, toml, want string }{
		{"surface", "[surface.odd]\nbase = \"moon\"\n", "surface.odd"},
		{"material that is not there", "[materials]\nNoSuch = \"tarmac\"\n", "materials.NoSuch"},
		{"area that is not there", "[areas]\nNoSuch = \"x\"\n", "areas.NoSuch"},
		{"change of nothing", "[[change]]\narea = \"x\"\ngrip = 0.5\n", "change[0].area"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := circuittest.Folder(t, map[string]string{"c.toml": "[ground]\nfile = \"a.obj\"\n" + tt.toml, "a.obj": circuittest.OBJ([]circuittest.Quad{circuittest.Strip("tarmac", 0, 9, 0, 9, 0)})})
			_, warnings := load(t, filepath.Join(dir, "c.toml"), Options{})
			if !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, tt.want) }) {
				t.Errorf("no warning tells of %s: %q", tt.want, warnings)
			}
		})
	}
}

// A tree that is broken does not keep anyone from driving, once it is told to be none of
// the ground.
func TestBrokenPartsThatAreNoGround(t *testing.T) {
	list := append(circuittest.Plate(), circuittest.Strip("Tree", 50, math.Inf(1), -1, 1, 9))
	for name, text := range map[string]string{"a.obj": circuittest.OBJ(list), "a.gltf": circuittest.GLTF(t, list)} {
		files := map[string]string{"c.toml": "[ground]\nfile = \"" + name + "\"\n", name: text}
		if _, _, err := Load(filepath.Join(circuittest.Folder(t, files), "c.toml"), Options{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: as ground: %v", name, err)
		}
		files["c.toml"] += "[materials]\nTree = \"none\"\n"
		c, warnings := load(t, filepath.Join(circuittest.Folder(t, files), "c.toml"), Options{})
		if !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, `"Tree" is no ground and is broken`) }) {
			t.Errorf("%s: warnings %q", name, warnings)
		}
		z, _ := HeightBelow(c.Ground, 50.5, 0, 40)
		near.Value(t, "height", z, 2, 0.02)
	}
}

func TestPartsThatAreNoGround(t *testing.T) {
	list := append(circuittest.Plate(), circuittest.Strip("Tree", 50, 51, -1, 1, 9))
	dir := circuittest.Folder(t, map[string]string{"c.toml": "[ground]\nfile = \"a.obj\"\n[materials]\nTree = \"none\"\n", "a.obj": circuittest.OBJ(list)})
	c, _ := load(t, filepath.Join(dir, "c.toml"), Options{})
	z, _ := HeightBelow(c.Ground, 50.5, 0, 40)
	near.Value(t, "height under the tree", z, 2, 0.02)
}

func TestBuiltInCircuits(t *testing.T) {
	level.NotQuick(t)
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

func TestCacheIsHitSparedAndMended(t *testing.T) {
	level.NotQuick(t)
	t.Parallel()
	dir := circuittest.Folder(t, map[string]string{"c.toml": "[ground]\nfile = \"a.gltf\"\n[materials]\nAsphalt = \"tarmac\"\nShade = \"wet\"\n", "a.gltf": circuittest.GLTF(t, circuittest.Plate())})
	cache := filepath.Join(t.TempDir(), "new", "rig")
	name := filepath.Join(dir, "c.toml")
	look := func(cached bool, warnings int) *Site {
		t.Helper()
		s, err := Open(name, Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		if s.Cached != cached || len(s.Warnings) != warnings {
			t.Errorf("from the cache %v, want %v; warnings %q, want %d", s.Cached, cached, s.Warnings, warnings)
		}
		if got := made(s.Circuit, 150, 0); got != "wet" {
			t.Errorf("the shade is %s", got)
		}
		return s
	}
	const missing = 1 // texture: told in both cases
	look(false, missing)
	look(true, missing)
	files, _ := filepath.Glob(cache + "/*")
	if len(files) != 1 {
		t.Fatalf("the cache holds %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range [][]byte{data[:len(data)/2], data[:3], append(slices.Clone(data[:len(data)-9]), "123456789"...), {}} {
		if err := os.WriteFile(files[0], broken, 0o644); err != nil {
			t.Fatal(err)
		}
		look(false, missing+1)
		look(true, missing)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.gltf"), []byte(circuittest.GLTF(t, circuittest.Plate()[:3])), 0o644); err != nil {
		t.Fatal(err)
	}
	look(false, missing)
	if files, _ = filepath.Glob(cache + "/*"); len(files) != 2 {
		t.Errorf("the cache holds %q", files)
	}
	prune(cache, files[0], int64(len(data)))
	if files, _ = filepath.Glob(cache + "/*"); len(files) != 1 {
		t.Errorf("after pruning the cache holds %q", files)
	}
}

func TestAFolderThatCannotBeWrittenIsAWarning(t *testing.T) {
	dir := circuittest.Folder(t, map[string]string{"a.obj": circuittest.OBJ(circuittest.Plate()), "file": ""})
	_, warnings := load(t, filepath.Join(dir, "a.obj"), Options{Cache: filepath.Join(dir, "file", "cache")})
	if !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "--no-cache") }) {
		t.Errorf("warnings %q", warnings)
	}
}

// A circuit is read on all processors, which the race detector is to see at once: in more
// pieces than there are processors, and as one alone would read it.
func TestPiecesAtOnceAreAllDone(t *testing.T) {
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
