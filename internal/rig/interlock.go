package rig

import (
	"fmt"

	"rig.example/rig/internal/frame"
)

// watchesBelt reports whether there is a belt or a door to look at.
func (r *Rig) watchesBelt() bool { return r.belt.Line != nil || r.drive.Setup.BeltButton }

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
