package crg

import (
	"math"

	"rig.example/rig/sim/tire"
)

// buildRoad returns the road that the header and the data describe.
func (f *file) buildRoad() (*Road, error) {
	g := &Road{Surface: tire.Dry(), z: f.z, bank: f.banking}
	option := func(key string, fallback float64) float64 { return f.get(sectionOptions, key, fallback) }
	g.uAxis = axis{
		low: f.uBegin, high: f.uBegin + float64(f.rowCount-1)*f.uStep, step: f.uStep, count: f.rowCount,
		borderMode: int(option("BORDER_MODE_U", borderKeep)), borderOffset: option("BORDER_OFFSET_U", 0),
		fadeIn: option("BORDER_SMOOTH_UBEG", 0), fadeOut: option("BORDER_SMOOTH_UEND", 0),
	}
	g.vAxis = axis{
		low: f.v[0], high: f.v[len(f.v)-1], count: len(f.v),
		borderMode: int(option("BORDER_MODE_V", borderKeep)), borderOffset: option("BORDER_OFFSET_V", 0),
	}
	if g.vAxis.step = evenStep(f.v); g.vAxis.step == 0 {
		g.v = f.v
	}
	if b := f.get(sectionRoad, "REFERENCE_LINE_START_B", 0); g.bank == nil && b != 0 {
		g.bank = make([]float64, f.rowCount)
		for i := range g.bank {
			g.bank[i] = b
		}
	}
	if err := f.buildHeights(g); err != nil {
		return nil, err
	}
	if err := f.buildLine(g); err != nil {
		return nil, err
	}
	g.Warnings = f.warnings
	return g, nil
}

// evenStep returns the step between the values of v [m], or 0 if the step varies.
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

// buildLine builds the reference line and moves it as the modifiers of the header demand.
func (f *file) buildLine(g *Road) error {
	l := &g.line
	if err := f.buildReferenceLine(l, g.uAxis.high); err != nil {
		return err
	}
	if f.get(sectionOptions, "REFLINE_CONTINUATION", 0) == 1 && !l.makeClosed() {
		f.warn(f.lineOf(sectionOptions, "REFLINE_CONTINUATION"),
			"REFLINE_CONTINUATION = 1: the ends of the line do not meet, so it continues straight")
	}
	m, err := f.modifierMotion(g)
	if err != nil {
		return err
	}
	if m != (rigidMotion{}) {
		l.move(m)
		g.raise(m.rise)
	}
	if l.points != nil {
		l.tree = newTree(l.points)
		if visits := l.tree.meanVisits(l.points); visits > maxMeanVisits {
			return f.errorAt(f.line, "the reference line is wound up: a search visits %d groups of its pieces on average: "+
				"must be at most %d; correct phi or the increment", visits, maxMeanVisits)
		}
	}
	return nil
}

// buildReferenceLine integrates the line from its directions. Each direction holds from the previous cross
// section to its own. endU is u at the line's end [m].
func (f *file) buildReferenceLine(l *refLine, endU float64) error {
	start := point{f.get(sectionRoad, "REFERENCE_LINE_START_X", 0), f.get(sectionRoad, "REFERENCE_LINE_START_Y", 0)}
	l.begin, l.step = f.uBegin, f.uStep
	first, isStraight, err := f.startDirection()
	if err != nil {
		return err
	}
	if isStraight {
		dir := direction(first)
		end := start.plus(dir.times(endU - f.uBegin))
		l.start, l.end = lineEnd{start, dir, f.uBegin}, lineEnd{end, dir, endU}
		f.warnIfDifferent("REFERENCE_LINE_END_X", end.x)
		f.warnIfDifferent("REFERENCE_LINE_END_Y", end.y)
		return nil
	}
	steps := make([]point, f.rowCount-1)
	for i := range steps {
		steps[i] = direction(f.phi[i+1]).times(f.uStep)
	}
	var end *point
	if f.has(sectionRoad, "REFERENCE_LINE_END_X", "REFERENCE_LINE_END_Y") {
		end = &point{f.get(sectionRoad, "REFERENCE_LINE_END_X", 0), f.get(sectionRoad, "REFERENCE_LINE_END_Y", 0)}
	}
	points, gap := integrate(start, end, steps)
	if err := f.checkEndGap("X", math.Sqrt(gap.dot(gap))); err != nil {
		return err
	}
	last := len(points) - 1
	l.points = points
	l.start = lineEnd{points[0], points[1].minus(points[0]).unit(), f.uBegin}
	l.end = lineEnd{points[last], points[last].minus(points[last-1]).unit(), endU}
	return nil
}

