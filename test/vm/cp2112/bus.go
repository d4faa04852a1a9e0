package cp2112

import (
	"encoding/binary"
	"io"
)

// bus is the I²C side: the last transfer and what it has read.
type bus struct {
	chips map[uint8]io.ReadWriter

	state  byte // of the last transfer: idle, complete or failed
	detail byte
	length int    // bytes of the last transfer
	read   []byte // not fetched yet
}

// States of a transfer, and their details, as hid-cp2112 reads them.
const (
	complete       = 2
	failed         = 3
	succeeded      = 5 // of complete
	addressRefused = 0 // of failed
	readComplete   = 2 // state of a read response
	mostRead       = 61
)

// output does what an output report asks and returns the report to send, nil
// for none.
func (b *bus) output(r []byte) []byte {
	if len(r) == 0 || reportSizes[r[0]] == 0 {
		return nil
	}
	r = append(append([]byte(nil), r...), make([]byte, reportSizes[r[0]])...) // short ones end in zeros
	switch r[0] {
	case readRequest:
		b.transfer(r[1], nil, int(binary.BigEndian.Uint16(r[2:])))
	case writeRead:
		b.transfer(r[1], r[5:5+min(int(r[4]), 16)], int(binary.BigEndian.Uint16(r[2:])))
	case write:
		b.transfer(r[1], r[3:3+min(int(r[2]), mostRead)], 0)
	case statusAsk:
		return b.status()
	case readForce:
		return b.fetch(int(binary.BigEndian.Uint16(r[1:])))
	}
	return nil
}

// transfer writes out and then reads n bytes, both to the chip at the address,
// which is in the upper 7 bits.
func (b *bus) transfer(address byte, out []byte, n int) {
	const most = 512
	chip := b.chips[address>>1]
	b.read, b.length, b.state, b.detail = nil, 0, failed, addressRefused
	if chip == nil || n > most {
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
	b.read, b.length, b.state, b.detail = in, max(n, len(out)), complete, succeeded
}

// status tells how the last transfer went.
func (b *bus) status() []byte {
	r := make([]byte, reportSizes[statusAnswer])
	r[0], r[1], r[2] = statusAnswer, b.state, b.detail
	binary.BigEndian.PutUint16(r[5:], uint16(b.length))
	return r
}

// fetch gives up to n bytes of what was read.
func (b *bus) fetch(n int) []byte {
	n = min(n, mostRead, len(b.read))
	r := make([]byte, reportSizes[readResponse])
	r[0], r[1], r[2] = readResponse, readComplete, byte(n)
	copy(r[3:], b.read[:n])
	b.read = b.read[n:]
	return r
}
