package wheel

import (
	"time"

	"rig.example/rig/internal/kit/evdev"
)

// forceNode plays the force effects of a device. It is an *evdev.Node, or a fake in tests.
type forceNode interface {
	Effects() (slots int, err error)
	Gain(share float64) error
	Autocenter(share float64) error
	Upload(e evdev.Effect) error
	Play(e evdev.Effect) error
	Stop(e evdev.Effect) error
	Erase(e evdev.Effect) error
	Wait(waker *evdev.Waker, timeout time.Duration) error
	OwnByThread(waker *evdev.Waker) error
	Close() error
}

// inputNode reads the axes of a device. It is an *evdev.Input, or a fake in tests.
type inputNode interface {
	Grab() error
	Update() error
	Reported() bool
	Abs(code uint16) int32
	EventEnd() uint64
	NextEvent(at *uint64) (ev *evdev.Event, lost bool)
	Release() error
}
