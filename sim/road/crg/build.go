package crg

import (
	"math"

	"rig.example/rig/sim/tire"
)

// build makes a ground of what was read.
func (f *file) build() (*Road, error) {
	g := &Road{Surface: tire.Dry(), z: f.z, bank: f.bank}
	option := func(key string, otherwise float64) float64 { return f.get(sectionOptions, key, otherwise) }
	g.length = axis{
		low: f.uBegin, high: f.uBegin + float64(f.rows-1)*f.uStep, step: f.uStep, count: f.rows,
		mode: int(option("BORDER_MODE_U", borderKeep)), offset: option("BORDER_OFFSET_U", 0),
		fadeIn: option("BORDER_SMOOTH_UBEG", 0), fadeOut: option("BORDER_SMOOTH_UEND", 0),
	}
	g.width = axis{
		low: f.v[0], high: f.v[len(f.v)-1], count: len(f.v),
		mode: int(option("BORDER_MODE_V", borderKeep)), offset: option("BORDER_OFFSET_V", 0),
	}
	if g.width.step = evenStep(f.v); g.width.step == 0 {
		g.v = f.v
	}
	if b := f.get(sectionRoad, "REFERENCE_LINE_START_B", 0); g.bank == nil && b != 0 {
		g.bank = make([]float64, f.rows)
		for i := range g.bank {
			g.bank[i] = b
		}
	}
	if err := f.profile(g); err != nil {
		return nil, err
	}
	if err := f.lay(g); err != nil {
		return nil, err
	}
	g.Warnings = f.warnings
	return g, nil
}

// evenStep returns the step of v, or 0 if it varies.
func evenStep(v []float64) float64 {
	all := v[len(v)-1] - v[0]
	step := all / float64(len(v)-1)
	for i := range v {
		if math.Abs(v[0]+float64(i)*step-v[i]) > 1e-6*step {
			return 0
		}
	}
	return step
}

// lay puts the reference line where it belongs.
func (f *file) lay(g *Road) error {
	l := &g.line
	if err := f.reference(l, g.length.high); err != nil {
		return err
	}
	if f.get(sectionOptions, "REFLINE_CONTINUATION", 0) == 1 && !l.close() {
		f.warn(f.at(sectionOptions, "REFLINE_CONTINUATION"), "REFLINE_CONTINUATION = 1: the line's ends do not meet, so it goes on straight")
	}
	m, err := f.move(g)
	if err != nil {
		return err
	}
	if m != (movement{}) {
		l.move(m)
		g.raise(m.rise)
	}
	if l.points != nil {
		l.tree = newTree(l.points)
		if looks := l.tree.effort(l.points); looks > mostEffort {
			return f.fault(f.line, "the reference line is wound up: %d parts of it are as near to a place as the nearest, at most %d may be; correct phi or the increment", looks, mostEffort)
		}
	}
	return nil
}

// reference makes the line of its directions, which hold from the cross section
// before to that where they stand.
func (f *file) reference(l *refLine, end float64) error {
	start := point{f.get(sectionRoad, "REFERENCE_LINE_START_X", 0), f.get(sectionRoad, "REFERENCE_LINE_START_Y", 0)}
	l.begin, l.step = f.uBegin, f.uStep
	first, straight, err := f.straight()
	if err != nil {
		return err
	}
	if straight {
		dir := direction(first)
		finish := start.plus(dir.times(end - f.uBegin))
		l.head, l.tail = lineEnd{start, dir, f.uBegin}, lineEnd{finish, dir, end}
		f.disagree("REFERENCE_LINE_END_X", finish.x)
		f.disagree("REFERENCE_LINE_END_Y", finish.y)
		return nil
	}
	steps := make([]point, f.rows-1)
	for i := range steps {
		steps[i] = direction(f.phi[i+1]).times(f.uStep)
	}
	var finish *point
	if f.has(sectionRoad, "REFERENCE_LINE_END_X", "REFERENCE_LINE_END_Y") {
		finish = &point{f.get(sectionRoad, "REFERENCE_LINE_END_X", 0), f.get(sectionRoad, "REFERENCE_LINE_END_Y", 0)}
	}
	points, gap := integrate(start, finish, steps)
	if err := f.meets("X", math.Sqrt(gap.dot(gap))); err != nil {
		return err
	}
	last := len(points) - 1
	l.points = points
	l.head = lineEnd{points[0], points[1].minus(points[0]).unit(), f.uBegin}
	l.tail = lineEnd{points[last], points[last].minus(points[last-1]).unit(), end}
	return nil
}

