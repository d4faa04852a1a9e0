//go:build cgo

package display

import (
	"time"

	"rig.example/rig/display/screens"
	"rig.example/rig/internal/frame"
)

// addViews gives p the parts of the first window. Behind the car, a single screen has the camera's own field of view.
func (v *viewer) addViews(p *picture, now time.Duration) {
	if n := len(v.screens.Screens()); n == 0 || n == 1 && !p.inCockpit {
		return
	}
	v.head = screens.AtRest()
	if v.ScreensOnFloor && p.inCockpit {
		pose := v.platform.Now(screenPose(&p.frame.Pose), screenPose(&p.frame.Motion.Measured), now.Seconds(), v.PlatformDelay)
		v.head = screens.OnPlatform(pose, v.EyeFromPivot)
	}
	v.views = v.screens.Views(v.views[:0], 0, &v.head)
	p.views, p.hud = v.views, v.instruments()
}

// instruments returns the part of the first window that shows the instruments.
func (v *viewer) instruments() screens.Part {
	if n := len(v.screens.Screens()); n == 0 || n == 1 && !v.inCockpit {
		return screens.Whole
	}
	return v.screens.Instruments()
}

func screenPose(p *frame.Pose) screens.Pose {
	return screens.Pose{p[frame.Surge], p[frame.Sway], p[frame.Heave], p[frame.Roll], p[frame.Pitch], p[frame.Yaw]}
}
