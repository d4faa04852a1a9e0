//go:build cgo

package display

import (
	"image"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/test/x11"
)

func TestMotionPicture(t *testing.T) {
	scene := displaytest.Oval()
	page := scenePage(t, scene, displaytest.PlatformFrame())
	img := shoot(t, x11.Start(t), "motion", childJob{files: page.Files(), Camera: Chase, Motion: true})
	checkRegions(t, img, []region{
		{"names of the actuators", image.Rect(906, 354, 1000, 424), isWhite, 0.05, 0.4},
		{"marks of what is asked", image.Rect(1018, 354, 1176, 424), isWhite, 0.005, 0.1},
		{"bars of what is measured", image.Rect(1018, 354, 1176, 424), isBlue, 0.05, 0.5},
		{"roll at its limit", image.Rect(1040, 480, 1070, 500), isYellow, 0.05, 0.5},
		{"plate from the side", image.Rect(915, 290, 1012, 340), isBlue, 0.03, 0.5},
	})
}
