package cp2112

import (
	"encoding/binary"
	"io"
)

// bus is the I²C side of the bridge: the chips on the bus, and the last transfer.
type bus struct {
	chips map[uint8]io.ReadWriter // by 7-bit address

	state     byte // of the last transfer: 0 (idle), transferComplete or transferFailed
	detail    byte
	length    int    // length of the last transfer [bytes]
	unfetched []byte // bytes of the last transfer that the host has not fetched yet
}

// States of a transfer and their details in the status report that hid-cp2112 reads.
const (
	transferComplete     = 2
	transferFailed       = 3
	detailSucceeded      = 5 // detail of transferComplete
	detailAddressRefused = 0 // detail of transferFailed
	readComplete         = 2 // state of a read response
	maxReadBytes         = 61
)

// handleOutput executes an output report of the host and returns the input report that answers it, or nil.
func (b *bus) handleOutput(r []byte) []byte {
	if len(r) == 0 || reportSizes[r[0]] == 0 {
		return nil
	}
	r = append(append([]byte(nil), r...), make([]byte, reportSizes[r[0]])...) // a short report is padded with zeros
	switch r[0] {
	case readRequest:
		b.transfer(r[1], nil, int(binary.BigEndian.Uint16(r[2:])))
	case writeRead:
		b.transfer(r[1], r[5:5+min(int(r[4]), 16)], int(binary.BigEndian.Uint16(r[2:])))
	case dataWrite:
		b.transfer(r[1], r[3:3+min(int(r[2]), maxReadBytes)], 0)
	case statusRequest:
		return b.statusReport()
	case readForceSend:
		return b.nextReadResponse(int(binary.BigEndian.Uint16(r[1:])))
	}
	return nil
}

// transfer writes the bytes out to the chip at the address in the upper 7 bits, and then reads n bytes from it.
func (b *bus) transfer(address byte, out []byte, n int) {
	const maxBytes = 512
	chip := b.chips[address>>1]
	b.unfetched, b.length, b.state, b.detail = nil, 0, transferFailed, detailAddressRefused
	if chip == nil || n > maxBytes {
		return
	}
	if len(out) > 0 {
		if _, err := chip.Write(out); err != nil {
			return
		}
	}
	in := make([]byte, n)
	if n > 0 {
		if _, err := io.ReadFull(chip, in); err != nil {
			return
		}
	}
	b.unfetched, b.length, b.state, b.detail = in, max(n, len(out)), transferComplete, detailSucceeded
}

// statusReport returns the input report with the state of the last transfer.
func (b *bus) statusReport() []byte {
	r := make([]byte, reportSizes[statusResponse])
	r[0], r[1], r[2] = statusResponse, b.state, b.detail
	binary.BigEndian.PutUint16(r[5:], uint16(b.length))
	return r
}

// nextReadResponse returns the input report with up to n of the bytes not fetched yet.
func (b *bus) nextReadResponse(n int) []byte {
	n = min(n, maxReadBytes, len(b.unfetched))
	r := make([]byte, reportSizes[readResponse])
	r[0], r[1], r[2] = readResponse, readComplete, byte(n)
	copy(r[3:], b.unfetched[:n])
	b.unfetched = b.unfetched[n:]
	return r
}
