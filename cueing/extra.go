package cueing

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// ExtraConfig configures cues that are added to the pose of every mode. A gain of 0 switches a cue off.
type ExtraConfig struct {
	// Heave for each metre by which the road lifts the wheels, above about 3 Hz; 1 is as in the car.
	RoadGain float64 `toml:"road_gain" range:"0..5"`
	// Roll for each centimetre by which the road lifts one side more than the other; 0.4 is as in a
	// car with a track of 1.5 m.
	KerbGain float64 `toml:"kerb_deg_per_cm" range:"0..5"`
	// Surge when a gear engages: forward when shifting up, back when shifting down. 0.01 is clearly
	// felt.
	ShiftSurge float64 `toml:"shift_m" range:"0..0.1"`
	// Pitch when a gear engages: nose up when shifting up, nose down when shifting down. For seats
	// without surge; try 0.5.
	ShiftPitch float64 `toml:"shift_deg" range:"0..5"`
	// Travel of a traction-loss actuator for each degree of the rear axle's slip angle. A negative
	// number reverses it.
	SlideGain float64 `toml:"slide_m_per_deg" range:"-0.1..0.1"`
	// Slip angle of normal cornering. Up to it, the traction-loss actuator does not move.
	SlideThreshold float64 `toml:"slide_from_deg" range:"0..30"`
	// Tension for 1 g of braking, and as much slack for 1 g of acceleration.
	BeltBraking float64 `toml:"belt_per_g" range:"0..5"`
	// Tension for 1 g to either side.
	BeltCornering float64 `toml:"belt_side_per_g" range:"0..5"`
	// Time constant of the low-pass of slide and belt.
	SmoothingTime float64 `toml:"smoothing_s" range:"0..1"`
}

// DefaultExtra moves only the traction-loss axis and the belt tensioner, which no other cue moves.
func DefaultExtra() ExtraConfig {
	return ExtraConfig{SlideGain: 0.005, SlideThreshold: 4, BeltBraking: 0.6, BeltCornering: 0.1, SmoothingTime: 0.03}
}

// Validate returns an error for every field that is out of range.
func (c ExtraConfig) Validate() error {
	return valid.Struct(c)
}

// extraCues computes the extra cues. All of them are 0 at rest.
type extraCues struct {
	cfg                 ExtraConfig
	kerbGain, slideGain float64 // [rad/m], [m/rad]
	slideThreshold      float64 // [rad]
	body                rideHeight
	road                roadFilter
	shift               shiftCue
	lowPass             firstOrderLowPass // of slide and belt
}

// extraCuesState is the state of the extra cues.
type extraCuesState struct {
	body        rideHeightState
	heave, roll filterState // high-passes of the mean of both sides and of their difference [m]
	shift       shiftState
	slide, belt float64 // [m], [-]
}

func newExtraCues(c ExtraConfig, dt float64) extraCues {
	return extraCues{
		cfg: c, kerbGain: c.KerbGain * degree * 100, slideGain: c.SlideGain / degree, slideThreshold: c.SlideThreshold * degree,
		body: newRideHeight(dt), road: newRoadFilter(dt), shift: newShiftCue(dt), lowPass: firstOrderLowPass{gain: dt / (c.SmoothingTime + dt), limit: 1},
	}
}

// next returns what the extra cues add to the pose. Inputs that are not valid do not set the rest
// position.
func (e *extraCues) next(s *extraCuesState, in *Inputs, valid bool, tuning *Tuning) Pose {
	leftCompression, rightCompression := e.body.next(&s.body, &in.Travel, valid)
	road := e.road.next(&s.heave, (leftCompression+rightCompression)/2) * e.cfg.RoadGain * tuning.Road
	kerb := e.road.next(&s.roll, leftCompression-rightCompression) * e.kerbGain * tuning.Kerb
	shiftPulse := e.shift.next(&s.shift, in.Gear) * fade(in.Speed, 0.5, 3) * tuning.Shift
	slide := e.lowPass.next(&s.slide, e.slideGain*e.slideAngle(in)*tuning.Slide)
	const g = 1 / gravity
	belt := e.lowPass.next(&s.belt, (e.cfg.BeltCornering*math.Abs(in.Force[1])-e.cfg.BeltBraking*in.Force[0])*g*tuning.Belt)
	return Pose{
		Surge: shiftPulse * e.cfg.ShiftSurge * tuning.Gain, Heave: road * tuning.Gain,
		Roll: kerb * tuning.Gain, Pitch: -shiftPulse * e.cfg.ShiftPitch * degree * tuning.Gain,
		Slide: slide * tuning.Gain, Belt: belt * tuning.Gain,
	}
}

// slideAngle returns the rear axle's slip angle beyond slideThreshold [rad], positive when the rear
// moves to the left.
func (e *extraCues) slideAngle(in *Inputs) float64 {
	const fadeFrom, fadeTo = 2, 6 // [m/s]
	excess := max(math.Abs(in.RearSlip)-e.slideThreshold, 0)
	return math.Copysign(excess, in.RearSlip) * fade(in.Speed, fadeFrom, fadeTo)
}

// inputsAtRest returns the inputs of a car at rest on level ground.
func (s *rideHeightState) inputsAtRest() Inputs {
	return Inputs{Force: [3]float64{0, 0, gravity}, Travel: s.rest}
}

// fade rises smoothly from 0 to 1 while |v| rises from one bound to the other.
func fade(v, from, to float64) float64 {
	x := min(max((math.Abs(v)-from)/(to-from), 0), 1)
	return x * x * (3 - 2*x)
}
