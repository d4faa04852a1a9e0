package mesh

import (
	"math/bits"

	"gonum.org/v1/gonum/spatial/r3"
)

// packet is how many rays go down the hierarchy at once.
const packet = 8

// Rays is Ray for several at once, which go down the hierarchy together: hits[i] is what
// the ray from from[i] along dir[i] meets, and its Triangle is -1 if that is nothing. The
// three lists are as long as each other.
func (m *Mesh) Rays(from, dir []r3.Vec, most float64, hits []Hit) {
	for i := 0; i < len(from); i += packet {
		end := min(i+packet, len(from))
		m.pack8(from[i:end], dir[i:end], most, hits[i:end])
	}
}

// pack8 casts at most a packet of rays.
func (m *Mesh) pack8(from, dir []r3.Vec, most float64, hits []Hit) {
	var rays [packet]ray
	var first [packet]int
	live := uint8(0)
	for i := range from {
		var ok bool
		rays[i], ok = m.newRay(r3.Sub(from[i], m.origin), dir[i], most, [3]float64{})
		first[i] = -1
		if ok {
			live |= 1 << i
		}
	}
	m.walkPacket(&rays, &first, live)
	for i := range from {
		hits[i] = Hit{Triangle: -1}
		if first[i] >= 0 {
			hits[i] = m.met(first[i], rays[i].most, from[i], dir[i])
		}
	}
}

// walkPacket takes the rays in live to the triangles in boxes that any of them
// enters, first into the box that the foremost enters first.
func (m *Mesh) walkPacket(rays *[packet]ray, first *[packet]int, live uint8) {
	type place struct {
		at   uint32
		live uint8
		in   float64
	}
	var stack [deepest]place
	soonest, live := enter(rays, live, &m.nodes[0].box)
	stack[0] = place{0, live, soonest}
	for depth := 1; depth > 0; {
		depth--
		n, live := &m.nodes[stack[depth].at], behind(rays, stack[depth].live, stack[depth].in)
		if live == 0 {
			continue
		}
		if n.count > 0 {
			m.leafPacket(n, rays, first, live)
			continue
		}
		near, far := n.first, n.first+1
		a, left := enter(rays, live, &m.nodes[near].box)
		b, right := enter(rays, live, &m.nodes[far].box)
		if b < a {
			near, far, left, right, a, b = far, near, right, left, b, a
		}
		if right != 0 {
			stack[depth] = place{far, right, b}
			depth++
		}
		if left != 0 {
			stack[depth] = place{near, left, a}
			depth++
		}
	}
}

// behind returns which of the rays have met nothing before a place on their way.
func behind(rays *[packet]ray, live uint8, in float64) uint8 {
	for left := live; left != 0; left &= left - 1 {
		if i := bits.TrailingZeros8(left) & (packet - 1); in > rays[i].most*(1+4e-15) {
			live &^= 1 << i
		}
	}
	return live
}

// enter returns which of the rays enter a box, and how soon the first does.
func enter(rays *[packet]ray, live uint8, b *box) (soonest float64, in uint8) {
	soonest = 1e300
	for left := live; left != 0; left &= left - 1 {
		i := bits.TrailingZeros8(left) & (packet - 1)
		if t, ok := rays[i].enters(b); ok {
			in |= 1 << i
			if t < soonest {
				soonest = t
			}
		}
	}
	return soonest, in
}

func (m *Mesh) leafPacket(n *node, rays *[packet]ray, first *[packet]int, live uint8) {
	for i := int(n.first); i < int(n.first+n.count); i++ {
		c := &m.corners[i]
		a, b, d := &m.vertices[c[0]].pos, &m.vertices[c[1]].pos, &m.vertices[c[2]].pos
		for left := live; left != 0; left &= left - 1 {
			k := bits.TrailingZeros8(left) & (packet - 1)
			r := &rays[k]
			if t, ok := r.meets(a, b, d); ok && (t < r.most || first[k] < 0 || i < first[k]) {
				r.most, first[k] = t, i
			}
		}
	}
}
