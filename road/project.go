package road

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/curve"
)

// direction is the sine and cosine of a heading.
type direction struct{ sin, cos float64 }

// frame is where a line is at a station, and which way it goes there, seen from above.
type frame struct {
	direction
	x, y      float64 // [m, world]
	curvature float64 // [1/m], positive to the left
	turn      float64 // heading relative to that of the segment's first point [rad]
	segment   int     // number of the segment
	fraction  float64 // of the way through the segment
	beyond    float64 // how far beyond an end of an open line [m], negative before its start
}

// frame sets f to the frame at a station [m]. The angles from a point to the next are small, so that their sines are
// cheap.
func (l *Line) frame(f *frame, s float64) {
	s, f.beyond = l.Wrap(s), 0
	if !l.closed {
		on := min(max(s, 0), l.length)
		s, f.beyond = on, s-on
	}
	index := s * l.perStep
	f.segment = min(int(index), len(l.points)-2)
	f.fraction = index - float64(f.segment)
	p, q, start := &l.points[f.segment], &l.points[f.segment+1], &l.headings[f.segment]
	ds := f.fraction * l.step
	f.curvature = p.Curvature + f.fraction*(q.Curvature-p.Curvature)
	f.turn = ds * (p.Curvature + f.curvature) / 2
	sin, cos := curve.SinCos(f.turn)
	f.sin, f.cos = start.sin*cos+start.cos*sin, start.cos*cos-start.sin*sin
	sin, cos = curve.SinCos(ds * (3*p.Curvature + f.curvature) / 8) // of the heading at half the distance
	f.x, f.y = p.Pos.X+ds*(start.cos*cos-start.sin*sin), p.Pos.Y+ds*(start.sin*cos+start.cos*sin)
	if f.beyond != 0 {
		f.x, f.y, f.curvature = f.x+f.beyond*f.cos, f.y+f.beyond*f.sin, 0
	}
}

// point sets p to the point of the line at a frame.
func (l *Line) point(p *Point, f *frame) {
	a, b := &l.points[f.segment], &l.points[f.segment+1]
	mix := func(a, b float64) float64 { return a + f.fraction*(b-a) }
	z, slope := Hermite(a.Pos.Z, b.Pos.Z, a.Slope*l.step, b.Slope*l.step, f.fraction)
	bank, twist := Hermite(a.Bank, b.Bank, a.Twist*l.step, b.Twist*l.step, f.fraction)
	p.Slope = slope * l.perStep
	p.Pos = r3.Vec{X: f.x, Y: f.y, Z: z + f.beyond*p.Slope}
	p.Heading, p.Curvature = a.Heading+f.turn, f.curvature
	p.Bank, p.Twist = bank, twist*l.perStep
	p.Left, p.Right = mix(a.Left, b.Left), mix(a.Right, b.Right)
	p.KerbLeft, p.KerbRight = mix(a.KerbLeft, b.KerbLeft), mix(a.KerbRight, b.KerbRight)
}

// Foot is the point of a line that is nearest to a position.
type Foot struct {
	Point
	Station  float64 // not wrapped: on a closed line it may be negative or more than one lap [m]
	Lateral  float64 // how far the position is to the left of the line [m]
	Sin, Cos float64 // of the heading
}

// Nearest returns the station nearest to a position, and how far the position is to the left of the line
// [m]. The search starts at the station hint, usually the last result; NaN searches the whole line.
func (l *Line) Nearest(pos r3.Vec, hint float64) (s, lateral float64) {
	var f frame
	s, lateral = l.project(&f, pos, hint)
	return l.Wrap(s), lateral
}

// Project sets foot to that of a position on the line, for the same arguments as Nearest.
func (l *Line) Project(foot *Foot, pos r3.Vec, hint float64) {
	var f frame
	foot.Station, foot.Lateral = l.project(&f, pos, hint)
	foot.Sin, foot.Cos = f.sin, f.cos
	l.point(&foot.Point, &f)
}

// project returns station and lateral distance of Nearest, the station not wrapped, and sets f to the frame there.
//
// It takes Newton's steps. After one that is short, the frame moves along: what that misses is of second order.
func (l *Line) project(f *frame, pos r3.Vec, hint float64) (s, lateral float64) {
	const (
		maxIterations = 7
		short         = 1e-7 // [m]
	)
	s = hint
	if !(math.Abs(hint) < math.Inf(1)) {
		s = l.stationNear(pos)
	}
	for range maxIterations {
		l.frame(f, s)
		var step float64
		step, lateral = l.newton(f, s, pos)
		s += step
		if math.Abs(step) < short {
			l.advance(f, step)
			break
		}
	}
	return s, lateral
}

// stationNear returns about the station of a position [m]: Newton's step from a point of the line that is near it.
func (l *Line) stationNear(pos r3.Vec) float64 {
	i := l.nearest.nearest(pos.X, pos.Y)
	p, s := &l.points[i], float64(i)*l.step
	f := frame{direction: l.headings[i], x: p.Pos.X, y: p.Pos.Y, curvature: p.Curvature}
	step, _ := l.newton(&f, s, pos)
	return s + step
}

// newton returns Newton's step along the line from the station s, where f is, towards the foot of a position, and how
// far the position is to the left of f [m]. Its limits are branches, which are predicted; min and max are waited for.
func (l *Line) newton(f *frame, s float64, pos r3.Vec) (step, lateral float64) {
	const maxStep = 20.0 // [m]
	dx, dy := pos.X-f.x, pos.Y-f.y
	ahead := dx*f.cos + dy*f.sin
	lateral = dy*f.cos - dx*f.sin
	scale := 1 - f.curvature*lateral
	if scale < 0.2 {
		scale = 0.2
	}
	if step = ahead / scale; math.Abs(step) > maxStep {
		step = math.Copysign(maxStep, step)
	}
	if to := s + step; !l.closed && !(to >= 0 && to <= l.length) {
		step = min(max(to, 0), l.length) - s
	}
	return step, lateral
}

// advance moves a frame along the line by a short distance [m].
func (l *Line) advance(f *frame, by float64) {
	turn := f.curvature * by
	f.curvature += (l.points[f.segment+1].Curvature - l.points[f.segment].Curvature) * by * l.perStep
	f.x, f.y, f.turn, f.fraction = f.x+f.cos*by, f.y+f.sin*by, f.turn+turn, f.fraction+by*l.perStep
	f.sin, f.cos = f.sin+turn*f.cos, f.cos-turn*f.sin
}
