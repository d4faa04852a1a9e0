package cueing

import (
	"fmt"
	"math"
)

// Platform turns poses into legs and back, for one geometry. It never changes after
// NewPlatform: any number of goroutines may use it.
type Platform struct {
	mechanism mechanism
	perBox    Pose    // one over the most of each degree of freedom that is looked at
	edge      float64 // soft end of the way
	slide     float64 // half stroke of the traction-loss axis, 0 without
	belt      bool
	own       int // legs of the mechanism
	span      Span
	titles    []string
	reach     Reach
}

// Reach is the most of each degree of freedom that the platform follows exactly
// when it moves in nothing else, to either side [m, rad]; 0 where it cannot move.
// Belt is 1 where there is a belt tensioner.
type Reach Pose

// Span is how far each leg may go, as shares of its stroke: down to Low, 0..0.5, and up to
// High, 0.5..1.
type Span struct{ Low, High Legs }

// WholeStroke lets all legs go from end to end.
func WholeStroke() Span { return Span{High: Legs{1, 1, 1, 1, 1, 1, 1, 1}} }

// NewPlatform returns a platform at neutral whose legs keep within a span: reach and soft
// edge are those of the span.
func NewPlatform(g Geometry, span Span) (*Platform, error) {
	p, err := g.build(span)
	if err != nil {
		return nil, fmt.Errorf("cueing: geometry: %w", err)
	}
	return p, nil
}

func (g Geometry) build(span Span) (*Platform, error) {
	if err := g.validateFields(); err != nil {
		return nil, err
	}
	m, err := g.mechanism()
	if err != nil {
		return nil, err
	}
	p := &Platform{
		mechanism: m, perBox: inverted(m.box()), edge: g.Edge, slide: g.SlideStroke / 2, belt: g.Belt,
		own: len(m.names()), span: span, titles: g.titles(m),
	}
	p.reach = p.reaches()
	if err := p.firm(); err != nil {
		return nil, err
	}
	return p, nil
}

// mechanism builds what carries the platform, or says why it cannot.
func (g Geometry) mechanism() (mechanism, error) {
	switch g.Kind {
	case kindHexapod:
		return newHexapod(g)
	case kindRotary:
		return newRotary(g)
	case KindPose:
		return newFreedoms(g.Range), nil
	}
	return newLift(g), nil
}

func (g Geometry) titles(m mechanism) []string {
	names := append([]string(nil), m.names()...)
	if g.SlideStroke > 0 {
		names = append(names, "traction loss")
	}
	if g.Belt {
		names = append(names, "belt")
	}
	return names
}

// Axes is how many legs are in use; they are the first ones.
func (p *Platform) Axes() int { return len(p.titles) }

// Names says what the legs are, in their order. The caller does not change it.
func (p *Platform) Names() []string { return p.titles }

// Reach returns the most of each degree of freedom alone.
func (p *Platform) Reach() Reach { return p.reach }

// Legs returns the legs for a pose, all 0.5 at neutral, those not in use always, and by how
// much the pose was scaled down: 1 where it was followed and 0 where it was not finite.
//
// A pose that would bring a leg to its end is scaled towards neutral as a whole,
// so that its direction stays: not at all until the soft edge, ever more in it, and
// always so that no leg leaves its span. Legs change without a jump as the pose does.
// A pose that is not finite gives neutral. It is part of the loop: no allocation.
func (p *Platform) Legs(pose Pose) (legs Legs, scale float64) {
	if !pose.finite() {
		return level, 0
	}
	legs, scale = p.carry(pose)
	next := p.own
	if p.slide > 0 {
		legs[next] = p.share(next, pose.Slide/p.slide)
		next++
	}
	if p.belt {
		legs[next] = p.share(next, pose.Belt)
	}
	return legs, scale
}

// share is a leg of its own, for -1 to 1 of its stroke.
func (p *Platform) share(leg int, v float64) float64 {
	room := p.room(leg, v)
	if room < leastRoom {
		return p.inside(leg, neutral)
	}
	return p.inside(leg, neutral+math.Copysign(room*p.allowed(neutral*math.Abs(v)/room), v))
}

// leastRoom is the share of its stroke below which a leg counts as fixed: it stays where it is,
// and the others move without it.
const leastRoom = 0.01

// room is how far a leg may go from neutral to the side of v, as a share of its stroke.
func (p *Platform) room(leg int, v float64) float64 {
	if v < 0 {
		return neutral - p.span.Low[leg]
	}
	return p.span.High[leg] - neutral
}

