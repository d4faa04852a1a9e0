package mesh

import (
	"math/bits"

	"gonum.org/v1/gonum/spatial/r3"
)

// packetSize is the number of rays that traverse the hierarchy together.
const packetSize = 8

// Rays does the same as Ray for several rays, faster, because they traverse the hierarchy together. hits[i] is
// set to the hit of the ray from from[i] along dir[i]; its Triangle is -1 if the ray meets nothing. The three
// slices must have the same length.
func (m *Mesh) Rays(from, dir []r3.Vec, limit float64, hits []Hit) {
	for i := 0; i < len(from); i += packetSize {
		end := min(i+packetSize, len(from))
		m.castPacket(from[i:end], dir[i:end], limit, hits[i:end])
	}
}

// castPacket is Rays for at most packetSize rays.
func (m *Mesh) castPacket(from, dir []r3.Vec, limit float64, hits []Hit) {
	var rays [packetSize]ray
	var first [packetSize]int
	active := uint8(0)
	for i := range from {
		var ok bool
		rays[i], ok = m.newRay(r3.Sub(from[i], m.origin), dir[i], limit, [3]float64{})
		first[i] = -1
		if ok {
			active |= 1 << i
		}
	}
	m.traversePacket(&rays, &first, active)
	for i := range from {
		hits[i] = Hit{Triangle: -1}
		if first[i] >= 0 {
			hits[i] = m.rayHit(first[i], rays[i].limit, from[i], dir[i])
		}
	}
}

// traversePacket tests the active rays against the triangles in boxes that any of them enters, nearer
// boxes first.
func (m *Mesh) traversePacket(rays *[packetSize]ray, first *[packetSize]int, active uint8) {
	type entry struct {
		at     uint32
		active uint8
		in     float64
	}
	var stack [maxDepth]entry
	soonest, active := enterBox(rays, active, &m.nodes[0].box)
	stack[0] = entry{0, active, soonest}
	for pending := 1; pending > 0; {
		pending--
		n, active := &m.nodes[stack[pending].at], stillActive(rays, stack[pending].active, stack[pending].in)
		if active == 0 {
			continue
		}
		if n.count > 0 {
			m.leafPacket(n, rays, first, active)
			continue
		}
		near, far := n.first, n.first+1
		a, left := enterBox(rays, active, &m.nodes[near].box)
		b, right := enterBox(rays, active, &m.nodes[far].box)
		if b < a {
			near, far, left, right, a, b = far, near, right, left, b, a
		}
		if right != 0 {
			stack[pending] = entry{far, right, b}
			pending++
		}
		if left != 0 {
			stack[pending] = entry{near, left, a}
			pending++
		}
	}
}

// stillActive returns the active rays whose limit is not below the distance in. Bit i stands for ray i.
func stillActive(rays *[packetSize]ray, active uint8, in float64) uint8 {
	for left := active; left != 0; left &= left - 1 {
		if i := bits.TrailingZeros8(left) & (packetSize - 1); in > rays[i].limit*(1+4e-15) {
			active &^= 1 << i
		}
	}
	return active
}

// enterBox returns the active rays that enter a box, a bit each, and the smallest distance at which one does.
func enterBox(rays *[packetSize]ray, active uint8, b *box) (soonest float64, in uint8) {
	soonest = 1e300
	for left := active; left != 0; left &= left - 1 {
		i := bits.TrailingZeros8(left) & (packetSize - 1)
		if t, ok := rays[i].enters(b); ok {
			in |= 1 << i
			if t < soonest {
				soonest = t
			}
		}
	}
	return soonest, in
}

// leafPacket tests the active rays against the triangles of a leaf.
func (m *Mesh) leafPacket(n *node, rays *[packetSize]ray, first *[packetSize]int, active uint8) {
	for i := int(n.first); i < int(n.first+n.count); i++ {
		c := &m.corners[i]
		a, b, d := &m.vertices[c[0]].pos, &m.vertices[c[1]].pos, &m.vertices[c[2]].pos
		for left := active; left != 0; left &= left - 1 {
			k := bits.TrailingZeros8(left) & (packetSize - 1)
			r := &rays[k]
			if t, ok := r.triangle(a, b, d); ok && (t < r.limit || first[k] < 0 || i < first[k]) {
				r.limit, first[k] = t, i
			}
		}
	}
}
