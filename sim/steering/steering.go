package steering

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/tire"
)

// Params describes what joins the steering wheel to the front wheels, and to the rear ones
// where they steer too.
type Params struct {
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

	RearSteer []RearPoint `toml:"rear_steer" most:"32"` // rising speeds; none is a rear axle that does not steer
	Keys      Keys        `toml:"keys"`
}

// RearPoint is the rear wheels' share of the mean front wheel angle at a speed:
// linear between points, constant outside; negative turns them the other way.
type RearPoint struct {
	Speed float64 `toml:"speed_kph"`
	Share float64 `toml:"share"`
}

// Default returns the steering of the built-in coupe: upright kingpins, no friction, no
// assist, and a rear axle that does not steer.
func Default() Params {
	return Params{
		Ratio: 14.5, MaxSteer: 36, RackPerRev: 0.05,
		Geometry: "ackermann", Ackermann: 0.6, Linkage: defaultLinkage(),
		Caster: 0.010,
		Give:   0.0005,
		Assist: defaultAssist(),
		Keys:   defaultKeys(),
	}
}

// Validate returns an error that names every parameter that is out of range.
func (s Params) Validate() error {
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

// Clone returns a copy of s with lists of its own.
func (s Params) Clone() Params {
	s.RatioTable, s.RearSteer = slices.Clone(s.RatioTable), slices.Clone(s.RearSteer)
	s.Assist.Curve, s.Assist.BySpeed = slices.Clone(s.Assist.Curve), slices.Clone(s.Assist.BySpeed)
	s.Keys.BySpeed = slices.Clone(s.Keys.BySpeed)
	return s
}

// Geometry is what a steering must know of its car.
type Geometry struct {
	Wheelbase float64    // [m]
	Track     float64    // in front [m]
	HubHeight [2]float64 // of the front wheels at rest, above the ground, left and right [m]
}

// System is the steering of one car: what never changes during a run. It may be shared by
// goroutines.
type System struct {
	gearing gearing
	most    float64  // mean road wheel angle [rad]
	arm     float64  // rack travel for each radian of it [m/rad]
	share   float64  // of Ackermann
	half    float64  // half the front track over the wheelbase
	linkage *linkage // nil: the angles are those of Ackermann's share
	rear    *curve.Line
	pins    [2]Kingpin // in front
	rack    rack
	assist  assist
}

// New returns the steering of a car; dt is the time step [s]. p must be valid, and nobody may
// change its lists later. It returns an error if the linkage jams before the lock.
func New(p Params, at Geometry, dt float64) (System, error) {
	g := System{
		gearing: newGearing(p), most: p.MaxSteer * degree, arm: p.Ratio * p.RackPerRev / (2 * math.Pi),
		share: p.Ackermann, half: at.Track / 2 / at.Wheelbase,
		rack: newRack(p, dt), assist: newAssist(p.Assist),
	}
	g.pins = [2]Kingpin{newKingpin(p, 1, at.HubHeight[0]), newKingpin(p, -1, at.HubHeight[1])}
	if len(p.RearSteer) > 0 {
		g.rear = &curve.Line{}
		for _, at := range p.RearSteer {
			g.rear.Add(at.Speed/3.6, at.Share)
		}
	}
	if p.Geometry == "linkage" {
		var err error
		if g.linkage, err = newLinkage(p, at.Track); err != nil {
			return System{}, fmt.Errorf("steering: %w", err)
		}
		g.arm = 1 / g.linkage.middle()
	}
	return g, nil
}

// Angles are those to which the steering turns the wheels in a tick; toe, and what the
// suspension adds, are left out.
type Angles struct {
	Angle    [4]float64 // of each wheel about its kingpin, behind about the body's z [rad], positive left
	Gain     [4]float64 // what of it one radian of the steering wheel gives by way of the rack
	Sin, Cos [4]float64 // of Angle
	Rack     float64    // travel [m], positive the way that turns the front wheels left
	Lever    float64    // what of it one radian of the steering wheel gives [m/rad]
}

// Point fills in how the wheels are steered by a steering wheel angle [rad] at a speed
// [m/s]; a must be zero. The rear wheels have an actuator of their own, so that neither rack
// nor steering wheel feels them.
func (g *System) Point(a *Angles, wheel, speed float64) {
	mean, gain := g.Mean(wheel)
	a.Rack, a.Lever = mean*g.arm, gain*g.arm
	if g.linkage != nil {
		g.linked(a)
	} else {
		g.rolling(a, mean, gain)
	}
	if g.rear != nil {
		a.Angle[tire.RL] = g.rear.At(math.Abs(speed)) * mean
		a.Angle[tire.RR] = a.Angle[tire.RL]
	}
	for i := range a.Angle {
		a.Cos[i] = 1
		if angle := a.Angle[i]; angle != 0 {
			a.Sin[i], a.Cos[i] = curve.SinCos(angle)
		}
	}
}

// Mean returns the mean angle of the front wheels, up to their lock, for a steering wheel
// angle, both [rad], and its slope.
func (g *System) Mean(wheel float64) (mean, slope float64) {
	mean, slope = g.gearing.mean(wheel)
	return min(max(mean, -g.most), g.most), slope
}

// rolling turns the front wheels by Ackermann's share.
func (g *System) rolling(a *Angles, mean, gain float64) {
	tan := math.Tan(mean)
	left, growLeft := ackermann(mean, tan, g.half, g.share)
	right, growRight := ackermann(mean, tan, -g.half, g.share)
	a.Angle[tire.FL], a.Gain[tire.FL] = left, growLeft*gain
	a.Angle[tire.FR], a.Gain[tire.FR] = right, growRight*gain
}

// linked turns the front wheels as the rack pulls them. The right side mirrors
// the left, and the rack's travel with it.
func (g *System) linked(a *Angles) {
	left, growLeft := g.linkage.angle(a.Rack)
	right, growRight := g.linkage.angle(-a.Rack)
	a.Angle[tire.FL], a.Gain[tire.FL] = left, growLeft*a.Lever
	a.Angle[tire.FR], a.Gain[tire.FR] = -right, growRight*a.Lever
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
func (g *System) RoadSteer(wheel float64) float64 {
	var a Angles
	g.Point(&a, wheel, 0)
	return (a.Angle[tire.FL] + a.Angle[tire.FR]) / 2
}

// RearShare returns the rear wheels' share of the mean front wheel angle at a speed [m/s];
// 0 where the rear axle does not steer.
func (g *System) RearShare(speed float64) float64 {
	if g.rear == nil {
		return 0
	}
	return g.rear.At(math.Abs(speed))
}

// Lock returns the steering wheel angle at which the front wheels reach their
// lock, to either side [rad].
func (g *System) Lock() float64 { return g.gearing.wheel(g.most) }

// Kingpin returns the kingpin of the left (0) or right (1) front wheel.
func (g *System) Kingpin(i int) *Kingpin { return &g.pins[i] }
