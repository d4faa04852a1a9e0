package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

// boardDistances holds the distances before a corner at which a board stands [m].
var boardDistances = [...]int{300, 200, 100}

const (
	cornerCurvature  = 1.0 / 90 // a bend is a corner from this curvature on [1/m]
	cornerMerge      = 60.0     // bends closer than this are one corner [m]
	brakeLookAhead   = 40.0     // a corner is braked for if the racing line brakes up to this far before or after its begin [m]
	boardAfterCorner = 15.0     // least distance of a board from the end of the corner before [m]
	boardOut         = 3.2      // from the road's edge to the middle of a board [m]
	boardClearance   = 1.5      // least distance of a board from the edge of another part of the road [m]
	boardFoot        = 0.9      // height of a board's lower edge above the ground [m]
)

var (
	boardWhite = paint{mgl32.Vec3{0.95, 0.95, 0.93}, 0.05}
	boardBlack = paint{mgl32.Vec3{0.05, 0.05, 0.06}, 0.05}
	boardPost  = paint{mgl32.Vec3{0.45, 0.46, 0.48}, 0.1}
)

// corner is a bend that is worth a board.
type corner struct {
	begin, end float64 // stations [m]
	left       bool    // it turns to the left
}

// board is a board beside the road: its row in roadBuilder.rows, and what it says.
type board struct {
	row, distance int
	left          bool // it stands on the left of the road
}

// corners returns the corners of the road, in their order along it: where it bends enough and, where a racing line is
// known, that brakes for them.
func (r *roadBuilder) corners(s *frame.Scene) (list []corner) {
	for i := 1; i < len(r.rows)-1; i++ {
		k := r.curvature(i)
		if math.Abs(k) < cornerCurvature {
			continue
		}
		begin := i // where half of the meters around bend
		for begin > 1 && math.Abs(r.curvature(begin-1)) > cornerCurvature/2 {
			begin--
		}
		for i < len(r.rows)-2 && math.Abs(r.curvature(i+1)) > cornerCurvature/2 {
			i++
		}
		end := r.rows[i].station
		if n := len(list); n > 0 && r.rows[begin].station-list[n-1].end < cornerMerge {
			list[n-1].end = end
			continue
		}
		list = append(list, corner{r.rows[begin].station, end, k > 0})
	}
	if len(s.Guides) == 0 {
		return list
	}
	var braked []corner
	for _, c := range list {
		if r.brakesNear(s.Guides, c.begin) {
			braked = append(braked, c)
		}
	}
	return braked
}

// curvature returns the curvature of the center line around row i over some meters [1/m], positive to the left.
func (r *roadBuilder) curvature(i int) float64 {
	a, b := &r.rows[max(i-4, 0)], &r.rows[min(i+4, len(r.rows)-1)]
	turn := a.left[0]*b.left[1] - a.left[1]*b.left[0]
	return turn / max(b.station-a.station, 1e-3)
}

// brakesNear reports whether a racing line brakes near a station.
func (r *roadBuilder) brakesNear(guides []frame.Guide, station float64) bool {
	i := r.rowAt(station)
	for k := range guides {
		g := &guides[k]
		if g.Phase == frame.Braking && math.Hypot(g.X-r.rows[i].X, g.Y-r.rows[i].Y) < brakeLookAhead {
			return true
		}
	}
	return false
}

// rowAt returns the last row up to a station [m].
func (r *roadBuilder) rowAt(station float64) int {
	i := 0
	for i < len(r.rows)-2 && r.rows[i+1].station <= station {
		i++
	}
	return i
}

// boards returns the boards before all corners. None stands in another corner or behind it, so that a board always counts
// down to the next corner. They stand outside of the corner.
func (r *roadBuilder) boards(s *frame.Scene) (list []board) {
	found := r.corners(s)
	for i, c := range found {
		room := c.begin // since the corner before
		switch {
		case i > 0:
			room -= found[i-1].end
		case s.Closed:
			room += r.rows[len(r.rows)-1].station - found[len(found)-1].end
		}
		for _, distance := range boardDistances {
			if float64(distance) > room-boardAfterCorner {
				continue
			}
			station := c.begin - float64(distance)
			if station < 0 {
				station += r.rows[len(r.rows)-1].station
			}
			list = append(list, board{r.rowAt(station), distance, !c.left})
		}
	}
	return list
}

