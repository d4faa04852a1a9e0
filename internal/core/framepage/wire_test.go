package framepage

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
)

// someScene has something of everything.
func someScene() *frame.Scene {
	return &frame.Scene{
		Points: []frame.Point{{X: 1, Left: 4, KerbLeft: 1, Heights: [frame.HeightsAcross]float64{0, 1, 2, 3, 4, 5}, Materials: [frame.MaterialsAcross]uint8{3, 2, 1}}, {Y: -2, Right: 5}},
		Closed: true, LapLength: 4000, Start: 150, Sectors: []float64{1000, 2500}, Pit: frame.Pit{From: 20, To: 420, Right: -16, Left: -11},
		Materials: []frame.Material{{Name: "tarmac", Colour: [3]float64{0.1, 0.2, 0.3}, Wet: 1},
			{Name: "kerb", Colour: [3]float64{0, 1, 0}, Rumble: 1, Sound: "kerb", Pitch: 0.5, Height: 0.02}},
		Field: frame.Field{X: -5, Y: 7, CellSize: 2, NX: 2, NY: 3, Heights: []float32{1, 2, 3, 4, 5, 6}, Materials: []uint8{0, 1, 0, 1, 1, 1}},
		Cones: []frame.Cone{{X: 1, Y: 2, Z: 3}}, Walls: []frame.Wall{{Corners: [4][2]float64{{0, 0}, {3, 0}, {3, 2}, {0, 2}}, Top: 1}},
		Guides: []frame.Guide{{X: 1, Y: 2, Z: 3, Phase: frame.Accelerating}, {X: 4, Y: 5, Z: 6, Phase: frame.Braking}},
		Ghost:  frame.Ghost{Step: 0.01, Points: []frame.GhostPoint{{X: 1, Yaw: 2, Distance: 3}, {Z: 4}}},
		Names:  frame.Names{States: []string{"parked", "homing"}, Effects: []string{"road"}, Faults: []string{"too hot", "end stop"}, Actuators: []string{"left", "traction loss"}},
		Car:    frame.Car{Length: 4.4, SteerRatio: 15, Cylinders: 6, PeakTorque: 170, Turbo: 1},
	}
}

func TestScenesThatDoNotFit(t *testing.T) {
	p := newPage(t)
	for _, tt := range []struct {
		name  string
		scene frame.Scene
		want  string
	}{
		{"points", frame.Scene{Points: make([]frame.Point, frame.MaxPoints+1)}, "scene has 4097 points: must be 0 to 4096"},
		{"sectors", frame.Scene{Sectors: make([]float64, 9)}, "scene has 9 sectors: must be 0 to 8"},
		{"materials", frame.Scene{Materials: make([]frame.Material, 257)}, "scene has 257 materials"},
		{"cones", frame.Scene{Cones: make([]frame.Cone, frame.MaxCones+1)}, "cones"},
		{"walls", frame.Scene{Walls: make([]frame.Wall, frame.MaxWalls+1)}, "walls"},
		{"guides", frame.Scene{Guides: make([]frame.Guide, frame.MaxGuides+1)}, "guides"},
		{"ghost", frame.Scene{Ghost: frame.Ghost{Points: make([]frame.GhostPoint, frame.MaxGhost+1)}}, "points of a ghost"},
		{"actuators", frame.Scene{Names: frame.Names{Actuators: make([]string, 9)}}, "scene has 9 actuators: must be 0 to 8"},
		{"tunings", frame.Scene{Names: frame.Names{Tunings: make([]string, 17)}}, "scene has 17 tunings: must be 0 to 16"},
		{"field", frame.Scene{Field: frame.Field{NX: 385, NY: 384}}, "field has 385 by 384 cells"},
		{"field that counts backwards", frame.Scene{Field: frame.Field{NX: -1, NY: 1}}, "cells: must be at most 147456"},
		{"field without heights", frame.Scene{Field: frame.Field{NX: 2, NY: 2}}, "field has 0 heights and 0 materials: must be 4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := p.SetScene(&tt.scene); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	if _, ok := p.Scene(); ok {
		t.Error("a refused scene is in the page")
	}
}

func TestTheLargestSceneFits(t *testing.T) {
	p, path := served(t)
	s := &frame.Scene{
		Points: make([]frame.Point, frame.MaxPoints), Sectors: make([]float64, frame.MaxSectors), Materials: make([]frame.Material, frame.MaxMaterials),
		Cones: make([]frame.Cone, frame.MaxCones), Walls: make([]frame.Wall, frame.MaxWalls), Guides: make([]frame.Guide, frame.MaxGuides),
		Ghost: frame.Ghost{Points: make([]frame.GhostPoint, frame.MaxGhost)},
		Field: frame.Field{NX: 384, NY: 384, Heights: make([]float32, frame.MaxCells), Materials: make([]uint8, frame.MaxCells)},
	}
	s.Guides[frame.MaxGuides-1].Phase = frame.Braking
	s.Field.Heights[frame.MaxCells-1] = 7
	if err := p.SetScene(s); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, ok := r.Scene(); !ok || !reflect.DeepEqual(got, s) {
		t.Error("it came out changed")
	}
	if pageSize > 2<<20 {
		t.Errorf("a page takes %d bytes, want at most 2 MiB", pageSize)
	}
}

func FuzzDecodeScene(f *testing.F) {
	whole, err := encode(someScene())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 400))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := decodeScene(in)
		if err != nil {
			return
		}
		out, err := encode(s)
		if err != nil {
			t.Fatalf("a scene that was read is refused: %v", err)
		}
		again, err := decodeScene(out)
		if err != nil {
			t.Fatal(err)
		}
		if once, _ := encode(again); !bytes.Equal(once, out) {
			t.Error("it comes out different the second time")
		}
	})
}
