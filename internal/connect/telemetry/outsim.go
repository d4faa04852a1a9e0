package telemetry

import (
	"math"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/core/frame"
)

// appendOutSim appends the packet of Live for Speed's OutSim with all options.
func appendOutSim(b []byte, s *Sample) []byte {
	const perMeter = 65536
	f, a := s.Frame, s.axes()
	roll, pitch, yaw := angles(&a)
	p := packets.OutSim{
		Magic: packets.OutSimMagic, Time: u32(s.milliseconds()), AngVel: vector32(rightAheadUp(a.ToWorld(f.Rate))),
		Heading: f32(yaw), Pitch: f32(-pitch), Roll: f32(roll),
		Accel: vector32(rightAheadUp(a.ToWorld(f.Acc))), Vel: vector32(rightAheadUp(f.Vel)),
		Throttle: f32(f.Throttle), Brake: f32(f.Brake), InputSteer: f32((f.Wheels[0].Steer + f.Wheels[1].Steer) / 2),
		Clutch: f32(f.Clutch), Handbrake: f32(f.Handbrake), Gear: u8(s.gearFromReverse()),
		EngineAngVel: f32(f.RPM / perMin), MaxTorqueAtVel: f32(math.Max(f.EngineTorque, 0)),
		CurrentLapDist: f32(f.Lap.Distance), IndexedDistance: f32(f.Station), SteerTorque: f32(f.Force.Column),
	}
	for i, v := range rightAheadUp(f.Pos) {
		p.Pos[i] = i32(math.Round(v * perMeter))
	}
	for i, k := range packets.RearFirst {
		p.Wheels[i] = outSimWheel(&f.Wheels[k])
	}
	return packets.Append(b, &p)
}

func outSimWheel(w *frame.Wheel) packets.OutSimWheel {
	return packets.OutSimWheel{
		SuspDeflect: f32(w.Travel), Steer: f32(w.Steer), XForce: f32(-w.LateralForce), YForce: f32(w.LongitudinalForce),
		VerticalLoad: f32(w.Load), AngVel: f32(w.Spin), AirTemp: u8(w.TireTemperature),
		SlipFraction: u8(255 * math.Min(w.NormalizedSlip, 1)), Touching: u8(number(w.Load > 0)),
		SlipRatio: f32(w.SlipRatio), TanSlipAngle: f32(math.Tan(w.SlipAngle)),
	}
}
