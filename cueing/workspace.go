package cueing

import (
	"fmt"
	"math"
)

// Platform computes legs for poses and poses for legs, for one geometry. It never changes after
// NewPlatform and may be used by any number of goroutines.
type Platform struct {
	mechanism       mechanism
	inverseBound    Pose    // 1 over the bound of each degree of freedom
	softEdge        float64 // fraction of the travel before each end in which the soft limit works
	slideHalfStroke float64 // half stroke of the traction-loss axis, 0 without
	hasBelt         bool
	mechanismLegs   int // legs of the mechanism
	span            Span
	legNames        []string
	workspace       Workspace
}

// Workspace is how far the platform reaches in each degree of freedom to either side [m, rad] before
// the soft edge begins, while all other degrees of freedom are neutral; 0 where it cannot move.
// Belt is 1 if there is a belt tensioner.
type Workspace Pose

// Span is the range of each leg as fractions of its stroke: from Low, 0..0.5, to High, 0.5..1.
type Span struct{ Low, High Legs }

// FullStroke returns the span in which every leg uses its whole stroke.
func FullStroke() Span { return Span{High: Legs{1, 1, 1, 1, 1, 1, 1, 1}} }

// NewPlatform returns a platform whose legs stay within a span, or every error of g. The workspace
// and the soft edge are those of the span.
func NewPlatform(g Geometry, span Span) (*Platform, error) {
	p, err := g.build(span)
	if err != nil {
		return nil, fmt.Errorf("cueing: geometry: %w", err)
	}
	return p, nil
}

// build checks the geometry and returns its platform, without the package's name in errors.
func (g Geometry) build(span Span) (*Platform, error) {
	if err := g.validateFields(); err != nil {
		return nil, err
	}
	mechanism, err := g.mechanism()
	if err != nil {
		return nil, g.cannotBeBuilt(err)
	}
	p := &Platform{
		mechanism: mechanism, inverseBound: reciprocal(mechanism.bounds()), softEdge: g.SoftEdge, slideHalfStroke: g.TractionLossStroke / 2, hasBelt: g.HasBelt,
		mechanismLegs: len(mechanism.names()), span: span, legNames: g.allLegNames(mechanism),
	}
	p.workspace = p.computeWorkspace()
	if err := p.checkStability(); err != nil {
		return nil, g.cannotBeBuilt(err)
	}
	return p, nil
}

// cannotBeBuilt returns err, which concerns the whole platform, as a fault of the key kind.
func (g Geometry) cannotBeBuilt(err error) error { return fmt.Errorf("kind = %q: %w", g.Kind, err) }

// mechanism returns the kinematics of the configured kind, or an error if it cannot be built.
func (g Geometry) mechanism() (mechanism, error) {
	switch g.Kind {
	case kindHexapod:
		return newHexapod(g)
	case kindRotary:
		return newRotary(g)
	case KindPose:
		return newPoseMechanism(g.Range), nil
	}
	return newUprightPlatform(g), nil
}

// allLegNames returns the names of the mechanism's legs, then those of the additional actuators.
func (g Geometry) allLegNames(m mechanism) []string {
	names := append([]string(nil), m.names()...)
	if g.TractionLossStroke > 0 {
		names = append(names, "traction loss")
	}
	if g.HasBelt {
		names = append(names, "belt")
	}
	return names
}

// Axes returns the number of legs in use; they are the first ones.
func (p *Platform) Axes() int { return len(p.legNames) }

// Names returns the names of the legs in use. The caller must not change the slice.
func (p *Platform) Names() []string { return p.legNames }

// Workspace returns how far the platform follows in each degree of freedom alone.
func (p *Platform) Workspace() Workspace { return p.workspace }

// Legs returns the legs for a pose (all are 0.5 at neutral, unused ones always), and the factor by
// which the pose was scaled down: 1 where it was followed exactly and 0 where it was NaN or Inf.
//
// A pose that would bring a leg to its end is scaled towards neutral as a whole, so that its
// direction stays: not at all before the soft edge, increasingly within it, and always so that no
// leg leaves its span. The legs are a continuous function of the pose. A pose that is NaN or Inf
// gives neutral. Legs does not allocate.
func (p *Platform) Legs(pose Pose) (legs Legs, scale float64) {
	if !pose.isFinite() {
		return neutralLegs, 0
	}
	legs, scale = p.scaledLegs(pose)
	next := p.mechanismLegs
	if p.slideHalfStroke > 0 {
		legs[next] = p.extraLeg(next, pose.Slide/p.slideHalfStroke)
		next++
	}
	if p.hasBelt {
		legs[next] = p.extraLeg(next, pose.Belt)
	}
	return legs, scale
}

// extraLeg returns the position of a leg that is not part of the mechanism, for v from -1 to 1 of
// its half stroke.
func (p *Platform) extraLeg(leg int, v float64) float64 {
	room := p.room(leg, v)
	if room < minRoom {
		return p.clampLeg(leg, neutral)
	}
	return p.clampLeg(leg, neutral+math.Copysign(room*p.softLoad(neutral*math.Abs(v)/room), v))
}

// minRoom is the travel from neutral to an end of its span, as a fraction of the stroke, below which
// a leg is treated as fixed: it stays at neutral, and does not limit the other legs.
const minRoom = 0.01

// room returns how far a leg may move from neutral in the direction of v, as a fraction of its stroke.
func (p *Platform) room(leg int, v float64) float64 {
	if v < 0 {
		return neutral - p.span.Low[leg]
	}
	return p.span.High[leg] - neutral
}

