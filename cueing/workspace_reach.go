package cueing

import "errors"

// reaches looks for the way of each degree of freedom up to the soft edge.
func (p *Platform) reaches() Reach {
	r, box := Pose{}, p.mechanism.box()
	if p.slide > 0 {
		room := min(p.room(p.own, 1), p.room(p.own, -1))
		r.Slide = p.slide * room / neutral * (1 - p.edge)
	}
	if p.belt {
		r.Belt = 1
	}
	for i, most := range box.freedoms() {
		if p.has(i, *most) {
			*r.freedoms()[i] = p.alone(i, *most)
		}
	}
	return Reach(r)
}

// has tells whether a small motion in a freedom is one in it, as its legs tell: two legs
// behind a pivot answer heave with pitch.
func (p *Platform) has(freedom int, most float64) bool {
	small := most / 1000
	legs, _ := p.mechanism.legs(single(freedom, small))
	pose, ok := p.mechanism.pose(legs, Pose{})
	return ok && *pose.freedoms()[freedom] > small/2
}

// alone goes outwards in small steps to where a leg enters its soft edge, to the
// nearer side, and halves the last step.
func (p *Platform) alone(freedom int, most float64) float64 {
	const steps = 64
	free := func(v float64) bool {
		_, up := p.loaded(single(freedom, v))
		_, down := p.loaded(single(freedom, -v))
		return max(up, down) <= 1-p.edge
	}
	low, step := 0.0, most/steps
	for range steps {
		if !free(low + step) {
			break
		}
		low += step
	}
	for range 40 {
		step /= 2
		if free(low+step) && low+step <= most {
			low += step
		}
	}
	return low
}

// freedoms are a platform's six, in the order of Pose.
func (p *Pose) freedoms() [6]*float64 {
	return [6]*float64{&p.Surge, &p.Sway, &p.Heave, &p.Roll, &p.Pitch, &p.Yaw}
}

func single(freedom int, v float64) (p Pose) {
	*p.freedoms()[freedom] = v
	return p
}

// firm refuses legs that do not hold the platform: not at neutral, as upright legs
// let it turn, or not where they can take it, where it could turn over. It looks at
// all corners.
func (p *Platform) firm() error {
	const loose, least = 0.05, 0.1 // of the volume at neutral; share of that elsewhere
	middle := p.mechanism.firmness(Pose{})
	if !(middle*middle > loose*loose) { // also for NaN
		return errors.New("base_half_angle_deg and platform_half_angle_deg leave the platform loose, for its legs stand alike: take pairs nearer together, or other base_joints_m")
	}
	for _, pose := range p.reach.corners() {
		_, scale := p.carry(pose)
		if !(p.mechanism.firmness(pose.times(scale))/middle > least) {
			return errors.New("the legs could turn the platform over within their way: take a smaller stroke_m or crank_range_deg, or pairs of joints nearer together")
		}
	}
	return nil
}

// corners are all poses in which each freedom is at one of its ends.
func (r Reach) corners() []Pose {
	all := []Pose{{}}
	ends := Pose(r)
	for i := range ends.freedoms() {
		var more []Pose
		for _, p := range all {
			for _, side := range []float64{-1, 1} {
				*p.freedoms()[i] = side * *ends.freedoms()[i]
				more = append(more, p)
			}
		}
		all = more
	}
	return all
}
