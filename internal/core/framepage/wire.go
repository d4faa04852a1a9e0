package framepage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/printable"
)

// sceneHeader is the encoding of a scene without its lists. Their lengths come first.
type sceneHeader struct {
	Points, Sectors, Materials, Cones, Walls, Guides, Ghost, NX, NY uint32
	NameCounts                                                      [7]uint32 // lengths of the lists in nameLists

	Closed     bool
	Lap, Start float64
	Pit        frame.Pit
	X, Y, Step float64 // position of the field's first cell and size of a cell [m]
	GhostStep  float64 // [s]
	CarName    fixedName
	TrackName  fixedName
	Car        frame.Car
}

// fixedName is a name of fixed size.
type fixedName [24]byte

// fixedMaterial is a Material of fixed size.
type fixedMaterial struct {
	Name, Sound   fixedName
	Colour        [3]float64
	Pitch, Height float64
	Rumble, Wet   bool
}

// nameLists returns the lists of names in the order of their encoding.
func nameLists(n *frame.Names) [7]*[]string {
	return [...]*[]string{&n.Actuators, &n.States, &n.Effects, &n.PlatformStates, &n.Faults, &n.Tunings, &n.Tuned}
}

// maxSceneBytes is an upper bound of an encoded scene's size [bytes].
const maxSceneBytes = int(unsafe.Sizeof(sceneHeader{})) + frame.MaxPoints*int(unsafe.Sizeof(frame.Point{})) + frame.MaxSectors*8 +
	frame.MaxMaterials*int(unsafe.Sizeof(fixedMaterial{})) + frame.MaxCones*int(unsafe.Sizeof(frame.Cone{})) +
	frame.MaxWalls*int(unsafe.Sizeof(frame.Wall{})) + frame.MaxGuides*int(unsafe.Sizeof(frame.Guide{})) +
	frame.MaxGhost*int(unsafe.Sizeof(frame.GhostPoint{})) + len(sceneHeader{}.NameCounts)*frame.MaxNames*int(unsafe.Sizeof(fixedName{})) + frame.MaxCells*5

// check returns an error if a list is longer than a page can hold.
func (h *sceneHeader) check() error {
	for _, l := range [...]struct {
		name   string
		n, max uint32
	}{
		{"points", h.Points, frame.MaxPoints}, {"sectors", h.Sectors, frame.MaxSectors}, {"materials", h.Materials, frame.MaxMaterials},
		{"cones", h.Cones, frame.MaxCones}, {"walls", h.Walls, frame.MaxWalls}, {"guides", h.Guides, frame.MaxGuides}, {"points of a ghost", h.Ghost, frame.MaxGhost},
		{"actuators", h.NameCounts[0], frame.MaxLegs}, {"states", h.NameCounts[1], frame.MaxNames}, {"effects", h.NameCounts[2], frame.MaxEffects},
		{"platform states", h.NameCounts[3], frame.MaxNames}, {"faults", h.NameCounts[4], frame.MaxNames}, {"tunings", h.NameCounts[5], frame.MaxTunings}, {"tuned values", h.NameCounts[6], frame.MaxTuned},
	} {
		if l.n > l.max {
			return fmt.Errorf("page: scene has %d %s: must be 0 to %d", l.n, l.name, l.max)
		}
	}
	if uint64(h.NX)*uint64(h.NY) > frame.MaxCells {
		return fmt.Errorf("page: the scene's field has %d by %d cells: must be at most %d together", h.NX, h.NY, frame.MaxCells)
	}
	return nil
}

