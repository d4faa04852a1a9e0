// Package uinput creates virtual input devices by /dev/uinput: wheels with force feedback, and pedals. For other
// programs they are ordinary input nodes.
package uinput

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Axis is an absolute axis and the range of its values.
type Axis struct {
	Code     uint16
	Min, Max int32
}

// Config describes a virtual device.
type Config struct {
	Name            string
	Vendor, Product uint16
	Axes            []Axis
	Keys            []uint16
	Effects         []uint16      // kinds of force feedback; none: the device has no force feedback
	UploadTime      time.Duration // time that the device needs to accept an effect; the uploading program waits
	OnRequest       func(Request) // called with each request for force feedback; must not block
}

// Wheel returns a wheel with everything that rig needs: steering over 0..65535, three inverted pedals over
// 0..255 like Logitech's, eight buttons and constant force.
func Wheel() Config {
	c := Config{
		Name: "Rig test wheel", Vendor: 0x1209, Product: 0x7701,
		Axes:    []Axis{{AbsX, 0, 65535}, {AbsY, 0, 255}, {AbsZ, 0, 255}, {AbsRZ, 0, 255}},
		Effects: []uint16{FFConstant, FFGain, FFAutocenter},
	}
	for i := uint16(0); i < 8; i++ {
		c.Keys = append(c.Keys, BtnTrigger+i)
	}
	return c
}

// Pedals returns a set of three pedals over 0..4095 with an input node of their own.
func Pedals() Config {
	return Config{
		Name: "Rig test pedals", Vendor: 0x1209, Product: 0x7702,
		Axes: []Axis{{AbsX, 0, 4095}, {AbsY, 0, 4095}, {AbsZ, 0, 4095}},
	}
}

// PedalsWithoutTravel returns a set of three pedals whose axes have the same value as minimum and maximum.
func PedalsWithoutTravel() Config {
	return Config{
		Name: "Rig test pedals without travel", Vendor: 0x1209, Product: 0x7704,
		Axes: []Axis{{AbsX, 7, 7}, {AbsY, 7, 7}, {AbsZ, 7, 7}},
	}
}

// Device is a virtual device. It exists until Close.
type Device struct {
	file       *os.File
	fd         int // descriptor of file
	node       string
	uploadTime atomic.Int64 // Config.UploadTime [ns]
	onRequest  func(Request)
	served     chan struct{} // closed when serve has ended

	mu       sync.Mutex
	requests []Request
}

// New creates the device and waits for its input node.
func New(c Config) (*Device, error) {
	fd, err := unix.Open("/dev/uinput", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("uinput: /dev/uinput: %w; load uinput, and run as root", err)
	}
	if err := create(fd, c); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("uinput: %s: %w", c.Name, err)
	}
	d := &Device{file: os.NewFile(uintptr(fd), c.Name), fd: fd, onRequest: c.OnRequest, served: make(chan struct{})}
	d.SetUploadTime(c.UploadTime)
	go d.serve()
	if d.node, err = waitNode(fd); err != nil {
		d.Close()
		return nil, fmt.Errorf("uinput: %s: %w", c.Name, err)
	}
	return d, nil
}

// Node returns the path of the device's input node, /dev/input/eventN.
func (d *Device) Node() string { return d.node }

// Set sets the position of an axis.
func (d *Device) Set(axis uint16, value int32) error { return d.emit(EvAbs, axis, value) }

// SetUploadTime changes Config.UploadTime.
func (d *Device) SetUploadTime(t time.Duration) { d.uploadTime.Store(int64(t)) }

// Press presses or releases a button or key.
func (d *Device) Press(key uint16, down bool) error {
	value := int32(0)
	if down {
		value = 1
	}
	return d.emit(EvKey, key, value)
}

func (d *Device) emit(kind, code uint16, value int32) error {
	return Write(d.fd, Event{Type: kind, Code: code, Value: value}, Event{Type: EvSyn})
}

// Close removes the device, as if it were unplugged. It may be called twice.
func (d *Device) Close() {
	d.file.Close() // ends the read in serve and removes the device
	<-d.served
}

// ioctl numbers of uinput.h.
const (
	uiDevCreate   = 0x5501
	uiDevDestroy  = 0x5502
	uiDevSetup    = 0x405c5503
	uiAbsSetup    = 0x401c5504
	uiSetEvBit    = 0x40045564
	uiSetKeyBit   = 0x40045565
	uiSetAbsBit   = 0x40045567
	uiSetFFBit    = 0x4004556b
	uiGetSysname  = 0x8040552c // for a name buffer of 64 bytes
	uiBeginUpload = 0xc06855c8
	uiEndUpload   = 0x406855c9
	uiBeginErase  = 0xc00c55ca
	uiEndErase    = 0x400c55cb
)

// deviceSetup is struct uinput_setup.
type deviceSetup struct {
	bus, vendor, product, version uint16
	name                          [80]byte
	effects                       uint32
}

// axisSetup is struct uinput_abs_setup.
type axisSetup struct {
	code                                    uint16
	_                                       uint16
	value, min, max, fuzz, flat, resolution int32
}

// create describes the device to the kernel and creates it.
func create(fd int, c Config) error {
	const busUSB, effectSlots = 3, 16
	setup := deviceSetup{bus: busUSB, vendor: c.Vendor, product: c.Product, version: 1}
	copy(setup.name[:len(setup.name)-1], c.Name)
	if len(c.Effects) > 0 {
		setup.effects = effectSlots
	}
	return errors.Join(
		setBits(fd, EvKey, uiSetKeyBit, c.Keys),
		setBits(fd, EvFF, uiSetFFBit, c.Effects),
		setAxes(fd, c.Axes),
		ioctl(fd, uiDevSetup, unsafe.Pointer(&setup)),
		unix.IoctlSetInt(fd, uiDevCreate, 0),
	)
}

// setBits enables codes of one event type.
func setBits(fd, kind int, request uint, codes []uint16) error {
	if len(codes) == 0 {
		return nil
	}
	err := unix.IoctlSetInt(fd, uiSetEvBit, kind)
	for _, code := range codes {
		err = errors.Join(err, unix.IoctlSetInt(fd, request, int(code)))
	}
	return err
}

func setAxes(fd int, axes []Axis) error {
	var err error
	for _, a := range axes {
		s := axisSetup{code: a.Code, min: a.Min, max: a.Max}
		err = errors.Join(err,
			setBits(fd, EvAbs, uiSetAbsBit, []uint16{a.Code}),
			ioctl(fd, uiAbsSetup, unsafe.Pointer(&s)))
	}
	return err
}

// waitNode waits for the input node of the device that was created on fd, and returns its path.
func waitNode(fd int) (string, error) {
	var name [64]byte
	if err := ioctl(fd, uiGetSysname, unsafe.Pointer(&name)); err != nil {
		return "", err
	}
	text, _, _ := bytes.Cut(name[:], []byte{0})
	pattern := "/sys/devices/virtual/input/" + string(text) + "/event*"
	for range 400 {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			node := "/dev/input/" + filepath.Base(found[0])
			if _, err := os.Stat(node); err == nil {
				return node, nil
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return "", errors.New("no input node; load evdev")
}
