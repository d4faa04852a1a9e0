//go:build cgo

package display

import (
	"image"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/frame"
	"rig.example/rig/test/x11"
)

func TestForcePicture(t *testing.T) {
	f := displaytest.Forced()
	f.Flags |= frame.Clipping
	page := testPage(t, f)
	img := shoot(t, x11.Start(t), "force", childJob{files: page.Files(), Camera: Chase, Force: true})
	checkRegions(t, img, []region{
		{"CLIP", image.Rect(190, 112, 250, 134), isRed, 0.2, 0.9},
		{"names", image.Rect(144, 146, 230, 356), isWhite, 0.02, 0.4},
		{"bar of what is gained, to the left", image.Rect(310, 162, 384, 170), isBlue, 0.3, 1},
		{"nothing to the right", image.Rect(392, 162, 470, 170), isBlue, 0, 0.01},
		{"bar of what is asked, red", image.Rect(335, 290, 384, 298), isRed, 0.5, 1},
		{"warning of clipping", image.Rect(144, 361, 300, 388), isYellow, 0.02, 0.5},
	})
}
