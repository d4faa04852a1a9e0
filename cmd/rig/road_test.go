package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/tools/lab/survey"
	"rig.example/rig/test/level"
)

func TestRoadListsTheBuiltInCircuits(t *testing.T) {
	status, out, errs := rigCommand(t, "road")
	if status != exitDone || errs != "" || strings.Count(out, "\n") != len(config.Circuits()) {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
}

// The list needs the roads' lines, and none of their grounds: those take a hundred times as much.
func TestTheListOfRoadsBuildsNoGround(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	status, out, errs := rigCommand(t, "road", "--json")
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d MB used", used>>20)
	}
	var list []survey.Outline
	if err := json.Unmarshal([]byte(out), &list); err != nil || status != exitDone || len(list) != len(config.Circuits()) {
		t.Fatalf("%v, status %d: %s%s", err, status, out, errs)
	}
	for _, o := range list {
		if o.Name != "skidpad" {
			continue
		}
		r, err := survey.Inspect(o.Name, circuit.Options{}, 50)
		if err != nil || o.Title != r.Title || o.Kind != r.Kind || o.Line.Length != r.Line.Length || o.Line.Closed != r.Line.Closed || o.Line.Width != r.Line.Width {
			t.Errorf("%v: %+v is not what %+v says", err, o, r)
		}
	}
}

func TestRoadTellsAndDraws(t *testing.T) {
	level.SkipIfQuick(t)
	picture := filepath.Join(t.TempDir(), "a.svg")
	status, out, errs := rigCommand(t, "road", "skidpad", "--picture", picture)
	if status != exitDone || errs != "" || !strings.Contains(out, "628.3 m, closed") || !strings.Contains(out, "no faults found") {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
	if data, err := os.ReadFile(picture); err != nil || !strings.Contains(string(data), "Skid pad") {
		t.Errorf("%v: %.200s", err, data)
	}
	_, out, _ = rigCommand(t, "road", "skidpad", "--json", "--set", "layout.piece=[{turn_deg=360, radius_m=80, kerb=\"none\"}]", "--set", "layout.part=[]", "--set", "sector=[]")
	var got struct {
		Line struct {
			Length float64 `json:"length_m"`
			Radius float64 `json:"tightest_radius_m"`
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Line.Radius < 79.9 || got.Line.Radius > 80.1 {
		t.Errorf("%v in %s", err, out)
	}
}

func TestRoadRefuses(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.toml")
	if err := os.WriteFile(broken, []byte("[layuot]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"moon"}, "choose club"},
		{[]string{broken}, `broken.toml:1:2: unknown key "layuot"; did you mean "layout"?`},
		{[]string{filepath.Join(dir, "none.glb")}, "none.glb"},
		{[]string{"--picture", "a.png"}, "no road to look at"},
		{[]string{"club", "--picture", "a.gif"}, ".svg or .png"},
		{[]string{"club", "--set", "width"}, "as start.at_m=20"},
	} {
		status, _, errs := rigCommand(t, append([]string{"road"}, tt.args...)...)
		if status == exitDone || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, %q, want %q", tt.args, status, errs, tt.want)
		}
	}
}

func TestRoadProbesPlaces(t *testing.T) {
	table := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(table, []byte("x_m,y_m\n0,0\n50,0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := rigCommand(t, "road", "skidpad", "--probe", table)
	if status != exitDone || errs != "" || strings.Count(out, "\n") != 3 || !strings.HasPrefix(out, "x_m,y_m,height_m,") || !strings.Contains(out, "\n50,0,0.000000,0.000000,0.000000,1.000000,") {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
	status, out, errs = rigCommand(t, "road", "skidpad", "--probe", table, "--json")
	if status != exitDone || errs != "" || strings.Count(out, "\n") != 2 || !strings.HasPrefix(out, `{"x_m":0,"y_m":0,"z_m":null,"ground":true,"height_m":0,`) {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--probe", table}, "no road to look at"},
		{[]string{"club", "--probe", table, "--picture", "a.png"}, "--probe: --picture draws"},
		{[]string{"club", "--probe", "none.csv"}, "none.csv: cannot be read: no such file"},
	} {
		status, out, errs := rigCommand(t, append([]string{"road"}, tt.args...)...)
		if status != exitUsage || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, %q, %q, want %q", tt.args, status, out, errs, tt.want)
		}
	}
}
