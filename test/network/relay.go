package network

import (
	"container/heap"
	"encoding/binary"
	"time"
)

// Traffic counts the packets of one direction of a rig's line, as they were sent: before any was lost or doubled.
type Traffic struct {
	Packets, Bytes uint64 // with the headers of IP, UDP and TCP
	UDP, TCP       uint64 // bytes of these two
	Peak           uint64 // most bytes in one second of the relay's clock
	Lost           uint64 // packets lost on a working line
	Doubled        uint64
	Cut            uint64 // packets that were sent while the line was cut
}

// direction is one direction of a rig's line.
type direction struct {
	Traffic
	path     Path
	second   time.Duration // that inSecond counts, from its start
	inSecond uint64        // bytes
}

// line joins a rig to the host.
type line struct {
	up, down direction // from the rig, and to it
	cut      bool
}

// relay decides when each packet arrives where. It reads no clock: now is a time since any fixed start.
type relay struct {
	lines   []line // of nodes; that of the host, which is node 0, is not used
	waiting queue
	count   uint64 // packets accepted so far
}

// packet is a copy of a packet on its way.
type packet struct {
	at    time.Duration // when it arrives
	count uint64        // keeps the order of packets that arrive at the same time
	to    int           // node
	data  []byte
}

// take accepts an IP packet that a node has sent. Packets of other protocols than IPv4, to addresses outside of
// the network, and from rig to rig go nowhere.
func (r *relay) take(from int, data []byte, now time.Duration) {
	to, ok := destination(data)
	if !ok || to >= len(r.lines) || (from == host) == (to == host) {
		return
	}
	l := &r.lines[from+to]
	d := &l.up
	if from == host {
		d = &l.down
	}
	n := d.add(data, now)
	if l.cut {
		d.Cut++
		return
	}
	copies := d.path.Copies(n)
	switch len(copies) {
	case 0:
		d.Lost++
	case 2:
		d.Doubled++
	}
	for _, delay := range copies {
		heap.Push(&r.waiting, packet{at: now + delay, count: r.count, to: to, data: data})
		r.count++
	}
}

// add counts a packet, and returns its number in this direction, from 0.
func (d *direction) add(data []byte, now time.Duration) (number uint64) {
	const protocolAt, tcp, udp = 9, 6, 17
	size := uint64(len(data))
	number = d.Packets
	d.Packets++
	d.Bytes += size
	switch data[protocolAt] {
	case tcp:
		d.TCP += size
	case udp:
		d.UDP += size
	}
	if second := now.Truncate(time.Second); second != d.second {
		d.second, d.inSecond = second, 0
	}
	d.inSecond += size
	d.Peak = max(d.Peak, d.inSecond)
	return number
}

// due returns the next packet that has arrived at now. If there is none, it returns when the next one will, or a
// negative time if none is on its way.
func (r *relay) due(now time.Duration) (p packet, ok bool, next time.Duration) {
	if len(r.waiting) == 0 {
		return packet{}, false, -1
	}
	if at := r.waiting[0].at; at > now {
		return packet{}, false, at
	}
	return heap.Pop(&r.waiting).(packet), true, 0
}

// queue has packets on their way, the next to arrive first, as container/heap needs them.
type queue []packet

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].count < q[j].count
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(p any)   { *q = append(*q, p.(packet)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// host is the node of the session's host. Rigs are the nodes from 1.
const host = 0

// Addresses are 10.77.x.y, with the node's number plus 1 in x and y.
const network, prefix = 10<<24 | 77<<16, 16

// address returns the IPv4 address of a node.
func address(node int) (a [4]byte) {
	binary.BigEndian.PutUint32(a[:], uint32(network+node+1))
	return a
}

// destination returns the node that an IPv4 packet goes to. ok is false if it goes elsewhere.
func destination(data []byte) (node int, ok bool) {
	const headerSize, destinationAt = 20, 16
	if len(data) < headerSize || data[0]>>4 != 4 {
		return 0, false
	}
	node = int(binary.BigEndian.Uint32(data[destinationAt:])) - network - 1
	return node, node >= 0 && node < 1<<prefix
}
