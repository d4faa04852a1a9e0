package check

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"rig.example/rig/display"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/live/machine"
)

// checkProcessor checks what lets the loop wake late although it has its priority.
func (s *scene) checkProcessor() {
	machine.CheckClock(s.root, s.add)
	machine.CheckSiblings(s.root, s.cfg.Realtime.CPU, s.add)
	if name, wake, ok := machine.DeepIdle(s.root); ok && !s.cfg.Realtime.NoIdle {
		s.add("idle-allowed", "real time", fmt.Sprintf("processors may idle as deeply as %s, from which they wake in %d µs", name, wake), "set realtime.no_deep_idle = true")
	}
}

// minMinutes is the shortest recording for which there must be room [min].
const minMinutes = 10

// checkRecordings checks the folder of recordings and the room on its disk.
func (s *scene) checkRecordings() {
	folder, err := recordingsFolder(s.cfg.Record)
	if err != nil {
		s.add("recordings", "record", err.Error(), "set record.folder")
		return
	}
	existing := nearestFolder(folder)
	if unix.Access(existing, unix.W_OK|unix.X_OK) != nil {
		s.add("recordings", "record", existing+": nothing can be written there", "make it writable, or set record.folder")
		return
	}
	free, ok := freeBytes(existing)
	if minutes := minutesLeft(free, s.cfg.Record); ok && minutes < minMinutes {
		s.add("disk", "record", fmt.Sprintf("the disk of %s has room for %.0f minutes (record.free_gb = %g stays free)", folder, minutes, s.cfg.Record.FreeGB), "delete old recordings, which `rig ls` lists, or set record.folder to another disk")
	}
}

// recordingsFolder returns where the configuration keeps recordings.
func recordingsFolder(c config.Record) (string, error) {
	if c.Folder != "" {
		return c.Folder, nil
	}
	return recording.DefaultFolder(os.Getenv, os.Geteuid())
}

// nearestFolder returns path, or the nearest folder above it that exists: a drive makes the others.
func nearestFolder(path string) string {
	for path != "/" && path != "." {
		if _, err := os.Stat(path); err == nil {
			break
		}
		path = filepath.Dir(path)
	}
	return path
}

// freeBytes returns the free space for this user on the disk of a folder; ok is false if it is not known.
func freeBytes(folder string) (n float64, ok bool) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil || disk.Blocks == 0 {
		return 0, false
	}
	return float64(disk.Bavail) * float64(disk.Bsize), true
}

// minutesLeft returns how long a drive can be recorded into free bytes [min].
func minutesLeft(free float64, c config.Record) float64 {
	const gigabyte = 1e9
	return max(free-c.FreeGB*gigabyte, 0) / recording.BytesPerMinute(c.RateHz)
}

// checkWindow checks that a wanted window can be opened, and what draws it.
func (s *scene) checkWindow() {
	if !s.cfg.Display.Window {
		return
	}
	switch err := display.Available(); {
	case errors.Is(err, display.ErrNoDisplay):
		s.add("no-display", "display", err.Error(), "set display.window = false, or run with --headless")
		return
	case err != nil && os.Getenv("WAYLAND_DISPLAY") != "" && os.Getenv("DISPLAY") == "":
		s.add("window", "display", err.Error(), "install Xwayland and log in anew: `sudo apt install xwayland`")
		return
	case err != nil:
		s.add("window", "display", err.Error(), "set display.window = false, or run with --headless")
		return
	}
	s.checkRenderer()
}

// checkRenderer opens a window that is not shown, if that is allowed, and reports one that the processor draws.
func (s *scene) checkRenderer() {
	if s.options.Renderer == nil {
		return
	}
	renderer, err := s.options.Renderer()
	switch s.renderer = renderer; {
	case err != nil && strings.Contains(err.Error(), "libgl1-mesa-dri"):
		s.add("window", "display", err.Error(), "install OpenGL: `sudo apt install libgl1-mesa-dri`")
	case err != nil:
		s.add("window", "display", err.Error(), "set display.window = false, or run with --headless")
	case display.IsSoftware(renderer):
		s.add("software-rendering", "display", "the processor draws the window ("+cmp.Or(renderer, "unknown")+"), beside the loop", "install the driver of the graphics card, or set display.quality = \"low\" or realtime.cpu")
	}
}
