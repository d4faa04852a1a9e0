package rig

import (
	"fmt"

	"rig/devices/estop"
	"rig/internal/frame"
)

// interlock is the switch of a belt or a door: a line, a button that is held, or both.
type interlock struct {
	line   stopSwitch // nil if none is configured
	button bool       // a control was named for it
	open   bool
}

// watched tells whether there is a belt or a door to look at.
func (i *interlock) watched() bool { return i.line != nil || i.button }

// ask tells whether it is open in this tick; held is the button.
func (i *interlock) ask(held bool) bool {
	i.open = i.button && !held
	if i.line != nil {
		open, _ := i.line.State()
		i.open = i.open || open
	}
	return i.open
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
