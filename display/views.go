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
		v.head = v.platform.head(p.frame, now.Seconds(), v.PlatformDelay, v.EyeFromPivot)
	}
	v.views = v.screens.Views(v.views[:0], 0, &v.head)
	p.views, p.hud = v.views, v.screens.Instruments()
}

// platformPath remembers where the platform was sent, so that its pose is known a little later.
type platformPath struct {
	poses [256]frame.Pose
	times [256]float64 // [s]
	count int
}

// head returns the head of a driver on the platform: by its measured pose, or where that is not measured by the one that it was
// sent delay [s] ago.
func (h *platformPath) head(f *frame.Frame, now, delay float64, eye [3]float64) screens.Head {
	pose := h.delayed(f.Pose, now, delay)
	for i, measured := range f.Motion.Measured {
		if measured == measured {
			pose[i] = measured
		}
	}
	return screens.OnPlatform(pose[frame.Surge], pose[frame.Sway], pose[frame.Heave], pose[frame.Roll], pose[frame.Pitch], pose[frame.Yaw], eye)
}

// delayed takes the pose that the platform is sent now, and returns the one that it was sent delay [s] ago, on a straight line
// between those that it has seen.
func (h *platformPath) delayed(sent frame.Pose, now, delay float64) (pose frame.Pose) {
	n := len(h.poses)
	h.poses[h.count%n], h.times[h.count%n] = sent, now
	h.count++
	newer := (h.count - 1) % n
	for back := 2; back <= min(h.count, n); back++ {
		older := (h.count - back) % n
		if then := now - delay; h.times[older] <= then {
			if span := h.times[newer] - h.times[older]; span > 0 {
				share := min((then-h.times[older])/span, 1)
				for i := range pose {
					pose[i] = h.poses[older][i] + share*(h.poses[newer][i]-h.poses[older][i])
				}
				return pose
			}
		}
		newer = older
	}
	return h.poses[newer]
}
