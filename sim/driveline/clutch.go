package driveline

import "math"

// clutching is where engine and gearbox meet in a tick.
type clutching struct {
	coupling
	given, held float64 // torque of the engine, and the most its friction takes [N·m]
	drag        float64 // at the gearbox' output, on what turns there [N·m]
	carried     float64 // by the friction clutch [N·m]
	engine      float64 // speed at the tick's end [rad/s]
	input       float64 // of the gearbox' input shaft
	output      float64 // and of its output, as fast as the wheels
}

// clutch finds how fast engine and gearbox turn when the wheels' side asks for a torque:
// as one if the clutch holds that, or each by itself with what it holds.
func (l *System) clutch(k *clutching, s *State, o *orders, out demand) {
	ratio := l.Ratio(s.Gear)
	if ratio == 0 {
		s.Box.Sync = l.rubs(s, o, demand{out.need + k.drag, out.slope})
	}
	in := demand{-l.input*s.Box.Shaft - s.Box.Sync, l.input}
	if ratio != 0 {
		in = demand{(out.need+k.drag)/ratio - l.input*s.Box.Shaft, out.slope/(ratio*ratio) + l.input}
	}
	push := l.crank*s.Engine + k.given - k.impeller
	k.engine = toZero(push+k.turbine-in.need, k.held) / (l.crank + in.slope)
	k.input = k.engine
	k.carried = in.at(k.input) - k.turbine
	if math.Abs(k.carried) > k.hold {
		k.carried = math.Copysign(k.hold, k.carried)
		k.engine = toZero(push-k.carried, k.held) / l.crank
		k.input = (k.carried + k.turbine - in.need) / in.slope
	}
	if ratio != 0 {
		k.output = k.input / ratio
	} else {
		k.output = -(out.need + k.drag + s.Box.Sync*l.Ratio(o.Gear)) / out.slope
	}
}

// toZero moves v towards 0 by at most by, and not past it.
func toZero(v, by float64) float64 {
	if v > by {
		return v - by
	}
	if v < -by {
		return v + by
	}
	return 0
}
