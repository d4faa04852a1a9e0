package mesh

import "math"

// ref is a triangle and the box around it, while the hierarchy is being built.
type ref struct {
	box
	id uint32 // index of the triangle
}

// middle returns twice the coordinate of the box's middle along an axis.
func (r *ref) middle(axis int) float32 { return r.low[axis] + r.high[axis] }

// boxes returns all triangles with the boxes around them.
func (b *builder) boxes() []ref {
	refs := make([]ref, len(b.corners))
	b.parallel.spans(len(refs), chunk, func(from, to int) {
		for i := from; i < to; i++ {
			c := b.corners[i]
			refs[i] = ref{boxOf(b.positions[c[0]], b.positions[c[1]], b.positions[c[2]]), uint32(i)}
		}
	})
	return refs
}

const (
	bins        = 16 // number of bins of the surface area heuristic
	maxLeaf     = 4  // maximum number of triangles in a leaf
	medianLevel = 40 // from this level on, a node's triangles are split into halves of equal number
)

// branch is a part of the hierarchy that is built independently of the others.
type branch struct {
	at     int // index of its root among the nodes of the trunk
	offset int // index of its first triangle
	refs   []ref
	level  int    // level of its root
	nodes  []node // its nodes, the root first
}

// treeBuilder builds the nodes of a hierarchy over refs.
type treeBuilder struct {
	nodes      []node
	branchSize int       // parts up to this number of triangles become branches; 0 means none does
	branches   *[]branch // branches found so far
}

// buildTree sorts the refs and returns the hierarchy over them. It first splits large parts, which gives the
// trunk; the branches below it are independent and built in parallel.
func buildTree(refs []ref, parallel Parallel) []node {
	var branches []branch
	trunk := treeBuilder{branchSize: max(len(refs)/64, 4096), branches: &branches}
	trunk.nodes = append(trunk.nodes, node{})
	trunk.build(refs, 0, 0, 0)
	parallel.spans(len(branches), 1, func(i, _ int) {
		b := &branches[i]
		g := treeBuilder{nodes: make([]node, 1, len(b.refs))}
		g.build(b.refs, b.offset, 0, b.level)
		b.nodes = g.nodes
	})
	return joinBranches(trunk.nodes, branches)
}

// joinBranches returns the nodes of the trunk and of the branches in one list. The trunk already has a node for
// the root of each branch.
func joinBranches(trunk []node, branches []branch) []node {
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

// build builds the node with the index at, and all nodes below it, for refs. offset is the index of the first
// triangle of refs.
func (g *treeBuilder) build(refs []ref, offset, at, level int) {
	if len(refs) <= g.branchSize {
		*g.branches = append(*g.branches, branch{at: at, offset: offset, refs: refs, level: level})
		return
	}
	whole, middles := boundsOf(refs)
	if len(refs) <= maxLeaf {
		g.nodes[at] = node{whole, uint32(offset), uint32(len(refs))}
		return
	}
	cut := len(refs) / 2
	if level < medianLevel {
		cut = partition(refs, &middles)
	}
	first := len(g.nodes)
	g.nodes[at] = node{whole, uint32(first), 0}
	g.nodes = append(g.nodes, node{}, node{})
	g.build(refs[:cut], offset, first, level+1)
	g.build(refs[cut:], offset+cut, first+1, level+1)
}

// boundsOf returns the box around refs, and the box around twice their middles.
func boundsOf(refs []ref) (whole, middles box) {
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

// bin is the number of the refs whose middles are in one interval of an axis, and the box around them.
type bin struct {
	box
	n int
}

// add adds n refs with a box.
func (b *bin) add(o *box, n int) {
	if b.n == 0 {
		b.box = *o
	} else if n > 0 {
		b.join(o)
	}
	b.n += n
}

// partition sorts refs into two parts so that the expected cost of a ray is minimal, and returns the index at
// which the second part starts (surface area heuristic with bins: Wald, "On fast construction of SAH-based
// bounding volume hierarchies", 2007). middles is the box around twice the middles of refs.
func partition(refs []ref, middles *box) int {
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
	binOf := func(r *ref) int { return min(int((r.middle(axis)-low)*scale), bins-1) }
	var b [bins]bin
	for i := range refs {
		b[binOf(&refs[i])].add(&refs[i].box, 1)
	}
	cut := bestSplit(&b)
	i, j := 0, len(refs)
	for i < j {
		if binOf(&refs[i]) < cut {
			i++
		} else {
			j--
			refs[i], refs[j] = refs[j], refs[i]
		}
	}
	return i
}

// bestSplit returns the index of the first bin of the second part. Neither part is empty, because the first and
// the last bin are not.
func bestSplit(b *[bins]bin) int {
	var cost [bins]float32
	var sum bin
	for i := range bins - 1 {
		sum.add(&b[i].box, b[i].n)
		cost[i+1] = sum.halfArea() * float32(sum.n)
	}
	best, at := float32(math.Inf(1)), 1
	sum = bin{}
	for i := bins - 1; i > 0; i-- {
		sum.add(&b[i].box, b[i].n)
		if c := cost[i] + sum.halfArea()*float32(sum.n); c < best {
			best, at = c, i
		}
	}
	return at
}