func (p *Platform) inside(leg int, share float64) float64 {
	return min(max(share, p.span.Low[leg]), p.span.High[leg])
}

// loaded returns the mechanism's legs for a pose, and how much of their way they take: 1 where
// the first one is at the end of its span.
func (p *Platform) loaded(pose Pose) (Legs, float64) {
	legs, load := p.mechanism.legs(pose)
	for i := range p.own {
		off := legs[i] - neutral
		if room := p.room(i, off); room >= leastRoom && room < neutral { // else the mechanism has counted it
			load = max(load, math.Abs(off)/room)
		}
	}
	return legs, load
}

// carry returns the mechanism's legs for a pose that is finite, and its scale. That is
// guessed, corrected once, and what is left then the legs take, which moves the
// platform little off the pose's direction: three times the cost of a pose inside.
func (p *Platform) carry(pose Pose) (Legs, float64) {
	pose, boxed := p.held(pose)
	legs, load := p.loaded(pose)
	allowed := p.allowed(load)
	if allowed == load {
		for i := range p.own {
			legs[i] = p.inside(i, legs[i])
		}
		return legs, boxed
	}
	scale := min(allowed/load, 1)
	_, load = p.loaded(pose.times(scale))
	scale = min(scale*root(allowed/max(load, 1e-9)), 1)
	legs, load = p.loaded(pose.times(scale))
	left := min(allowed/load, 1.5)
	for i := range p.own {
		legs[i] = p.inside(i, neutral+(legs[i]-neutral)*left)
	}
	return legs, boxed * min(scale*left, 1)
}

// root is nearly the 3/4th power, from 1/7 to 7; loads grow with the scale's first
// to second power.
func root(v float64) float64 { return (1 + 7*v) / (7 + v) }

// Pose returns the pose that legs have, and whether it was found. Hexapods
// and cranks are searched (Newton's method) from near: the pose that the call
// before returned, found or not, or at first the zero Pose. A platform
// with more legs than freedoms is fitted with least squares. Legs more than half
// a stroke beyond their ends are no platform's: for them near itself is returned.
// It does not allocate.
func (p *Platform) Pose(l Legs, near Pose) (Pose, bool) {
	for i := range p.titles {
		if !(math.Abs(l[i]-neutral) <= 1) { // also for NaN
			return near, false
		}
	}
	near.Slide, near.Belt = 0, 0
	pose, ok := p.mechanism.pose(l, near)
	next := p.own
	if p.slide > 0 {
		pose.Slide = (l[next] - neutral) * 2 * p.slide
		next++
	}
	if p.belt {
		pose.Belt = (l[next] - neutral) * 2
	}
	return pose, ok
}

// allowed is the load that is taken where one is asked for: the same up to the
// soft edge, then ever less more, and never above 1.
func (p *Platform) allowed(load float64) float64 {
	free := 1 - p.edge
	if load <= free {
		return load
	}
	over := min(load-free, 1e6)
	if p.edge == 0 {
		return 1
	}
	return free + p.edge*over/(p.edge+over)
}

// held leaves out what the mechanism cannot do and draws a pose into the box.
func (p *Platform) held(pose Pose) (Pose, float64) {
	per := &p.perBox
	pose.Surge = sane(pose.Surge, per.Surge)
	pose.Sway = sane(pose.Sway, per.Sway)
	pose.Heave = sane(pose.Heave, per.Heave)
	pose.Roll = sane(pose.Roll, per.Roll)
	pose.Pitch = sane(pose.Pitch, per.Pitch)
	pose.Yaw = sane(pose.Yaw, per.Yaw)
	over := max(math.Abs(pose.Surge*per.Surge), math.Abs(pose.Sway*per.Sway), math.Abs(pose.Heave*per.Heave),
		math.Abs(pose.Roll*per.Roll), math.Abs(pose.Pitch*per.Pitch), math.Abs(pose.Yaw*per.Yaw))
	if over <= 1 {
		return pose, 1
	}
	return pose.times(1 / over), 1 / over
}

// sane keeps products finite; 0 where there is no such freedom.
func sane(v, perBox float64) float64 {
	if perBox == 0 {
		return 0
	}
	return min(max(v, -1e9), 1e9)
}

// inverted is one over each freedom's most, 0 where there is none.
func inverted(box Pose) Pose {
	per := func(most float64) float64 {
		if most == 0 {
			return 0
		}
		return 1 / most
	}
	return Pose{Surge: per(box.Surge), Sway: per(box.Sway), Heave: per(box.Heave), Roll: per(box.Roll), Pitch: per(box.Pitch), Yaw: per(box.Yaw)}
}
