package motion

// Some controllers' packets begin with one byte twice and end in a line feed
// and a carriage return, in this order.
const (
	packetTail1 = 0x0a
	packetTail2 = 0x0d
	packetMost  = 36 // bytes of the longest of them
)

// packets finds such packets in a stream of bytes.
type packets struct {
	length func(head byte) int // of a packet that begins with head twice, 0 where none does
	buf    [packetMost]byte
	n      int
	out    [packetMost]byte
	noise  uint64 // bytes that belonged to no packet
}

// feed takes the next byte and returns a packet when it completed one. The
// packet is good until the next call.
//
// Where the end is not one, only the first byte is given up: a packet that
// begins among the others is still found.
func (p *packets) feed(b byte) ([]byte, bool) {
	p.buf[p.n] = b
	p.n++
	for p.toHead(); p.n >= 2 && p.n >= p.length(p.buf[0]); p.toHead() {
		n := p.length(p.buf[0])
		if p.buf[n-2] == packetTail1 && p.buf[n-1] == packetTail2 {
			copy(p.out[:], p.buf[:n])
			p.remove(n)
			return p.out[:n], true
		}
		p.noise++
		p.remove(1)
	}
	return nil, false
}

// toHead drops what cannot begin a packet.
func (p *packets) toHead() {
	skip := 0
	for skip < p.n && !p.begins(skip) {
		skip++
	}
	p.noise += uint64(skip)
	p.remove(skip)
}

func (p *packets) begins(at int) bool {
	return p.length(p.buf[at]) > 0 && (at+1 == p.n || p.buf[at+1] == p.buf[at])
}

func (p *packets) remove(n int) {
	copy(p.buf[:], p.buf[n:p.n])
	p.n -= n
}