// direction returns the unit vector of an angle [rad].
func direction(phi float64) point {
	sin, cos := math.Sincos(phi)
	return point{cos, sin}
}

// startDirection returns the direction at the begin of the line [rad], and whether the line is straight.
func (f *file) startDirection() (startPhi float64, straight bool, err error) {
	const limit = 1.5 // maximum turn in one step [rad]; cross sections would intersect at a larger one
	startPhi = f.get(sectionRoad, "REFERENCE_LINE_START_PHI", 0)
	if f.phi == nil {
		f.warnIfTurned("REFERENCE_LINE_END_PHI", startPhi)
		return startPhi, true, nil
	}
	straight = true
	for i := 2; i < f.rowCount; i++ {
		turn := math.Abs(math.Remainder(f.phi[i]-f.phi[i-1], 2*math.Pi))
		if turn > limit {
			return 0, false, f.errorAt(f.line, "the reference line turns by %.3g rad at cross section %d: must be at most %g; %s",
				turn, i, limit, f.remedy("correct phi"))
		}
		straight = straight && math.Abs(math.Remainder(f.phi[i]-f.phi[1], 2*math.Pi)) < 1e-6*math.Pi
	}
	f.warnIfTurned("REFERENCE_LINE_START_PHI", f.phi[1])
	f.warnIfTurned("REFERENCE_LINE_END_PHI", f.phi[f.rowCount-1])
	return f.phi[1], straight, nil
}

// warnIfTurned adds a warning if a direction in the header differs from phi, that of the data [rad].
func (f *file) warnIfTurned(key string, phi float64) {
	if given := f.get(sectionRoad, key, phi); math.Abs(math.Remainder(given-phi, 2*math.Pi)) > 1e-4 {
		f.warn(f.lineOf(sectionRoad, key), "%s = %g: ignored, the data give %.6g rad there", key, given, phi)
	}
}

// integrate returns the points that the steps lead to from start. If end is not nil, it sums the steps from
// both ends and blends one sum into the other; gap is the difference between both at the start.
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
		points[i] = lerpPoint(points[i-1].plus(steps[i-1]), points[i], float64(i)/float64(n))
	}
	return points, gap
}

// checkEndGap checks the gap [m] between the end given in the header and the end of the data: a large one is
// an error, a small one a warning. axis is X, Y or Z.
func (f *file) checkEndGap(axis string, gap float64) error {
	key := "REFERENCE_LINE_END_" + axis
	n := float64(f.rowCount)
	// The gap is spread over about √n steps; it must change none of them by more than a tenth.
	if gap > 0.1*f.uStep*math.Sqrt(n) {
		return f.errorAt(f.lineOf(sectionRoad, key), "%s: the data end %.3g m from there; correct the end or remove it", key, gap)
	}
	if gap > 1e-3+1e-6*n*f.uStep {
		f.warn(f.lineOf(sectionRoad, key), "%s: the data end %.3g m from there; the difference is spread along the line", key, gap)
	}
	return nil
}

// buildHeights integrates the heights of the reference line from its slope.
func (f *file) buildHeights(g *Road) error {
	g.zBegin = f.get(sectionRoad, "REFERENCE_LINE_START_Z", 0)
	if f.slope == nil {
		g.slope = f.get(sectionRoad, "REFERENCE_LINE_START_S", 0)
		g.zEnd = g.zBegin + g.slope*(g.uAxis.high-g.uAxis.low)
		f.warnIfDifferent("REFERENCE_LINE_END_Z", g.zEnd)
		return nil
	}
	steps := make([]point, f.rowCount-1)
	for i := range steps {
		steps[i].x = f.slope[i+1] * f.uStep
	}
	var end *point
	if f.has(sectionRoad, "REFERENCE_LINE_END_Z") {
		end = &point{x: f.get(sectionRoad, "REFERENCE_LINE_END_Z", 0)}
	}
	points, gap := integrate(point{x: g.zBegin}, end, steps)
	if err := f.checkEndGap("Z", math.Abs(gap.x)); err != nil {
		return err
	}
	g.refZ = make([]float64, f.rowCount)
	for i, p := range points {
		g.refZ[i] = p.x
	}
	g.zEnd = g.refZ[f.rowCount-1]
	return nil
}