func direction(phi float64) point {
	sin, cos := math.Sincos(phi)
	return point{cos, sin}
}

// straight returns the line's first direction [rad] and whether it keeps it.
func (f *file) straight() (first float64, straight bool, err error) {
	const most = 1.5 // [rad] in a step; the cuts across a line with more make no sense
	first = f.get(sectionRoad, "REFERENCE_LINE_START_PHI", 0)
	if f.phi == nil {
		f.turned("REFERENCE_LINE_END_PHI", first)
		return first, true, nil
	}
	straight = true
	for i := 2; i < f.rows; i++ {
		turn := math.Abs(math.Remainder(f.phi[i]-f.phi[i-1], 2*math.Pi))
		if turn > most {
			return 0, false, f.fault(f.line, "the reference line turns by %.3g rad at cross section %d; the most is %g: %s", turn, i, most, f.remedy("correct phi"))
		}
		straight = straight && math.Abs(math.Remainder(f.phi[i]-f.phi[1], 2*math.Pi)) < 1e-6*math.Pi
	}
	f.turned("REFERENCE_LINE_START_PHI", f.phi[1])
	f.turned("REFERENCE_LINE_END_PHI", f.phi[f.rows-1])
	return f.phi[1], straight, nil
}

// turned warns of a direction in the head that the data contradict.
func (f *file) turned(key string, phi float64) {
	if got := f.get(sectionRoad, key, phi); math.Abs(math.Remainder(got-phi, 2*math.Pi)) > 1e-4 {
		f.warn(f.at(sectionRoad, key), "%s = %g: the line has %.6g rad there, which counts", key, got, phi)
	}
}

// integrate adds up steps from start. If the end is known as well, it adds them
// from both ends and goes over from one sum to the other; gap is what is between
// them at the start.
func integrate(start point, end *point, steps []point) (points []point, gap point) {
	points = make([]point, len(steps)+1)
	points[0] = start
	if end == nil {
		for i, d := range steps {
			points[i+1] = points[i].plus(d)
		}
		return points, point{}
	}
	n := len(steps)
	points[n] = *end
	for i := n - 1; i >= 0; i-- {
		points[i] = points[i+1].minus(steps[i])
	}
	gap = points[0].minus(start)
	points[0] = start
	for i := 1; i < n; i++ {
		points[i] = between(points[i-1].plus(steps[i-1]), points[i], float64(i)/float64(n))
	}
	return points, gap
}

// meets judges a gap [m] between the end in the head and where the data lead.
func (f *file) meets(axis string, gap float64) error {
	key := "REFERENCE_LINE_END_" + axis
	n := float64(f.rows)
	// The gap is closed within some √n steps from the start, each by less than this share.
	if gap > 0.1*f.uStep*math.Sqrt(n) {
		return f.fault(f.at(sectionRoad, key), "%s: the data end %.3g m from there; correct the end or leave it out", key, gap)
	}
	if gap > 1e-3+1e-6*n*f.uStep {
		f.warn(f.at(sectionRoad, key), "%s: the data end %.3g m from there, which is spread along the line", key, gap)
	}
	return nil
}

// profile makes the heights of the line of its slope.
func (f *file) profile(g *Road) error {
	g.zBegin = f.get(sectionRoad, "REFERENCE_LINE_START_Z", 0)
	if f.rise == nil {
		g.slope = f.get(sectionRoad, "REFERENCE_LINE_START_S", 0)
		g.zEnd = g.zBegin + g.slope*(g.length.high-g.length.low)
		f.disagree("REFERENCE_LINE_END_Z", g.zEnd)
		return nil
	}
	steps := make([]point, f.rows-1)
	for i := range steps {
		steps[i].x = f.rise[i+1] * f.uStep
	}
	var end *point
	if f.has(sectionRoad, "REFERENCE_LINE_END_Z") {
		end = &point{x: f.get(sectionRoad, "REFERENCE_LINE_END_Z", 0)}
	}
	points, gap := integrate(point{x: g.zBegin}, end, steps)
	if err := f.meets("Z", math.Abs(gap.x)); err != nil {
		return err
	}
	g.refZ = make([]float64, f.rows)
	for i, p := range points {
		g.refZ[i] = p.x
	}
	g.zEnd = g.refZ[f.rows-1]
	return nil
}
