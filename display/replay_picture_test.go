//go:build cgo

package display

import (
	"image"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/x11"
)

// isPaleBlue is the colour of the ghost's car on road and grass.
func isPaleBlue(r, g, b int) bool { return b > 110 && b > r+40 && g > r+10 && b < 245 }

func TestReplayPicture(t *testing.T) {
	page := testPage(t, displaytest.OvalFrame(30))
	r := &frame.Replay{Active: 1, Paused: 1, Speed: 0.5, Length: 200, Position: 100, Count: 4}
	r.Marks = [frame.MaxMarks]frame.Mark{{Time: 20, Kind: frame.DriverMark}, {Time: 60}, {Time: 150, Kind: frame.FaultMark}, {Time: 160, Kind: frame.LapMark}}
	page.SetReplay(r)
	img := shoot(t, x11.Start(t), "replay", childJob{files: page.Files()})
	checkRegions(t, img, []region{
		{"played", image.Rect(180, 562, 390, 568), isBlue, 0.9, 1},
		{"not yet played", image.Rect(800, 562, 900, 568), isBlue, 0, 0.05},
		{"mark", image.Rect(144, 556, 157, 572), isYellow, 0.2, 0.6},
		{"fault", image.Rect(940, 556, 952, 572), isRed, 0.2, 0.6},
		{"time", image.Rect(1110, 530, 1250, 550), isWhite, 0.05, 0.6},
		{"PAUSED", image.Rect(112, 530, 186, 550), isYellow, 0.05, 0.6},
	})
}

// The ghost drives ahead of the car by the same lap time, and waits at the start line before a lap.
func TestGhostPicture(t *testing.T) {
	s := displaytest.Oval()
	s.Ghost = displaytest.Ghost()
	x := x11.Start(t)
	f := displaytest.OvalFrame(s.Start + 40)
	f.Lap.Number, f.Lap.Time = 1, 1.85 // the ghost is at 55.5 m
	area := image.Rect(600, 240, 680, 300)
	ahead := scenePage(t, s, f)
	img := shoot(t, x, "ghost-ahead", childJob{files: ahead.Files()})
	if share, at := shareOf(img, area, isPaleBlue); share < 0.05 || at < 600 || at > 680 {
		t.Errorf("ghost ahead: %.3f of %v pale blue, around x = %.0f", share, area, at)
	}
	checkRegions(t, img, []region{{"gap", image.Rect(200, 238, 272, 260), isYellow, 0.01, 0.4}})
	plain := testPage(t, f)
	if share, _ := shareOf(shoot(t, x, "ghost-none", childJob{files: plain.Files()}), area, isPaleBlue); share > 0.01 {
		t.Errorf("without a ghost %.3f of %v is pale blue", share, area)
	}
	cockpit := scenePage(t, s, f)
	shoot(t, x, "ghost-cockpit", childJob{files: cockpit.Files(), Camera: Cockpit})
}
