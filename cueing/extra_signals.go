package cueing

import "math"

// rideHeight measures how far the body is above its rest position over the wheels. The first valid
// position is the rest position, which then follows slowly, because load, fuel and downforce
// change.
type rideHeight struct {
	followGain float64 // fraction of the difference by which rest follows in a tick
}

type rideHeightState struct {
	rest    [4]float64 // compression of each suspension at rest [m]
	height  float64    // of the body above rest [m]
	hasRest bool       // rest is set
}

func newRideHeight(dt float64) rideHeight {
	const timeConstant = 30 // [s]
	return rideHeight{followGain: dt / (timeConstant + dt)}
}

// next returns how much more than at rest the left and the right suspensions are compressed [m].
// The first valid travel sets rest.
func (b *rideHeight) next(s *rideHeightState, travel *[4]float64, valid bool) (left, right float64) {
	const maxTravel = 1 // travel of any suspension [m]
	var d [4]float64
	for i, t := range travel {
		t = min(max(t, -maxTravel), maxTravel)
		if valid && !s.hasRest {
			s.rest[i] = t
		}
		d[i] = t - s.rest[i]
		s.rest[i] += b.followGain * d[i]
	}
	s.hasRest = s.hasRest || valid
	left, right = (d[0]+d[2])/2, (d[1]+d[3])/2
	s.height = -(left + right) / 2
	return left, right
}

// roadFilter passes what the road does to the suspension and blocks what the body does: a
// second-order high-pass between the natural frequencies of wheel and body.
type roadFilter struct {
	lowPass filter
	damping float64 // [s]
}

func newRoadFilter(dt float64) roadFilter {
	const w, z = 2 * math.Pi * 3, 0.7 // [rad/s]
	return roadFilter{lowPass: newLowPass(w, z, dt), damping: 2 * z / w}
}

// next advances by one tick and returns the high-passed input, in its unit.
func (r *roadFilter) next(s *filterState, in float64) float64 {
	out := in - r.lowPass.next(s, in)
	return out - r.damping*s.x[1] // the high-pass s²/(s²+2·z·w·s+w²) is the input minus the terms of w² and 2·z·w·s
}

// shiftCue is the pulse of a gear that engages: it rises within 80 ms to 1, positive when
// shifting up, and has decayed half a second later.
type shiftCue struct {
	response     filter
	initialSpeed float64 // speed at its start [1/s]
}

type shiftState struct {
	response filterState
	gear     int8 // last engaged; 0 none yet
}

func newShiftCue(dt float64) shiftCue {
	const w = 12 // [rad/s]: w·t·exp(1 - w·t) is 1 at t = 1/w
	return shiftCue{response: newLowPass(w, 1, dt), initialSpeed: w * math.E}
}

// next advances by one tick and returns the pulse, -1..1. The first gear that engages starts none.
func (c *shiftCue) next(s *shiftState, gear int8) float64 {
	c.response.next(&s.response, 0)
	switch {
	case gear <= 0 || gear == s.gear:
		return s.response.x[0]
	case s.gear != 0 && gear > s.gear:
		s.response.x[1] = c.initialSpeed
	case s.gear != 0:
		s.response.x[1] = -c.initialSpeed
	}
	s.gear = gear
	return s.response.x[0]
}