// clampLeg limits the position of a leg to its span.
func (p *Platform) clampLeg(leg int, position float64) float64 {
	return min(max(position, p.span.Low[leg]), p.span.High[leg])
}

// legsAndLoad returns the mechanism's legs for a pose, and its load: 1 where the first leg is at the
// end of its span.
func (p *Platform) legsAndLoad(pose Pose) (Legs, float64) {
	legs, load := p.mechanism.legs(pose)
	for i := range p.mechanismLegs {
		offset := legs[i] - neutral
		if room := p.room(i, offset); room >= minRoom && room < neutral { // otherwise the mechanism's load includes it
			load = max(load, math.Abs(offset)/room)
		}
	}
	return legs, load
}

// scaledLegs returns the mechanism's legs for a finite pose, and the scale that was applied to it.
// The scale is estimated and corrected once; the remaining error is corrected in the legs, which
// changes the pose's direction only slightly. This costs three times as much as a pose within the
// soft edge.
func (p *Platform) scaledLegs(pose Pose) (Legs, float64) {
	pose, boundScale := p.boundPose(pose)
	legs, load := p.legsAndLoad(pose)
	allowed := p.softLoad(load)
	if allowed == load {
		for i := range p.mechanismLegs {
			legs[i] = p.clampLeg(i, legs[i])
		}
		return legs, boundScale
	}
	scale := min(allowed/load, 1)
	_, load = p.legsAndLoad(pose.scaled(scale))
	scale = min(scale*approxPow34(allowed/max(load, 1e-9)), 1)
	legs, load = p.legsAndLoad(pose.scaled(scale))
	correction := min(allowed/load, 1.5)
	for i := range p.mechanismLegs {
		legs[i] = p.clampLeg(i, neutral+(legs[i]-neutral)*correction)
	}
	return legs, boundScale * min(scale*correction, 1)
}

// approxPow34 approximates the power of 3/4 from 1/7 to 7, because loads grow with the first to
// second power of the scale.
func approxPow34(v float64) float64 { return (1 + 7*v) / (7 + v) }

// Pose returns the pose for legs, and whether it was found. Hexapods and cranks are solved by
// Newton's method from near, which should be the pose that the previous call returned, found or
// not, or at first the zero Pose. A platform with more legs than degrees of freedom is fitted by
// least squares. For legs more than half a stroke beyond their ends Pose returns near and false.
// It does not allocate.
func (p *Platform) Pose(l Legs, near Pose) (Pose, bool) {
	for i := range p.legNames {
		if !(math.Abs(l[i]-neutral) <= 1) { // also for NaN
			return near, false
		}
	}
	near.Slide, near.Belt = 0, 0
	pose, ok := p.mechanism.pose(l, near)
	next := p.mechanismLegs
	if p.slideHalfStroke > 0 {
		pose.Slide = (l[next] - neutral) * 2 * p.slideHalfStroke
		next++
	}
	if p.hasBelt {
		pose.Belt = (l[next] - neutral) * 2
	}
	return pose, ok
}

// softLoad returns the load that is applied for a requested one: the same up to the soft edge, then
// rising with a decreasing slope, and never above 1.
func (p *Platform) softLoad(load float64) float64 {
	edgeStart := 1 - p.softEdge
	if load <= edgeStart {
		return load
	}
	excess := min(load-edgeStart, 1e6)
	if p.softEdge == 0 {
		return 1
	}
	return edgeStart + p.softEdge*excess/(p.softEdge+excess)
}

// boundPose sets the degrees of freedom that the mechanism does not have to 0, and scales the pose
// into the mechanism's bounds. scale is the factor that was applied, 1 if the pose was within them.
func (p *Platform) boundPose(pose Pose) (bounded Pose, scale float64) {
	inverse := &p.inverseBound
	pose.Surge = boundComponent(pose.Surge, inverse.Surge)
	pose.Sway = boundComponent(pose.Sway, inverse.Sway)
	pose.Heave = boundComponent(pose.Heave, inverse.Heave)
	pose.Roll = boundComponent(pose.Roll, inverse.Roll)
	pose.Pitch = boundComponent(pose.Pitch, inverse.Pitch)
	pose.Yaw = boundComponent(pose.Yaw, inverse.Yaw)
	excess := max(math.Abs(pose.Surge*inverse.Surge), math.Abs(pose.Sway*inverse.Sway), math.Abs(pose.Heave*inverse.Heave),
		math.Abs(pose.Roll*inverse.Roll), math.Abs(pose.Pitch*inverse.Pitch), math.Abs(pose.Yaw*inverse.Yaw))
	if excess <= 1 {
		return pose, 1
	}
	return pose.scaled(1 / excess), 1 / excess
}

// boundComponent limits v so that products do not overflow; it returns 0 where the mechanism does
// not have the degree of freedom.
func boundComponent(v, inverseBound float64) float64 {
	if inverseBound == 0 {
		return 0
	}
	return min(max(v, -1e9), 1e9)
}

// reciprocal returns 1 over each component, 0 where that is 0.
func reciprocal(bounds Pose) Pose {
	inverse := func(bound float64) float64 {
		if bound == 0 {
			return 0
		}
		return 1 / bound
	}
	return Pose{Surge: inverse(bounds.Surge), Sway: inverse(bounds.Sway), Heave: inverse(bounds.Heave), Roll: inverse(bounds.Roll), Pitch: inverse(bounds.Pitch), Yaw: inverse(bounds.Yaw)}
}
