package usbip

import (
	"encoding/binary"
	"unicode/utf16"
)

// device is what a port needs of a class of devices.
type device interface {
	control(s setup, out []byte) ([]byte, int32) // answers a request to endpoint 0
	pace() func(length int)                      // returns when the device takes so many bytes more
	take(out []byte)                             // what came from the host
	streams() bool                               // what goes to the host is bytes in a row, of which none may be missing
}

// identity is what a device says it is.
type identity struct {
	vendor, product, release   uint16
	class                      byte // 0: the interfaces tell
	manufacturer, name, serial string
}

// Numbers of the strings in the device descriptor.
const (
	stringLanguages = iota
	stringManufacturer
	stringName
	stringSerial
)

// standard answers the requests every device must know and these ignore.
func standard(s setup) ([]byte, int32) {
	switch s.request {
	case getStatus:
		return []byte{0, 0}, statusOK
	case clearFeature, setFeature, setConfig, setInterface:
		return nil, statusOK
	}
	return nil, statusStall
}

// deviceDescriptor is table 9-8 of USB 2.0.
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

// stringDescriptor is text in UTF-16, or the list of languages.
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
