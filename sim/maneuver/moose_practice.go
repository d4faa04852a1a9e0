package maneuver

import (
	"gonum.org/v1/gonum/mat"

	"rig.example/rig/sim/driver"
)

// mooseStyle is a driver's path and skill in the course.
type mooseStyle struct {
	driver.Skill

	// The path consists of one straight line in each section and of transitions between them.
	// Positions are on the side of the detour where positive: at an offset of 0 the line is in the middle of
	// its section, at 1 the body touches the cones.
	offset [3]float64 // lateral position of the line, relative to the clearance
	slope  [3]float64 // slope of the line, positive towards the side of the detour
	early  [2]float64 // distance before the end of a section at which the transition begins [m]
	late   [2]float64 // distance after the begin of the next section at which the transition ends [m]
}

// surprisedStyle returns the style of a driver who is taken by surprise.
func surprisedStyle() mooseStyle {
	return mooseStyle{
		Skill:  driver.Skill{PreviewTime: 0.5, ExpectedLag: 0.15, MaxSlip: 0.14},
		offset: [3]float64{0, -0.35, 0.35},
		early:  [2]float64{2, 2}, late: [2]float64{2, 2},
	}
}

// startStyles returns the styles from which practice starts. In the first three the car crosses the
// second lane at an angle, and the front tires are steered up to large, medium or small slip angles,
// because soft tires need larger ones. The last is the style of the surprised driver, so that a driver
// who has practised is never worse than a surprised one.
func startStyles() [4]mooseStyle {
	base := mooseStyle{
		Skill:  driver.Skill{PreviewTime: 0.53, ExpectedLag: 0.25},
		offset: [3]float64{-0.75, -0.7, 0}, slope: [3]float64{-0.01, -0.06, 0},
		early: [2]float64{1.3, -0.3}, late: [2]float64{0.6, 1.4},
	}
	styles := [4]mooseStyle{base, base, base, surprisedStyle()}
	styles[0].MaxSlip, styles[1].MaxSlip, styles[2].MaxSlip = 0.1, 0.07, 0.04
	return styles
}

// lane returns the style's path through a course for a car's width [m].
func (w *mooseStyle) lane(c *coneCourse, width float64) *driver.LaneChanges {
	l := &driver.LaneChanges{}
	for i, s := range c.sections {
		clearance := (s.high - s.low - width) / 2
		l.X[i], l.Y[i] = (s.from+s.to)/2, s.middle()+c.detourSide*w.offset[i]*clearance
		l.Slope[i] = c.detourSide * w.slope[i]
	}
	for i := range l.ChangeStart {
		l.ChangeStart[i] = c.sections[i].to - w.early[i]
		l.ChangeEnd[i] = c.sections[i+1].from + w.late[i]
	}
	return l
}

// parameter is one number of a style that practice changes.
type parameter struct {
	value     *float64
	scale     float64 // change that has a noticeable effect; steps are multiples of it
	low, high float64
}

// parameterCount is the number of parameters of a style.
const parameterCount = 13

// parameters returns all parameters of a style. Their limits keep each transition at least 3.5 m long.
func (w *mooseStyle) parameters() [parameterCount]parameter {
	return [parameterCount]parameter{
		{&w.offset[0], 0.5, -3, 3}, {&w.offset[1], 0.5, -3, 3}, {&w.offset[2], 0.5, -3, 3},
		{&w.slope[0], 0.02, -0.3, 0.3}, {&w.slope[1], 0.02, -0.3, 0.3}, {&w.slope[2], 0.02, -0.3, 0.3},
		{&w.early[0], 1.5, -6, 6}, {&w.early[1], 1.5, -6, 6},
		{&w.late[0], 1.5, -3, 12}, {&w.late[1], 1.5, -3, 12},
		{&w.PreviewTime, 0.04, 0.2, 1}, {&w.ExpectedLag, 0.06, 0.03, 0.8}, {&w.MaxSlip, 0.02, 0.02, 0.25},
	}
}

// adjusted returns w with every parameter changed by its step times its scale, within its limits.
func (w mooseStyle) adjusted(steps *[parameterCount]float64) mooseStyle {
	for i, k := range w.parameters() {
		*k.value = min(max(*k.value+steps[i]*k.scale, k.low), k.high)
	}
	return w
}

const (
	practiceTime    = 450  // driving time that a driver has at a speed [s]
	targetClearance = 0.02 // clearance that practice aims at, to cones and to tipping [m]
	nearClearance   = 0.05 // clearance beyond the target from which on a cone is ignored [m]
	nearWeight      = 0.3  // weight of cones with more than the target clearance
	probeStep       = 0.15 // change of a parameter to measure its effect, over its scale
	maxStep         = 1.5  // largest change of a parameter in a step, over its scale
	startDamping    = 0.1  // Marquardt's damping parameter at the start
	minDamping      = 1e-4 // smallest damping parameter
	maxDamping      = 1e3  // damping parameter at which practice ends, because steps have become too small
	dampingDecrease = 0.25 // factor on the damping parameter after a step that reduced the cost
	dampingIncrease = 4.0  // factor on the damping parameter after a step that did not
	goodReduction   = 0.5  // a step that leaves at most this share of the cost is followed by one with the same Jacobian
	stallRatio      = 0.9  // the driver gives up after a round that leaves more than this share of the cost
)

