package evdev

import (
	"errors"
	"fmt"
	"io/fs"
)

// Choose returns the device of list that selector means. If selector is empty, it returns the first of
// those for which rank is highest; a device of rank 0 or less is never chosen. part is the part of the
// rig that searches, such as "wheel": messages begin with it, and the selector is its key "device" in
// the configuration.
func Choose(list []Info, part, selector string, rank func(Info) int) (Info, error) {
	var best Info
	var unreadable error
	highest := 0
	for _, i := range list {
		switch {
		case i.Err != nil:
			if errors.Is(i.Err, fs.ErrPermission) || i.Matches(selector) {
				unreadable = i.Err
			}
		case selector != "":
			if i.Matches(selector) {
				return i, nil
			}
		default:
			if r := rank(i); r > highest {
				best, highest = i, r
			}
		}
	}
	switch {
	case highest > 0:
		return best, nil
	case unreadable != nil:
		return best, fmt.Errorf("%s: not found, but not every device could be read: %w", part, unreadable)
	case selector != "":
		return best, fmt.Errorf("%s: no device matches %q; plug it in, or choose one that `rig devices` shows", part, selector)
	default:
		return best, fmt.Errorf("%s: not found; plug it in, or name the device in %s.device", part, part)
	}
}
