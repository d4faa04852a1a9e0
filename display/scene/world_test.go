package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/screens"
)

// eyeAt looks level from a place along a heading [rad].
func eyeAt(at mgl64.Vec3, heading float64) (Eye, Frustum) {
	sin, cos := math.Sincos(heading)
	e := Eye{Pos: at, Target: at.Add(mgl64.Vec3{cos, sin, 0}), Up: mgl64.Vec3{0, 0, 1}, FOV: math.Pi / 3, Near: 0.5}
	return e, NewFrustum(matrix(e, 16.0/9))
}

// An eye before the oval sees road, scenery, ground and the line to drive; turned away from it
// only what goes on to the horizon is left.
func TestOnlyWhatIsInThePictureIsListed(t *testing.T) {
	w, _ := Build(displaytest.Hill())
	at := mgl64.Vec3{-300, -displaytest.OvalRadius, 2}
	lengths := func(heading float64) [4]int {
		e, frustum := eyeAt(at, heading)
		return [4]int{len(w.VisibleRoad(e, frustum, FullDetail)), len(w.VisibleScenery(e, frustum, FullDetail)), len(w.VisibleTerrain(e, frustum, FullDetail, false)) - 1, len(w.VisibleGuide(e, frustum))}
	}
	for i, n := range lengths(0) {
		if n == 0 && i != 3 || i == 3 && n != 0 { // the line is 300 m away
			t.Errorf("ahead: list %d has %d entries", i, n)
		}
	}
	at[0] = -1000
	if got := lengths(math.Pi); got != [4]int{} {
		t.Errorf("turned away: lists of %v entries, want none", got)
	}
	at[0] = -20
	if got := lengths(0); got[3] == 0 {
		t.Error("the line to drive is not seen from 20 m")
	}
}

func TestNearRoadIsFine(t *testing.T) {
	w, _ := Build(displaytest.Oval())
	e, frustum := eyeAt(mgl64.Vec3{-140, -displaytest.OvalRadius, 2}, 0)
	fine, coarse := 0, 0
	for _, d := range w.VisibleRoad(e, frustum, FullDetail) {
		if slices.ContainsFunc(w.chunks, func(c roadChunk) bool { return c.fine == d }) {
			fine++
		} else {
			coarse++
		}
	}
	if fine == 0 || coarse == 0 {
		t.Errorf("%d fine pieces of road and %d coarse ones, want some of both", fine, coarse)
	}
}

func TestListsAllocateNothing(t *testing.T) {
	w, _ := Build(displaytest.Hill())
	e, frustum := eyeAt(mgl64.Vec3{-20, -displaytest.OvalRadius, 2}, 0)
	if n := testing.AllocsPerRun(10, func() {
		w.VisibleRoad(e, frustum, FullDetail)
		w.VisibleScenery(e, frustum, FullDetail)
		w.VisibleTerrain(e, frustum, FullDetail, false)
		w.VisibleGuide(e, frustum)
	}); n != 0 {
		t.Errorf("%g allocations for a picture", n)
	}
}

// matrix returns the view-projection matrix of a picture straight ahead.
func matrix(e Eye, aspect float64) mgl64.Mat4 {
	l := screens.Straight(e.FOV, aspect)
	return e.Through(&l)
}