// practice is a driver who drives the course at one speed again and again. The driver measures how each
// parameter of the style changes the clearance to each cone, and changes all parameters to increase the
// missing clearances: the least-squares method of Levenberg and Marquardt (D. W. Marquardt, J. SIAM 11,
// 1963).
type practice struct {
	drive    func(mooseStyle) *mooseRun
	timeLeft float64                             // driving time left [s]
	style    mooseStyle                          // best style so far
	run      *mooseRun                           // its run
	damping  float64                             // Marquardt's parameter
	jacobian [faultCount][parameterCount]float64 // change of each fault per scale of each parameter [m]
}

// findClean practises until a run is clean and returns it, nil if none is.
func (p *practice) findClean() *mooseRun {
	p.chooseStart()
	for !p.run.clean && p.timeLeft > 0 && p.damping < maxDamping {
		before := cost(p.run)
		p.measureJacobian()
		p.improve()
		if cost(p.run) > before*stallRatio {
			break
		}
	}
	if p.run.clean {
		return p.run
	}
	return nil
}

// chooseStart selects the best of startStyles: the first one with a clean run, else the one of least cost.
func (p *practice) chooseStart() {
	p.damping = startDamping
	for _, style := range startStyles() {
		run := p.try(style)
		if p.run == nil || run.clean || cost(run) < cost(p.run) {
			p.style, p.run = style, run
		}
		if run.clean {
			return
		}
	}
}

// try drives the course in a style and deducts the duration from the time left.
func (p *practice) try(w mooseStyle) *mooseRun {
	run := p.drive(w)
	p.timeLeft -= run.duration
	return run
}

// measureJacobian changes each parameter a little, drives, and sets the Jacobian from the changed faults.
// If one of these runs is clean, measureJacobian selects it and returns at once.
func (p *practice) measureJacobian() {
	for k := range parameterCount {
		var steps [parameterCount]float64
		steps[k] = probeStep
		style := p.style.adjusted(&steps)
		run := p.try(style)
		if run.clean {
			p.style, p.run = style, run
			return
		}
		for i := range p.jacobian {
			p.jacobian[i][k] = (run.faults[i] - p.run.faults[i]) / probeStep
		}
	}
}

// improve takes steps in all parameters. The damping is increased until a step reduces the cost. While
// steps reduce the cost a lot, the Jacobian is not measured again but corrected by the prediction error
// (C. G. Broyden, Math. Comp. 19, 1965).
func (p *practice) improve() {
	const maxFailures = 4
	for failures := 0; failures < maxFailures && p.timeLeft > 0 && !p.run.clean; {
		before := cost(p.run)
		if !p.tryStep() {
			failures++
			p.damping *= dampingIncrease
			continue
		}
		failures = 0
		p.damping = max(p.damping*dampingDecrease, minDamping)
		if cost(p.run) > before*goodReduction {
			return
		}
	}
}

// tryStep takes a step if it reduces the cost, and reports whether it did.
func (p *practice) tryStep() bool {
	steps, ok := p.solveStep()
	if !ok {
		return false
	}
	style := p.style.adjusted(&steps)
	run := p.try(style)
	if !run.clean && cost(run) >= cost(p.run) {
		return false
	}
	p.updateJacobian(&steps, run)
	p.style, p.run = style, run
	return true
}

// updateJacobian corrects the Jacobian by Broyden's rank-one update. run is the run after the step.
func (p *practice) updateJacobian(steps *[parameterCount]float64, run *mooseRun) {
	sumOfSquares := 0.0
	for _, step := range steps {
		sumOfSquares += step * step
	}
	for i := range p.jacobian {
		residual := run.faults[i] - p.run.faults[i]
		for k, step := range steps {
			residual -= p.jacobian[i][k] * step
		}
		for k, step := range steps {
			p.jacobian[i][k] += residual * step / sumOfSquares
		}
	}
}

// cost is the sum of squares of the missing clearance to cones and to tipping [m²].
func cost(r *mooseRun) float64 {
	sum := 0.0
	for _, fault := range r.faults {
		missing := max(fault+targetClearance, 0)
		sum += missing * missing
	}
	return sum
}

// solveStep solves the damped normal equations for the step of every parameter, in multiples of its
// scale. It reports whether there is a solution.
func (p *practice) solveStep() (steps [parameterCount]float64, ok bool) {
	normal, gradient := mat.NewSymDense(parameterCount, nil), mat.NewVecDense(parameterCount, nil)
	for k := range parameterCount {
		normal.SetSym(k, k, p.damping)
	}
	for i, fault := range p.run.faults {
		missing, weight := fault+targetClearance, 1.0
		if missing < -nearClearance {
			continue
		}
		if missing < 0 {
			missing, weight = 0, nearWeight
		}
		for k, slope := range p.jacobian[i] {
			gradient.SetVec(k, gradient.AtVec(k)-slope*missing)
			for j := k; j < parameterCount; j++ {
				normal.SetSym(k, j, normal.At(k, j)+weight*slope*p.jacobian[i][j])
			}
		}
	}
	var cholesky mat.Cholesky
	var solution mat.VecDense
	if !cholesky.Factorize(normal) || cholesky.SolveVecTo(&solution, gradient) != nil {
		return steps, false
	}
	for k := range steps {
		steps[k] = min(max(solution.AtVec(k), -maxStep), maxStep)
	}
	return steps, true
}
