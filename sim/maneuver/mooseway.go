package maneuver

import (
	"gonum.org/v1/gonum/mat"

	"rig.example/rig/sim/driver"
)

// mooseWay is one way of taking the course.
type mooseWay struct {
	driver.Skill
	across [3]float64 // of each line in its section: 0 in the middle, 1 beside the cones on the detour's side
	lean   [3]float64 // of each line towards that side, a slope
	early  [2]float64 // the changes begin so far before the section ends [m]
	late   [2]float64 // and end so far into the next one [m]
}

// roughWay is that of a driver who is taken by surprise.
func roughWay() mooseWay {
	return mooseWay{
		Skill:  driver.Skill{Look: 0.5, Lag: 0.15, Slip: 0.14},
		across: [3]float64{0, -0.35, 0.35},
		early:  [2]float64{2, 2}, late: [2]float64{2, 2},
	}
}

// taughtWays are where practice may begin: the detour is left on a slant, and the
// front tires are turned far, as for soft ones, or less. The last is the rough way, so
// that nobody who is surprised does better.
func taughtWays() [4]mooseWay {
	w := mooseWay{
		Skill:  driver.Skill{Look: 0.53, Lag: 0.25},
		across: [3]float64{-0.75, -0.7, 0}, lean: [3]float64{-0.01, -0.06, 0},
		early: [2]float64{1.3, -0.3}, late: [2]float64{0.6, 1.4},
	}
	ways := [4]mooseWay{w, w, w, roughWay()}
	ways[0].Slip, ways[1].Slip, ways[2].Slip = 0.1, 0.07, 0.04
	return ways
}

// lane returns the way's line through a course for a car of a width [m].
func (w *mooseWay) lane(c *coneCourse, width float64) *driver.LaneChanges {
	l := &driver.LaneChanges{}
	for i, s := range c.sections {
		room := (s.high - s.low - width) / 2
		l.X[i], l.Y[i] = (s.from+s.to)/2, s.middle()+c.side*w.across[i]*room
		l.Lean[i] = c.side * w.lean[i]
	}
	for i := range l.Leaves {
		l.Leaves[i] = c.sections[i].to - w.early[i]
		l.Meets[i] = c.sections[i+1].from + w.late[i]
	}
	return l
}

// knob is one number of a way.
type knob struct {
	at        *float64
	scale     float64 // a change that is felt
	low, high float64
}

const wayKnobs = 13

// knobs are all that can be changed of a way. A change of lane keeps 3.5 m at least.
func (w *mooseWay) knobs() [wayKnobs]knob {
	return [wayKnobs]knob{
		{&w.across[0], 0.5, -3, 3}, {&w.across[1], 0.5, -3, 3}, {&w.across[2], 0.5, -3, 3},
		{&w.lean[0], 0.02, -0.3, 0.3}, {&w.lean[1], 0.02, -0.3, 0.3}, {&w.lean[2], 0.02, -0.3, 0.3},
		{&w.early[0], 1.5, -6, 6}, {&w.early[1], 1.5, -6, 6},
		{&w.late[0], 1.5, -3, 12}, {&w.late[1], 1.5, -3, 12},
		{&w.Look, 0.04, 0.2, 1}, {&w.Lag, 0.06, 0.03, 0.8}, {&w.Slip, 0.02, 0.02, 0.25},
	}
}

// changed returns w with every knob turned by so many times its scale.
func (w mooseWay) changed(by *[wayKnobs]float64) mooseWay {
	for i, k := range w.knobs() {
		*k.at = min(max(*k.at+by[i]*k.scale, k.low), k.high)
	}
	return w
}

const (
	practiceTime = 450  // behind the wheel that a driver has at a speed [s]
	wantedRoom   = 0.02 // between body and cones, and before tipping [m]
	nearRoom     = 0.05 // more than that and cones do not count [m]
	nearWeight   = 0.3  // of cones with room between these two, which it is to keep
	feelingTurn  = 0.15 // of a knob, to feel what it does, in its scale
	mostTurn     = 1.5  // of a knob at once, in its scale
	firstHold    = 0.1  // how much knobs are held back (Marquardt's parameter)
	leastHold    = 1e-4 // of that
	mostHold     = 1e3  // where no step is left
	looser       = 0.25 // factor on it after a step that helped
	tighter      = 4.0  // and after one that did not
	muchLess     = 0.5  // share of the misery left after a step, for another by the same slopes
	stuck        = 0.9  // share left after a round, with which the driver gives up
)

