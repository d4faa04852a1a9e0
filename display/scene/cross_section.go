package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// crossSection is the road across its center line at one of its points.
type crossSection struct {
	frame.Point
	offsets [frame.HeightsAcross]float64 // lateral position of each height sample [m], positive left
	left    mgl64.Vec3                   // horizontal unit vector to the left of the road
	station float64                      // distance along the center line [m]
	row     float32                      // position in the material texture, 0..1
}

// heightPoint returns the position of height sample k, counted from the left [m, world].
func (c *crossSection) heightPoint(k int) mgl32.Vec3 { return c.position(c.offsets[k], c.Heights[k]) }

// position returns the point at height z [m], d [m] to the left of the center line [m, world].
func (c *crossSection) position(d, z float64) mgl32.Vec3 {
	return mgl32.Vec3{float32(c.X + c.left[0]*d), float32(c.Y + c.left[1]*d), float32(z)}
}

// height returns the height of the ground [m] at d [m] to the left of the center line.
func (c *crossSection) height(d float64) float64 {
	for k := range frame.HeightsAcross - 1 {
		left, right := c.offsets[k], c.offsets[k+1]
		if d < right && k < frame.HeightsAcross-2 {
			continue
		}
		if left == right {
			return c.Heights[k]
		}
		t := valid.Clamp((d-right)/(left-right), 0, 1)
		return c.Heights[k+1] + t*(c.Heights[k]-c.Heights[k+1])
	}
	return c.Heights[frame.MiddleHeight]
}

// materialAt returns the index of the ground's material at d [m] to the left of the center line.
func (c *crossSection) materialAt(d float64) uint8 {
	nearest := 0
	for k := range c.Materials {
		if math.Abs(c.MaterialOffset(k)-d) < math.Abs(c.MaterialOffset(nearest)-d) {
			nearest = k
		}
	}
	return c.Materials[nearest]
}

// crossSections returns the cross-sections of s, with their directions and stations, without points that
// repeat the previous one. A closed line ends with its first cross-section again.
func crossSections(s *frame.Scene) []crossSection {
	rows := distinctPoints(s)
	n := len(rows)
	if n < 3 {
		return nil
	}
	for i := range rows {
		a, b := max(i-1, 0), min(i+1, n-1)
		if s.Closed {
			a, b = (i+n-1)%n, (i+1)%n
		}
		along := mgl64.Vec3{rows[b].X - rows[a].X, rows[b].Y - rows[a].Y, 0}
		if along.Len() > 0 {
			along = along.Normalize()
		}
		rows[i].left = mgl64.Vec3{-along[1], along[0], 0}
		if i > 0 {
			rows[i].station = rows[i-1].station + pointDistance(&rows[i-1].Point, &rows[i].Point)
		}
	}
	if s.Closed {
		last := rows[0]
		last.station = rows[n-1].station + pointDistance(&rows[n-1].Point, &rows[0].Point)
		last.row++
		rows = append(rows, last)
	}
	if chords := rows[len(rows)-1].station; s.LapLength > 0 {
		for i := range rows {
			rows[i].station *= s.LapLength / chords
		}
	}
	return rows
}

// distinctPoints returns the points of s that do not repeat the previous one.
func distinctPoints(s *frame.Scene) []crossSection {
	var rows []crossSection
	for i, p := range s.Points {
		if n := len(rows); n > 0 && pointDistance(&rows[n-1].Point, &p) < 1e-6 {
			continue
		}
		row := (float32(i) + 0.5) / float32(len(s.Points))
		rows = append(rows, crossSection{Point: p, offsets: p.HeightOffsets(), row: row})
	}
	if n := len(rows); s.Closed && n > 1 && pointDistance(&rows[0].Point, &rows[n-1].Point) < 1e-6 {
		rows = rows[:n-1]
	}
	return rows
}

// pointDistance returns the horizontal distance of two points [m].
func pointDistance(a, b *frame.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
