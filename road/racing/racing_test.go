package racing

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/road/layout"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// course is a line with the points that it was made of.
type course struct {
	*road.Line
	points []road.Point
	step   float64 // [m]
}

func newCourse(t testing.TB, points []road.Point, step float64, closed bool) course {
	t.Helper()
	l, err := road.NewLine(points, step, closed)
	if err != nil {
		t.Fatal(err)
	}
	return course{l, points, step}
}

// with is the course after a change of all its points.
func (c course) with(t testing.TB, change func(i int, p *road.Point)) course {
	t.Helper()
	points := slices.Clone(c.points)
	for i := range points {
		change(i, &points[i])
	}
	return newCourse(t, points, c.step, c.Closed())
}

// laidOut is the center line of a closed road of pieces.
func laidOut(t testing.TB, pieces ...layout.Piece) course {
	t.Helper()
	layout := layout.Default()
	layout.Pieces = pieces
	l, err := layout.Line()
	if err != nil {
		t.Fatal(err)
	}
	n := int(2 * l.Length())
	step := l.Length() / float64(n)
	points := make([]road.Point, n+1)
	for i := range n {
		points[i] = l.At(float64(i) * step)
	}
	points[n] = points[0]
	points[n].Heading += 2 * math.Pi * math.Round((points[n-1].Heading-points[0].Heading)/(2*math.Pi))
	return newCourse(t, points, step, true)
}

func straight(length float64) layout.Piece { return layout.Piece{Length: length} }

func free(length float64) layout.Piece { return layout.Piece{Length: length, Free: true} }

// left is a bend to the left by degrees; a negative angle bends to the right.
func left(degrees, radius, ramp float64) layout.Piece {
	return layout.Piece{Turn: degrees, Radius: radius, Ramp: ramp}
}

// clubLine has every kind of bend.
func clubLine(t testing.TB) course {
	t.Helper()
	return laidOut(t, free(450), left(100, 75, 40), straight(90), left(-60, 60, 30), straight(120),
		left(180, 20, 18), straight(100), left(-50, 70, 35), left(40, 70, 25), left(-40, 70, 25), straight(320),
		left(100, 55, 30), free(250), left(90, 45, 25))
}

// mirrored is a line on the other side of the x axis.
func mirrored(t testing.TB, c course) course {
	t.Helper()
	return c.with(t, func(_ int, p *road.Point) {
		p.Pos.Y, p.Heading, p.Curvature, p.Bank, p.Twist = -p.Pos.Y, -p.Heading, -p.Curvature, -p.Bank, -p.Twist
		p.Left, p.Right, p.KerbLeft, p.KerbRight = p.Right, p.Left, p.KerbRight, p.KerbLeft
	})
}

// arcLine is a straight, an arc to the left without transitions, and a straight.
func arcLine(t testing.TB, before, radius, angle, width float64) course {
	t.Helper()
	length := 2*before + radius*angle
	n := int(length / 0.5)
	step := length / float64(n)
	points := make([]road.Point, n+1)
	for i := range points {
		s := float64(i) * step
		turned := min(max(s-before, 0)/radius, angle)
		sin, cos := math.Sincos(turned)
		p := road.Point{Pos: r3.Vec{X: min(s, before) + radius*sin, Y: radius * (1 - cos)}, Heading: turned, Left: width / 2, Right: width / 2}
		if beyond := s - before - radius*angle; beyond > 0 {
			p.Pos.X += beyond * cos
			p.Pos.Y += beyond * sin
		} else if s > before {
			p.Curvature = 1 / radius
		}
		points[i] = p
	}
	return newCourse(t, points, step, false)
}

