package usbip

import (
	"encoding/binary"
	"fmt"
)

// headerSize is the length of every USB/IP header [bytes].
const headerSize = 48

// Commands of the protocol (Documentation/usb/usbip_protocol.rst of the kernel).
const (
	cmdSubmit = 1
	cmdUnlink = 2
	retSubmit = 3
	retUnlink = 4
)

// Status of a transfer: 0, or a negative error number of the kernel.
const (
	statusOK       = 0
	statusStall    = -32  // EPIPE: the device refuses the request
	statusShutdown = -108 // ESHUTDOWN: the device was unplugged
	statusUnlink   = -104 // ECONNRESET: the transfer was cancelled
)

// maxTransfer is the largest transfer that is accepted [bytes]. Full-speed devices have far smaller ones.
const maxTransfer = 1 << 16

// setup holds the setup data of a control transfer (USB 2.0, section 9.3).
type setup struct {
	kind, request        uint8
	value, index, length uint16
}

// command is the header of a command from the host.
type command struct {
	code      uint32 // cmdSubmit or cmdUnlink
	seq       uint32 // number of the transfer
	in        bool   // from the device to the host
	endpoint  uint8
	length    int    // for cmdSubmit: length of the data [bytes]
	setup     setup  // for cmdSubmit to endpoint 0
	unlinkSeq uint32 // for cmdUnlink: number of the transfer to cancel
}

// parseCommand decodes a header. It returns an error for an unknown command and for a too large transfer.
func parseCommand(b *[headerSize]byte) (command, error) {
	be, le := binary.BigEndian, binary.LittleEndian
	c := command{
		code:     be.Uint32(b[0:]),
		seq:      be.Uint32(b[4:]),
		in:       be.Uint32(b[12:]) == 1,
		endpoint: uint8(be.Uint32(b[16:])),
	}
	switch c.code {
	case cmdSubmit:
		n := be.Uint32(b[24:])
		if n > maxTransfer {
			return c, fmt.Errorf("usbip: transfer of %d bytes, want at most %d", n, maxTransfer)
		}
		c.length = int(n)
		c.setup = setup{b[40], b[41], le.Uint16(b[42:]), le.Uint16(b[44:]), le.Uint16(b[46:])}
	case cmdUnlink:
		c.unlinkSeq = be.Uint32(b[20:])
	default:
		return c, fmt.Errorf("usbip: command %#x, want %#x or %#x", c.code, cmdSubmit, cmdUnlink)
	}
	return c, nil
}

// appendReply appends the answer to a submitted transfer: its status, the number of transferred bytes n, and the
// data for the host.
func appendReply(b []byte, seq uint32, status int32, n int, data []byte) []byte {
	b = appendHeader(b, retSubmit, seq, status, n)
	return append(b, data...)
}

// appendUnlinked appends the answer to a cmdUnlink.
func appendUnlinked(b []byte, seq uint32, status int32) []byte {
	return appendHeader(b, retUnlink, seq, status, 0)
}

func appendHeader(b []byte, code, seq uint32, status int32, n int) []byte {
	var h [headerSize]byte
	be := binary.BigEndian
	be.PutUint32(h[0:], code)
	be.PutUint32(h[4:], seq)
	be.PutUint32(h[20:], uint32(status))
	be.PutUint32(h[24:], uint32(n))
	return append(b, h[:]...)
}
