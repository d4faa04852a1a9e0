package rig

import (
	"fmt"

	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/frame"
)

// interlock is the switch of a belt or a door on a line. A button may do the same.
type interlock struct {
	line stopSwitch // nil if none is configured
}

// watchesBelt reports whether there is a belt or a door to look at.
func (r *Rig) watchesBelt() bool { return r.belt.line != nil || r.drive.Setup.BeltButton }

// lineOpen reports whether the line says that it is open.
func (i *interlock) lineOpen() bool {
	if i.line == nil {
		return false
	}
	open, _ := i.line.State()
	return open
}

// settle waits until the line has been looked at for long enough, or the first tick would
// find it open.
func (i *interlock) settle(cfg estop.Config) {
	if i.line != nil {
		settled(i.line, estop.Config{Debounce: cfg.Debounce})
	}
}

// openInterlock opens the line of belt or door if one is configured.
func openInterlock(cfg estop.Config) (*estop.Switch, error) {
	if cfg.Interlock == "" {
		return nil, nil
	}
	return estop.OpenInterlock(cfg, monotonic())
}

// unbelted tells why nothing moves while a belt or a door is, or was, open.
func (d *deviceSet) unbelted(f *frame.Frame) string {
	if f.Flags&frame.BeltOpen == 0 {
		return "BELT, DOOR: closed again; to go on " + confirmBy(f)
	}
	why := "open, or nobody holds the button for interlock"
	if d.belt != nil {
		if open, cause := d.belt.State(); open {
			why = cause.Interlocked()
		}
	}
	return fmt.Sprintf("BELT, DOOR: %s; %s; close it, then %s", why, d.rests(f), confirmBy(f))
}
