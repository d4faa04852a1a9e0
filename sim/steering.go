package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/tire"
)

// Steering joins the steering wheel to the front wheels, and to the rear ones
// where they steer too.
type Steering struct {
	Ratio      float64      `toml:"ratio"`                 // steering wheel angle over mean road wheel angle, in the middle
	RatioTable []RatioPoint `toml:"ratio_table" most:"32"` // further out; none is the same everywhere
	MaxSteer   float64      `toml:"max_steer_deg"`         // of the mean road wheel angle
	RackPerRev float64      `toml:"rack_m_per_rev"`        // rack travel of one turn of the steering wheel, in the middle; a linkage with the ratio gives its own

	Geometry  string  `toml:"geometry"`  // what turns the two front wheels apart: ackermann or linkage
	Ackermann float64 `toml:"ackermann"` // 0 parallel, 1 both front wheels roll about one point
	Linkage   Linkage `toml:"linkage"`

	CasterAngle float64 `toml:"caster_deg"`              // the kingpin's top leans back
	Inclination float64 `toml:"kingpin_inclination_deg"` // the kingpin's top leans inward
	Scrub       float64 `toml:"scrub_radius_m"`          // on the ground, from the kingpin's axis outward to the contact
	Caster      float64 `toml:"caster_trail_m"`          // on the ground, from the kingpin's axis back to the contact

	RackMass float64 `toml:"rack_mass_kg"`           // of all that moves with the rack, as felt there
	Friction float64 `toml:"rack_friction_n"`        // of the rack, dry
	Give     float64 `toml:"rack_friction_travel_m"` // rack travel from no friction to all of it
	Assist   Assist  `toml:"assist"`

	RearSteer []RearPoint  `toml:"rear_steer" most:"32"` // rising speeds; none is a rear axle that does not steer
	Keys      SteeringKeys `toml:"keys"`
}

// RearPoint is the rear wheels' share of the mean front wheel angle at a speed:
// linear between points, constant outside; negative turns them the other way.
type RearPoint struct {
	Speed float64 `toml:"speed_kph"`
	Share float64 `toml:"share"`
}

// DefaultSteering is that of the built-in coupe: upright kingpins, no friction, no
// assist, and a rear axle that does not steer.
func DefaultSteering() Steering {
	return Steering{
		Ratio: 14.5, MaxSteer: 36, RackPerRev: 0.05,
		Geometry: "ackermann", Ackermann: 0.6, Linkage: DefaultLinkage(),
		Caster: 0.010,
		Give:   0.0005,
		Assist: DefaultAssist(),
		Keys:   DefaultSteeringKeys(),
	}
}

// Validate reports every parameter that is out of range.
func (s Steering) Validate() error {
	return errors.Join(
		valid.InRange("ratio", s.Ratio, 1, 50),
		validRatios(s.RatioTable),
		valid.InRange("max_steer_deg", s.MaxSteer, 5, 60),
		valid.InRange("rack_m_per_rev", s.RackPerRev, 0.01, 0.3),
		valid.OneOf("geometry", s.Geometry, "ackermann", "linkage"),
		valid.InRange("ackermann", s.Ackermann, 0, 1),
		valid.Within("linkage", s.Linkage.Validate()),
		valid.InRange("caster_deg", s.CasterAngle, -10, 20),
		valid.InRange("kingpin_inclination_deg", s.Inclination, -5, 25),
		valid.InRange("scrub_radius_m", s.Scrub, -0.1, 0.2),
		valid.InRange("caster_trail_m", s.Caster, -0.05, 0.2),
		valid.InRange("rack_mass_kg", s.RackMass, 0, 200),
		valid.InRange("rack_friction_n", s.Friction, 0, 5e3),
		valid.InRange("rack_friction_travel_m", s.Give, 1e-5, 0.01),
		valid.Within("assist", s.Assist.Validate()),
		validRear(s.RearSteer),
		valid.Within("keys", s.Keys.Validate()),
	)
}

func validRear(points []RearPoint) error {
	errs := []error{valid.InRange("number of rear_steer points", float64(len(points)), 0, curve.MostPoints)}
	return errors.Join(append(errs, curve.BySpeed("rear_steer", "share", -1, 1).Check(len(points),
		func(i int) (x, y float64) { return points[i].Speed, points[i].Share })...)...)
}

// clone returns s with lists of its own.
func (s Steering) clone() Steering {
	s.RatioTable, s.RearSteer = slices.Clone(s.RatioTable), slices.Clone(s.RearSteer)
	s.Assist.Curve, s.Assist.BySpeed = slices.Clone(s.Assist.Curve), slices.Clone(s.Assist.BySpeed)
	s.Keys.BySpeed = slices.Clone(s.Keys.BySpeed)
	return s
}

// steering is the constant part of the steering.
type steering struct {
	gearing gearing
	most    float64  // mean road wheel angle [rad]
	arm     float64  // rack travel for each radian of it [m/rad]
	share   float64  // of Ackermann
	half    float64  // half the front track over the wheelbase
	linkage *linkage // nil: the angles are those of Ackermann's share
	rear    *curve.Line
	pins    [2]kingpin // in front
	rack    rack
	assist  assist
}

