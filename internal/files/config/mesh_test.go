package config

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim"
)

const cube = `# a body, from a modelling program
mtllib body.mtl
o Body
v -3.2 -0.8 0.3
v -3.2  0.8 0.3
v  0.8 -0.8 0.3
v  0.8  0.8 0.3 1.0
v -3.2 -0.8 1.2 0.5 0.5 0.5
v -3.2  0.8 1.2
v  0.8 -0.8 1.2
v  0.8  0.8 12e-1 # the last one
vn 0 0 1
s off
f 1//1 2//1 \
 3//1
f 4 5 6
`

func TestAHullFromAMesh(t *testing.T) {
	car := folder(t, map[string]string{
		"car.toml":  "[hull]\nmesh = \"body.obj\"\nmargin_m = 0.05\nrestitution = 0.2\n",
		"body.obj":  cube,
		"other.txt": "",
	})
	p, err := LoadCar(car)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Hull.Points); n != 8 || p.Hull.Points[7][2] != 1.2 || p.Hull.Margin != 0.05 || p.Hull.Restitution != 0.2 || p.Hull.Friction != 0.45 {
		t.Errorf("%d points: %+v", n, p.Hull)
	}
	if _, err := sim.New(p, road.Asphalt(), sim.Dt); err != nil {
		t.Error(err)
	}
}

func TestAHullFromAList(t *testing.T) {
	got, _, err := parseMesh("body.txt", []byte("# x y z\n-3 0.8 0.3\n\n\t-3 -0.8 0.3 # right\n"))
	if err != nil || len(got) != 2 || got[1][1] != -0.8 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestBadMeshesSayWhere(t *testing.T) {
	for _, tt := range []struct{ name, toml, file, text, want string }{
		{"missing", "[hull]\nmesh = \"none.obj\"\n", "body.obj", cube, `car.toml:2:1: hull.mesh = "none.obj": `},
		{"points too", "[hull]\npoints_m = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\nmesh = \"body.obj\"\n", "body.obj", cube,
			`car.toml:3:1: hull.mesh = "body.obj": conflicts with points_m; remove one of them`},
		{"not a number", "", "body.obj", strings.Replace(cube, "0.8 0.3 1.0", "O.8 0.3 1.0", 1), `body.obj:7:9: "O.8" is not a number`},
		{"infinite", "", "body.obj", strings.Replace(cube, "0.8 0.3 1.0", "Inf 0.3 1.0", 1), `body.obj:7:9: "Inf" is not a number`},
		{"two values", "", "body.obj", strings.Replace(cube, "v  0.8 -0.8 1.2", "v  0.8 -0.8", 1), "body.obj:10:1: a vertex has 2 values"},
		{"no OBJ", "", "body.obj", "solid body\nfacet\n", `body.obj:1:1: "solid" is not a Wavefront OBJ statement`},
		{"empty", "", "body.obj", "", "body.obj: is not a valid hull: it has no vertices"},
		{"millimetres", "", "body.obj", strings.Replace(cube, "-3.2", "-3200", 1), "body.obj:4:1: is not a valid hull: points_m[0][0] = -3200"},
		{"list with a name", "[hull]\nmesh = \"body.txt\"\n", "body.txt", "1 2 3\nv 1 2 3\n", "body.txt:2:1: a vertex has 4 values"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.toml == "" {
				tt.toml = "[hull]\nmesh = \"body.obj\"\n"
			}
			_, err := LoadCar(folder(t, map[string]string{"car.toml": tt.toml, tt.file: tt.text}))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func FuzzParseMesh(f *testing.F) {
	f.Add("body.obj", cube)
	f.Add("body.txt", "1 2 3\n4 5 6\n")
	f.Add("body.obj", "v 1 2 3\\\nf \\")
	f.Fuzz(func(t *testing.T, name, text string) {
		points, _, err := parseMesh(name, []byte(text))
		if err != nil {
			return // refused, and did not panic
		}
		for _, p := range points {
			for _, v := range p {
				if len(p) != 3 || math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%v of %q", p, text)
				}
			}
		}
	})
}
