package survey

import (
	"bytes"
	"encoding/json"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

func look(t *testing.T, name string, o circuit.Options) *Report {
	t.Helper()
	r, err := Inspect(name, o, 600)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// kinds lists the faults that a report tells.
func kinds(r *Report) []string {
	list := []string{}
	for _, f := range r.Checks {
		list = append(list, f.Kind)
	}
	return list
}

// What lies beyond the data of an OpenCRG file is not counted, though a car can stand on it.
func TestTheAreaOfOpenCRGIsThatOfItsData(t *testing.T) {
	level.SkipIfQuick(t)
	for name, text := range map[string]string{"straight": circuittest.CRG(), "bent": strings.Replace(circuittest.BentCRG(circuittest.CRG()), "#:LRFI\n", "#:LRFI\nD:reference line phi,rad\n", 1)} {
		dir := circuittest.Folder(t, map[string]string{"a.crg": text})
		r := look(t, filepath.Join(dir, "a.crg"), circuit.Options{})
		near.Value(t, name, r.Surfaces[0].Area, 400, 12)
	}
}

// A road of 200 m by 10 m between lawns of 200 m by 20 m.
func TestReportOfAMesh(t *testing.T) {
	dir := circuittest.Folder(t, map[string]string{
		"c.toml": "title = \"Plate\"\n[ground]\nfile = \"a.obj\"\n[materials]\nAsphalt = \"tarmac\"\nShade = \"wet\"\n[line]\nfile = \"line.csv\"\n[[sector]]\nat_m = 90\n",
		"a.obj":  circuittest.OBJ(circuittest.Plate()), "line.csv": "x,y,left,right\n5,0,5,5\n60,0,5,5\n130,0,5,5\n195,0,5,5\n",
	})
	r := look(t, filepath.Join(dir, "c.toml"), circuit.Options{})
	if r.Kind != "mesh" || r.Title != "Plate" || r.Triangles != 12 || len(r.Checks) > 0 {
		t.Errorf("%s %q of %d triangles with faults %q", r.Kind, r.Title, r.Triangles, kinds(r))
	}
	near.Value(t, "length", r.High[0]-r.Low[0], 200, 1e-3)
	near.Value(t, "width", r.High[1]-r.Low[1], 50, 1e-3)
	near.Value(t, "height", r.High[2], 2, 1e-3)
	for name, want := range map[string]float64{"tarmac": 1200, "wet": 800, "grass": 8000} {
		at := slices.IndexFunc(r.Surfaces, func(u SurfaceReport) bool { return u.Name == name })
		if at < 0 {
			t.Fatalf("no %s among %v", name, r.Surfaces)
		}
		near.Value(t, name, r.Surfaces[at].Area, want, 0.02*want)
	}
	for _, m := range r.Materials {
		want := map[string]float64{"Asphalt": 1200, "Shade": 800, "grass": 8000}[m.Name]
		near.Value(t, m.Name, m.Area, want, 1e-6)
	}
	near.Value(t, "line", r.Line.Length, 190, 1e-6)
	near.Value(t, "first sector", r.Line.Sectors[0], 90, 1e-6)
	near.Value(t, "last sector", r.Line.Sectors[1], 100, 1e-6)
	near.Value(t, "width", r.Line.Width[1], 10, 1e-6)
}

// holed is a plane of nine quads but the one in the middle.
func holed() []circuittest.Quad {
	var list []circuittest.Quad
	at := [4]float64{-80, -2, 2, 80}
	for i := range 9 {
		if i != 4 {
			list = append(list, circuittest.Strip("tarmac", at[i/3], at[i/3+1], at[i%3], at[i%3+1], 1))
		}
	}
	return list
}

func TestReportsListFaults(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	eight := "x,y,left,right\n" // crosses itself at the middle
	for _, p := range [][2]string{{"0", "0"}, {"30", "30"}, {"60", "0"}, {"30", "-30"}, {"0", "0.5"}, {"-30", "30"}, {"-60", "0"}, {"-30", "-30"}} {
		eight += p[0] + "," + p[1] + ",4,4\n"
	}
	plane := circuittest.OBJ([]circuittest.Quad{circuittest.Strip("tarmac", -80, 80, -80, 80, 1)})
	with := func(extra string) string { return "[ground]\nfile = \"a.obj\"\n[line]\nfile = \"l.csv\"\n" + extra }
	tests := []struct{ name, toml, ground, line, want string }{
		{"beside the ground", with(""), plane, "x,y,z\n-50,0,1\n0,0,1\n120,0,1\n", "off the ground"},
		{"above the ground", with(""), plane, "x,y,z\n-50,0,3\n0,0,3\n60,0,3\n", "off the ground"},
		{"crosses itself", with("closed = true\n"), plane, eight, "self-approach"},
		{"too tight", with("closed = true\nwidth_m = 24\n"), plane, strings.ReplaceAll(circuittest.RingTable(10, 30), ",4,5", ",12,12"), "tight"},
		{"a step", with(""), circuittest.OBJ([]circuittest.Quad{circuittest.Strip("tarmac", -80, 0, -80, 80, 1), circuittest.Strip("tarmac", 0, 80, -80, 80, 1.2)}), "x,y\n-50,0\n-20,0\n20,0\n60,0\n", "step"},
		{"a step of a layout", "[layout]\nverge_m = 5\n[[layout.piece]]\nturn_deg = 360\nradius_m = 60\n[[layout.feature]]\nfrom_m = 50\nto_m = 50.5\nkind = \"bump\"\nheight_mm = 300\n", "", "", "step"},
		{"a hole", with(""), circuittest.OBJ(holed()), "x,y\n-50,10\n20,10\n60,10\n", "hole"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := circuittest.Folder(t, map[string]string{"c.toml": tt.toml, "a.obj": tt.ground, "l.csv": tt.line})
			r := look(t, filepath.Join(dir, "c.toml"), circuit.Options{})
			if !slices.Contains(kinds(r), tt.want) {
				t.Errorf("faults %q, want %s", kinds(r), tt.want)
			}
			for _, f := range r.Checks {
				if f.Remedy == "" || len(f.Places) == 0 || f.Count < len(f.Places) {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

func TestBuiltInCircuitsHaveNoFaults(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	want := map[string]struct {
		length, radius float64
		surfaces       []string
		cones          int
	}{
		"club":           {3885, 22, []string{"tarmac", "grass", "wet", "kerb"}, 0},
		"skidpad":        {628.3, 100, []string{"pad", "pad-paint"}, 0},
		"proving-ground": {4002.5, 150, []string{"basalt", "ice", "cobbles", "class-a", "class-b", "class-c", "class-d", "class-e", "rumble"}, 93},
	}
	for _, name := range config.Circuits() {
		r, w := look(t, name, circuit.Options{}), want[name]
		if len(r.Checks)+len(r.Warnings) > 0 {
			t.Errorf("%s: faults %q, warnings %q", name, kinds(r), r.Warnings)
		}
		near.Value(t, name+"'s length", r.Line.Length, w.length, 0.5)
		near.Value(t, name+"'s tightest bend", r.Line.Radius, w.radius, 0.01*w.radius)
		for _, s := range w.surfaces {
			if !slices.ContainsFunc(r.Surfaces, func(u SurfaceReport) bool { return u.Name == s && u.Area > 100 }) {
				t.Errorf("%s has no %s", name, s)
			}
		}
		if r.Cones != w.cones || len(r.Line.Sectors) != 3 {
			t.Errorf("%s: %d cones, %d sectors", name, r.Cones, len(r.Line.Sectors))
		}
	}
}

func TestPicturesAndJSON(t *testing.T) {
	dir := circuittest.Folder(t, map[string]string{"a.crg": circuittest.CRG()})
	r := look(t, filepath.Join(dir, "a.crg"), circuit.Options{})
	text, err := json.Marshal(r)
	var back Report
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || back.Kind != "OpenCRG" || back.Line.Length < 99 {
		t.Errorf("%v: %s", err, text)
	}
	for _, name := range []string{"a.png", "a.svg"} {
		path := filepath.Join(dir, name)
		if err := r.WritePicture(path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if name == "a.svg" {
			for _, want := range []string{"OpenCRG", "start", "center line", "tarmac", " m<"} {
				if !bytes.Contains(data, []byte(want)) {
					t.Errorf("the picture does not say %q", want)
				}
			}
			continue
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Dx() < 300 {
			t.Errorf("%v, %v", err, img)
		}
	}
	if err := r.WritePicture(filepath.Join(dir, "a.jpg")); err == nil || !strings.Contains(err.Error(), ".svg or .png") {
		t.Errorf("a.jpg: %v", err)
	}
	var b strings.Builder
	if err := r.Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"OpenCRG", "100.0 m, open, 4.0 to 4.0 m wide", "tarmac", "no faults found"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, b.String())
		}
	}
}

func TestArgumentsChangeTheFile(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	r := look(t, "club", circuit.Options{Overrides: []string{"layout.width_m=9", "start.at_m=200"}})
	near.Value(t, "start", r.Line.Start, 200, 1e-9)
	near.Value(t, "width", r.Line.Width[0], 9, 1e-9)
	_, err := Inspect("club", circuit.Options{Overrides: []string{"layout.width_m=900"}}, 0)
	if err == nil || !strings.Contains(err.Error(), `--set "layout.width_m=900"`) || !strings.Contains(err.Error(), "2 to 60") {
		t.Error(err)
	}
}

// On a map every built-in surface with water on it can be told from the same one without: wet ones by hatching in blue.
func TestMapsTellWetFromDry(t *testing.T) {
	for wetName, dryName := range map[string]string{"wet": "tarmac", "wet-grass": "grass", "wet-cobbles": "cobbles", "wet-paint": "paint", "damp": "tarmac"} {
		var colours [2][2]color.RGBA // of wet and dry: on a line of hatching and beside it
		for i, name := range []string{wetName, dryName} {
			s, err := road.SurfaceNamed(name)
			if err != nil {
				t.Fatal(err)
			}
			colours[i] = [2]color.RGBA{displayColor(mapColour(&s, 0, 0), 1), displayColor(mapColour(&s, hatchPitch-1, 0), 1)}
		}
		for k := range 2 {
			w, d := colours[0][k], colours[1][k]
			if blue := int(w.B) - int(w.R) - (int(d.B) - int(d.R)); blue < 20 {
				t.Errorf("%s: %v, %s: %v: want it bluer", wetName, w, dryName, d)
			}
		}
		if hatched := colours[0][0] != colours[0][1]; hatched != (wetName != "damp") || colours[1][0] != colours[1][1] {
			t.Errorf("%s is %v, %s is %v", wetName, colours[0], dryName, colours[1])
		}
	}
}
