package uinput

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Event types and codes of the kernel's input.h that the tests use.
const (
	EvSyn = 0x00
	EvKey = 0x01
	EvAbs = 0x03
	EvFF  = 0x15

	AbsX  = 0x00
	AbsY  = 0x01
	AbsZ  = 0x02
	AbsRZ = 0x05

	BtnTrigger = 0x120 // first of a wheel's buttons

	FFPeriodic   = 0x51
	FFConstant   = 0x52
	FFSpring     = 0x53
	FFFriction   = 0x54
	FFDamper     = 0x55
	FFInertia    = 0x56
	FFRamp       = 0x57
	FFSquare     = 0x58 // this and the next two: waveforms of FFPeriodic
	FFTriangle   = 0x59
	FFSine       = 0x5a
	FFGain       = 0x60
	FFAutocenter = 0x61
)

// Event is struct input_event of a 64-bit kernel.
type Event struct {
	Sec, Usec  int64
	Type, Code uint16
	Value      int32
}

// Effect is struct ff_effect of a 64-bit kernel, 48 bytes.
type Effect struct {
	Type            uint16
	ID              int16  // -1: the kernel assigns a new one
	Direction       uint16 // 0x4000 is left
	TriggerButton   uint16
	TriggerInterval uint16
	Length          uint16 // [ms], 0 is without end
	Delay           uint16 // [ms]
	_               uint16
	Parameters      [32]byte // depend on Type
}

// Constant returns an effect with a constant force, -0x8000..0x7fff, positive to the left.
func Constant(level int16, lengthMS uint16) Effect {
	e := Effect{Type: FFConstant, ID: -1, Direction: 0x4000, Length: lengthMS}
	e.SetLevel(level)
	return e
}

// Level returns the level of a constant effect.
func (e *Effect) Level() int16 { return int16(binary.NativeEndian.Uint16(e.Parameters[:])) }

// SetLevel changes the level of a constant effect.
func (e *Effect) SetLevel(level int16) {
	binary.NativeEndian.PutUint16(e.Parameters[:], uint16(level))
}

// Condition returns an effect of this kind (FFSpring, FFDamper, FFInertia or FFFriction) with the same
// coefficient to both sides, 0x7fff at most, and without a limit of its force.
func Condition(kind uint16, coefficient int16, lengthMS uint16) Effect {
	const axis, unlimited = 12, 0xffff // axis: size of struct ff_condition_effect [bytes]
	e := Effect{Type: kind, ID: -1, Direction: 0x4000, Length: lengthMS}
	p, ne := e.Parameters[:axis], binary.NativeEndian
	ne.PutUint16(p[0:], unlimited) // to the right
	ne.PutUint16(p[2:], unlimited)
	ne.PutUint16(p[4:], uint16(coefficient))
	ne.PutUint16(p[6:], uint16(coefficient))
	return e
}

// Sine returns a periodic effect with this magnitude, 0x7fff at most, and period.
func Sine(magnitude int16, periodMS, lengthMS uint16) Effect {
	e := Effect{Type: FFPeriodic, ID: -1, Direction: 0x4000, Length: lengthMS}
	p, ne := e.Parameters[:], binary.NativeEndian
	ne.PutUint16(p[0:], FFSine)
	ne.PutUint16(p[2:], periodMS)
	ne.PutUint16(p[4:], uint16(magnitude))
	return e
}

// RampFrom returns an effect whose force changes linearly from level to end, positive to the left.
func RampFrom(level, end int16, lengthMS uint16) Effect {
	e := Effect{Type: FFRamp, ID: -1, Direction: 0x4000, Length: lengthMS}
	binary.NativeEndian.PutUint16(e.Parameters[0:], uint16(level))
	binary.NativeEndian.PutUint16(e.Parameters[2:], uint16(end))
	return e
}

// Value returns the position of an axis of the open node fd (EVIOCGABS).
func Value(fd int, axis uint16) (int32, error) {
	info, err := readAxis(fd, axis)
	return info.value, err
}

// Limits returns minimum and maximum of an axis of the open node fd, as the kernel reports them.
func Limits(fd int, axis uint16) (low, high int32, err error) {
	info, err := readAxis(fd, axis)
	return info.min, info.max, err
}

// Fuzz returns the noise filter of an axis of the open node fd: the kernel reports smaller changes only in part.
func Fuzz(fd int, axis uint16) (int32, error) {
	info, err := readAxis(fd, axis)
	return info.fuzz, err
}

// SetFuzz sets the noise filter of an axis for all programs that read the device (EVIOCSABS).
func SetFuzz(fd int, axis uint16, fuzz int32) error {
	info, err := readAxis(fd, axis)
	if err != nil {
		return err
	}
	info.fuzz = fuzz
	if err := ioctl(fd, eviocsabs+uint(axis), unsafe.Pointer(&info)); err != nil {
		return fmt.Errorf("uinput: axis %#x: %w", axis, err)
	}
	return nil
}

// axisInfo is struct input_absinfo.
type axisInfo struct{ value, min, max, fuzz, flat, resolution int32 }

func readAxis(fd int, axis uint16) (axisInfo, error) {
	var info axisInfo
	if err := ioctl(fd, eviocgabs+uint(axis), unsafe.Pointer(&info)); err != nil {
		return info, fmt.Errorf("uinput: axis %#x: %w", axis, err)
	}
	return info, nil
}

// ioctl numbers of evdev (input.h).
const (
	eviocgabs = 0x80184540 // for axis 0; add the number of another axis
	eviocsabs = 0x401845c0 // the same
	eviocsff  = 0x40304580
	eviocrmff = 0x40044581
)

// Upload uploads e to the device with the open node fd (EVIOCSFF). The kernel sets e.ID of a new effect.
func Upload(fd int, e *Effect) error {
	if err := ioctl(fd, eviocsff, unsafe.Pointer(e)); err != nil {
		return fmt.Errorf("uinput: upload effect %d: %w", e.ID, err)
	}
	return nil
}

// Erase removes an effect from the device with the open node fd (EVIOCRMFF).
func Erase(fd int, id int16) error {
	if err := unix.IoctlSetInt(fd, eviocrmff, int(id)); err != nil {
		return fmt.Errorf("uinput: erase effect %d: %w", id, err)
	}
	return nil
}

// Write writes events to the open node fd, such as {EvFF, id, 1} to play an effect once.
func Write(fd int, events ...Event) error {
	if len(events) == 0 {
		return nil
	}
	size := len(events) * int(unsafe.Sizeof(Event{}))
	if _, err := unix.Write(fd, unsafe.Slice((*byte)(unsafe.Pointer(&events[0])), size)); err != nil {
		return fmt.Errorf("uinput: write: %w", err)
	}
	return nil
}

func ioctl(fd int, request uint, argument unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(argument)); errno != 0 {
		return errno
	}
	return nil
}
