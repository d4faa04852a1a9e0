package cueing

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
)

// ExtraConfig says how much of what no washout passes is added; 0 is off.
type ExtraConfig struct {
	Road      float64 `toml:"road_gain"`       // heave for each metre that the road lifts the wheels, quicker than the body follows
	Kerb      float64 `toml:"kerb_deg_per_cm"` // roll for each centimetre by which it lifts one side more than the other
	Shift     float64 `toml:"shift_m"`         // surge of a gear's jolt, forward when shifting up
	ShiftNod  float64 `toml:"shift_deg"`       // pitch of it, nose up when shifting up
	Slide     float64 `toml:"slide_m_per_deg"` // of the rear, for its slip angle
	SlideFrom float64 `toml:"slide_from_deg"`  // slip angle up to which nothing slides
	Brake     float64 `toml:"belt_per_g"`      // tension for a deceleration of 1 g, slack for an acceleration
	Bend      float64 `toml:"belt_side_per_g"` // tension for 1 g to either side
	Smoothing float64 `toml:"smoothing_s"`     // of slide and belt
}

// DefaultExtra moves the axes that only these cues have.
func DefaultExtra() ExtraConfig {
	return ExtraConfig{Slide: 0.005, SlideFrom: 4, Brake: 0.6, Bend: 0.1, Smoothing: 0.03}
}

// Validate reports every field that is out of range.
func (c ExtraConfig) Validate() error {
	return errors.Join(
		valid.InRange("road_gain", c.Road, 0, 5),
		valid.InRange("kerb_deg_per_cm", c.Kerb, 0, 5),
		valid.InRange("shift_m", c.Shift, 0, 0.1),
		valid.InRange("shift_deg", c.ShiftNod, 0, 5),
		valid.InRange("slide_m_per_deg", c.Slide, -0.1, 0.1),
		valid.InRange("slide_from_deg", c.SlideFrom, 0, 30),
		valid.InRange("belt_per_g", c.Brake, 0, 5),
		valid.InRange("belt_side_per_g", c.Bend, 0, 5),
		valid.InRange("smoothing_s", c.Smoothing, 0, 1),
	)
}

// extra makes the extra cues. All of them are 0 at rest.
type extra struct {
	cfg         ExtraConfig
	kerb, slide float64 // [rad/m], [m/rad]
	from        float64 // [rad]
	body        body
	rough       rough
	jolt        jolt
	smooth      smooth // of slide and belt
}

// extraState is where the extra cues are.
type extraState struct {
	body       bodyState
	lift, lean filterState // of both sides together, and of one against the other [m]
	jolt       joltState
	rear, belt float64 // [m], [-]
}

func newExtra(c ExtraConfig, dt float64) extra {
	return extra{
		cfg: c, kerb: c.Kerb * degree * 100, slide: c.Slide / degree, from: c.SlideFrom * degree,
		body: newBody(dt), rough: newRough(dt), jolt: newJolt(dt), smooth: smooth{share: dt / (c.Smoothing + dt), most: 1},
	}
}

// next returns what the extra cues add to the pose. Inputs that are not sound teach nothing.
func (e *extra) next(s *extraState, in *Inputs, sound bool, t *Tuning) Pose {
	left, right := e.body.next(&s.body, &in.Travel, sound)
	road := e.rough.next(&s.lift, (left+right)/2) * e.cfg.Road * t.Road
	kerb := e.rough.next(&s.lean, left-right) * e.kerb * t.Kerb
	jolt := e.jolt.next(&s.jolt, in.Gear) * fade(in.Speed, 0.5, 3) * t.Shift
	slide := e.smooth.next(&s.rear, e.slide*e.sliding(in)*t.Slide)
	const g = 1 / gravity
	belt := e.smooth.next(&s.belt, (e.cfg.Bend*math.Abs(in.Force[1])-e.cfg.Brake*in.Force[0])*g*t.Belt)
	return Pose{
		Surge: jolt * e.cfg.Shift * t.Gain, Heave: road * t.Gain,
		Roll: kerb * t.Gain, Pitch: -jolt * e.cfg.ShiftNod * degree * t.Gain,
		Slide: slide * t.Gain, Belt: belt * t.Gain,
	}
}

// sliding is the rear's slip angle beyond what it needs for grip [rad], positive to the left.
func (e *extra) sliding(in *Inputs) float64 {
	const slow, quick = 2, 6 // [m/s]
	beyond := max(math.Abs(in.RearSlip)-e.from, 0)
	return math.Copysign(beyond, in.RearSlip) * fade(in.Speed, slow, quick)
}

// resting is what a car at rest on level ground gives.
func (s *bodyState) resting() Inputs {
	return Inputs{Force: [3]float64{0, 0, gravity}, Travel: s.base}
}

// fade goes from 0 to 1 while the size of v goes from one bound to the other.
func fade(v, from, to float64) float64 {
	x := min(max((math.Abs(v)-from)/(to-from), 0), 1)
	return x * x * (3 - 2*x)
}
