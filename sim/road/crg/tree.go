package crg

import "math"

// leafPieces is how many pieces of the line share a box.
const leafPieces = 8

// tree finds the piece of a reference line nearest to a point. It is a binary
// tree of boxes in the line's own order: the boxes below number i are 2i and 2i+1.
type tree struct {
	boxes []box
	first int // number of the first leaf, a power of two
}

type box struct{ low, high point }

// emptyBox is infinitely far from everything.
var emptyBox = box{point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}}

func (b box) with(c box) box {
	return box{
		point{min(b.low.x, c.low.x), min(b.low.y, c.low.y)},
		point{max(b.high.x, c.high.x), max(b.high.y, c.high.y)},
	}
}

// square returns the squared distance of p from the box [m²].
func (b *box) square(p point) float64 {
	dx := max(b.low.x-p.x, p.x-b.high.x, 0)
	dy := max(b.low.y-p.y, p.y-b.high.y, 0)
	return dx*dx + dy*dy
}

func newTree(points []point) tree {
	leaves := (len(points) - 2 + leafPieces) / leafPieces
	t := tree{first: 1}
	for t.first < leaves {
		t.first *= 2
	}
	t.boxes = make([]box, 2*t.first)
	for i := range t.boxes {
		t.boxes[i] = emptyBox
	}
	for i, p := range points {
		box := box{p, p}
		for _, piece := range [2]int{max(i-1, 0), min(i, len(points)-2)} { // those that p ends and begins
			leaf := &t.boxes[t.first+piece/leafPieces]
			*leaf = leaf.with(box)
		}
	}
	for i := t.first - 1; i > 0; i-- {
		t.boxes[i] = t.boxes[2*i].with(t.boxes[2*i+1])
	}
	return t
}

// mostLooks is the most leaves that a search looks into. Beside a line a few do; only where very
// many pieces are as near as each other, as in the middle of a bend, the best of so many counts.
const mostLooks = 4096

// nearest returns the number of the piece of the line nearest to p.
func (t *tree) nearest(points []point, p point) int {
	best, _ := t.search(points, p)
	return best
}

// search is nearest that returns how many leaves it looked into, too.
func (t *tree) search(points []point, p point) (best, looks int) {
	type part struct {
		box    int
		square float64
	}
	var stack [64]part // deeper than any tree: one waits on each level
	stack[0] = part{box: 1}
	least := math.Inf(1)
	for n := 1; n > 0 && looks < mostLooks; {
		n--
		at := stack[n]
		switch {
		case at.square >= least:
		case at.box >= t.first:
			looks++
			best, least = leafNearest(points, (at.box-t.first)*leafPieces, p, best, least)
		default:
			a, b := part{box: 2 * at.box}, part{box: 2*at.box + 1}
			a.square, b.square = t.boxes[a.box].square(p), t.boxes[b.box].square(p)
			if a.square < b.square { // the nearer one comes first
				a, b = b, a
			}
			stack[n], stack[n+1] = a, b
			n += 2
		}
	}
	return best, looks
}

// mostEffort is the most leaves that searches look into on average.
const mostEffort = 200

// effort returns how many leaves searches about the line look into on average.
func (t *tree) effort(points []point) int {
	const n, room = 16, 60.0 // places each way, [m] beside the line
	b, sum := t.boxes[1], 0
	for i := range n * n {
		x, y := (float64(i%n)+0.5)/n, (float64(i/n)+0.5)/n
		_, looks := t.search(points, point{mix(b.low.x-room, b.high.x+room, x), mix(b.low.y-room, b.high.y+room, y)})
		sum += looks
	}
	return sum / (n * n)
}

// leafNearest tries the pieces of a leaf against the best one so far.
func leafNearest(points []point, first int, p point, best int, least float64) (int, float64) {
	for i := first; i < min(first+leafPieces, len(points)-1); i++ {
		a, d := points[i], points[i+1].minus(points[i])
		share := min(max(d.dot(p.minus(a))/d.dot(d), 0), 1)
		off := p.minus(a.plus(d.times(share)))
		if square := off.dot(off); square < least {
			best, least = i, square
		}
	}
	return best, least
}
