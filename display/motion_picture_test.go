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
		{"names of the actuators", image.Rect(710, 370, 820, 432), isWhite, 0.05, 0.4},
		{"marks of what is asked", image.Rect(832, 370, 908, 436), isWhite, 0.02, 0.2},
		{"bars of what is measured", image.Rect(832, 370, 908, 436), isBlue, 0.05, 0.5},
		{"roll at its limit", image.Rect(710, 225, 740, 243), isYellow, 0.05, 0.5},
		{"platform that is up", image.Rect(930, 203, 1018, 210), isBlue, 0.8, 1},
	})
}