func racing(t testing.TB, c course, o Options) *road.Line {
	t.Helper()
	r, err := Line(c.Line, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// turned is by how much a line turns from its start to its end [rad].
func turned(l *road.Line) float64 { return l.At(l.Length()-1e-9).Heading - l.At(0).Heading }

// squared is the sum of squared curvature along a line [1/m].
func squared(l *road.Line) float64 {
	const every = 0.25 // [m]
	sum := 0.0
	for s := every; s < l.Length(); s += every {
		k := l.At(s).Curvature
		sum += k * k * every
	}
	return sum
}

// bare are the options of a car without width that may use all of the road.
var bare = Options{Spacing: 2}

// On a circle the line of least curvature is the outermost circle: of all, it has the least
// 2 pi/r. The shortest is the innermost.
func TestACircleIsDrivenAtItsOuterEdge(t *testing.T) {
	const r = 60.0
	for _, l := range []course{ringLine(t, r, 0), mirrored(t, ringLine(t, r, 0))} {
		minimum, short := racing(t, l, bare), Options{LengthWeight: 1, Spacing: 2}
		near.Value(t, "length", minimum.Length(), 2*math.Pi*(r+5), 0.01)
		near.Value(t, "curvature", math.Abs(minimum.At(77).Curvature), 1/(r+5), 1e-6)
		near.Value(t, "length of the shortest", racing(t, l, short).Length(), 2*math.Pi*(r-5), 0.05)
	}
}

// A bend of 180° or 90° between long straights cannot be driven on a larger arc than the
// one that touches the outer edge on the straights and the inner edge in the middle. For
// 180° that is the outer edge's own, as the straights are no further apart. For a smaller
// angle a it begins at the outer edge, further out along the straights: seen from the bend's
// middle its own lies (R-ro)/cos(a/2) behind, so that R - (R-ro)/cos(a/2) = ri, which is
// R = (ro - ri cos(a/2)) / (1 - cos(a/2)). The least sum of squared curvature is below that
// of the arc, a/R, but not by much.
func TestABendIsDrivenOnALargerArc(t *testing.T) {
	const r, width = 30.0, 10.0
	ro, ri := r+width/2, r-width/2
	for _, angle := range []float64{math.Pi / 3, math.Pi / 2, 2 * math.Pi / 3, math.Pi} {
		l := arcLine(t, 150, r, angle, width)
		minimum := racing(t, l, bare)
		half := math.Cos(angle / 2)
		arc := (ro - ri*half) / (1 - half)
		if angle == math.Pi {
			arc = ro
		}
		sum, center := squared(minimum), angle/r
		if sum > angle/arc || sum < 0.6*angle/arc || sum > center {
			t.Errorf("%.0f°: sum of squared curvature %.5f, the largest arc of %.1f m has %.5f", angle*180/math.Pi, sum, arc, angle/arc)
		}
		apex := minimum.At(minimum.Length() / 2)
		if angle < math.Pi {
			near.Value(t, "apex at the inner edge", apex.Left, 0, 0.1)
		}
		near.Value(t, "turning", turned(minimum), angle, 0.1)
	}
}

func TestTheLineStaysOnTheRoad(t *testing.T) {
	for _, o := range []Options{DefaultOptions(1.8), {Width: 2.1, Margin: 0.2, LengthWeight: 1, Spacing: 1}, {Width: 1, Spacing: 5}, {Width: 1.8, Margin: 9, Spacing: 2}} {
		l := clubLine(t)
		r := racing(t, l, o)
		free := min(o.Width/2+o.Margin, 5-0.02)
		hint, last := 0.0, math.NaN()
		for s := 0.0; s < r.Length(); s += 0.7 {
			p := r.At(s)
			at, lateral := l.Nearest(p.Pos, hint)
			hint = at
			const slack = 0.05 // between the places of the grid
			if math.Abs(lateral) > 5-free+slack {
				t.Fatalf("%+v: at %.0f m %.3f m from the middle", o, s, lateral)
			}
			near.Value(t, "to the left edge", p.Left, 5-lateral, 0.01)
			near.Value(t, "to the right edge", p.Right, 5+lateral, 0.01)
			if math.Abs(p.Curvature-last) > 0.7*0.006 {
				t.Fatalf("%+v: at %.1f m the curvature jumps from %g to %g", o, s, last, p.Curvature)
			}
			last = p.Curvature
		}
		near.Value(t, "turning", turned(r), 2*math.Pi, 1e-7)
		if squared(r) > squared(l.Line) {
			t.Errorf("%+v: the line bends more than the middle of the road", o)
		}
	}
}

// No line bends less: whatever is added to it, within the edges, makes it worse.
func TestNoLineNearbyBendsLess(t *testing.T) {
	w, err := newPath(clubLine(t).Line, Options{Width: 1.8, Margin: 0.6, Spacing: 2})
	if err != nil {
		t.Fatal(err)
	}
	w.minimize()
	best := w.cost(w.chords(w.offset, nil))
	n := float64(len(w.offset))
	for waves := 1.0; waves < 200; waves *= 1.7 {
		for _, size := range []float64{-0.3, -0.01, 0.01, 0.3} {
			moved := make([]float64, len(w.offset))
			for i, at := range w.offset {
				at += size * math.Sin(2*math.Pi*waves*float64(i)/n)
				moved[i] = min(max(at, w.minOffset[i]), w.maxOffset[i])
			}
			if c := w.cost(w.chords(moved, nil)); c < best*(1-1e-6) {
				t.Errorf("%.0f waves of %g m: cost %.9g after %.9g", waves, size, c, best)
			}
		}
	}
}

func TestAMirroredRoadHasTheMirroredLine(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	l := clubLine(t)
	a, b := racing(t, l, DefaultOptions(1.8)), racing(t, mirrored(t, l), DefaultOptions(1.8))
	for s := 0.0; s < a.Length(); s += 0.5 {
		p, q := a.At(s), b.At(s)
		if p.Pos.X != q.Pos.X || p.Pos.Y != -q.Pos.Y || p.Curvature != -q.Curvature || p.Left != q.Right {
			t.Fatalf("at %g m: %+v, mirrored %+v", s, p, q)
		}
	}
}

// On a tilted plane the line has the plane's height everywhere, and its slope and bank.
func TestTheLineLiesOnTheRoad(t *testing.T) {
	const tilt, lean = 0.05, -0.03 // along x and y
	l := laidOut(t, free(300), left(90, 50, 50), free(100), left(90, 50, 50),
		straight(300), left(90, 50, 50), straight(100), left(90, 50, 50)).with(t, func(_ int, p *road.Point) {
		sin, cos := math.Sincos(p.Heading)
		p.Pos.Z = tilt*p.Pos.X + lean*p.Pos.Y
		p.Slope, p.Bank, p.Twist = tilt*cos+lean*sin, math.Atan(lean*cos-tilt*sin), 0
	})
	r := racing(t, l, DefaultOptions(1.8))
	for s := 0.0; s < r.Length(); s += 3.1 {
		p := r.At(s)
		sin, cos := math.Sincos(p.Heading)
		near.Value(t, "height", p.Pos.Z, tilt*p.Pos.X+lean*p.Pos.Y, 1e-3)
		near.Value(t, "slope", p.Slope, tilt*cos+lean*sin, 1e-3)
		near.Value(t, "bank", p.Bank, math.Atan(lean*cos-tilt*sin), 1e-3)
	}
}

func TestKerbsWidenTheRoad(t *testing.T) {
	l := arcLine(t, 100, 30, math.Pi/2, 8).with(t, func(_ int, p *road.Point) { p.KerbLeft = 1 })
	o := Options{Width: 1.8, Margin: 0.3, Spacing: 2}
	without := racing(t, l, o)
	o.KerbShare = 0.5
	with := racing(t, l, o)
	near.Value(t, "apex without", without.At(without.Length()/2).Left, 1.2, 0.05)
	near.Value(t, "apex with half of a kerb of 1 m", with.At(with.Length()/2).Left, 0.7, 0.05)
}

func TestBadRoadsSayWhy(t *testing.T) {
	narrow := ringLine(t, 50, 0).with(t, func(_ int, p *road.Point) { p.Left, p.Right = 0.5, 0.5 })
	offset := ringLine(t, 50, 0).with(t, func(_ int, p *road.Point) { p.Left, p.Right = 70, -55 })
	for _, tt := range []struct {
		name string
		l    course
		o    Options
		want string
	}{
		{"narrow", narrow, DefaultOptions(1.8), "the road is 1 m wide, the car 1.8 m"},
		{"beside itself", offset, DefaultOptions(1.8), "too tight"},
		{"NaN", narrow, Options{Width: math.NaN(), Spacing: 2}, "car's width [m] = NaN"},
		{"no grid", narrow, Options{}, "spacing [m] = 0"},
	} {
		if _, err := Line(tt.l.Line, tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

func BenchmarkRacing(b *testing.B) {
	l := clubLine(b)
	for b.Loop() {
		racing(b, l, DefaultOptions(1.8))
	}
}

// The smallest problem with a known answer: each x alone, at the bound or at the slope's end.
func TestBoxedFindsTheLeast(t *testing.T) {
	q := newBoundedQP(9)
	for i := range q.x {
		q.add(i, i, 2)
		q.gradient[i] = float64(i) - 4
		q.low[i], q.high[i] = -1, 1.2
	}
	q.solve()
	for i, want := range []float64{1.2, 1.2, 1, 0.5, 0, -0.5, -1, -1, -1} {
		near.Value(t, "x", q.x[i], want, 1e-3)
	}
}

// The factors solve a ring in which each member has to do with four others.
func TestBandSolvesARing(t *testing.T) {
	for _, n := range []int{8, 9, 24} {
		b := newBandMatrix(n)
		for i := range n {
			b.add(i, i, 7)
			b.add(i, (i+1)%n, -2)
			b.add(i, (i+2)%n, 1)
		}
		want, right, got, work := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range want {
			want[i] = math.Sin(float64(3 * i))
		}
		for i := range right {
			at := func(k int) float64 { return want[(i+k+n)%n] }
			right[i] = 7*at(0) - 2*(at(1)+at(-1)) + at(2) + at(-2)
		}
		b.factor()
		b.solve(right, got, work)
		for i := range want {
			near.Value(t, "x", got[i], want[i], 1e-12)
		}
	}
}
