package usbip

import (
	"encoding/binary"
	"sync"
)

// ACM is a USB serial adapter of full speed, of the class that the kernel's
// cdc-acm drives (USB CDC 1.2 with the PSTN subclass 1.2).
type ACM struct {
	Vendor, Product, Release uint16
	Manufacturer, Name       string
	Serial                   string              // "": the device has no serial number
	Ready                    func(length int)    // returns when the adapter accepts length more bytes; until then the endpoint is busy
	Output                   func([]byte)        // called with each transfer from the host
	Rate                     func(baud int)      // called with each new bit rate [bit/s]; must not block
	Lines                    func(dtr, rts bool) // called with each new state of the control lines; must not block

	mu     sync.Mutex
	coding [lineCodingSize]byte
}

// Requests of the class (PSTN 1.2, table 13), and values in its descriptors (CDC 1.2).
const (
	acmSetLineCoding   = 0x20
	acmGetLineCoding   = 0x21
	acmSetControlLines = 0x22
	acmSendBreak       = 0x23
	lineCodingSize     = 7 // rate [bit/s] as 32 bits, stop bits, parity, data bits
	lineDTR, lineRTS   = 1, 2

	classComm, classData    = 2, 10
	subclassACM, protocolAT = 2, 1
	typeInterfaceCS         = 0x24 // class-specific interface descriptor (CS_INTERFACE)
	// subtypes of the class-specific interface descriptors
	subtypeHeader, subtypeCall       = 0, 1
	subtypeACMFunction, subtypeUnion = 2, 6

	acmCapabilities           = 2 // line coding and control lines
	bulkTransfer              = 2
	endpointNotify            = 0x82
	notifyPacket, notifyEvery = 16, 10
)

// control answers a request to endpoint 0 with data and a status.
func (a *ACM) control(s setup, out []byte) ([]byte, int32) {
	switch {
	case s.request == getDescriptor && s.kind == standardIn:
		return a.descriptor(s)
	case s.kind&requestTypeMask == 0:
		return standardRequest(s)
	case s.kind == classIn && s.request == acmGetLineCoding:
		a.mu.Lock()
		defer a.mu.Unlock()
		return append([]byte(nil), a.coding[:]...), statusOK
	case s.kind == classOut:
		return nil, a.classRequest(s, out)
	}
	return nil, statusStall
}

// classRequest executes a request of the host that sets line coding or control lines, and returns the status.
func (a *ACM) classRequest(s setup, out []byte) int32 {
	switch {
	case s.request == acmSetLineCoding && len(out) == lineCodingSize:
		a.mu.Lock()
		copy(a.coding[:], out)
		a.mu.Unlock()
		a.Rate(int(binary.LittleEndian.Uint32(out)))
	case s.request == acmSetControlLines:
		a.Lines(s.value&lineDTR != 0, s.value&lineRTS != 0)
	case s.request == acmSendBreak:
	default:
		return statusStall
	}
	return statusOK
}

func (a *ACM) identity() identity {
	return identity{a.Vendor, a.Product, a.Release, classComm, a.Manufacturer, a.Name, a.Serial}
}

func (a *ACM) descriptor(s setup) ([]byte, int32) {
	id := a.identity()
	switch s.value >> 8 {
	case typeDevice:
		return id.deviceDescriptor(), statusOK
	case typeConfig:
		return a.configDescriptor(), statusOK
	case typeString:
		return id.stringDescriptor(uint8(s.value))
	}
	return nil, statusStall
}

// configDescriptor returns the configuration: a control interface with an endpoint for notifications, and a data
// interface with an endpoint for each direction (CDC 1.2, section 5).
func (a *ACM) configDescriptor() []byte {
	const interfaces, configValue, control, data = 2, 1, 0, 1
	b := []byte{9, typeConfig, 0, 0, interfaces, configValue, 0, busPowered, maxPower98mA}
	b = append(b, 9, 4, control, 0, 1, classComm, subclassACM, protocolAT, 0)
	b = append(b, 5, typeInterfaceCS, subtypeHeader, 0x10, 0x01)
	b = append(b, 5, typeInterfaceCS, subtypeCall, 0, data)
	b = append(b, 4, typeInterfaceCS, subtypeACMFunction, acmCapabilities)
	b = append(b, 5, typeInterfaceCS, subtypeUnion, control, data)
	b = append(b, 7, 5, endpointNotify, interruptTransf, notifyPacket, 0, notifyEvery)
	b = append(b, 9, 4, data, 0, 2, classData, 0, 0, 0)
	for _, address := range []byte{endpointIn, endpointOut} {
		b = append(b, 7, 5, address, bulkTransfer, maxPacket, 0, 0)
	}
	binary.LittleEndian.PutUint16(b[2:], uint16(len(b)))
	return b
}

// newPacer returns Ready.
func (a *ACM) newPacer() func(int) { return a.Ready }

func (a *ACM) receive(out []byte) { a.Output(out) }

// isStream returns true: bytes that the host has not fetched yet are kept.
func (a *ACM) isStream() bool { return true }
