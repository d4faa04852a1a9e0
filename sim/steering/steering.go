package steering

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/tire"
)

// Params describes the steering from the steering wheel to the front wheels, and to the rear wheels if they
// steer too.
type Params struct {
	// steering wheel angle over mean road wheel angle, straight ahead
	Ratio float64 `toml:"ratio" range:"1..50"`
	// steering ratio further out, to both sides: points `{ wheel_deg = 90, ratio = 14 }`; its inverse is
	// linear between them. Without points it is constant
	RatioTable []RatioPoint `toml:"ratio_table" count:"0..32"`
	MaxSteer   float64      `toml:"max_steer_deg" range:"5..60"` // largest mean road wheel angle
	// rack travel for one turn of the steering wheel, straight ahead; it does not count with geometry linkage,
	// where it follows from the ratio; only the rack's force depends on it
	RackPerRev float64 `toml:"rack_m_per_rev" range:"0.01..0.3"`

	// what decides the difference between the two front wheel angles: ackermann or linkage
	Geometry string `toml:"geometry" oneof:"ackermann,linkage"`
	// 0 for parallel front wheels, 1 for wheels that roll about one point
	Ackermann float64 `toml:"ackermann" range:"0..1"`
	Linkage   Linkage `toml:"linkage"`

	// kingpin angle seen from the side, positive if the top leans back
	CasterAngle float64 `toml:"caster_deg" range:"-10..20"`
	// kingpin angle seen from the front, positive if the top leans inward
	KingpinInclination float64 `toml:"kingpin_inclination_deg" range:"-5..25"`
	// distance on the ground from the kingpin's axis outward to the contact
	ScrubRadius float64 `toml:"scrub_radius_m" range:"-0.1..0.2"`
	// distance on the ground from the kingpin's axis back to the contact; it does not follow from
	// `caster_deg`, for hubs are often set off
	CasterTrail float64 `toml:"caster_trail_m" range:"-0.05..0.2"`

	// stiffness of the rack's end stops, which it meets at `max_steer_deg`; 0 for none
	RackStop float64 `toml:"rack_stop_n_per_m" range:"0..1e8"`
	// mass of the rack, with the equivalent mass of all that moves with it
	RackMass     float64 `toml:"rack_mass_kg" range:"0..200"`
	RackFriction float64 `toml:"rack_friction_n" range:"0..5000"` // dry friction of the rack
	// rack travel over which the friction builds up to rack_friction_n
	FrictionTravel float64 `toml:"rack_friction_travel_m" range:"1e-05..0.01"`
	Assist         Assist  `toml:"assist"`

	// rear wheel angle over speed: points `{ speed_kph = 0, share = -0.15 }` with rising speeds, share of the
	// mean front angle, negative to the other side. Without points the rear axle does not steer
	RearSteer []RearSteerPoint `toml:"rear_steer" count:"0..32"`
	Keys      Keys             `toml:"keys"`
}

// RearSteerPoint is a point of the ratio of rear to front wheel angle over speed, which is linear between the
// points and constant outside.
type RearSteerPoint struct {
	Speed float64 `toml:"speed_kph" range:"0..500" valid:"-"` // speed of the car
	// rear wheel angle over the mean front wheel angle; negative steers against the front wheels
	Share float64 `toml:"share" range:"-1..1"`
}

// Default returns the steering of the plain car: upright kingpins, no friction, no assist, and a rear axle that does
// not steer. Its end stops yield by 1 mm under 5 kN, an estimate for rubber buffers.
func Default() Params {
	return Params{
		Ratio: 14.5, MaxSteer: 36, RackPerRev: 0.05,
		Geometry: "ackermann", Ackermann: 0.6, Linkage: defaultLinkage(),
		CasterTrail:    0.010,
		RackStop:       5e6,
		FrictionTravel: 0.0005,
		Assist:         defaultAssist(),
		Keys:           defaultKeys(),
	}
}

