package survey

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// utm is where some of the roads lie: a place in Munich [m].
var utm = r3.Vec{X: 691234.5, Y: 5400321.25}

func TestTheOriginIsReported(t *testing.T) {
	dir := circuittest.Folder(t, map[string]string{"a.obj": circuittest.OBJ(circuittest.Moved(circuittest.Plate(), utm.X, utm.Y))})
	cache := t.TempDir()
	for _, cached := range []bool{false, true} {
		r := look(t, filepath.Join(dir, "a.obj"), circuit.Options{Cache: cache})
		if r.Cached != cached || r.Origin != [3]float64{691e3, 5400e3, 0} {
			t.Errorf("cached %v, origin %v", r.Cached, r.Origin)
		}
		near.Value(t, "west", r.Low[0], utm.X, 1e-3)
		near.Value(t, "north", r.High[1], utm.Y+25, 1e-3)
		var b strings.Builder
		if err := r.Print(&b); err != nil || !strings.Contains(b.String(), "origin     691000, 5400000, 0 m of the file") {
			t.Errorf("%v: %s", err, b.String())
		}
	}
	var b strings.Builder
	if err := look(t, filepath.Join(circuittest.Folder(t, map[string]string{"a.obj": circuittest.OBJ(circuittest.Plate())}), "a.obj"), circuit.Options{}).Print(&b); err != nil || strings.Contains(b.String(), "origin") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// Faults are told where the file has them.
func TestFaultsLieInTheFilesCoordinates(t *testing.T) {
	level.SkipIfQuick(t)
	dir := circuittest.Folder(t, map[string]string{"near.obj": circuittest.OBJ(holed()), "far.obj": circuittest.OBJ(circuittest.Moved(holed(), utm.X, utm.Y))})
	a, b := look(t, filepath.Join(dir, "near.obj"), circuit.Options{}), look(t, filepath.Join(dir, "far.obj"), circuit.Options{})
	if len(a.Checks) == 0 || len(a.Checks) != len(b.Checks) {
		t.Fatalf("faults %q and %q", kinds(a), kinds(b))
	}
	for i := range a.Checks {
		p, q := a.Checks[i].Places[0].At, b.Checks[i].Places[0].At
		if r3.Norm(r3.Sub(r3.Sub(r3.Vec{X: q[0], Y: q[1], Z: q[2]}, utm), r3.Vec{X: p[0], Y: p[1], Z: p[2]})) > 1e-3 {
			t.Errorf("%s: at %v, want %v further", a.Checks[i].Kind, q, p)
		}
	}
	if err := b.WritePicture(filepath.Join(dir, "far.svg")); err != nil {
		t.Fatal(err)
	}
	if err := a.WritePicture(filepath.Join(dir, "near.svg")); err != nil {
		t.Fatal(err)
	}
	near, _ := os.ReadFile(filepath.Join(dir, "near.svg"))
	far, _ := os.ReadFile(filepath.Join(dir, "far.svg"))
	if n, m := strings.Count(string(near), "<path"), strings.Count(string(far), "<path"); n == 0 || n != m {
		t.Errorf("pictures of %d and %d strokes", n, m)
	}
}

// A line that goes round and round in one place is compared with itself no longer than a bound.
func TestTheSearchForSelfApproachesEnds(t *testing.T) {
	level.SkipIfQuick(t)
	var b strings.Builder
	b.WriteString("x,y\n")
	for i := range 20_000 {
		sin, cos := math.Sincos(float64(i) * 0.5)
		fmt.Fprintf(&b, "%.4f,%.4f\n", 5*cos, 5*sin)
	}
	dir := circuittest.Folder(t, map[string]string{"a.obj": circuittest.OBJ(circuittest.Plate()), "c.toml": "[ground]\nfile = \"a.obj\"\n[line]\nfile = \"l.csv\"\n", "l.csv": b.String()})
	s, err := circuit.Open(filepath.Join(dir, "c.toml"), circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f := findSelfApproach(s.Circuit.Line); !f.Capped || f.Count == 0 {
		t.Errorf("given up %v, %d found", f.Capped, f.Count)
	}
}
