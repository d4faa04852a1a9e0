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
	anySlot        = -1     // makes the kernel choose a free slot
	fullScale16bit = 0xffff
)

// effectHeader is the beginning of struct ff_effect, which is the same for all kinds of effect.
type effectHeader struct {
	kind            uint16
	id              int16
	direction       uint16
	triggerButton   uint16
	triggerInterval uint16
	length          uint16 // [ms]; 0: no end
	delay           uint16 // [ms]
	_               uint16
}

func newHeader(kind uint16, length time.Duration) effectHeader {
	return effectHeader{kind: kind, id: anySlot, direction: directionLeft, length: milliseconds(length)}
}

// milliseconds returns a duration as struct ff_effect holds it [ms], within 0..65535.
func milliseconds(d time.Duration) uint16 {
	return uint16(min(max(d.Milliseconds(), 0), math.MaxUint16))
}

func (h *effectHeader) header() *effectHeader { return h }

// Slot returns the effect's number in the device, or -1 before the first upload and after Erase.
func (h *effectHeader) Slot() int { return int(h.id) }

// Effect is a force that the device plays: a *Constant, a *Condition or a *Periodic.
type Effect interface{ header() *effectHeader }

// Constant is a constant force on one axis: struct ff_effect with its union laid out for FF_CONSTANT.
// The zero value is not ready; see NewConstant.
type Constant struct {
	effectHeader
	level int16
	_     [30]byte // the envelope, which is not used, and the fields of other kinds
}

// NewConstant returns a constant force of level 0. It ends by itself after length, at most 65 s,
// unless it is played again; with length 0 it has no end.
func NewConstant(length time.Duration) Constant {
	return Constant{effectHeader: newHeader(ffConstant, length)}
}

// SetLevel sets the force for the next upload: -32767..32767, positive to the left by the kernel's
// convention. The sign of drivers differs, and calibration measures it.
func (c *Constant) SetLevel(level int16) { c.level = level }

// Upload sends the effect to the driver; the first time it takes a slot. It may block in the driver.
//
// Drivers on the kernel's ff-memless (drivers/input/ff-memless.c) treat an effect as not playing
// between an upload and the next report of the force. If it is stopped or erased just then, no report
// is sent and the device keeps the force: play the effect before.
func (n *Node) Upload(e Effect) error {
	if err := n.ioctl(evIOCSFF, unsafe.Pointer(e.header())); err != nil {
		return fmt.Errorf("evdev: %s: upload force: %w", n.path, err)
	}
	return nil
}

// Play starts an uploaded effect, or starts its length anew.
func (n *Node) Play(e Effect) error { return n.writeForceEvent(uint16(e.header().id), 1, "play force") }

// Stop ends an effect that is playing.
func (n *Node) Stop(e Effect) error { return n.writeForceEvent(uint16(e.header().id), 0, "stop force") }

// Erase frees the effect's slot, which also stops the effect.
func (n *Node) Erase(e Effect) error {
	h := e.header()
	if h.id == anySlot {
		return nil
	}
	if err := n.ioctlValue(evIOCRMFF, uintptr(h.id)); err != nil {
		return fmt.Errorf("evdev: %s: erase force: %w", n.path, err)
	}
	h.id = anySlot
	return nil
}

// Gain sets the strength of all effects, 0..1.
func (n *Node) Gain(share float64) error {
	return n.writeForceEvent(ffGain, toScale16(share), "set gain")
}

// Autocenter sets the strength of the driver's own centering spring, 0 (off)..1.
func (n *Node) Autocenter(share float64) error {
	return n.writeForceEvent(ffAutocenter, toScale16(share), "set autocenter")
}

// Effects returns the number of effect slots of the device.
func (n *Node) Effects() (int, error) {
	var count int32
	if err := n.ioctl(evIOCGEffects, unsafe.Pointer(&count)); err != nil {
		return 0, fmt.Errorf("evdev: %s: count effects: %w", n.path, err)
	}
	return int(count), nil
}

// writeForceEvent writes an event of type EV_FF. action is its text for an error.
func (n *Node) writeForceEvent(code uint16, value int32, action string) error {
	if err := n.write(EvFF, code, value); err != nil {
		return fmt.Errorf("evdev: %s: %s: %w", n.path, action, err)
	}
	return nil
}

// toScale16 returns a share, 0..1, as a number of 0..65535.
func toScale16(share float64) int32 {
	return int32(math.Round(min(max(share, 0), 1) * fullScale16bit))
}
