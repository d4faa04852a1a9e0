package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// MaxMarks is how many segments of tire marks there are at most. The newest replace the oldest.
const MaxMarks = 2048

const (
	markLength    = 0.7   // of a segment [m]
	markJump      = 8.0   // a wheel that moves further between two frames was put elsewhere [m]
	markWidth     = 0.19  // of a tire mark [m]
	markFrom      = 450.0 // work lost by sliding for each meter of way from which a tire leaves a mark [J/m]
	markFull      = 2600  // … at which it is darkest
	markHeight    = 0.015 // above the ground [m]
	wetMarksShare = 0.3   // darkness on wet ground
)

// MarkVertex is one corner of a tire mark, laid out as the vertex shader reads it.
type MarkVertex struct {
	pos      mgl32.Vec3 // [m, world]
	darkness float32    // 0..1
	born     float32    // when it was made, by Frame.Tick [s]
}

// TireMarks are the marks that sliding tires have left on the road, as quads in a ring of fixed size: four vertices each.
// The zero value has none.
type TireMarks struct {
	Vertices [4 * MaxMarks]MarkVertex
	Count    int  // segments that are used
	Changed  Span // segments that the last Add changed; they may go on at the begin of the ring

	next   int // segment to be used next
	wheels [4]markedWheel
}

// markedWheel is what is known of a wheel since its last segment began.
type markedWheel struct {
	seen     bool
	energy   float64    // Wheel.SlipEnergy at the begin of the segment [J]
	at       mgl64.Vec3 // contact point there [m, world]
	edge     [2]mgl32.Vec3
	darkness float32 // there; 0: no mark leads to it
}

// Add leaves the marks of the wheels' way since the last call. It allocates nothing.
func (m *TireMarks) Add(f *frame.Frame, s *frame.Scene) {
	m.Changed = Span{First: m.next}
	for i := range f.Wheels {
		m.addWheel(i, f, s)
	}
}

func (m *TireMarks) addWheel(i int, f *frame.Frame, s *frame.Scene) {
	w, last := &f.Wheels[i], &m.wheels[i]
	radius := s.WheelRadius
	if own := s.Radius[i/2]; own > 0 {
		radius = own
	}
	at := mgl64.Vec3(w.Pos).Sub(mgl64.Vec3{0, 0, radius - markHeight})
	way := at.Sub(last.at)
	distance, energy := way.Len(), w.SlipEnergy-last.energy
	if !last.seen || !(distance < markJump) || !(energy >= 0) { // also true for NaN
		*last = markedWheel{seen: true, energy: w.SlipEnergy, at: at}
		return
	}
	if distance < markLength {
		return
	}
	darkness := markDarkness(energy/distance, w, s)
	side := mgl64.Vec3{-way[1], way[0], 0}.Mul(markWidth / 2 / max(math.Hypot(way[0], way[1]), 1e-6))
	begin, end := last.edge, [2]mgl32.Vec3{vec32(at.Add(side)), vec32(at.Sub(side))}
	if last.darkness == 0 {
		begin = [2]mgl32.Vec3{vec32(last.at.Add(side)), vec32(last.at.Sub(side))}
	}
	if darkness > 0 || last.darkness > 0 {
		born := float32(float64(f.Tick) / 1000)
		m.add([4]MarkVertex{{begin[0], last.darkness, born}, {begin[1], last.darkness, born}, {end[1], darkness, born}, {end[0], darkness, born}})
	}
	*last = markedWheel{seen: true, energy: w.SlipEnergy, at: at, edge: end, darkness: darkness}
}

// markDarkness returns the darkness of a mark of wheel w that loses this work for each meter [J/m].
func markDarkness(perMeter float64, w *frame.Wheel, s *frame.Scene) float32 {
	share := valid.Clamp((perMeter-markFrom)/(markFull-markFrom), 0, 1)
	if w.Load <= 0 || w.Material >= uint64(len(s.Materials)) {
		return float32(share)
	}
	material := &s.Materials[w.Material]
	switch patternOf(material) {
	case patternSnow, patternIce:
		return 0
	}
	if wetnessOf(material) != dry {
		share *= wetMarksShare
	}
	return float32(share)
}

// add puts a segment into the ring.
func (m *TireMarks) add(quad [4]MarkVertex) {
	copy(m.Vertices[4*m.next:], quad[:])
	m.next = (m.next + 1) % MaxMarks
	m.Count = min(m.Count+1, MaxMarks)
	m.Changed.Count++
}

// MarkIndices returns the indices of all segments.
func MarkIndices() []uint32 {
	list := make([]uint32, 0, 6*MaxMarks)
	for i := range uint32(MaxMarks) {
		a := 4 * i
		list = append(list, a, a+1, a+2, a, a+2, a+3)
	}
	return list
}
