// Package cp2112 emulates a Silicon Labs CP2112 on the USB bus: eight GPIO lines and an I²C controller,
// for which the kernel has the driver hid-cp2112.
package cp2112

import (
	"io"
	"sync"
	"time"

	"rig.example/rig/test/vm/hiddesc"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/usbip"
)

// Lines is the number of GPIO lines of the chip.
const Lines = 8

// Change is the moment at which the host drove a line to another level.
type Change struct {
	At   time.Duration // CLOCK_MONOTONIC
	Line int
	High bool
}

// Bridge is one plugged-in chip.
type Bridge struct {
	port *usbip.Port

	mu            sync.Mutex
	pins          pins
	changes       []Change
	readCount     int
	smbusSettings []byte // the settings the host wrote last
	bus           bus
}

// New plugs in a bridge with all external levels low and no chip on the I²C bus.
func New(serial string) (*Bridge, error) {
	b := &Bridge{bus: bus{chips: map[uint8]io.ReadWriter{}}, smbusSettings: make([]byte, reportSizes[smbusConfig])}
	b.smbusSettings[0] = smbusConfig
	port, err := usbip.Plug(&usbip.HID{
		Vendor:       0x10c4,
		Product:      0xea90,
		Release:      0x0100,
		Manufacturer: "Silicon Laboratories",
		Name:         "CP2112 HID USB-to-SMBus Bridge",
		Serial:       serial,
		Descriptor:   descriptor(),
		Interval:     time.Millisecond,
		Output:       b.handleOutput,
		SetFeature:   b.setFeature,
		Feature:      b.featureReport,
	})
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.port = port
	b.mu.Unlock()
	return b, nil
}

// GPIO waits for the bridge's GPIO device and returns its path, /dev/gpiochipN.
func (b *Bridge) GPIO() (string, error) { return b.port.Device("gpiochip[0-9]*", 10*time.Second) }

// I2C waits for the bridge's I²C device and returns its path, /dev/i2c-N.
func (b *Bridge) I2C() (string, error) { return b.port.Device("i2c-[0-9]*", 10*time.Second) }

// Unplug unplugs the bridge. It may be called twice. New plugs in another one.
func (b *Bridge) Unplug() { b.port.Unplug() }

// SetInput sets the level that the circuit outside applies to a line, as a switch does.
func (b *Bridge) SetInput(line int, high bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pins.externalLevels = setBit(b.pins.externalLevels, line, high)
}

// Output returns the level to which the host sets a line, and whether the line is an output at all.
func (b *Bridge) Output(line int) (high, driven bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pins.drivenLevel(line)
}

// Changes returns the level changes of the host's output lines since the last call, in order.
func (b *Bridge) Changes() []Change {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.changes
	b.changes = nil
	return c
}

// Reads returns how often the host has read the levels of the lines.
func (b *Bridge) Reads() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.readCount
}

// Connect connects a chip to the I²C bus at a 7-bit address. nil disconnects it.
func (b *Bridge) Connect(address uint8, chip io.ReadWriter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bus.chips[address] = chip
}

// Numbers of the reports that hid-cp2112 uses for GPIO and I²C (application note AN495).
const (
	gpioConfig     = 0x02 // feature report
	gpioGet        = 0x03 // feature report
	gpioSet        = 0x04 // feature report
	version        = 0x05 // feature report
	smbusConfig    = 0x06 // feature report
	lockByte       = 0x20 // feature report
	usbConfig      = 0x21 // feature report
	readRequest    = 0x10 // output report, from the host
	writeRead      = 0x11 // output report
	readForceSend  = 0x12 // output report
	readResponse   = 0x13 // input report, to the host
	dataWrite      = 0x14 // output report
	statusRequest  = 0x15 // output report
	statusResponse = 0x16 // input report
	cancel         = 0x17 // output report
)

// reportSizes holds the length of each report, with its number byte [bytes].
var reportSizes = map[byte]int{
	gpioConfig: 5, gpioGet: 2, gpioSet: 3, version: 3, smbusConfig: 14, lockByte: 2, usbConfig: 10,
	readRequest: 4, writeRead: 21, readForceSend: 3, readResponse: 64, dataWrite: 63, statusRequest: 2, statusResponse: 7, cancel: 2,
}

// descriptor returns the HID report descriptor: each report is a field of bytes.
func descriptor() []byte {
	d := &hiddesc.Descriptor{}
	d.Page(hiddesc.PageVendor).Usages(1).Collection(hiddesc.Application).Logical(0, 255)
	report := func(id byte) *hiddesc.Descriptor {
		return d.ReportID(uint32(id)).Usages(uint32(id)).Fields(uint32(reportSizes[id]-1), 8)
	}
	for _, id := range []byte{gpioConfig, gpioGet, gpioSet, version, smbusConfig, lockByte, usbConfig} {
		report(id).Feature(hiddesc.Variable)
	}
	for _, id := range []byte{readRequest, writeRead, readForceSend, dataWrite, statusRequest, cancel} {
		report(id).Output(hiddesc.Variable)
	}
	for _, id := range []byte{readResponse, statusResponse} {
		report(id).Input(hiddesc.Variable)
	}
	return *d.End()
}

// featureReport returns the feature report with this number, which the host reads.
func (b *Bridge) featureReport(id byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch id {
	case gpioConfig:
		return []byte{id, b.pins.output, b.pins.pushPull, 0, 0}
	case gpioGet:
		b.readCount++
		return []byte{id, b.pins.levels()}
	case version:
		const part, release = 0x0c, 2
		return []byte{id, part, release}
	case smbusConfig:
		return append([]byte(nil), b.smbusSettings...)
	case lockByte:
		return []byte{id, 0xff}
	case usbConfig:
		return []byte{id, 0xc4, 0x10, 0x90, 0xea, 50, 0, 1, 0, 0}
	}
	return nil
}

// setFeature applies a feature report of the host: settings of the lines and of the bus, or levels.
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
		b.pins.hostLevels = b.pins.hostLevels&^r[2] | r[1]&r[2]
	case smbusConfig:
		copy(b.smbusSettings, r)
	}
	b.recordChanges(before)
}

// recordChanges records each output line whose level differs from that in before.
func (b *Bridge) recordChanges(before pins) {
	at := mono.Now()
	for line := range Lines {
		was, drove := before.drivenLevel(line)
		high, drives := b.pins.drivenLevel(line)
		if drives && (!drove || was != high) {
			b.changes = append(b.changes, Change{at, line, high})
		}
	}
}

// handleOutput executes an output report of the host and sends the answer, if there is one.
func (b *Bridge) handleOutput(r []byte) {
	b.mu.Lock()
	answer := b.bus.handleOutput(r)
	port := b.port
	b.mu.Unlock()
	if answer != nil && port != nil {
		port.Send(answer)
	}
}
