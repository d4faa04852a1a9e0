package circuit

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit/circuittest"
)

// utm is where the roads of these tests lie: a place in Munich.
var utm = r3.Vec{X: 691234.5, Y: 5400321.25}

// shifted writes a road of each kind as a file, moved by an offset.
func shifted(t *testing.T, kind string, by r3.Vec) string {
	switch kind {
	case "asc":
		return strings.NewReplacer("xllcenter 0", "xllcenter "+number(by.X), "yllcenter -20", "yllcenter "+number(by.Y-20)).Replace(circuittest.ASC())
	case "asc with dx":
		text := strings.Replace(shifted(t, "asc", by), "cellsize 2", "dx 2\ndy 1", 1)
		return strings.Replace(text, number(by.Y-20), number(by.Y-10), 1)
	case "crg":
		return strings.Replace(circuittest.CRG(), "$ROAD_CRG\n", "$ROAD_CRG\nREFERENCE_LINE_START_X = "+number(by.X)+"\nREFERENCE_LINE_START_Y = "+number(by.Y)+"\n", 1)
	case "crg with bends":
		return strings.NewReplacer("#:LRFI\n", "#:LRFI\nD:reference line phi,rad\n").Replace(circuittest.BentCRG(shifted(t, "crg", by)))
	case "obj":
		return circuittest.OBJ(circuittest.Moved(circuittest.Plate(), by.X, by.Y))
	case "gltf": // its own numbers are too short for a map: such files move their nodes
		return strings.ReplaceAll(circuittest.GLTF(t, circuittest.Plate()), `"name":"node`, fmt.Sprintf(`"translation":[%s,0,%s],"name":"node`, number(by.X), number(-by.Y)))
	}
	return strings.Replace(circuittest.XODR, `x="0" y="0"`, fmt.Sprintf(`x="%s" y="%s"`, number(by.X), number(by.Y)), 1)
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// A road somewhere on a map is the one that the same file gives at zero: its ground, its line,
// its walls, and where a car starts.
func TestARoadIsTheSameWhereverItsFileLies(t *testing.T) {
	const circuit = `[ground]
file = "a.%s"
[line]
file = "line.csv"
[[wall]]
from = [%s, %s]
to = [%s, %s]
`
	for _, kind := range []string{"obj", "gltf", "asc", "asc with dx", "crg", "crg with bends", "xodr"} {
		end, _, _ := strings.Cut(kind, " ")
		for _, given := range []bool{false, true} {
			made := func(by r3.Vec, key string) *Site {
				text := fmt.Sprintf(circuit, end, number(by.X+20), number(by.Y+3), number(by.X+60), number(by.Y+3))
				text = strings.Replace(text, "[line]", key+"[line]", 1)
				line := fmt.Sprintf("x,y\n%s,%s\n%s,%s\n%s,%s\n", number(by.X+5), number(by.Y), number(by.X+40), number(by.Y+0.25), number(by.X+95), number(by.Y-0.5))
				dir := circuittest.Folder(t, map[string]string{"c.toml": text, "a." + end: shifted(t, kind, by), "line.csv": line})
				s, err := Open(filepath.Join(dir, "c.toml"), Options{})
				if err != nil {
					t.Fatalf("%s: %v", kind, err)
				}
				return s
			}
			key, want := "", r3.Vec{X: 691e3, Y: 5400e3}
			if given {
				want = r3.Vec{X: 691200.125, Y: 5400300.5, Z: -7.25}
				key = "origin_m = [691200.125, 5400300.5, -7.25]\n"
			}
			here, there := made(r3.Vec{}, ""), made(utm, key)
			if here.Origin != (r3.Vec{}) || there.Origin != want {
				t.Errorf("%s: origins %v and %v, want 0 and %v", kind, here.Origin, there.Origin, want)
			}
			sameRoad(t, kind, here, there)
		}
	}
}

// sameRoad compares a site at zero with one at utm.
func sameRoad(t *testing.T, kind string, here, there *Site) {
	t.Helper()
	const most = 1e-4 // [m]
	by := r3.Sub(utm, there.Origin)
	for x := 0.5; x < 100; x += 3.1 {
		for y := -1.9; y < 2; y += 0.6 {
			want, ok := HeightBelow(here.Bare, x, y, 40)
			got, too := HeightBelow(there.Bare, x+by.X, y+by.Y, 40-there.Origin.Z)
			if ok != too || ok && !(math.Abs(got-by.Z-want) < most) {
				t.Fatalf("%s: at %g, %g: heights %g, %v and %g, %v", kind, x, y, want, ok, got-by.Z, too)
			}
		}
	}
	pairs := [][2]r3.Vec{{here.Circuit.Walls[0].From, there.Circuit.Walls[0].From}, {here.Circuit.Walls[0].To, there.Circuit.Walls[0].To}}
	for s := 0.0; s < here.line.Length(); s += 1.7 {
		pairs = append(pairs, [2]r3.Vec{here.line.At(s).Pos, there.line.At(s).Pos})
	}
	for i, p := range pairs {
		if gap := r3.Norm(r3.Sub(r3.Sub(p[1], by), p[0])); !(gap < most) {
			t.Fatalf("%s: place %d is %g m from where it should be: %v and %v", kind, i, gap, p[0], p[1])
		}
	}
}

// A line that a file has by itself, and a start without a line, lie where the ground does.
func TestLinesOfFilesAndStartsFollowTheOrigin(t *testing.T) {
	for _, kind := range []string{"crg with bends", "xodr", "obj", "asc"} {
		end, _, _ := strings.Cut(kind, " ")
		path := func(by r3.Vec, start string) string {
			dir := circuittest.Folder(t, map[string]string{"a." + end: shifted(t, kind, by), "c.toml": "[ground]\nfile = \"a." + end + "\"\n" + start})
			return filepath.Join(dir, "c.toml")
		}
		for _, start := range []bool{false, true} {
			text, far := "", ""
			if start {
				text, far = "[start]\nx_m = 12.5\ny_m = 1\n", fmt.Sprintf("[start]\nx_m = %s\ny_m = %s\n", number(utm.X+12.5), number(utm.Y+1))
			}
			here, there := path(r3.Vec{}, text), path(utm, far)
			a, _ := load(t, here, Options{})
			b, warnings := load(t, there, Options{})
			s, err := Open(there, Options{})
			if err != nil {
				t.Fatal(err)
			}
			by := r3.Sub(utm, s.Origin)
			gap := r3.Sub(r3.Sub(b.At(10).Pos, by), a.At(10).Pos)
			gap.Z = 0 // tarmac is rough by its place
			if !(r3.Norm(gap) < 1e-4) || a.Roadless != b.Roadless {
				t.Errorf("%s: the line is at %v, want %v; warnings %q", kind, r3.Sub(b.At(10).Pos, by), a.At(10).Pos, warnings)
			}
		}
	}
}

func TestCoordinatesOfNoMapAreRefused(t *testing.T) {
	degrees := r3.Vec{X: 11.5, Y: 48.1}
	small := []circuittest.Quad{circuittest.Strip("tarmac", 11.5, 11.6, 48.1, 48.2, 500)}
	const reproject = "reproject to metres"
	tests := []struct{ name, file, text, toml, want string }{
		{"obj beyond", "a.obj", shifted(t, "obj", r3.Vec{X: 2e8}), "", reproject},
		{"gltf beyond", "a.gltf", shifted(t, "gltf", r3.Vec{X: 2e8}), "", reproject},
		{"asc beyond", "a.asc", shifted(t, "asc", r3.Vec{Y: 2e8}), "", reproject},
		{"xodr beyond", "a.xodr", shifted(t, "xodr", r3.Vec{X: 2e8}), "", reproject},
		{"crg beyond", "a.crg", shifted(t, "crg", r3.Vec{X: 2e8}), "", reproject},
		{"obj in degrees", "a.obj", circuittest.OBJ(small), "", reproject},
		{"asc in degrees", "a.asc", strings.Replace(shifted(t, "asc", degrees), "cellsize 2", "cellsize 0.0001", 1), "", reproject},
		{"asc in coarse degrees", "a.asc", strings.Replace(shifted(t, "asc", degrees), "cellsize 2", "cellsize 0.0083", 1), "", reproject},
		{"xodr in degrees", "a.xodr", strings.Replace(shifted(t, "xodr", degrees), `name="t"/>`, `name="t"><geoReference>+proj=longlat +datum=WGS84</geoReference></header>`, 1), "", reproject},
		{"line in degrees", "a.obj", circuittest.OBJ(circuittest.Plate()), "[line]\nfile = \"line.csv\"\n", "line.csv: " + "everything is between"},
		{"line far from its ground", "a.obj", shifted(t, "obj", utm), "[line]\nfile = \"near.csv\"\n", "near.csv: "},
		{"origin far from the ground", "a.obj", shifted(t, "obj", utm), "origin_m = [0, 0, 0]\n", "c.toml:3:1: ground.origin_m = [0 0 0]"},
		{"origin of two", "a.obj", circuittest.OBJ(circuittest.Plate()), "origin_m = [0, 0]\n", "c.toml:3:1: ground.origin_m"},
		{"origin beyond", "a.obj", circuittest.OBJ(circuittest.Plate()), "origin_m = [0, 2e8, 0]\n", "c.toml:3:1: ground.origin_m"},
	}
	for _, tt := range tests {
		dir := circuittest.Folder(t, map[string]string{
			tt.file: tt.text, "c.toml": "[ground]\nfile = \"" + tt.file + "\"\n" + tt.toml,
			"line.csv": "x,y\n11.5,48.1\n11.6,48.2\n11.7,48.1\n", "near.csv": "x,y\n0,0\n50,0\n90,5\n",
		})
		_, _, err := Load(filepath.Join(dir, "c.toml"), Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), tt.file) && !strings.Contains(err.Error(), "c.toml") && !strings.Contains(err.Error(), ".csv") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
