package scenery

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
)

// The club circuit in the page is that which the car stands on.
func TestSceneOfTheClubCircuit(t *testing.T) {
	level.SkipIfQuick(t)
	setup, model := demo(t)
	line, err := NewRacingLine(setup, model)
	if err != nil {
		t.Fatal(err)
	}
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.SetScene(Scene(setup, r3.Vec{}, line)); err != nil {
		t.Fatal(err)
	}
	s, ok := p.Scene()
	if !ok || len(s.Points) < 1000 || !s.Closed || s.LapLength != setup.Circuit.Length() || s.Start != setup.Circuit.Start {
		t.Fatalf("%d points, closed %v, a lap of %g m from %g m", len(s.Points), s.Closed, s.LapLength, s.Start)
	}
	names := func(material uint8) string { return s.Materials[material].Name }
	kerbs, pits, wet := 0, 0, 0
	for i := range s.Points {
		p := &s.Points[i]
		at := setup.Circuit.At(s.LapLength * float64(i) / float64(len(s.Points)))
		for k, d := range p.HeightOffsets() {
			on := at.Offset(d)
			on.Z = p.Heights[k]
			if out := math.Abs(d) - at.Left; out > -0.1 && out < max(at.KerbLeft, at.KerbRight)+0.5 {
				continue // kerbs have teeth, which end in steps
			}
			if depth := setup.Circuit.Touch(on).Depth; !(math.Abs(depth) < 5e-3) {
				t.Fatalf("point %d: %+.1f m beside the line it is %.3g m off the ground", i, d, depth)
			}
		}
		if back := p.Heights[3] - (p.Heights[2]+p.Heights[4])/2; p.KerbLeft > 0.9 && back > 0.02 {
			kerbs++
		}
		if names(p.Materials[frame.MaterialsAcross-10]) == "tarmac" {
			pits++
		}
		if names(p.Materials[frame.MaterialsAcross/2]) == "wet" {
			wet++
		}
		if name := names(p.Materials[frame.VergeMaterials-1]); name == "kerb" {
			t.Fatalf("point %d: the verge beside a kerb is of %s", i, name)
		}
	}
	if kerbs < 20 || pits < 180 || pits > 220 || wet < 60 || wet > 66 {
		t.Errorf("%d kerbs, pit lane at %d points, wet at %d", kerbs, pits, wet)
	}
	if f := s.Field; f.NX != 384 || f.NY < 100 || f.NX*f.NY > frame.MaxCells {
		t.Errorf("field of %d by %d cells", f.NX, f.NY)
	}
}

// The drawn line lies on the road and says where to brake: before the hairpin.
func TestGuidesOfTheClubCircuit(t *testing.T) {
	level.SkipIfQuick(t)
	setup, model := demo(t)
	line, err := NewRacingLine(setup, model)
	if err != nil {
		t.Fatal(err)
	}
	drawn := guides(setup.Circuit.Ground, &line)
	var paces [3]int
	for _, g := range drawn {
		at := r3.Vec{X: g.X, Y: g.Y, Z: g.Z}
		station, lateral := setup.Circuit.Nearest(at, math.NaN())
		if p := setup.Circuit.At(station); lateral > p.Left || lateral < -p.Right || math.Abs(setup.Circuit.Touch(at).Depth) > 1e-3 {
			t.Fatalf("at %.0f m it lies %.2f m beside the line and %.3f m deep", station, lateral, setup.Circuit.Touch(at).Depth)
		}
		paces[g.Phase]++
	}
	first, last := drawn[0], drawn[len(drawn)-1]
	if math.Hypot(first.X-last.X, first.Y-last.Y) > 0.1 {
		t.Error("it does not close")
	}
	if paces[frame.Accelerating] < 250 || paces[frame.Braking] < 100 {
		t.Errorf("%d places to drive, %d to coast, %d to brake", paces[0], paces[1], paces[2])
	}
	if got := guides(setup.Circuit.Ground, &RacingLine{}); got != nil {
		t.Errorf("%d guides without a line", len(got))
	}
}

// slope is a ground that ends at a radius and has a pit of another material.
type slope struct{}

func (slope) Touch(p r3.Vec) road.Contact {
	if math.Hypot(p.X-100, p.Y) > 300 {
		return road.Contact{Point: p, Normal: r3.Vec{Z: 1}, Depth: -1000, Surface: tire.Dry()}
	}
	up := 1 / math.Sqrt(1.04)
	c := road.Contact{Normal: r3.Vec{X: -0.2 * up, Z: up}, Depth: (0.2*p.X - p.Z) * up, Surface: tire.Dry()}
	if p.X > 200 {
		c.Material = 1
	}
	return c
}

func TestFieldOfAGroundWithoutALine(t *testing.T) {
	low, high := groundExtent(slope{}, r3.Vec{X: 90, Y: 10})
	for name, v := range map[string][2]float64{
		"left": {low.X, -200}, "right": {high.X, 400}, "front": {low.Y, -300}, "back": {high.Y, 300},
	} {
		if math.Abs(v[0]-v[1]) > 35 {
			t.Errorf("%s end at %g m, want it at about %g m", name, v[0], v[1])
		}
	}
	f := sampleField(slope{}, low, high)
	if f.NX*f.NY > frame.MaxCells || f.CellSize < 1 || f.CellSize > 2 {
		t.Fatalf("%d by %d cells of %g m", f.NX, f.NY, f.CellSize)
	}
	for k, z := range f.Heights {
		x, y := f.X+float64(k%f.NX)*f.CellSize, f.Y+float64(k/f.NX)*f.CellSize
		if inside := math.Hypot(x-100, y) <= 300; inside != (z == z) || inside && math.Abs(float64(z)-0.2*x) > 1e-4 {
			t.Fatalf("at %.1f, %.1f: height %g", x, y, z)
		} else if inside && f.Materials[k] != map[bool]uint8{true: 1}[x > 200] {
			t.Fatalf("at %.1f, %.1f: material %d", x, y, f.Materials[k])
		}
	}
}

