//go:build cgo

package display

import (
	"log"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// beginsFull reports whether the window begins by filling its monitor: as the driver chose last, else as configured.
func (v *viewer) beginsFull() bool {
	if v.monitor == "" {
		v.monitor = v.kept.Monitor
	}
	if v.kept.Chosen {
		return v.kept.Fullscreen
	}
	return v.Fullscreen
}

// askTime is how long the question stands whether to leave.
const askTime = 3 * time.Second

// leave asks whether to close the window, or closes it if that was asked just before, or if only a replay ends by it.
func (v *viewer) leave(now time.Duration) {
	if v.replay.Active != 0 || v.asked != 0 && now-v.asked < askTime {
		v.window.SetShouldClose(true)
	}
	v.asked = now
}

// question returns what the driver is asked, or "".
func (v *viewer) question(now time.Duration) string {
	if v.asked == 0 || now-v.asked >= askTime {
		v.asked = 0
		return ""
	}
	return "end the drive? Escape again ends it; the question goes away by itself"
}

// onWindowKey changes what the window shows, and keeps it. In a replay the keys of the eye move within the recording.
func (v *viewer) onWindowKey(key glfw.Key) {
	isReplay := v.replay.Active != 0
	switch {
	case key == glfw.KeyF11:
		v.toggleFullscreen()
	case key == glfw.KeyPageUp && !isReplay:
		v.kept.move(v.car, 0, 1)
	case key == glfw.KeyPageDown && !isReplay:
		v.kept.move(v.car, 0, -1)
	case key == glfw.KeyHome && !isReplay:
		v.kept.move(v.car, 1, 0)
	case key == glfw.KeyEnd && !isReplay:
		v.kept.move(v.car, -1, 0)
	default:
		return
	}
	if err := v.kept.save(); err != nil {
		log.Print(err)
	}
}

func (v *viewer) toggleFullscreen() {
	on := !v.full
	if err := v.setFullscreen(on); err != nil {
		log.Print(err)
		return
	}
	v.kept.Chosen, v.kept.Fullscreen = true, on
	if m := v.window.GetMonitor(); m != nil {
		v.kept.Monitor = m.GetName()
	}
}
