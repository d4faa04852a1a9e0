//go:build cgo

package display

import (
	"image"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/x11"
)

func TestForcePicture(t *testing.T) {
	f := displaytest.ClippingFrame()
	f.Flags |= frame.Clipping
	page := testPage(t, f)
	img := shoot(t, x11.Start(t), "force", childJob{files: page.Files(), Camera: Chase, Force: true})
	checkRegions(t, img, []region{
		{"CLIP", image.Rect(878, 124, 932, 147), isRed, 0.2, 0.9},
		{"names", image.Rect(798, 182, 930, 465), isWhite, 0.02, 0.4},
		{"bar of what is gained, to the left", image.Rect(978, 211, 1030, 221), isBlue, 0.3, 1},
		{"nothing to the right", image.Rect(1040, 211, 1130, 221), isBlue, 0, 0.01},
		{"bar of what is asked, red", image.Rect(966, 379, 1030, 389), isRed, 0.5, 1},
		{"warning of clipping", image.Rect(798, 478, 1080, 500), isYellow, 0.02, 0.5},
	})
}