// Validate returns an error that names every parameter that is out of range.
func (s Params) Validate() error {
	return errors.Join(
		valid.Struct(s),
		curve.CheckRising("ratio_table", "wheel_deg", s.RatioTable,
			func(p RatioPoint) float64 { return p.SteeringWheelAngle }, 1),
		curve.CheckRising("rear_steer", "speed_kph", s.RearSteer,
			func(p RearSteerPoint) float64 { return p.Speed }, 0.1),
	)
}

// Clone returns a deep copy.
func (s Params) Clone() Params {
	s.RatioTable, s.RearSteer = slices.Clone(s.RatioTable), slices.Clone(s.RearSteer)
	s.Assist.Curve, s.Assist.BySpeed = slices.Clone(s.Assist.Curve), slices.Clone(s.Assist.BySpeed)
	s.Keys.BySpeed = slices.Clone(s.Keys.BySpeed)
	return s
}

// Geometry holds the dimensions of the car that the steering needs.
type Geometry struct {
	Wheelbase float64    // [m]
	Track     float64    // front track [m]
	HubHeight [2]float64 // heights of the left and right front hub above the ground at rest [m]
}

// System holds everything of a car's steering that is constant in a run. Goroutines may share it.
type System struct {
	gearing        gearing
	maxAngle       float64  // limit of the mean road wheel angle [rad]
	rackPerAngle   float64  // rack travel for each radian of mean road wheel angle [m/rad]
	ackermann      float64  // share of Ackermann geometry, 0..1
	halfTrackRatio float64  // half the front track over the wheelbase
	linkage        *linkage // nil for Ackermann geometry
	// rear over mean front wheel angle, over speed [m/s]; nil if the rear does not steer
	rearShare *curve.Line
	kingpins  [2]Kingpin // of the front wheels
	rack      rack
	assist    assist
}

// New returns the steering of a car; dt is the time step [s]. p must be valid, and its slices must not change
// later. New returns an error if the linkage jams before the wheels reach their lock.
func New(p Params, at Geometry, dt float64) (System, error) {
	g := System{
		gearing: newGearing(p), maxAngle: p.MaxSteer * degree, rackPerAngle: p.Ratio * p.RackPerRev / (2 * math.Pi),
		ackermann: p.Ackermann, halfTrackRatio: at.Track / 2 / at.Wheelbase,
		rack: newRack(p, dt), assist: newAssist(p.Assist),
	}
	g.kingpins = [2]Kingpin{newKingpin(p, 1, at.HubHeight[0]), newKingpin(p, -1, at.HubHeight[1])}
	if len(p.RearSteer) > 0 {
		g.rearShare = &curve.Line{}
		for _, at := range p.RearSteer {
			g.rearShare.Add(at.Speed/3.6, at.Share)
		}
	}
	if p.Geometry == "linkage" {
		var err error
		if g.linkage, err = newLinkage(p, at.Track); err != nil {
			return System{}, fmt.Errorf("steering: %w", err)
		}
		g.rackPerAngle = 1 / g.linkage.gainAtCenter()
	}
	return g, nil
}

// Angles holds the steering angles of the wheels in a tick, without toe and bump steer.
type Angles struct {
	// angle of each front wheel about its kingpin, of each rear wheel about the body's z [rad], positive
	// left
	Angle    [4]float64
	Gain     [4]float64 // change of Angle for each radian of the steering wheel, by the rack; 0 for rear wheels
	Sin, Cos [4]float64 // sine and cosine of Angle
	Rack     float64    // rack travel [m], positive where the front wheels turn left
	RackGain float64    // change of Rack for each radian of the steering wheel [m/rad]
	Overrun  float64    // how far the rack is turned into its end stop [m], with the sign of Rack; it does not move so far
}

