package wire

// The last two bytes of a packet: a line feed, then a carriage return.
const (
	PacketTail1  = 0x0a
	PacketTail2  = 0x0d
	maxPacketLen = 36 // of the longest packet [bytes]
)

// Packets finds packets in a stream of bytes. A packet begins with its head byte twice and ends with
// PacketTail1 and PacketTail2.
type Packets struct {
	Length func(head byte) int // returns the length of a packet with this head byte [bytes], 0 if there is no such packet
	buf    [maxPacketLen]byte
	bufLen int
	packet [maxPacketLen]byte
	Noise  uint64 // number of bytes that belonged to no packet
}

// Pending returns how many bytes are held that may be the beginning of a packet.
func (p *Packets) Pending() int { return p.bufLen }

// Reset drops the pending bytes.
func (p *Packets) Reset() { p.bufLen = 0 }

// Feed takes the next byte and returns the packet that it completes, which is valid until the
// next call.
//
// If a packet does not end as it must, only its first byte is dropped, so that a packet that
// begins among the others is still found.
func (p *Packets) Feed(b byte) ([]byte, bool) {
	p.buf[p.bufLen] = b
	p.bufLen++
	for p.skipToHead(); p.bufLen >= 2 && p.bufLen >= p.Length(p.buf[0]); p.skipToHead() {
		n := p.Length(p.buf[0])
		if p.buf[n-2] == PacketTail1 && p.buf[n-1] == PacketTail2 {
			copy(p.packet[:], p.buf[:n])
			p.remove(n)
			return p.packet[:n], true
		}
		p.Noise++
		p.remove(1)
	}
	return nil, false
}

// skipToHead drops bytes that cannot begin a packet.
func (p *Packets) skipToHead() {
	skip := 0
	for skip < p.bufLen && !p.isHead(skip) {
		skip++
	}
	p.Noise += uint64(skip)
	p.remove(skip)
}

// isHead reports whether a packet may begin at an index of buf: a head byte, followed by the same
// byte or by none yet.
func (p *Packets) isHead(at int) bool {
	return p.Length(p.buf[at]) > 0 && (at+1 == p.bufLen || p.buf[at+1] == p.buf[at])
}

// remove removes the first n bytes from buf.
func (p *Packets) remove(n int) {
	copy(p.buf[:], p.buf[n:p.bufLen])
	p.bufLen -= n
}
