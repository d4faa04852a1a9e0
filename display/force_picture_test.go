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
	f := displaytest.ClippingFrame()
	f.Flags |= frame.Clipping
	page := testPage(t, f)
	img := shoot(t, x11.Start(t), "force", childJob{files: page.Files(), Camera: Chase, Force: true})
	checkRegions(t, img, []region{
		{"CLIP", image.Rect(196, 112, 256, 134), isRed, 0.2, 0.9},
		{"names", image.Rect(150, 146, 236, 356), isWhite, 0.02, 0.4},
		{"bar of what is gained, to the left", image.Rect(316, 162, 390, 170), isBlue, 0.3, 1},
		{"nothing to the right", image.Rect(398, 162, 476, 170), isBlue, 0, 0.01},
		{"bar of what is asked, red", image.Rect(341, 290, 390, 298), isRed, 0.5, 1},
		{"warning of clipping", image.Rect(150, 361, 306, 388), isYellow, 0.02, 0.5},
	})
}
