package crg

import "math"

// leafPieces is the number of pieces of the line in a leaf.
const leafPieces = 8

// tree finds the piece of a reference line nearest to a point. It is a binary tree of boxes in the order
// of the line: the children of box i are 2i and 2i+1.
type tree struct {
	boxes []box
	first int // index of the first leaf, a power of two
}

// box is a rectangle parallel to the axes.
type box struct{ low, high point }

// emptyBox contains nothing; union returns the other box unchanged, and every distance to it is Inf.
var emptyBox = box{point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}}

// union returns the smallest box around b and c.
func (b box) union(c box) box {
	return box{
		point{min(b.low.x, c.low.x), min(b.low.y, c.low.y)},
		point{max(b.high.x, c.high.x), max(b.high.y, c.high.y)},
	}
}

// squaredDistance returns the squared distance of p from the box [m²].
func (b *box) squaredDistance(p point) float64 {
	dx := max(b.low.x-p.x, p.x-b.high.x, 0)
	dy := max(b.low.y-p.y, p.y-b.high.y, 0)
	return dx*dx + dy*dy
}

// newTree builds the tree for a line's points.
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
		for _, piece := range [2]int{max(i-1, 0), min(i, len(points)-2)} { // the pieces that end and begin at p
			leaf := &t.boxes[t.first+piece/leafPieces]
			*leaf = leaf.union(box)
		}
	}
	for i := t.first - 1; i > 0; i-- {
		t.boxes[i] = t.boxes[2*i].union(t.boxes[2*i+1])
	}
	return t
}

// maxVisits is the maximum number of leaves that a search visits. Beside a line a few are enough. Where very
// many pieces are equally near, as at the center of a bend, the search returns the best of those it visited.
const maxVisits = 4096

// nearest returns the index of the piece of the line nearest to p.
func (t *tree) nearest(points []point, p point) int {
	best, _ := t.search(points, p)
	return best
}

// search returns the index of the piece of the line nearest to p, and the number of leaves that it visited.
func (t *tree) search(points []point, p point) (best, visits int) {
	type entry struct {
		box    int
		square float64
	}
	var stack [64]entry // holds one entry per level of the tree, which has far fewer than 64
	stack[0] = entry{box: 1}
	minimum := math.Inf(1)
	for n := 1; n > 0 && visits < maxVisits; {
		n--
		at := stack[n]
		switch {
		case at.square >= minimum:
		case at.box >= t.first:
			visits++
			best, minimum = leafNearest(points, (at.box-t.first)*leafPieces, p, best, minimum)
		default:
			a, b := entry{box: 2 * at.box}, entry{box: 2*at.box + 1}
			a.square, b.square = t.boxes[a.box].squaredDistance(p), t.boxes[b.box].squaredDistance(p)
			if a.square < b.square { // the nearer one comes first
				a, b = b, a
			}
			stack[n], stack[n+1] = a, b
			n += 2
		}
	}
	return best, visits
}

// maxMeanVisits is the maximum mean number of leaves that searches near the line visit.
const maxMeanVisits = 200

// meanVisits returns the mean number of leaves that searches near the line visit.
func (t *tree) meanVisits(points []point) int {
	const n, margin = 16, 60.0 // points along each axis, and distance beside the line [m]
	b, sum := t.boxes[1], 0
	for i := range n * n {
		x, y := (float64(i%n)+0.5)/n, (float64(i/n)+0.5)/n
		p := point{lerp(b.low.x-margin, b.high.x+margin, x), lerp(b.low.y-margin, b.high.y+margin, y)}
		_, visits := t.search(points, p)
		sum += visits
	}
	return sum / (n * n)
}

// leafNearest compares the pieces of a leaf with the best piece so far. It returns the new best piece and its
// squared distance from p [m²].
func leafNearest(points []point, first int, p point, best int, bestSquared float64) (int, float64) {
	for i := first; i < min(first+leafPieces, len(points)-1); i++ {
		a, d := points[i], points[i+1].minus(points[i])
		fraction := min(max(d.dot(p.minus(a))/d.dot(d), 0), 1)
		offset := p.minus(a.plus(d.times(fraction)))
		if squared := offset.dot(offset); squared < bestSquared {
			best, bestSquared = i, squared
		}
	}
	return best, bestSquared
}