// encode returns the encoding of a scene: header, lists, names and field, little-endian.
func encode(s *frame.Scene) ([]byte, error) {
	f := &s.Field
	h := sceneHeader{
		Points: uint32(len(s.Points)), Sectors: uint32(len(s.Sectors)), Materials: uint32(len(s.Materials)),
		Cones: uint32(len(s.Cones)), Walls: uint32(len(s.Walls)), Guides: uint32(len(s.Guides)), Ghost: uint32(len(s.Ghost.Points)),
		NX: uint32(f.NX), NY: uint32(f.NY), X: f.X, Y: f.Y, Step: f.CellSize,
		Closed: s.Closed, Lap: s.LapLength, Start: s.Start, Pit: s.Pit, Car: s.Car, GhostStep: s.Ghost.Step,
	}
	copy(h.CarName[:], s.CarName)
	copy(h.TrackName[:], s.TrackName)
	var names []fixedName
	for i, list := range nameLists(&s.Names) {
		h.NameCounts[i] = uint32(len(*list))
		for _, name := range *list {
			var n fixedName
			copy(n[:], name)
			names = append(names, n)
		}
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if cells := f.NX * f.NY; len(f.Heights) != cells || len(f.Materials) != cells {
		return nil, fmt.Errorf("page: the scene's field has %d heights and %d materials: must be %d of each", len(f.Heights), len(f.Materials), cells)
	}
	materials := make([]fixedMaterial, len(s.Materials))
	for i, m := range s.Materials {
		to := &materials[i]
		*to = fixedMaterial{Colour: m.Colour, Pitch: m.Pitch, Height: m.Height, Rumble: m.Rumble != 0, Wet: m.Wet != 0}
		copy(to.Name[:], m.Name)
		copy(to.Sound[:], m.Sound)
	}
	var b []byte
	for _, part := range [...]any{&h, s.Points, s.Sectors, materials, s.Cones, s.Walls, s.Guides, s.Ghost.Points, names, f.Heights, f.Materials} {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("page: scene: %w", err)
		}
	}
	return b, nil
}

func (n fixedName) text() string { return printable.Line(string(bytes.TrimRight(n[:], "\x00"))) }

var errSceneTruncated = errors.New("page: the scene is truncated")

// decodeScene is the inverse of encode.
func decodeScene(b []byte) (*frame.Scene, error) {
	var h sceneHeader
	n, err := binary.Decode(b, binary.LittleEndian, &h)
	if err != nil {
		return nil, errSceneTruncated
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	cells := int(h.NX) * int(h.NY)
	s := &frame.Scene{
		Closed: h.Closed, LapLength: h.Lap, Start: h.Start, Pit: h.Pit, Car: h.Car, CarName: h.CarName.text(), TrackName: h.TrackName.text(),
		Points: zeroList[frame.Point](h.Points), Sectors: zeroList[float64](h.Sectors), Materials: zeroList[frame.Material](h.Materials),
		Cones: zeroList[frame.Cone](h.Cones), Walls: zeroList[frame.Wall](h.Walls), Guides: zeroList[frame.Guide](h.Guides),
		Ghost: frame.Ghost{Step: h.GhostStep, Points: zeroList[frame.GhostPoint](h.Ghost)},
		Field: frame.Field{X: h.X, Y: h.Y, CellSize: h.Step, NX: int(h.NX), NY: int(h.NY),
			Heights: zeroList[float32](uint32(cells)), Materials: zeroList[uint8](uint32(cells))},
	}
	materials := zeroList[fixedMaterial](h.Materials)
	var total uint32
	for _, n := range h.NameCounts {
		total += n
	}
	names := zeroList[fixedName](total)
	for _, part := range [...]any{s.Points, s.Sectors, materials, s.Cones, s.Walls, s.Guides, s.Ghost.Points, names, s.Field.Heights, s.Field.Materials} {
		b = b[n:]
		if n, err = binary.Decode(b, binary.LittleEndian, part); err != nil {
			return nil, errSceneTruncated
		}
	}
	for i, m := range materials {
		s.Materials[i] = frame.Material{
			Name: m.Name.text(), Colour: m.Colour, Rumble: frame.OneIf(m.Rumble), Sound: m.Sound.text(), Pitch: m.Pitch, Height: m.Height, Wet: frame.OneIf(m.Wet),
		}
	}
	for i, to := range nameLists(&s.Names) {
		for range h.NameCounts[i] {
			*to = append(*to, names[0].text())
			names = names[1:]
		}
	}
	return s, nil
}

// zeroList returns a list of n zero values, or nil if n is 0.
func zeroList[T any](n uint32) []T {
	if n == 0 {
		return nil
	}
	return make([]T, n)
}
