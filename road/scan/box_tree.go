package scan

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// box is a cuboid parallel to the axes, between two corners [m].
type box struct{ low, high r3.Vec }

// boxOf returns the box around positions, enlarged by a margin on all sides.
func boxOf(margin float64, first r3.Vec, rest ...r3.Vec) box {
	b := box{first, first}
	for _, p := range rest {
		b = b.union(box{p, p})
	}
	m := r3.Vec{X: margin, Y: margin, Z: margin}
	return box{r3.Sub(b.low, m), r3.Add(b.high, m)}
}

// union returns the smallest box around b and c.
func (b box) union(c box) box {
	return box{
		r3.Vec{X: min(b.low.X, c.low.X), Y: min(b.low.Y, c.low.Y), Z: min(b.low.Z, c.low.Z)},
		r3.Vec{X: max(b.high.X, c.high.X), Y: max(b.high.Y, c.high.Y), Z: max(b.high.Z, c.high.Z)},
	}
}

// meets reports whether two boxes overlap.
func (b *box) meets(c *box) bool {
	return b.low.X <= c.high.X && c.low.X <= b.high.X && b.low.Y <= c.high.Y && c.low.Y <= b.high.Y &&
		b.low.Z <= c.high.Z && c.low.Z <= b.high.Z
}

// boxesPerNode is the number of boxes that one box of the next level contains.
const boxesPerNode = 4

// boxTree finds, among many boxes, those that overlap a given one. The boxes are sorted by their middles along
// a Morton curve; each box of a level contains four boxes of the level below.
type boxTree struct {
	items  []int32 // for each box of the lowest level, the item that it surrounds
	levels [][]box // the first level has one box per item
	budget int     // number of boxes that may still be examined; below 0 searches stop
}

// newBoxTree returns a tree of items. boxOf returns the box around an item.
func newBoxTree(items []int32, boxOf func(item int32) box) *boxTree {
	t := &boxTree{budget: 1_000_000 + 400*len(items)}
	if len(items) == 0 {
		return t
	}
	all := make([]box, len(items))
	extent := boxOf(items[0])
	for i, item := range items {
		all[i] = boxOf(item)
		extent = extent.union(all[i])
	}
	order := mortonOrder(all, extent)
	t.items = make([]int32, len(items))
	level := make([]box, len(items))
	for i, k := range order {
		t.items[i], level[i] = items[k], all[k]
	}
	t.levels = append(t.levels, level)
	for len(level) > 1 {
		parents := make([]box, 0, (len(level)+boxesPerNode-1)/boxesPerNode)
		for i := 0; i < len(level); i += boxesPerNode {
			b := level[i]
			for _, c := range level[i+1 : min(i+boxesPerNode, len(level))] {
				b = b.union(c)
			}
			parents = append(parents, b)
		}
		t.levels = append(t.levels, parents)
		level = parents
	}
	return t
}

// mortonOrder returns the indices of boxes in their order along a Morton curve through extent.
func mortonOrder(all []box, extent box) []int32 {
	type place struct {
		code uint64
		item int32
	}
	size := r3.Sub(extent.high, extent.low)
	scale := (1<<21 - 1) / max(size.X, size.Y, size.Z, 1e-9)
	list := make([]place, len(all))
	for i := range all {
		p := r3.Sub(r3.Scale(0.5, r3.Add(all[i].low, all[i].high)), extent.low)
		code := spreadBits(p.X*scale) | spreadBits(p.Y*scale)<<1 | spreadBits(p.Z*scale)<<2
		list[i] = place{code, int32(i)}
	}
	slices.SortFunc(list, func(p, q place) int { return cmp.Or(cmp.Compare(p.code, q.code), cmp.Compare(p.item, q.item)) })
	order := make([]int32, len(list))
	for i := range list {
		order[i] = list[i].item
	}
	return order
}

// spreadBits inserts two zeros between all bits of a number below 2^21.
func spreadBits(x float64) uint64 {
	v := uint64(math.Max(x, 0)) & (1<<21 - 1)
	v = (v | v<<32) & 0x1f00000000ffff
	v = (v | v<<16) & 0x1f0000ff0000ff
	v = (v | v<<8) & 0x100f00f00f00f00f
	v = (v | v<<4) & 0x10c30c30c30c30c3
	return (v | v<<2) & 0x1249249249249249
}

// isExhausted reports whether a search stopped early, because the budget was used up.
func (t *boxTree) isExhausted() bool { return t.budget < 0 }

// visit calls the function visit for each item whose box overlaps b, until it returns false.
func (t *boxTree) visit(b *box, visit func(item int32) bool) {
	if len(t.levels) > 0 {
		t.visitNode(len(t.levels)-1, 0, b, visit)
	}
}

// visitNode visits the items below box i of a level. It returns false if the search must stop.
func (t *boxTree) visitNode(level, i int, b *box, visit func(item int32) bool) bool {
	if t.budget--; t.budget < 0 {
		return false
	}
	if !t.levels[level][i].meets(b) {
		return true
	}
	if level == 0 {
		return visit(t.items[i])
	}
	for k := boxesPerNode * i; k < min(boxesPerNode*i+boxesPerNode, len(t.levels[level-1])); k++ {
		if !t.visitNode(level-1, k, b, visit) {
			return false
		}
	}
	return true
}
