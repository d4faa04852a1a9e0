package usbip

import (
	"encoding/binary"
	"time"

	"rig.example/rig/test/vm/mono"
)

// HID is a USB input device of full speed with one interface, an interrupt
// endpoint 1 to the host and one from the host.
type HID struct {
	Vendor, Product, Release uint16
	Manufacturer, Name       string
	Serial                   string               // "": the device has no serial number
	Descriptor               []byte               // of the reports; see package hiddesc
	Interval                 time.Duration        // between two transfers of an endpoint, whole ms
	Output                   func([]byte)         // called with each report from the host; must not block
	SetFeature               func([]byte)         // called with each feature report; nil: it has none
	Feature                  func(id byte) []byte // the feature report of that ID, with the ID in front; nil: none
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
	standardIn      = 0x80
	standardIface   = 0x81
	classOut        = 0x21
	classIn         = 0xa1
	typeMask        = 0x60 // zero: a standard request
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
	outputReport    = 2 // report type in the high byte of SET_REPORT's value
	featureReport   = 3 // likewise, and of GET_REPORT's
	englishUS       = 0x0409
	busPowered      = 0x80
	milliampere98   = 49 // in units of 2 mA
	interruptTransf = 3
	classHID        = 3
)

// control answers a request to endpoint 0: what to send, and the status.
func (h *HID) control(s setup, out []byte) ([]byte, int32) {
	switch {
	case s.request == getDescriptor && (s.kind == standardIn || s.kind == standardIface):
		return h.descriptor(s)
	case s.kind&typeMask == 0:
		return standard(s)
	case s.kind == classOut:
		return nil, h.class(s, out)
	case s.kind == classIn && s.request == hidGetReport && s.value>>8 == featureReport:
		return h.feature(uint8(s.value))
	}
	return nil, statusStall
}

// class answers the requests of input devices (HID 1.11 section 7.2).
func (h *HID) class(s setup, out []byte) int32 {
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

// feature answers GET_REPORT of a feature report.
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

// descriptor answers GET_DESCRIPTOR: the type is in the value's high byte.
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

// configDescriptor is the configuration, its interface, the HID descriptor and
// both endpoints (USB 2.0 tables 9-10, 9-12, 9-13).
func (h *HID) configDescriptor() []byte {
	const interfaces, configValue, endpoints = 1, 1, 2
	b := []byte{9, typeConfig, 0, 0, interfaces, configValue, 0, busPowered, milliampere98}
	b = append(b, 9, 4, 0, 0, endpoints, classHID, 0, 0, 0)
	b = append(b, h.hidDescriptor()...)
	for _, address := range []byte{endpointIn, endpointOut} {
		b = append(b, 7, 5, address, interruptTransf, maxPacket, 0, byte(h.Interval/time.Millisecond))
	}
	binary.LittleEndian.PutUint16(b[2:], uint16(len(b)))
	return b
}

// hidDescriptor is section 6.2.1 of HID 1.11: one report descriptor.
func (h *HID) hidDescriptor() []byte {
	const length, countryNone, reports = 9, 0, 1
	b := []byte{length, typeHID, 0x11, 0x01, countryNone, reports, typeReport}
	return binary.LittleEndian.AppendUint16(b, uint16(len(h.Descriptor)))
}

// identity is what it says it is; its interface tells the class.
func (h *HID) identity() identity {
	return identity{h.Vendor, h.Product, h.Release, 0, h.Manufacturer, h.Name, h.Serial}
}

// pace lets one output report pass at each interval.
func (h *HID) pace() func(int) { return paced(h.Interval, mono.Now, mono.SleepUntil) }

// paced returns a function that waits for the next whole interval since now.
func paced(interval time.Duration, now func() time.Duration, sleepUntil func(time.Duration)) func(int) {
	next := now()
	return func(int) {
		for at := now(); next <= at; {
			next += interval
		}
		sleepUntil(next)
	}
}

func (h *HID) take(report []byte) { h.Output(report) }

// streams is false: a report that the host has not fetched yet is replaced.
func (h *HID) streams() bool { return false }
