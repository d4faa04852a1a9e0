package wheel

import (
	"time"

	"rig.example/rig/internal/evdev"
)

// forceNode is the force of a device, as *evdev.Node has it.
type forceNode interface {
	Effects() (slots int, err error)
	Gain(share float64) error
	Autocenter(share float64) error
	Upload(e evdev.Effect) error
	Play(e evdev.Effect) error
	Stop(e evdev.Effect) error
	Erase(e evdev.Effect) error
	Wait(bell *evdev.Bell, timeout time.Duration) error
	KeepAlone(bell *evdev.Bell) error
	Close() error
}

// inputNode is the position of a device, as *evdev.Input has it.
type inputNode interface {
	Grab() error
	Update() error
	Reported() bool
	Abs(code uint16) int32
	Seen() uint64
	Next(at *uint64) (ev *evdev.Event, lost bool)
	Release() error
}
