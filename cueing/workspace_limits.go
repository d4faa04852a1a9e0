package cueing

import "errors"

// computeWorkspace finds how far each degree of freedom goes up to the soft edge.
func (p *Platform) computeWorkspace() Workspace {
	reached, bounds := Pose{}, p.mechanism.bounds()
	if p.slideHalfStroke > 0 {
		room := min(p.room(p.mechanismLegs, 1), p.room(p.mechanismLegs, -1))
		reached.Slide = p.slideHalfStroke * room / neutral * (1 - p.softEdge)
	}
	if p.hasBelt {
		reached.Belt = 1
	}
	for i, bound := range bounds.components() {
		if p.movesAlone(i, *bound) {
			*reached.components()[i] = p.maxTravelAlone(i, *bound)
		}
	}
	return Workspace(reached)
}

// movesAlone reports whether the platform can move in one component of a pose alone. Two legs behind
// a pivot cannot: a heave makes them pitch.
func (p *Platform) movesAlone(component int, bound float64) bool {
	small := bound / 1000
	legs, _ := p.mechanism.legs(poseWithOnly(component, small))
	pose, ok := p.mechanism.pose(legs, Pose{})
	return ok && *pose.components()[component] > small/2
}

// maxTravelAlone returns how far a component of a pose can go alone until a leg enters its soft
// edge, on the side where that happens first. It searches outwards in small steps and bisects the
// last one.
func (p *Platform) maxTravelAlone(component int, bound float64) float64 {
	const steps = 64
	isBelowEdge := func(v float64) bool {
		_, up := p.legsAndLoad(poseWithOnly(component, v))
		_, down := p.legsAndLoad(poseWithOnly(component, -v))
		return max(up, down) <= 1-p.softEdge
	}
	low, step := 0.0, bound/steps
	for range steps {
		if !isBelowEdge(low + step) {
			break
		}
		low += step
	}
	for range 40 {
		step /= 2
		if isBelowEdge(low+step) && low+step <= bound {
			low += step
		}
	}
	return low
}

// components returns pointers to the pose's six components, in their order.
func (p *Pose) components() [6]*float64 {
	return [6]*float64{&p.Surge, &p.Sway, &p.Heave, &p.Roll, &p.Pitch, &p.Yaw}
}

// poseWithOnly returns a neutral pose in which one component is v.
func poseWithOnly(component int, v float64) (p Pose) {
	*p.components()[component] = v
	return p
}

// checkStability returns an error if the legs do not hold the platform: at neutral, as with parallel
// legs, or at any corner of the workspace, where the platform could turn over.
func (p *Platform) checkStability() error {
	const minVolume, minFraction = 0.05, 0.1 // smallest volume at neutral [-]; smallest fraction of it at the corners
	atNeutral := p.mechanism.stability(Pose{})
	if !(atNeutral*atNeutral > minVolume*minVolume) { // also for NaN
		return errors.New("base_half_angle_deg and platform_half_angle_deg leave the platform loose, because its legs are nearly parallel: use smaller half angles, or other base_joints_m")
	}
	for _, pose := range p.workspace.corners() {
		_, scale := p.scaledLegs(pose)
		if !(p.mechanism.stability(pose.scaled(scale))/atNeutral > minFraction) {
			return errors.New("the legs could turn the platform over within their travel: use a smaller stroke_m or crank_range_deg, or smaller half angles")
		}
	}
	return nil
}

// corners returns all poses in which each degree of freedom is at one of its ends.
func (w Workspace) corners() []Pose {
	all := []Pose{{}}
	extent := Pose(w)
	for i := range extent.components() {
		var doubled []Pose
		for _, p := range all {
			for _, side := range []float64{-1, 1} {
				*p.components()[i] = side * *extent.components()[i]
				doubled = append(doubled, p)
			}
		}
		all = doubled
	}
	return all
}