// newSteering returns the steering of a car whose hubs are at these places at rest
// [m, from the centre of mass].
func newSteering(p Params, hubs [4]r3.Vec, dt float64) (steering, error) {
	s := p.Steering
	g := steering{
		gearing: newGearing(s), most: s.MaxSteer * degree, arm: s.Ratio * s.RackPerRev / (2 * math.Pi),
		share: s.Ackermann, half: p.TrackFront / 2 / p.Wheelbase,
		rack: newRack(s, dt), assist: newAssist(s.Assist),
	}
	g.pins = [2]kingpin{newKingpin(s, 1, hubs[tire.FL].Z+p.CGHeight), newKingpin(s, -1, hubs[tire.FR].Z+p.CGHeight)}
	if len(s.RearSteer) > 0 {
		g.rear = &curve.Line{}
		for _, at := range s.RearSteer {
			g.rear.Add(at.Speed/3.6, at.Share)
		}
	}
	if s.Geometry == "linkage" {
		var err error
		if g.linkage, err = newLinkage(s, p.TrackFront); err != nil {
			return steering{}, fmt.Errorf("steering: %w", err)
		}
		g.arm = 1 / g.linkage.middle()
	}
	return g, nil
}

// steerAngles is how the wheels are steered during a tick.
type steerAngles struct {
	angle    [4]float64 // of each wheel about its kingpin, behind about the body's z [rad], positive left
	gain     [4]float64 // what of it one radian of the steering wheel gives by way of the rack
	sin, cos [4]float64 // of angle
	rack     float64    // travel [m], positive the way that turns the front wheels left
	lever    float64    // what of it one radian of the steering wheel gives [m/rad]
}

// steer returns how the wheels are steered.
func (c *Car) steer(s *State, in Input) (a steerAngles) {
	c.point(&a, s, in.Steer)
	return a
}

// point finds how the wheels are steered by a steering wheel angle [rad]. The rear ones
// have an actuator of their own, so that neither rack nor steering wheel feels them.
func (c *Car) point(a *steerAngles, s *State, wheel float64) {
	g := &c.steering
	mean, gain := g.mean(wheel)
	a.rack, a.lever = mean*g.arm, gain*g.arm
	if g.linkage != nil {
		g.linked(a)
	} else {
		g.rolling(a, mean, gain)
	}
	if g.rear != nil {
		a.angle[tire.RL] = g.rear.At(math.Abs(s.Speed)) * mean
		a.angle[tire.RR] = a.angle[tire.RL]
	}
	for i := range a.angle {
		a.cos[i] = 1
		if angle := a.angle[i]; angle != 0 {
			a.sin[i], a.cos[i] = curve.SinCos(angle)
		}
	}
}

// mean returns the mean angle of the front wheels, up to their lock, for a steering wheel
// angle, and its slope over that [rad].
func (g *steering) mean(wheel float64) (mean, slope float64) {
	mean, slope = g.gearing.mean(wheel)
	return min(max(mean, -g.most), g.most), slope
}

// rolling turns the front wheels by Ackermann's share.
func (g *steering) rolling(a *steerAngles, mean, gain float64) {
	tan := math.Tan(mean)
	left, growLeft := ackermann(mean, tan, g.half, g.share)
	right, growRight := ackermann(mean, tan, -g.half, g.share)
	a.angle[tire.FL], a.gain[tire.FL] = left, growLeft*gain
	a.angle[tire.FR], a.gain[tire.FR] = right, growRight*gain
}

// linked turns the front wheels as the rack pulls them. The right side mirrors
// the left, and the rack's travel with it.
func (g *steering) linked(a *steerAngles) {
	left, growLeft := g.linkage.angle(a.rack)
	right, growRight := g.linkage.angle(-a.rack)
	a.angle[tire.FL], a.gain[tire.FL] = left, growLeft*a.lever
	a.angle[tire.FR], a.gain[tire.FR] = -right, growRight*a.lever
}

// ackermann returns a wheel's angle, and its slope over the mean angle. side is
// the wheel's distance to the left of the middle over the wheelbase; share
// leads from parallel (0) to rolling about one common point (1):
// tan(angle) = tan(mean)/(1 - side·tan(mean)).
func ackermann(mean, tan, side, share float64) (angle, slope float64) {
	rest := 1 - side*tan
	rolling := math.Atan(tan / rest)
	grow := (1 + tan*tan) / (rest*rest + tan*tan)
	return mean + share*(rolling-mean), 1 + share*(grow-1)
}

// RoadSteer returns the mean angle to which the steering turns the front wheels
// at a steering wheel angle [rad]; toe, and what the suspension adds, are left out.
func (c *Car) RoadSteer(wheel float64) float64 {
	a := c.steer(&State{}, Input{Steer: wheel})
	return (a.angle[tire.FL] + a.angle[tire.FR]) / 2
}
