package frame

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
)

// someScene has something of everything.
func someScene() *Scene {
	return &Scene{
		Points: []Point{{X: 1, Left: 4, KerbLeft: 1, Heights: [Stops]float64{0, 1, 2, 3, 4, 5}, Paint: [Paints]uint8{3, 2, 1}}, {Y: -2, Right: 5}},
		Closed: true, Lap: 4000, Start: 150, Sectors: []float64{1000, 2500}, Pit: Pit{20, 420, -16, -11},
		Materials: []Material{{"tarmac", [3]float64{0.1, 0.2, 0.3}}, {"grass", [3]float64{0, 1, 0}}},
		Field:     Field{X: -5, Y: 7, Step: 2, NX: 2, NY: 3, Heights: []float32{1, 2, 3, 4, 5, 6}, Materials: []uint8{0, 1, 0, 1, 1, 1}},
		Cones:     []Cone{{1, 2, 3}}, Walls: []Wall{{Corners: [4][2]float64{{0, 0}, {3, 0}, {3, 2}, {0, 2}}, Top: 1}},
		Guides: []Guide{{1, 2, 3, Driving}, {4, 5, 6, Braking}},
		Legs:   []string{"left", "traction loss"},
		Car:    Car{Length: 4.4, SteerRatio: 15},
	}
}

func TestScenesThatDoNotFit(t *testing.T) {
	p := newPage(t)
	for _, tt := range []struct {
		name  string
		scene Scene
		want  string
	}{
		{"points", Scene{Points: make([]Point, MaxPoints+1)}, "scene of 4097 points, at most 4096"},
		{"sectors", Scene{Sectors: make([]float64, 9)}, "scene of 9 sectors, at most 8"},
		{"materials", Scene{Materials: make([]Material, 257)}, "scene of 257 materials"},
		{"cones", Scene{Cones: make([]Cone, MaxCones+1)}, "cones"},
		{"walls", Scene{Walls: make([]Wall, MaxWalls+1)}, "walls"},
		{"guides", Scene{Guides: make([]Guide, MaxGuides+1)}, "guides"},
		{"actuators", Scene{Legs: make([]string, 9)}, "scene of 9 actuators, at most 8"},
		{"field", Scene{Field: Field{NX: 385, NY: 384}}, "field of 385 by 384 cells"},
		{"field that counts backwards", Scene{Field: Field{NX: -1, NY: 1}}, "cells, at most 147456"},
		{"field without heights", Scene{Field: Field{NX: 2, NY: 2}}, "field of 0 heights and 0 materials, want 4"},
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
	s := &Scene{
		Points: make([]Point, MaxPoints), Sectors: make([]float64, MaxSectors), Materials: make([]Material, MaxMaterials),
		Cones: make([]Cone, MaxCones), Walls: make([]Wall, MaxWalls), Guides: make([]Guide, MaxGuides),
		Field: Field{NX: 384, NY: 384, Heights: make([]float32, MaxCells), Materials: make([]uint8, MaxCells)},
	}
	s.Guides[MaxGuides-1].Pace = Braking
	s.Field.Heights[MaxCells-1] = 7
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

func TestPlacesAcrossAPoint(t *testing.T) {
	p := Point{Left: 5, Right: 6, KerbLeft: 1, VergeLeft: 11, VergeRight: 12}
	want := [Stops]float64{16, 11, 6, 5.5, 5, 0, -6, -6, -6, -12, -18}
	if got := p.Offsets(); got != want {
		t.Errorf("stops at %v, want %v", got, want)
	}
	for k, want := range map[int]float64{0: 15.725, 19: 5.275, 20: 5 - 11.0/48, 43: -6 + 11.0/48, 44: -6.3, 63: -17.7} {
		if got := p.PaintOffset(k); math.Abs(got-want) > 1e-9 {
			t.Errorf("paint %d at %g m, want %g m", k, got, want)
		}
	}
}

func FuzzDecodeScene(f *testing.F) {
	whole, err := someScene().encode()
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
		out, err := s.encode()
		if err != nil {
			t.Fatalf("a scene that was read is refused: %v", err)
		}
		again, err := decodeScene(out)
		if err != nil {
			t.Fatal(err)
		}
		if once, _ := again.encode(); !bytes.Equal(once, out) {
			t.Error("it comes out different the second time")
		}
	})
}