// WheelAngles sets a, which must be zero, to the wheels' angles at a steering wheel angle [rad, positive
// left] and a speed [m/s]. The right side is the mirror image of the left. The rear wheels have their own
// actuator, so that their moments act neither on the rack nor on the steering wheel.
func (g *System) WheelAngles(a *Angles, wheel, speed float64) {
	asked, gain := g.gearing.roadAngle(wheel)
	mean := g.withinLock(asked)
	a.Rack, a.RackGain, a.Overrun = mean*g.rackPerAngle, gain*g.rackPerAngle, (asked-mean)*g.rackPerAngle
	if g.linkage != nil {
		left, slopeLeft := g.linkage.angle(a.Rack)
		right, slopeRight := g.linkage.angle(-a.Rack)
		a.Angle[tire.FL], a.Gain[tire.FL] = left, slopeLeft*a.RackGain
		a.Angle[tire.FR], a.Gain[tire.FR] = -right, slopeRight*a.RackGain
	} else {
		tan := math.Tan(mean)
		left, slopeLeft := ackermann(mean, tan, g.halfTrackRatio, g.ackermann)
		right, slopeRight := ackermann(mean, tan, -g.halfTrackRatio, g.ackermann)
		a.Angle[tire.FL], a.Gain[tire.FL] = left, slopeLeft*gain
		a.Angle[tire.FR], a.Gain[tire.FR] = right, slopeRight*gain
	}
	if g.rearShare != nil {
		a.Angle[tire.RL] = g.rearShare.At(math.Abs(speed)) * mean
		a.Angle[tire.RR] = a.Angle[tire.RL]
	}
	for i := range a.Angle {
		a.Cos[i] = 1
		if angle := a.Angle[i]; angle != 0 {
			a.Sin[i], a.Cos[i] = curve.SinCos(angle)
		}
	}
}

// MeanAngle returns the mean angle of the front wheels at a steering wheel angle, both [rad], limited by
// their lock, and its slope without that limit.
func (g *System) MeanAngle(wheel float64) (mean, slope float64) {
	mean, slope = g.gearing.roadAngle(wheel)
	return g.withinLock(mean), slope
}

// withinLock returns a mean angle of the front wheels limited by their lock [rad].
func (g *System) withinLock(mean float64) float64 { return min(max(mean, -g.maxAngle), g.maxAngle) }

// ackermann returns a front wheel's angle [rad] and its slope over the mean angle. mean is the mean angle
// [rad] and tan its tangent. side is the wheel's distance to the left of the middle, over the wheelbase.
// share is 0 for parallel wheels and 1 for wheels that roll about one point, for which tan(angle) =
// tan(mean)/(1 - side·tan(mean)).
func ackermann(mean, tan, side, share float64) (angle, slope float64) {
	divisor := 1 - side*tan
	fullAngle := math.Atan(tan / divisor)
	fullSlope := (1 + tan*tan) / (divisor*divisor + tan*tan)
	return mean + share*(fullAngle-mean), 1 + share*(fullSlope-1)
}

// RoadSteer returns the mean angle of the front wheels [rad] at a steering wheel angle [rad], both positive
// left, without toe and bump steer.
func (g *System) RoadSteer(wheel float64) float64 {
	var a Angles
	g.WheelAngles(&a, wheel, 0)
	return (a.Angle[tire.FL] + a.Angle[tire.FR]) / 2
}

// RearShare returns the rear wheel angle over the mean front wheel angle at a speed [m/s]. It is 0 if the
// rear axle does not steer.
func (g *System) RearShare(speed float64) float64 {
	if g.rearShare == nil {
		return 0
	}
	return g.rearShare.At(math.Abs(speed))
}

// Lock returns the largest steering wheel angle to either side, at which the front wheels reach their lock
// [rad].
func (g *System) Lock() float64 { return g.gearing.wheelAngle(g.maxAngle) }

// Kingpin returns the kingpin of the left (0) or right (1) front wheel.
func (g *System) Kingpin(i int) *Kingpin { return &g.kingpins[i] }
