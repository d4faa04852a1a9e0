package mesh

import "math"

// ref is a triangle while the hierarchy is built.
type ref struct {
	box
	id uint32
}

// middle returns twice the middle of a ref's box along an axis.
func (r *ref) middle(axis int) float32 { return r.low[axis] + r.high[axis] }

func (b *builder) refs() []ref {
	refs := make([]ref, len(b.corners))
	b.parallel.spans(len(refs), chunk, func(from, to int) {
		for i := from; i < to; i++ {
			c := b.corners[i]
			refs[i] = ref{boxOf(b.places[c[0]], b.places[c[1]], b.places[c[2]]), uint32(i)}
		}
	})
	return refs
}

const (
	bins     = 16
	mostLeaf = 4  // triangles in a leaf
	even     = 40 // level from which on nodes are halved by count
)

// branch is a part of a hierarchy that is built on its own.
type branch struct {
	at     int // its root's place in the trunk
	offset int // of its triangles
	refs   []ref
	level  int
	nodes  []node
}

// grower builds nodes of refs.
type grower struct {
	nodes    []node
	small    int       // parts of this size become branches; 0 for none
	branches *[]branch // of the trunk
}

// hierarchy sorts the refs and returns the nodes over them. Large parts are split
// first; the branches they leave do not depend on each other.
func hierarchy(refs []ref, parallel Parallel) []node {
	var branches []branch
	trunk := grower{small: max(len(refs)/64, 4096), branches: &branches}
	trunk.nodes = append(trunk.nodes, node{})
	trunk.grow(refs, 0, 0, 0)
	parallel.spans(len(branches), 1, func(i, _ int) {
		b := &branches[i]
		g := grower{nodes: make([]node, 1, len(b.refs))}
		g.grow(b.refs, b.offset, 0, b.level)
		b.nodes = g.nodes
	})
	return graft(trunk.nodes, branches)
}

// graft puts branches behind the trunk, but for their roots, which it has.
func graft(trunk []node, branches []branch) []node {
	n := len(trunk)
	for i := range branches {
		n += len(branches[i].nodes) - 1
	}
	all := append(make([]node, 0, n), trunk...)
	for i := range branches {
		b := &branches[i]
		shift := uint32(len(all) - 1)
		for j := range b.nodes {
			if b.nodes[j].count == 0 {
				b.nodes[j].first += shift
			}
		}
		all[b.at] = b.nodes[0]
		all = append(all, b.nodes[1:]...)
		b.nodes = nil
	}
	return all
}

// grow builds the node at a place for refs, which begin at offset.
func (g *grower) grow(refs []ref, offset, at, level int) {
	if len(refs) <= g.small {
		*g.branches = append(*g.branches, branch{at: at, offset: offset, refs: refs, level: level})
		return
	}
	whole, middles := span(refs)
	if len(refs) <= mostLeaf {
		g.nodes[at] = node{whole, uint32(offset), uint32(len(refs))}
		return
	}
	cut := len(refs) / 2
	if level < even {
		cut = divide(refs, &middles)
	}
	first := len(g.nodes)
	g.nodes[at] = node{whole, uint32(first), 0}
	g.nodes = append(g.nodes, node{}, node{})
	g.grow(refs[:cut], offset, first, level+1)
	g.grow(refs[cut:], offset+cut, first+1, level+1)
}

// span returns the box of refs, and that of twice their middles.
func span(refs []ref) (whole, middles box) {
	whole = refs[0].box
	for k := range 3 {
		middles.low[k] = refs[0].middle(k)
	}
	middles.high = middles.low
	for i := range refs {
		r := &refs[i]
		whole.join(&r.box)
		for k := range 3 {
			if m := r.middle(k); m < middles.low[k] {
				middles.low[k] = m
			} else if m > middles.high[k] {
				middles.high[k] = m
			}
		}
	}
	return whole, middles
}

// bin is the refs with middles in a part of the space.
type bin struct {
	box
	n int
}

func (b *bin) add(o *box, n int) {
	if b.n == 0 {
		b.box = *o
	} else if n > 0 {
		b.join(o)
	}
	b.n += n
}

// divide sorts refs into two parts that a ray rarely has to look at both of, and
// returns where the second begins (surface area heuristic with bins: Wald, "On
// fast construction of SAH-based bounding volume hierarchies", 2007).
func divide(refs []ref, middles *box) int {
	axis, width := 0, float32(0)
	for k := range 3 {
		if w := middles.high[k] - middles.low[k]; w > width {
			axis, width = k, w
		}
	}
	scale := float32(bins) / width
	if !(width > 0) || scale > math.MaxFloat32 {
		return len(refs) / 2
	}
	low := middles.low[axis]
	place := func(r *ref) int { return min(int((r.middle(axis)-low)*scale), bins-1) }
	var b [bins]bin
	for i := range refs {
		b[place(&refs[i])].add(&refs[i].box, 1)
	}
	cut := cheapest(&b)
	i, j := 0, len(refs)
	for i < j {
		if place(&refs[i]) < cut {
			i++
		} else {
			j--
			refs[i], refs[j] = refs[j], refs[i]
		}
	}
	return i
}

// cheapest returns the bin that begins the second part. Neither part is empty:
// the first and the last bin are not.
func cheapest(b *[bins]bin) int {
	var cost [bins]float32
	var sum bin
	for i := range bins - 1 {
		sum.add(&b[i].box, b[i].n)
		cost[i+1] = sum.half() * float32(sum.n)
	}
	best, at := float32(math.Inf(1)), 1
	sum = bin{}
	for i := bins - 1; i > 0; i-- {
		sum.add(&b[i].box, b[i].n)
		if c := cost[i] + sum.half()*float32(sum.n); c < best {
			best, at = c, i
		}
	}
	return at
}