// addBoard adds a board to m, unless another part of the road is in its place.
func (r *roadBuilder) addBoard(m *Mesh, b board) {
	c := &r.rows[b.row]
	d := c.Left + max(c.KerbLeft+1.5, boardOut)
	if !b.left {
		d = -c.Right - max(c.KerbRight+1.5, boardOut)
	}
	foot := c.position(d, c.height(d))
	if !r.isFarFromRoad(foot, boardClearance) {
		return
	}
	left := vec32(c.left)
	toDriver := vec32(mgl64.Vec3{-c.left[1], c.left[0], 0}) // against the direction of travel
	up := mgl32.Vec3{0, 0, 1}
	const halfWidth, halfHeight, thick = 0.85, 0.5, 0.03
	middle := foot.Add(up.Mul(boardFoot + halfHeight))
	m.slantedBox(middle, toDriver.Mul(-thick), left.Mul(halfWidth), up.Mul(halfHeight), boardWhite)
	for _, side := range [2]float32{-0.6, 0.6} {
		m.slantedBox(foot.Add(left.Mul(side)).Add(up.Mul(boardFoot/2)), toDriver.Mul(-0.03), left.Mul(0.04), up.Mul(boardFoot/2), boardPost)
	}
	face := boardFace{middle.Add(toDriver.Mul(thick + 0.01)), left.Mul(-1), up}
	for i, digit := range [3]int{b.distance / 100, 0, 0} {
		face.addDigit(m, digit, float32(i-1)*0.52)
	}
}

// boardFace is the plane of a board: its middle, and its directions to the right and up as the driver sees it.
type boardFace struct{ middle, right, up mgl32.Vec3 }

// digitStrokes holds the strokes of the digits 0 to 3, as points from -1 to 1 to the right and up.
var digitStrokes = [4][][2]float32{
	{{-1, -0.55}, {-0.55, -1}, {0.55, -1}, {1, -0.55}, {1, 0.55}, {0.55, 1}, {-0.55, 1}, {-1, 0.55}, {-1, -0.55}},
	{{-0.6, 0.55}, {0.1, 1}, {0.1, -1}},
	{{-1, 0.55}, {-0.55, 1}, {0.55, 1}, {1, 0.6}, {1, 0.2}, {-1, -1}, {1, -1}},
	{{-1, 1}, {0.95, 1}, {0.0, 0.2}, {0.55, 0.2}, {1, -0.2}, {1, -0.6}, {0.55, -1}, {-0.55, -1}, {-1, -0.65}},
}

// addDigit adds a digit from 0 to 3, offset to the right of the middle [m].
func (f *boardFace) addDigit(m *Mesh, digit int, offset float32) {
	const halfWidth, halfHeight, halfStroke = 0.155, 0.31, 0.055 // [m]
	points := digitStrokes[digit]
	at := func(p [2]float32) mgl32.Vec2 { return mgl32.Vec2{offset + halfWidth*p[0], halfHeight * p[1]} }
	place := func(p mgl32.Vec2) mgl32.Vec3 {
		return f.middle.Add(f.right.Mul(p[0])).Add(f.up.Mul(p[1]))
	}
	for i := range len(points) - 1 {
		a, b := at(points[i]), at(points[i+1])
		along := b.Sub(a).Normalize().Mul(halfStroke)
		side := mgl32.Vec2{-along[1], along[0]}
		a, b = a.Sub(along.Mul(0.45)), b.Add(along.Mul(0.45))
		m.quad(place(a.Sub(side)), place(b.Sub(side)), place(b.Add(side)), place(a.Add(side)), boardBlack)
	}
}
