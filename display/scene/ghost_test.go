package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

func TestGhostPose(t *testing.T) {
	g := &frame.Ghost{Step: 0.5, Points: []frame.GhostPoint{
		{X: 10, Yaw: 3.1}, {X: 20, Y: 4, Z: 1, Yaw: -3.1, Pitch: 0.2, Roll: -0.1, Distance: 11}, {X: 30, Y: 4, Z: 1, Yaw: -3.1, Distance: 21},
	}}
	for _, tt := range []struct {
		time, x, y, z, heading, distance float64
	}{
		{-1, 10, 0, 0, 3.1, 0}, {0, 10, 0, 0, 3.1, 0}, {0.25, 15, 2, 0.5, math.Pi, 5.5}, {0.5, 20, 4, 1, -3.1, 11},
		{0.75, 25, 4, 1, -3.1, 16}, {1, 30, 4, 1, -3.1, 21}, {99, 30, 4, 1, -3.1, 21}, {math.NaN(), 10, 0, 0, 3.1, 0},
	} {
		p, distance := GhostPose(g, tt.time)
		if p.pos.Sub(mgl64.Vec3{tt.x, tt.y, tt.z}).Len() > 1e-6 || math.Abs(distance-tt.distance) > 1e-6 {
			t.Errorf("after %g s: at %v, %g m; want %+v", tt.time, p.pos, distance, tt)
		}
		ahead := p.att.Rotate(mgl64.Vec3{1, 0, 0})
		if turned := math.Remainder(math.Atan2(ahead[1], ahead[0])-tt.heading, 2*math.Pi); math.Abs(turned) > 1e-6 {
			t.Errorf("after %g s: heading %g rad, want %g", tt.time, math.Atan2(ahead[1], ahead[0]), tt.heading)
		}
	}
	p, _ := GhostPose(g, 0.5)
	ahead, left := p.att.Rotate(mgl64.Vec3{1, 0, 0}), p.att.Rotate(mgl64.Vec3{0, 1, 0})
	if pitch := math.Asin(-ahead[2]); math.Abs(pitch-0.2) > 1e-6 || !(left[2] < 0) {
		t.Errorf("pitch %g rad, want 0.2 with the nose down; left side at %g, want it down", pitch, left[2])
	}
	if p, _ := GhostPose(&frame.Ghost{Step: 0.1, Points: g.Points[:1]}, 5); p.pos[0] != 10 {
		t.Errorf("a lap of one point: at %v", p.pos)
	}
}

// The gap is the difference of the lap times at the same place, also beyond the end of the road's list of points.
func TestGhostGap(t *testing.T) {
	s := displaytest.Oval()
	s.Ghost = displaytest.Ghost()
	w, _ := Build(s)
	for _, tt := range []struct {
		name            string
		station, time   float64
		number          uint64
		gap, difference float64
	}{
		{"behind", s.Start + 300, 10.75, 1, 0.75, 1e-3},
		{"ahead", s.Start + 301.5, 10, 2, -0.05, 1e-3},
		{"over the end of the line", s.Start - 10, 40, 1, 40 - (w.Lap-10)/30, 0.01},
		{"before the start line", s.Start - 10, 3, 0, math.NaN(), 0},
	} {
		f := displaytest.OvalFrame(tt.station)
		f.Lap.Number, f.Lap.Time = tt.number, tt.time
		if gap := w.GhostGap(f, s); !(math.Abs(gap-tt.gap) <= tt.difference) && !(math.IsNaN(gap) && math.IsNaN(tt.gap)) {
			t.Errorf("%s: %g s, want %g s", tt.name, gap, tt.gap)
		}
	}
}

// A ghost hides neither the view from inside of it nor the driver's car in the same place.
func TestGhostFades(t *testing.T) {
	at := Pose{pos: mgl64.Vec3{0, 0, 1}, att: mgl64.QuatIdent()}
	far := Pose{pos: mgl64.Vec3{0, 99, 1}, att: mgl64.QuatIdent()}
	if o := GhostOpacity(at, at, Eye{Pos: far.pos}); o != 0 {
		t.Errorf("in the place of the driver's car: %g", o)
	}
	before := -1.0
	for _, distance := range []float64{1, 3, 4, 20} {
		opacity := GhostOpacity(at, far, Eye{Pos: mgl64.Vec3{-distance, 0, 1}})
		if opacity <= before || opacity > 0.6 || distance == 1 && opacity != 0 {
			t.Errorf("%g m away: %g", distance, opacity)
		}
		before = opacity
	}
}
