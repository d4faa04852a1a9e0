// Package cp2112 emulates a Silicon Labs CP2112 on the USB bus: eight lines of
// GPIO and an I²C master, which the kernel's hid-cp2112 serves.
package cp2112

import (
	"io"
	"sync"
	"time"

	"rig.example/rig/test/vm/hiddesc"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/usbip"
)

// Lines is how many GPIO lines the chip has.
const Lines = 8

// Change is a line as the host has driven it.
type Change struct {
	At   time.Duration // CLOCK_MONOTONIC
	Line int
	High bool
}

// Bridge is one plugged-in chip.
type Bridge struct {
	port *usbip.Port

	mu      sync.Mutex
	pins    pins
	changes []Change
	reads   int
	smbus   []byte // the settings the host wrote last
	bus     bus
}

// New plugs a chip in, with all lines low from outside and nothing on the bus.
func New(serial string) (*Bridge, error) {
	b := &Bridge{bus: bus{chips: map[uint8]io.ReadWriter{}}, smbus: make([]byte, reportSizes[smbusConfig])}
	b.smbus[0] = smbusConfig
	port, err := usbip.Plug(&usbip.HID{
		Vendor:       0x10c4,
		Product:      0xea90,
		Release:      0x0100,
		Manufacturer: "Silicon Laboratories",
		Name:         "CP2112 HID USB-to-SMBus Bridge",
		Serial:       serial,
		Descriptor:   descriptor(),
		Interval:     time.Millisecond,
		Output:       b.output,
		SetFeature:   b.setFeature,
		Feature:      b.feature,
	})
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.port = port
	b.mu.Unlock()
	return b, nil
}

// GPIO waits for the chip's lines, /dev/gpiochipN.
func (b *Bridge) GPIO() (string, error) { return b.port.Device("gpiochip[0-9]*", 10*time.Second) }

// I2C waits for the chip's bus, /dev/i2c-N.
func (b *Bridge) I2C() (string, error) { return b.port.Device("i2c-[0-9]*", 10*time.Second) }

// Unplug pulls the chip out. It may be called twice; New plugs in another.
func (b *Bridge) Unplug() { b.port.Unplug() }

// SetInput puts a level on a line from outside, as a switch does.
func (b *Bridge) SetInput(line int, high bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pins.outside = withBit(b.pins.outside, line, high)
}

// Output tells whether the host drives a line, and to which level.
func (b *Bridge) Output(line int) (high, driven bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pins.drives(line)
}

// Changes returns what the host did to the lines it drives since the last
// call, in order.
func (b *Bridge) Changes() []Change {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.changes
	b.changes = nil
	return c
}

// Reads is how often the host has read the lines.
func (b *Bridge) Reads() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reads
}

// Connect puts a chip on the bus at an address of 7 bits; nil takes it away.
func (b *Bridge) Connect(address uint8, chip io.ReadWriter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bus.chips[address] = chip
}

// Reports by number, those that hid-cp2112 needs for lines and bus.
const (
	gpioConfig   = 0x02 // feature
	gpioGet      = 0x03
	gpioSet      = 0x04
	version      = 0x05
	smbusConfig  = 0x06
	lockByte     = 0x20
	usbConfig    = 0x21
	readRequest  = 0x10 // output
	writeRead    = 0x11
	readForce    = 0x12
	readResponse = 0x13 // input
	write        = 0x14
	statusAsk    = 0x15 // output
	statusAnswer = 0x16 // input
	cancel       = 0x17 // output
)

// reportSizes of the reports with their number [bytes].
var reportSizes = map[byte]int{
	gpioConfig: 5, gpioGet: 2, gpioSet: 3, version: 3, smbusConfig: 14, lockByte: 2, usbConfig: 10,
	readRequest: 4, writeRead: 21, readForce: 3, readResponse: 64, write: 63, statusAsk: 2, statusAnswer: 7, cancel: 2,
}

// descriptor describes the reports as fields of bytes.
func descriptor() []byte {
	d := &hiddesc.Descriptor{}
	d.Page(hiddesc.PageVendor).Usages(1).Collection(hiddesc.Application).Logical(0, 255)
	report := func(id byte) *hiddesc.Descriptor {
		return d.ReportID(uint32(id)).Usages(uint32(id)).Fields(uint32(reportSizes[id]-1), 8)
	}
	for _, id := range []byte{gpioConfig, gpioGet, gpioSet, version, smbusConfig, lockByte, usbConfig} {
		report(id).Feature(hiddesc.Variable)
	}
	for _, id := range []byte{readRequest, writeRead, readForce, write, statusAsk, cancel} {
		report(id).Output(hiddesc.Variable)
	}
	for _, id := range []byte{readResponse, statusAnswer} {
		report(id).Input(hiddesc.Variable)
	}
	return *d.End()
}

// feature answers the host's questions.
func (b *Bridge) feature(id byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch id {
	case gpioConfig:
		return []byte{id, b.pins.output, b.pins.pushPull, 0, 0}
	case gpioGet:
		b.reads++
		return []byte{id, b.pins.levels()}
	case version:
		const part, release = 0x0c, 2
		return []byte{id, part, release}
	case smbusConfig:
		return append([]byte(nil), b.smbus...)
	case lockByte:
		return []byte{id, 0xff}
	case usbConfig:
		return []byte{id, 0xc4, 0x10, 0x90, 0xea, 50, 0, 1, 0, 0}
	}
	return nil
}

// setFeature does what the host says about lines and bus.
func (b *Bridge) setFeature(r []byte) {
	if len(r) == 0 || len(r) < reportSizes[r[0]] {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.pins
	switch r[0] {
	case gpioConfig:
		b.pins.output, b.pins.pushPull = r[1], r[2]
	case gpioSet:
		b.pins.latch = b.pins.latch&^r[2] | r[1]&r[2]
	case smbusConfig:
		copy(b.smbus, r)
	}
	b.note(before)
}

// note keeps which lines the host drives otherwise than before.
func (b *Bridge) note(before pins) {
	at := mono.Now()
	for line := range Lines {
		was, drove := before.drives(line)
		high, drives := b.pins.drives(line)
		if drives && (!drove || was != high) {
			b.changes = append(b.changes, Change{at, line, high})
		}
	}
}

// output does what the host asks of the bus and sends the answer, if any.
func (b *Bridge) output(r []byte) {
	b.mu.Lock()
	answer := b.bus.output(r)
	port := b.port
	b.mu.Unlock()
	if answer != nil && port != nil {
		port.Send(answer)
	}
}
