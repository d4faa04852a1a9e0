package displaytest

import (
	"math"

	"rig.example/rig/internal/core/frame"
)

// Hill returns the oval on a slope of 10 % along y, with a wet stretch, terrain, a sector, a pit lane, cones, a
// wall and a racing line.
func Hill() *frame.Scene {
	s := Oval()
	for i := range s.Points {
		p := &s.Points[i]
		q := &s.Points[(i+1)%len(s.Points)]
		along := math.Hypot(q.X-p.X, q.Y-p.Y)
		for k, d := range p.HeightOffsets() {
			p.Heights[k] = HillHeight(p.Y + d*(q.X-p.X)/along)
		}
		if i > 50 && i < 70 {
			for k := frame.VergeMaterials; k < frame.VergeMaterials+frame.RoadMaterials; k++ {
				p.Materials[k] = Wet
			}
		}
	}
	f := frame.Field{X: -350, Y: -200, CellSize: 4, NX: 176, NY: 101}
	for k := range f.NX * f.NY {
		f.Heights = append(f.Heights, float32(HillHeight(f.Y+f.CellSize*float64(k/f.NX))))
		f.Materials = append(f.Materials, Grass)
	}
	s.Field = f
	s.Sectors = []float64{500}
	s.Pit = frame.Pit{From: 900, To: 1080, Right: -14, Left: -9}
	z := HillHeight(-70)
	s.Cones = []frame.Cone{{X: 20, Y: -70, Z: z}, {X: 30, Y: -70, Z: z}}
	s.Walls = []frame.Wall{{Corners: [4][2]float64{{40, -72}, {60, -72}, {60, -70}, {40, -70}}, Foot: z, Top: z + 1}}
	for i := range 60 {
		x := 2 * float64(i)
		s.Guides = append(s.Guides, frame.Guide{X: x, Y: -OvalRadius, Z: HillHeight(-OvalRadius), Phase: uint64(i / 20)})
	}
	return s
}

// HillHeight returns the height of Hill's ground at y [m].
func HillHeight(y float64) float64 { return 0.1 * y }
