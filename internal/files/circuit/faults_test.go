package circuit

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

func TestErrorsOfBadFilesAreOneLine(t *testing.T) {
	const ground = "[ground]\nfile = \"a.obj\"\n"
	nan := strings.Replace(circuittest.OBJ(circuittest.Plate()), "v 0 2 5\n", "v NaN 2 5\n", 1)
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"missing ground", map[string]string{"c.toml": ground}, []string{"c.toml:2:1: ", `"a.obj"`, "no such file"}},
		{"unknown ending", map[string]string{"c.toml": "[ground]\nfile = \"a.fbx\"\n"}, []string{"c.toml:2:1: ", ".glb"}},
		{"two grounds", map[string]string{"c.toml": ground + "[[layout.piece]]\nlength_m = 5\n"}, []string{"c.toml:2:1: ", "remove one"}},
		{"nothing", map[string]string{"c.toml": "title = \"x\"\n"}, []string{"piece", "must be 1 to 1000"}},
		{"unknown key", map[string]string{"c.toml": ground + "scael = 2\n"}, []string{"c.toml:3:1: ", `"scale"`}},
		{"unknown key of a surface", map[string]string{"c.toml": ground + "[surface.x]\ngripp = 2\n"}, []string{"c.toml:4:1: ", `"grip"`}},
		{"wrong type", map[string]string{"c.toml": ground + "scale = \"big\"\n"}, []string{"c.toml:3:", "number"}},
		{"scale", map[string]string{"c.toml": ground + "scale = 0\n"}, []string{"c.toml:3:1: ground.scale = 0: must"}},
		{"empty mesh", map[string]string{"c.toml": ground, "a.obj": "v 0 0 0\n"}, []string{"a.obj", "no triangles"}},
		{"truncated mesh", map[string]string{"c.toml": ground, "a.obj": circuittest.OBJ(circuittest.Plate())[:strings.Index(circuittest.OBJ(circuittest.Plate()), "f 5")+5]}, []string{"a.obj"}},
		{"NaN", map[string]string{"c.toml": ground, "a.obj": nan}, []string{"a.obj"}},
		{"truncated binary", map[string]string{"c.toml": "[ground]\nfile = \"a.glb\"\n", "a.glb": "glTF\x02\x00\x00\x00"}, []string{"a.glb"}},
		{"truncated crg", map[string]string{"c.toml": "[ground]\nfile = \"a.crg\"\n", "a.crg": circuittest.CRG()[:300]}, []string{"a.crg"}},
		{"truncated xodr", map[string]string{"c.toml": "[ground]\nfile = \"a.xodr\"\n", "a.xodr": circuittest.XODR[:300]}, []string{"a.xodr"}},
		{"absurd grid", map[string]string{"c.toml": "[ground]\nfile = \"a.asc\"\n", "a.asc": "ncols 99999999\nnrows 99999999\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n"}, []string{"a.asc"}},
		{"no such road", map[string]string{"c.toml": "[ground]\nfile = \"a.xodr\"\n[line]\nroad = \"9\"\n", "a.xodr": circuittest.XODR}, []string{"c.toml:4:1: ", `"9"`, "7"}},
		{"used surface", map[string]string{"c.toml": ground + "[materials]\nAsphalt = \"tarmacc\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: ", "tarmacc", "not found"}},
		{"all is none", map[string]string{"c.toml": ground + "[materials]\nAsphalt = \"none\"\nShade = \"none\"\ngrass = \"none\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"at least one must be ground"}},
		{"missing line", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: ", "l.csv"}},
		{"line without header", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": "1,2\n3,4\n"}, []string{"l.csv", `column "1"`}},
		{"line with text", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": "x,y\n1,2\n3,four\n"}, []string{"l.csv: line 3: y", `"four"`}},
		{"line that stands", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": "x,y\n1,2\n1,2\n"}, []string{"l.csv", "waypoint 2"}},
		{"sector ahead", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n[start]\nat_m = 50\n[[sector]]\nat_m = 20\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": straightLine}, []string{"c.toml:8:1: ", "must follow"}},
		{"sector beyond", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n[[sector]]\nat_m = 500\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": straightLine}, []string{"c.toml:6:1: ", "190.0 m long"}},
		{"wall without line", map[string]string{"c.toml": ground + "[[wall]]\nfrom_m = 1\nto_m = 20\nside = \"left\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: ", "no line"}},
		{"wall without side", map[string]string{"c.toml": ground + "[[wall]]\nfrom_m = 1\nto_m = 20\n"}, []string{"wall[0].side"}},
		{"piece", map[string]string{"c.toml": "[[layout.piece]]\nlength_m = 50\n[[layout.piece]]\nturn_deg = 90\nradius_m = 1\n"}, []string{"c.toml:5:1: layout.piece[1].radius_m = 1: must"}},
		{"part", map[string]string{"c.toml": circle + "[[layout.part]]\non = \"x\"\nto_m = 3\nsurface = \"ice\"\n"}, []string{"c.toml:8:1: ", `layout.part[0].on = "x"`}},
		{"part of nothing", map[string]string{"c.toml": circle + "[[layout.part]]\nto_m = 3\nsurface = \"ise\"\n"}, []string{"c.toml:9:1: ", "layout.part[0].surface"}},
		{"part where none has a name", map[string]string{"c.toml": "[[layout.piece]]\nturn_deg = 360\nradius_m = 60\n[start]\non = \"x\"\n"}, []string{"c.toml:5:1: ", "no piece has a name"}},
		{"wall of both kinds", map[string]string{"c.toml": circle + "[[wall]]\nfrom = [0, 0]\nto = [1, 0]\nside = \"left\"\n"}, []string{"wall[0].from", "remove them"}},
		{"line with a short row", map[string]string{"c.toml": ground + "[line]\nfile = \"l.csv\"\n", "a.obj": circuittest.OBJ(circuittest.Plate()), "l.csv": "x,y\n1,2\n3\n"}, []string{"l.csv: line 3: ", "2 columns"}},
		{"endless line", map[string]string{"c.toml": ground + "[line]\nfile = \"/dev/zero\"\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: ", "/dev/zero", "not a regular file"}},
		{"no ground at the start", map[string]string{"c.toml": ground + "[start]\nx_m = 500\n", "a.obj": circuittest.OBJ(circuittest.Plate())}, []string{"c.toml:4:1: start.x_m = 500", "give one on the ground"}},
		{"start", map[string]string{"c.toml": circle + "[start]\non = \"x\"\n"}, []string{"c.toml:8:1: ", "must be "}},
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

// Reading a pipe without a writer would block.
func TestPipesAreNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.obj")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Skip(err)
	}
	if _, _, err := Load(path, Options{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("error %v", err)
	}
}

// Where the middle has no ground, as inside a ring, a car starts on the nearest ground.
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

// A surface that no triangle has may be invalid.
func TestFaultsOfUnusedPartsAreWarnings(t *testing.T) {
	level.SkipIfQuick(t)
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

// Faults of a material that is not ground do not matter.
func TestFaultsOfMaterialsThatAreNotGround(t *testing.T) {
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

func TestMaterialsThatAreNotGround(t *testing.T) {
	list := append(circuittest.Plate(), circuittest.Strip("Tree", 50, 51, -1, 1, 9))
	dir := circuittest.Folder(t, map[string]string{"c.toml": "[ground]\nfile = \"a.obj\"\n[materials]\nTree = \"none\"\n", "a.obj": circuittest.OBJ(list)})
	c, _ := load(t, filepath.Join(dir, "c.toml"), Options{})
	z, _ := HeightBelow(c.Ground, 50.5, 0, 40)
	near.Value(t, "height under the tree", z, 2, 0.02)
}
