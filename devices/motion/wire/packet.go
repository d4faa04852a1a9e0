package wire

// Some controllers' packets begin with one byte twice and end in PacketTail1 and
// PacketTail2, a line feed and a carriage return in this order.
const (
	PacketTail1 = 0x0a
	PacketTail2 = 0x0d
	packetMost  = 36 // bytes of the longest of them
)

// Packets finds packets, which begin with one byte twice and end in PacketTail1 and PacketTail2, in a stream of bytes.
type Packets struct {
	Length func(head byte) int // returns how long a packet is that begins with head twice, 0 where none does [bytes]
	buf    [packetMost]byte
	n      int
	out    [packetMost]byte
	Noise  uint64 // bytes that belonged to no packet
}

// Pending returns how many bytes wait that may be the beginning of a packet.
func (p *Packets) Pending() int { return p.n }

// Forget drops the bytes that are Pending.
func (p *Packets) Forget() { p.n = 0 }

// Feed takes the next byte and returns a packet when it completed one. The
// packet is good until the next call.
//
// Where the end is not one, only the first byte is given up: a packet that
// begins among the others is still found.
func (p *Packets) Feed(b byte) ([]byte, bool) {
	p.buf[p.n] = b
	p.n++
	for p.toHead(); p.n >= 2 && p.n >= p.Length(p.buf[0]); p.toHead() {
		n := p.Length(p.buf[0])
		if p.buf[n-2] == PacketTail1 && p.buf[n-1] == PacketTail2 {
			copy(p.out[:], p.buf[:n])
			p.remove(n)
			return p.out[:n], true
		}
		p.Noise++
		p.remove(1)
	}
	return nil, false
}

// toHead drops what cannot begin a packet.
func (p *Packets) toHead() {
	skip := 0
	for skip < p.n && !p.begins(skip) {
		skip++
	}
	p.Noise += uint64(skip)
	p.remove(skip)
}

func (p *Packets) begins(at int) bool {
	return p.Length(p.buf[at]) > 0 && (at+1 == p.n || p.buf[at+1] == p.buf[at])
}

func (p *Packets) remove(n int) {
	copy(p.buf[:], p.buf[n:p.n])
	p.n -= n
}
