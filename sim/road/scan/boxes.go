package scan

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// box holds what lies between two corners [m].
type box struct{ low, high r3.Vec }

// boxOf returns the box about places, wider by a margin all round.
func boxOf(margin float64, first r3.Vec, rest ...r3.Vec) box {
	b := box{first, first}
	for _, p := range rest {
		b = b.with(box{p, p})
	}
	m := r3.Vec{X: margin, Y: margin, Z: margin}
	return box{r3.Sub(b.low, m), r3.Add(b.high, m)}
}

func (b box) with(c box) box {
	return box{
		r3.Vec{X: min(b.low.X, c.low.X), Y: min(b.low.Y, c.low.Y), Z: min(b.low.Z, c.low.Z)},
		r3.Vec{X: max(b.high.X, c.high.X), Y: max(b.high.Y, c.high.Y), Z: max(b.high.Z, c.high.Z)},
	}
}

func (b *box) meets(c *box) bool {
	return b.low.X <= c.high.X && c.low.X <= b.high.X && b.low.Y <= c.high.Y && c.low.Y <= b.high.Y &&
		b.low.Z <= c.high.Z && c.low.Z <= b.high.Z
}

// fan is how many boxes are joined in one of the level above.
const fan = 4

// boxes find those of many boxes that meet another. They lie in the order of
// their middles along Morton's curve; each level of boxes holds four of that below.
type boxes struct {
	items  []int32 // what each box stands for
	levels [][]box // the first has one for each item
	effort int     // how many boxes may still be looked at
}

// newBoxes sorts boxes by what they stand for.
func newBoxes(items []int32, of func(item int32) box) *boxes {
	t := &boxes{effort: 1_000_000 + 400*len(items)}
	if len(items) == 0 {
		return t
	}
	all := make([]box, len(items))
	whole := of(items[0])
	for i, item := range items {
		all[i] = of(item)
		whole = whole.with(all[i])
	}
	order := mortonOrder(all, whole)
	t.items = make([]int32, len(items))
	level := make([]box, len(items))
	for i, k := range order {
		t.items[i], level[i] = items[k], all[k]
	}
	t.levels = append(t.levels, level)
	for len(level) > 1 {
		above := make([]box, 0, (len(level)+fan-1)/fan)
		for i := 0; i < len(level); i += fan {
			b := level[i]
			for _, c := range level[i+1 : min(i+fan, len(level))] {
				b = b.with(c)
			}
			above = append(above, b)
		}
		t.levels = append(t.levels, above)
		level = above
	}
	return t
}

// mortonOrder returns the order of boxes along the curve.
func mortonOrder(all []box, whole box) []int32 {
	type place struct {
		code uint64
		item int32
	}
	size := r3.Sub(whole.high, whole.low)
	scale := (1<<21 - 1) / max(size.X, size.Y, size.Z, 1e-9)
	list := make([]place, len(all))
	for i := range all {
		p := r3.Sub(r3.Scale(0.5, r3.Add(all[i].low, all[i].high)), whole.low)
		code := spread(p.X*scale) | spread(p.Y*scale)<<1 | spread(p.Z*scale)<<2
		list[i] = place{code, int32(i)}
	}
	slices.SortFunc(list, func(p, q place) int { return cmp.Or(cmp.Compare(p.code, q.code), cmp.Compare(p.item, q.item)) })
	order := make([]int32, len(list))
	for i := range list {
		order[i] = list[i].item
	}
	return order
}

// spread puts two zeros between all bits of a number below 2^21.
func spread(x float64) uint64 {
	v := uint64(math.Max(x, 0)) & (1<<21 - 1)
	v = (v | v<<32) & 0x1f00000000ffff
	v = (v | v<<16) & 0x1f0000ff0000ff
	v = (v | v<<8) & 0x100f00f00f00f00f
	v = (v | v<<4) & 0x10c30c30c30c30c3
	return (v | v<<2) & 0x1249249249249249
}

// exhausted tells whether a search was given up.
func (t *boxes) exhausted() bool { return t.effort < 0 }

// meeting calls do with the items whose boxes meet b, until it returns false.
func (t *boxes) meeting(b *box, do func(item int32) bool) {
	if len(t.levels) > 0 {
		t.below(len(t.levels)-1, 0, b, do)
	}
}

// below looks at a box and what it holds; false stops the search.
func (t *boxes) below(level, i int, b *box, do func(item int32) bool) bool {
	if t.effort--; t.effort < 0 {
		return false
	}
	if !t.levels[level][i].meets(b) {
		return true
	}
	if level == 0 {
		return do(t.items[i])
	}
	for k := fan * i; k < min(fan*i+fan, len(t.levels[level-1])); k++ {
		if !t.below(level-1, k, b, do) {
			return false
		}
	}
	return true
}
