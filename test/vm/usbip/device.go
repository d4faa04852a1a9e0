package usbip

import (
	"encoding/binary"
	"unicode/utf16"
)

// device is the part of a device's behavior that depends on its class.
type device interface {
	control(s setup, out []byte) ([]byte, int32) // answers a request to endpoint 0
	newPacer() func(length int)                  // returns a function that waits until the device accepts length more bytes
	receive(out []byte)                          // is called with the data from the host
	isStream() bool                              // reports whether the data to the host is a stream, of which no byte may be lost
}

// identity holds the device's vendor, product, class and names.
type identity struct {
	vendor, product, release   uint16
	class                      byte // 0: defined by the interfaces
	manufacturer, name, serial string
}

// Indices of the string descriptors.
const (
	stringLanguages = iota
	stringManufacturer
	stringName
	stringSerial
)

// standardRequest answers the standard requests that every device must support but that have no effect here.
func standardRequest(s setup) ([]byte, int32) {
	switch s.request {
	case getStatus:
		return []byte{0, 0}, statusOK
	case clearFeature, setFeature, setConfig, setInterface:
		return nil, statusOK
	}
	return nil, statusStall
}

// deviceDescriptor returns the device descriptor (USB 2.0 table 9-8).
func (d identity) deviceDescriptor() []byte {
	const length, usb2, packet0, configs = 18, 0x0200, 64, 1
	serial := byte(0)
	if d.serial != "" {
		serial = stringSerial
	}
	le := binary.LittleEndian
	b := []byte{length, typeDevice}
	b = le.AppendUint16(b, usb2)
	b = append(b, d.class, 0, 0, packet0)
	b = le.AppendUint16(b, d.vendor)
	b = le.AppendUint16(b, d.product)
	b = le.AppendUint16(b, d.release)
	return append(b, stringManufacturer, stringName, serial, configs)
}

// stringDescriptor returns the string descriptor of this number: a text in UTF-16, or the list of languages.
func (d identity) stringDescriptor(number uint8) ([]byte, int32) {
	var units []uint16
	switch {
	case number == stringLanguages:
		units = []uint16{englishUS}
	case number == stringManufacturer:
		units = utf16.Encode([]rune(d.manufacturer))
	case number == stringName:
		units = utf16.Encode([]rune(d.name))
	case number == stringSerial && d.serial != "":
		units = utf16.Encode([]rune(d.serial))
	default:
		return nil, statusStall
	}
	b := []byte{byte(2 + 2*len(units)), typeString}
	for _, u := range units {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b, statusOK
}
