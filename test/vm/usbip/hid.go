package usbip

import (
	"encoding/binary"
	"time"

	"rig.example/rig/test/vm/mono"
)

// HID is a full-speed USB input device with one interface and two interrupt endpoints, one for each direction.
type HID struct {
	Vendor, Product, Release uint16
	Manufacturer, Name       string
	Serial                   string               // "": the device has no serial number
	Descriptor               []byte               // HID report descriptor, see package hiddesc
	Interval                 time.Duration        // time between two transfers of an endpoint, whole ms
	Output                   func([]byte)         // called with each report from the host; must not block
	SetFeature               func([]byte)         // called with each feature report from the host; nil: the device has none
	Feature                  func(id byte) []byte // returns the feature report with this ID, with the ID as first byte; nil: the device has none
}

// Endpoint addresses and the largest packet of both endpoints [bytes].
const (
	endpointIn  = 0x81
	endpointOut = 0x01
	directionIn = 0x80
	maxPacket   = 64
)

// Descriptor types (USB 2.0 table 9-5, HID 1.11 section 7.1).
const (
	typeDevice = 1
	typeConfig = 2
	typeString = 3
	typeHID    = 0x21
	typeReport = 0x22
)

// Request types (bmRequestType) and the requests of each that a host sends.
const (
	standardIn      = 0x80 // standard request to the device, with an answer
	standardIface   = 0x81 // standard request to an interface, with an answer
	classOut        = 0x21 // class request to an interface, with data from the host
	classIn         = 0xa1 // class request to an interface, with an answer
	requestTypeMask = 0x60 // bits for standard (0), class or vendor request
	getStatus       = 0
	clearFeature    = 1
	setFeature      = 3
	getDescriptor   = 6
	setConfig       = 9
	setInterface    = 11
	hidGetReport    = 1
	hidSetReport    = 9
	hidSetIdle      = 10
	hidSetProtocol  = 11
	outputReport    = 2 // report type in the high byte of a SET_REPORT's value
	featureReport   = 3 // the same, also in a GET_REPORT's value
	englishUS       = 0x0409
	busPowered      = 0x80
	maxPower98mA    = 49 // power consumption [2 mA]
	interruptTransf = 3
	classHID        = 3
)

// control answers a request to endpoint 0 with data and a status.
func (h *HID) control(s setup, out []byte) ([]byte, int32) {
	switch {
	case s.request == getDescriptor && (s.kind == standardIn || s.kind == standardIface):
		return h.descriptor(s)
	case s.kind&requestTypeMask == 0:
		return standardRequest(s)
	case s.kind == classOut:
		return nil, h.classRequest(s, out)
	case s.kind == classIn && s.request == hidGetReport && s.value>>8 == featureReport:
		return h.feature(uint8(s.value))
	}
	return nil, statusStall
}

// classRequest executes a request of the HID class (HID 1.11 section 7.2) and returns the status.
func (h *HID) classRequest(s setup, out []byte) int32 {
	switch s.request {
	case hidSetIdle, hidSetProtocol:
		return statusOK
	case hidSetReport:
		switch {
		case s.value>>8 == outputReport:
			h.Output(out)
		case s.value>>8 == featureReport && h.SetFeature != nil:
			h.SetFeature(out)
		}
		return statusOK
	}
	return statusStall
}

// feature answers a GET_REPORT request for a feature report.
func (h *HID) feature(id uint8) ([]byte, int32) {
	if h.Feature == nil {
		return nil, statusStall
	}
	report := h.Feature(id)
	if len(report) == 0 {
		return nil, statusStall
	}
	return report, statusOK
}

// descriptor answers a GET_DESCRIPTOR request. The descriptor's type is in the high byte of its value.
func (h *HID) descriptor(s setup) ([]byte, int32) {
	switch s.value >> 8 {
	case typeDevice:
		return h.identity().deviceDescriptor(), statusOK
	case typeConfig:
		return h.configDescriptor(), statusOK
	case typeString:
		return h.identity().stringDescriptor(uint8(s.value))
	case typeHID:
		return h.hidDescriptor(), statusOK
	case typeReport:
		return h.Descriptor, statusOK
	}
	return nil, statusStall
}

// configDescriptor returns the descriptors of the configuration, its interface, the HID class and both endpoints
// (USB 2.0 tables 9-10, 9-12, 9-13).
func (h *HID) configDescriptor() []byte {
	const interfaces, configValue, endpoints = 1, 1, 2
	b := []byte{9, typeConfig, 0, 0, interfaces, configValue, 0, busPowered, maxPower98mA}
	b = append(b, 9, 4, 0, 0, endpoints, classHID, 0, 0, 0)
	b = append(b, h.hidDescriptor()...)
	for _, address := range []byte{endpointIn, endpointOut} {
		b = append(b, 7, 5, address, interruptTransf, maxPacket, 0, byte(h.Interval/time.Millisecond))
	}
	binary.LittleEndian.PutUint16(b[2:], uint16(len(b)))
	return b
}

// hidDescriptor returns the HID descriptor (HID 1.11 section 6.2.1), which announces one report descriptor.
func (h *HID) hidDescriptor() []byte {
	const length, countryNone, reports = 9, 0, 1
	b := []byte{length, typeHID, 0x11, 0x01, countryNone, reports, typeReport}
	return binary.LittleEndian.AppendUint16(b, uint16(len(h.Descriptor)))
}

// identity returns the device's numbers and names. Its interface defines the class.
func (h *HID) identity() identity {
	return identity{h.Vendor, h.Product, h.Release, 0, h.Manufacturer, h.Name, h.Serial}
}

// newPacer returns a function that accepts one output report per interval.
func (h *HID) newPacer() func(int) { return intervalPacer(h.Interval, mono.Now, mono.SleepUntil) }

// intervalPacer returns a function that waits for the end of the present interval. The first interval begins now.
func intervalPacer(interval time.Duration, now func() time.Duration, sleepUntil func(time.Duration)) func(int) {
	next := now()
	return func(int) {
		for at := now(); next <= at; {
			next += interval
		}
		sleepUntil(next)
	}
}

func (h *HID) receive(report []byte) { h.Output(report) }

// isStream returns false: a new report replaces one that the host has not fetched yet.
func (h *HID) isStream() bool { return false }
