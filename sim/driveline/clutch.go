package driveline

import (
	"math"

	"rig.example/rig/sim/curve"
)

// clutchResult is the solution of engine, clutch and gearbox input in a tick.
type clutchResult struct {
	coupling
	// torque of the engine, and its dry friction while it does not run [N·m]
	engineTorque, frictionTorque float64
	outputDrag                   float64 // drag torque at the gearbox' output [N·m]
	clutchTorque                 float64 // torque through the friction clutch [N·m]
	engine                       float64 // speed of the engine at the tick's end [rad/s]
	input                        float64 // speed of the gearbox' input shaft [rad/s]
	output                       float64 // speed of its output, counted at the wheels [rad/s]
}

// solveClutch sets k to the speeds of engine and gearbox at the tick's end, given the torque demand out at
// the gearbox' output. If the clutch can carry the torque, engine and input shaft have one speed. Otherwise
// the clutch slips at its capacity.
func (l *System) solveClutch(k *clutchResult, s *State, o *orders, out demand) {
	ratio := l.Ratio(s.Gear)
	if ratio == 0 {
		s.Gearbox.SyncTorque = l.gearFrictionTorque(s, o, demand{out.base + k.outputDrag, out.slope})
	}
	in := demand{-l.inputPerDt*s.Gearbox.InputSpeed - s.Gearbox.SyncTorque, l.inputPerDt}
	if ratio != 0 {
		in = demand{(out.base+k.outputDrag)/ratio - l.inputPerDt*s.Gearbox.InputSpeed,
			out.slope/(ratio*ratio) + l.inputPerDt}
	}
	engineSide := l.crankPerDt*s.EngineSpeed + k.engineTorque - k.impeller
	k.engine = curve.ReduceTowardsZero(engineSide+k.turbine-in.base, k.frictionTorque) / (l.crankPerDt + in.slope)
	k.input = k.engine
	k.clutchTorque = in.torqueAt(k.input) - k.turbine
	if math.Abs(k.clutchTorque) > k.capacity {
		k.clutchTorque = math.Copysign(k.capacity, k.clutchTorque)
		k.engine = curve.ReduceTowardsZero(engineSide-k.clutchTorque, k.frictionTorque) / l.crankPerDt
		k.input = (k.clutchTorque + k.turbine - in.base) / in.slope
	}
	if ratio != 0 {
		k.output = k.input / ratio
	} else {
		k.output = -(out.base + k.outputDrag + s.Gearbox.SyncTorque*l.Ratio(o.Gear)) / out.slope
	}
}
