package evdev

import (
	"fmt"
	"math"
	"time"
	"unsafe"
)

const (
	ffGain       = 0x60
	ffAutocenter = 0x61

	evIOCSFF       = 0x40304580
	evIOCRMFF      = 0x40044581
	evIOCGEffects  = 0x80044584
	directionLeft  = 0x4000 // linux/input.h: 0x0000 down, 0x4000 left
	noEffect       = -1     // asks the kernel for a free slot
	fullScale16bit = 0xffff
)

// header is the beginning of struct ff_effect, the same for all kinds.
type header struct {
	kind            uint16
	id              int16
	direction       uint16
	triggerButton   uint16
	triggerInterval uint16
	length          uint16 // [ms]
	delay           uint16 // [ms]
	_               uint16
}

func newHeader(kind uint16, length time.Duration) header {
	return header{kind: kind, id: noEffect, direction: directionLeft, length: millis(length)}
}

// millis is a time as the kernel takes it [ms].
func millis(d time.Duration) uint16 { return uint16(min(max(d.Milliseconds(), 0), math.MaxUint16)) }

func (h *header) head() *header { return h }

// Slot is the effect's number in the device once it was uploaded, else -1.
func (h *header) Slot() int { return int(h.id) }

// Effect is a force that a device makes by itself: a *Constant, a *Condition or a *Periodic.
type Effect interface{ head() *header }

// Constant is a constant force on one axis: struct ff_effect with its union
// laid out for FF_CONSTANT. The zero value is not ready; see NewConstant.
type Constant struct {
	header
	level int16
	_     [30]byte // the envelope, which stays flat, and what other kinds need
}

// NewConstant returns a constant force of level 0 that ends by itself after
// length, at most 65 s, unless it is played again; 0 is for ever.
func NewConstant(length time.Duration) Constant {
	return Constant{header: newHeader(ffConstant, length)}
}

// SetLevel sets the force for the next upload: -32767..32767, positive to the
// left by the kernel's convention. Drivers differ; calibration measures.
func (c *Constant) SetLevel(level int16) { c.level = level }

// Upload hands the effect to the driver; the first time it takes a slot.
// It may block in the driver.
//
// Drivers on the kernel's ff-memless (drivers/input/ff-memless.c) count an
// effect as not playing between an upload and the next report of the force. If
// it is stopped or erased just then, no report is sent and the device keeps
// the force: play it before.
func (n *Node) Upload(e Effect) error {
	if err := n.ioctl(evIOCSFF, unsafe.Pointer(e.head())); err != nil {
		return fmt.Errorf("evdev: %s: upload force: %w", n.path, err)
	}
	return nil
}

// Play starts an uploaded effect, or starts its length again.
func (n *Node) Play(e Effect) error { return n.control(uint16(e.head().id), 1, "play force") }

// Stop ends an effect that plays.
func (n *Node) Stop(e Effect) error { return n.control(uint16(e.head().id), 0, "stop force") }

// Erase frees the effect's slot, which stops it.
func (n *Node) Erase(e Effect) error {
	h := e.head()
	if h.id == noEffect {
		return nil
	}
	if err := n.ioctlValue(evIOCRMFF, uintptr(h.id)); err != nil {
		return fmt.Errorf("evdev: %s: erase force: %w", n.path, err)
	}
	h.id = noEffect
	return nil
}

// Gain sets the strength of all effects, 0..1.
func (n *Node) Gain(share float64) error { return n.control(ffGain, scale16(share), "set gain") }

// Autocenter sets the driver's own centring spring, 0 (off)..1.
func (n *Node) Autocenter(share float64) error {
	return n.control(ffAutocenter, scale16(share), "set autocentre")
}

// Effects returns how many effects the device can hold at once.
func (n *Node) Effects() (int, error) {
	var count int32
	if err := n.ioctl(evIOCGEffects, unsafe.Pointer(&count)); err != nil {
		return 0, fmt.Errorf("evdev: %s: count effects: %w", n.path, err)
	}
	return int(count), nil
}

func (n *Node) control(code uint16, value int32, what string) error {
	if err := n.write(EvFF, code, value); err != nil {
		return fmt.Errorf("evdev: %s: %s: %w", n.path, what, err)
	}
	return nil
}

func scale16(share float64) int32 {
	return int32(math.Round(min(max(share, 0), 1) * fullScale16bit))
}