func TestSceneWithoutALine(t *testing.T) {
	setup, _ := demo(t)
	setup.Circuit = &road.Circuit{Ground: slope{}, Cones: make([]r3.Vec, frame.MaxCones+5)}
	s := Scene(setup, r3.Vec{}, RacingLine{})
	if len(s.Points) != 0 || s.Field.NX < 100 || len(s.Cones) != frame.MaxCones || s.Materials[0].Name != "tarmac" {
		t.Errorf("%d points, %d cells, %d cones, materials %v", len(s.Points), s.Field.NX, len(s.Cones), s.Materials)
	}
	if f := sampleField(slope{}, r3.Vec{}, r3.Vec{X: math.Inf(1), Y: 3}); len(f.Heights) != 0 {
		t.Error("an endless field")
	}
}

// Materials have the sound and the teeth of their surfaces. In wet weather water stands on the tarmac alone.
func TestMaterialsOfTheClubCircuit(t *testing.T) {
	cfg := config.Default()
	for _, tt := range []struct{ surface, wet string }{{"dry", "wet"}, {"damp", "wet"}, {"wet", "tarmac wet"}, {"wet-grass", "tarmac wet"}} {
		cfg.Surface = tt.surface
		parts, err := drivesetup.New(cfg, circuit.Options{Cache: circuit.UserCache()})
		if err != nil {
			t.Fatal(err)
		}
		of, wet := map[string]frame.Material{}, []string{}
		for _, m := range Outline(&parts.Drive.Setup).Materials {
			if of[m.Name] = m; m.Wet != 0 {
				wet = append(wet, m.Name)
			}
		}
		slices.Sort(wet)
		if got := strings.Join(slices.Compact(wet), " "); got != tt.wet {
			t.Errorf("%s: water stands on %q, want %q", tt.surface, got, tt.wet)
		}
		if m := of["tarmac"]; m.Sound != "asphalt" || m.Pitch != 0 || m.Height != 0 || m.Rumble != 0 {
			t.Errorf("tarmac: %+v", m)
		}
		if m := of["kerb"]; m.Sound != "kerb" || m.Pitch != 0.5 || m.Height != 0.02 || m.Rumble != 1 {
			t.Errorf("kerb: %+v", m)
		}
	}
}

// The scene says what the car's engine sounds like.
func TestTheEngineInTheScene(t *testing.T) {
	electric := filepath.Join(t.TempDir(), "electric.toml")
	text := "base = \"hatch\"\n[driveline]\ngears = [9]\nmotor = { enabled = true, torque_nm = 222 }\n[driveline.gearbox]\nkind = \"single\"\n"
	if err := os.WriteFile(electric, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		car  string
		want frame.Car
	}{
		{"coupe", frame.Car{Cylinders: 6, PeakTorque: 170}},
		{"hatch", frame.Car{Cylinders: 4, PeakTorque: 250, Turbo: 1}},
		{"gt", frame.Car{Cylinders: 10, PeakTorque: 500}},
		{"formula", frame.Car{Cylinders: 8, PeakTorque: 500}},
		{"pickup", frame.Car{Cylinders: 4, PeakTorque: 375, Turbo: 1}},
		{electric, frame.Car{PeakTorque: 222, Electric: 1}},
	} {
		cfg := config.Default()
		cfg.Car, cfg.Track = tt.car, "skidpad"
		parts, err := drivesetup.New(cfg, circuit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := Outline(&parts.Drive.Setup).Car
		if got := (frame.Car{Cylinders: c.Cylinders, PeakTorque: c.PeakTorque, Turbo: c.Turbo, Electric: c.Electric}); got != tt.want {
			t.Errorf("%s: %d cylinders, %g N·m, turbo %d, electric %d", tt.car, got.Cylinders, got.PeakTorque, got.Turbo, got.Electric)
		}
	}
}

func TestWallsInTheScene(t *testing.T) {
	fence, err := road.WithWalls(road.Asphalt(), []road.Wall{{From: r3.Vec{X: 10, Y: 5, Z: 1}, To: r3.Vec{X: 30, Y: 5, Z: 1}, Height: 2, Thickness: 3}})
	if err != nil {
		t.Fatal(err)
	}
	w := walls(fence)
	want := frame.Wall{Corners: [4][2]float64{{10, 2}, {30, 2}, {30, 5}, {10, 5}}, Foot: 1, Top: 3}
	if len(w) != 1 || w[0] != want {
		t.Errorf("got %+v, want %+v", w, want)
	}
	if walls(road.Asphalt()) != nil {
		t.Error("walls on open ground")
	}
}

func TestVergesEndBeforeTheMiddleOfABend(t *testing.T) {
	for _, tt := range []struct {
		name                       string
		edge, kerb, curvature, pit float64
		want                       float64
	}{
		{"straight", 5, 0, 0, 0, 12}, {"beside a pit lane", 5.5, 0, 0, 22, 18}, {"outside of a bend", 5, 1, -0.1, 0, 12},
		{"inside of a bend", 5, 1, 0.05, 0, 12}, {"inside of a hairpin", 5, 1, 0.1, 0, 3.5}, {"inside of a corner", 6, 1, 1, 0, 1.5},
	} {
		if got := vergeWidth(tt.edge, tt.kerb, tt.curvature, tt.pit); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %g m, want %g m", tt.name, got, tt.want)
		}
	}
}
