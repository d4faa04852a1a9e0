package page

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/printable"
)

// sceneHead is a scene but for its lists, as it lies in the page.
type sceneHead struct {
	Points, Sectors, Materials, Cones, Walls, Guides, Legs, NX, NY uint32

	Closed     bool
	Lap, Start float64
	Pit        frame.Pit
	X, Y, Step float64 // of the field
	Car        frame.Car
}

// wireName is a name of fixed size.
type wireName [24]byte

// wireMaterial is a Material of fixed size.
type wireMaterial struct {
	Name   wireName
	Colour [3]float64
}

// sceneMost is the size of the largest scene, or a little more [bytes].
const sceneMost = int(unsafe.Sizeof(sceneHead{})) + frame.MaxPoints*int(unsafe.Sizeof(frame.Point{})) + frame.MaxSectors*8 +
	frame.MaxMaterials*int(unsafe.Sizeof(wireMaterial{})) + frame.MaxCones*int(unsafe.Sizeof(frame.Cone{})) +
	frame.MaxWalls*int(unsafe.Sizeof(frame.Wall{})) + frame.MaxGuides*int(unsafe.Sizeof(frame.Guide{})) + frame.MaxLegs*int(unsafe.Sizeof(wireName{})) + frame.MaxCells*5

// check reports the first list that is longer than a page can hold.
func (h *sceneHead) check() error {
	for _, l := range [...]struct {
		name    string
		n, most uint32
	}{
		{"points", h.Points, frame.MaxPoints}, {"sectors", h.Sectors, frame.MaxSectors}, {"materials", h.Materials, frame.MaxMaterials},
		{"cones", h.Cones, frame.MaxCones}, {"walls", h.Walls, frame.MaxWalls}, {"guides", h.Guides, frame.MaxGuides}, {"actuators", h.Legs, frame.MaxLegs},
	} {
		if l.n > l.most {
			return fmt.Errorf("page: scene of %d %s, at most %d", l.n, l.name, l.most)
		}
	}
	if uint64(h.NX)*uint64(h.NY) > frame.MaxCells {
		return fmt.Errorf("page: scene's field of %d by %d cells, at most %d in all", h.NX, h.NY, frame.MaxCells)
	}
	return nil
}

// encode returns the scene as it lies in the page.
func encode(s *frame.Scene) ([]byte, error) {
	f := &s.Field
	h := sceneHead{
		Points: uint32(len(s.Points)), Sectors: uint32(len(s.Sectors)), Materials: uint32(len(s.Materials)),
		Cones: uint32(len(s.Cones)), Walls: uint32(len(s.Walls)), Guides: uint32(len(s.Guides)), Legs: uint32(len(s.Legs)),
		NX: uint32(f.NX), NY: uint32(f.NY), X: f.X, Y: f.Y, Step: f.Step,
		Closed: s.Closed, Lap: s.Lap, Start: s.Start, Pit: s.Pit, Car: s.Car,
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if cells := f.NX * f.NY; len(f.Heights) != cells || len(f.Materials) != cells {
		return nil, fmt.Errorf("page: scene's field of %d heights and %d materials, want %d of each", len(f.Heights), len(f.Materials), cells)
	}
	materials := make([]wireMaterial, len(s.Materials))
	for i, m := range s.Materials {
		copy(materials[i].Name[:], m.Name)
		materials[i].Colour = m.Colour
	}
	legs := make([]wireName, len(s.Legs))
	for i, name := range s.Legs {
		copy(legs[i][:], name)
	}
	var b []byte
	for _, part := range [...]any{&h, s.Points, s.Sectors, materials, s.Cones, s.Walls, s.Guides, legs, f.Heights, f.Materials} {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("page: scene: %w", err)
		}
	}
	return b, nil
}

func (n wireName) text() string { return printable.Line(string(bytes.TrimRight(n[:], "\x00"))) }

var errScene = errors.New("page: scene cut short")

// decodeScene is the inverse of encode.
func decodeScene(b []byte) (*frame.Scene, error) {
	var h sceneHead
	n, err := binary.Decode(b, binary.LittleEndian, &h)
	if err != nil {
		return nil, errScene
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	cells := int(h.NX) * int(h.NY)
	s := &frame.Scene{
		Closed: h.Closed, Lap: h.Lap, Start: h.Start, Pit: h.Pit, Car: h.Car,
		Points: list[frame.Point](h.Points), Sectors: list[float64](h.Sectors), Materials: list[frame.Material](h.Materials),
		Cones: list[frame.Cone](h.Cones), Walls: list[frame.Wall](h.Walls), Guides: list[frame.Guide](h.Guides),
		Field: frame.Field{X: h.X, Y: h.Y, Step: h.Step, NX: int(h.NX), NY: int(h.NY),
			Heights: list[float32](uint32(cells)), Materials: list[uint8](uint32(cells))},
	}
	materials, legs := list[wireMaterial](h.Materials), list[wireName](h.Legs)
	for _, part := range [...]any{s.Points, s.Sectors, materials, s.Cones, s.Walls, s.Guides, legs, s.Field.Heights, s.Field.Materials} {
		b = b[n:]
		if n, err = binary.Decode(b, binary.LittleEndian, part); err != nil {
			return nil, errScene
		}
	}
	for i, m := range materials {
		s.Materials[i] = frame.Material{Name: m.Name.text(), Colour: m.Colour}
	}
	for _, name := range legs {
		s.Legs = append(s.Legs, name.text())
	}
	return s, nil
}

// list returns n zero values, and nil for none.
func list[T any](n uint32) []T {
	if n == 0 {
		return nil
	}
	return make([]T, n)
}