// practice is a driver who takes the course at a speed again and again, feels what
// each knob of the way does to the room beside each cone, and turns all of them so that
// the cones are missed: least squares after Levenberg and Marquardt (D. W. Marquardt,
// J. SIAM 11, 1963).
type practice struct {
	drive  func(mooseWay) *mooseRun
	left   float64 // behind the wheel [s]
	way    mooseWay
	run    *mooseRun                      // along it
	hold   float64                        // how much the knobs are held back
	slopes [mooseFaults][wayKnobs]float64 // of what is amiss, for each knob in its scale [m]
}

// clean practises until a run is clean and returns it, the last one driven; nil if
// none is.
func (p *practice) clean() *mooseRun {
	p.begin()
	for !p.run.clean && p.left > 0 && p.hold < mostHold {
		before := misery(p.run)
		p.feel()
		p.improve()
		if misery(p.run) > before*stuck {
			break
		}
	}
	if p.run.clean {
		return p.run
	}
	return nil
}

// begin takes the best of the ways that were taught.
func (p *practice) begin() {
	p.hold = firstHold
	for _, w := range taughtWays() {
		run := p.try(w)
		if p.run == nil || run.clean || misery(run) < misery(p.run) {
			p.way, p.run = w, run
		}
		if run.clean {
			return
		}
	}
}

func (p *practice) try(w mooseWay) *mooseRun {
	run := p.drive(w)
	p.left -= run.lasted
	return run
}

// feel turns each knob a little. If that happens to be clean, it is kept.
func (p *practice) feel() {
	for k := range wayKnobs {
		var by [wayKnobs]float64
		by[k] = feelingTurn
		w := p.way.changed(&by)
		run := p.try(w)
		if run.clean {
			p.way, p.run = w, run
			return
		}
		for i := range p.slopes {
			p.slopes[i][k] = (run.amiss[i] - p.run.amiss[i]) / feelingTurn
		}
	}
}

// improve takes steps, held back more and more until one is for the better. As long
// as steps help much, the slopes are only corrected by what they missed (C. G.
// Broyden, Math. Comp. 19, 1965).
func (p *practice) improve() {
	const tries = 4
	for misses := 0; misses < tries && p.left > 0 && !p.run.clean; {
		before := misery(p.run)
		if !p.advance() {
			misses++
			p.hold *= tighter
			continue
		}
		misses = 0
		p.hold = max(p.hold*looser, leastHold)
		if misery(p.run) > before*muchLess {
			return
		}
	}
}

// advance takes a step if it is for the better.
func (p *practice) advance() bool {
	by, ok := p.step()
	if !ok {
		return false
	}
	w := p.way.changed(&by)
	run := p.try(w)
	if !run.clean && misery(run) >= misery(p.run) {
		return false
	}
	p.correct(&by, run)
	p.way, p.run = w, run
	return true
}

// correct makes the slopes lead from the last run to one after turns of the knobs.
func (p *practice) correct(by *[wayKnobs]float64, run *mooseRun) {
	size := 0.0
	for _, turn := range by {
		size += turn * turn
	}
	for i := range p.slopes {
		rest := run.amiss[i] - p.run.amiss[i]
		for k, turn := range by {
			rest -= p.slopes[i][k] * turn
		}
		for k, turn := range by {
			p.slopes[i][k] += rest * turn / size
		}
	}
}

// misery sums the squares of what is missing beside the cones and on the ground [m²].
func misery(r *mooseRun) float64 {
	sum := 0.0
	for _, amiss := range r.amiss {
		lack := max(amiss+wantedRoom, 0)
		sum += lack * lack
	}
	return sum
}

// step solves for the turn of every knob, in its scale.
func (p *practice) step() (by [wayKnobs]float64, ok bool) {
	bend, pull := mat.NewSymDense(wayKnobs, nil), mat.NewVecDense(wayKnobs, nil)
	for k := range wayKnobs {
		bend.SetSym(k, k, p.hold)
	}
	for i, amiss := range p.run.amiss {
		lack, weight := amiss+wantedRoom, 1.0
		if lack < -nearRoom {
			continue
		}
		if lack < 0 {
			lack, weight = 0, nearWeight
		}
		for k, slope := range p.slopes[i] {
			pull.SetVec(k, pull.AtVec(k)-slope*lack)
			for j := k; j < wayKnobs; j++ {
				bend.SetSym(k, j, bend.At(k, j)+weight*slope*p.slopes[i][j])
			}
		}
	}
	var c mat.Cholesky
	var turn mat.VecDense
	if !c.Factorize(bend) || c.SolveVecTo(&turn, pull) != nil {
		return by, false
	}
	for k := range by {
		by[k] = min(max(turn.AtVec(k), -mostTurn), mostTurn)
	}
	return by, true
}
