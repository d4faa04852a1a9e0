package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// crossing is the road at one point of its centre line.
type crossing struct {
	frame.Point
	offsets [frame.Stops]float64 // of the point's stops [m], positive left
	left    mgl64.Vec3           // unit vector across the road, level
	station float64              // [m]
	row     float32              // place in the table of materials, 0..1
}

// stop returns the place of stop k.
func (c *crossing) stop(k int) mgl32.Vec3 { return c.at(c.offsets[k], c.Heights[k]) }

// at returns the place d metres to the left of the centre line, so high [m, world].
func (c *crossing) at(d, z float64) mgl32.Vec3 {
	return mgl32.Vec3{float32(c.X + c.left[0]*d), float32(c.Y + c.left[1]*d), float32(z)}
}

// height returns how high the ground is d metres to the left of the centre line.
func (c *crossing) height(d float64) float64 {
	for k := range frame.Stops - 1 {
		left, right := c.offsets[k], c.offsets[k+1]
		if d < right && k < frame.Stops-2 {
			continue
		}
		if left == right {
			return c.Heights[k]
		}
		share := valid.Clamp((d-right)/(left-right), 0, 1)
		return c.Heights[k+1] + share*(c.Heights[k]-c.Heights[k+1])
	}
	return c.Heights[frame.Middle]
}

// paint returns what the ground is made of d metres to the left of the centre line.
func (c *crossing) paint(d float64) uint8 {
	nearest := 0
	for k := range c.Paint {
		if math.Abs(c.PaintOffset(k)-d) < math.Abs(c.PaintOffset(nearest)-d) {
			nearest = k
		}
	}
	return c.Paint[nearest]
}

// crossings finds directions and stations along the line of s, leaving out points that
// repeat the one before. A closed line has its first crossing at its end again.
func crossings(s *frame.Scene) []crossing {
	rows := apart(s)
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
	if chords := rows[len(rows)-1].station; s.Lap > 0 {
		for i := range rows {
			rows[i].station *= s.Lap / chords
		}
	}
	return rows
}

// apart returns the points of s that do not repeat the one before.
func apart(s *frame.Scene) []crossing {
	var rows []crossing
	for i, p := range s.Points {
		if n := len(rows); n > 0 && pointDistance(&rows[n-1].Point, &p) < 1e-6 {
			continue
		}
		row := (float32(i) + 0.5) / float32(len(s.Points))
		rows = append(rows, crossing{Point: p, offsets: p.Offsets(), row: row})
	}
	if n := len(rows); s.Closed && n > 1 && pointDistance(&rows[0].Point, &rows[n-1].Point) < 1e-6 {
		rows = rows[:n-1]
	}
	return rows
}

// pointDistance returns how far two points are apart as seen from above [m].
func pointDistance(a, b *frame.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
