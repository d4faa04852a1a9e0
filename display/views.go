//go:build cgo

package display

import (
	"time"

	"rig.example/rig/display/scene"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/frame"
)

// eye returns the view of the camera on a car.
func (v *viewer) eye(car scene.Pose) scene.Eye {
	w, m := v.renderer.world, v.kept.Eye[v.car]
	look := scene.LookAngle(v.frame.Flags, v.camera == Cockpit || v.camera == Bonnet)
	chase := v.chaseCamera.Follow(car, &v.frame, (v.seen - v.seenBefore).Seconds())
	switch v.camera {
	case Cockpit:
		return w.CockpitEye(car, [3]float64{m.Ahead, 0, m.Up}, v.FOV).Rotated(look, car)
	case Bonnet:
		return w.BonnetEye(car, v.FOV).Rotated(look, car)
	case Trackside:
		if e, ok := w.TracksideEye(car); ok {
			return e
		}
	}
	return w.AboveGround(chase.Rotated(look, car))
}

// addViews gives p the parts of the first window. From outside, a single screen has the camera's own field of view.
func (v *viewer) addViews(p *picture, now time.Duration) {
	if !v.throughScreens() {
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
	if !v.throughScreens() {
		return screens.Whole
	}
	return v.screens.Instruments()
}

// throughScreens reports whether the first window shows the road as the described screens demand.
func (v *viewer) throughScreens() bool {
	onCar := v.camera == Cockpit || v.camera == Bonnet
	n := len(v.screens.Screens())
	return n > 1 || n == 1 && onCar
}

// dashboardInSight reports whether all instruments behind the steering wheel of a car are in one part of the window.
func (v *viewer) dashboardInSight(p *picture, car scene.Pose) bool {
	for i := range p.views {
		if v.renderer.world.DashboardInSight(car, p.eye.Through(&p.views[i].Lens)) {
			return true
		}
	}
	width, height := v.window.GetFramebufferSize()
	straight := screens.Straight(p.eye.FOV, float64(width)/float64(max(height, 1)))
	return len(p.views) == 0 && v.renderer.world.DashboardInSight(car, p.eye.Through(&straight))
}

func screenPose(p *frame.Pose) screens.Pose {
	return screens.Pose{p[frame.Surge], p[frame.Sway], p[frame.Heave], p[frame.Roll], p[frame.Pitch], p[frame.Yaw]}
}
