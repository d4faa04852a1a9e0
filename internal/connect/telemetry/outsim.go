package telemetry

import "math"

// appendOutSim appends the packet of Live for Speed's OutSim with all options (OutSim Opts 1ff), 280 bytes
// (docs/OutSimPack.txt of LFS).
//
// Vectors are in the world: X right, Y ahead at a heading of 0, Z up; positions are integers of 1/65536 m. Heading is
// positive to the left, pitch with the nose up, roll with the right side down. Acceleration is without gravity. Wheels
// are rear left, rear right, front left, front right; their steering angles and the steering torque are positive to the
// left, the force X to the right.
func appendOutSim(p *packet, s *Sample) {
	const perMeter = 65536
	f, a := s.Frame, s.axes()
	roll, pitch, yaw := a.angles()
	*p = append(*p, "LFST"...)
	p.u32(0) // ID
	p.u32(s.milliseconds())
	rate, acc, vel, pos := rightAheadUp(a.toWorld(f.Rate)), rightAheadUp(a.toWorld(f.Acc)), rightAheadUp(f.Vel), rightAheadUp(f.Pos)
	p.f32(rate[:]...)
	p.f32(yaw, -pitch, roll)
	p.f32(acc[:]...)
	p.f32(vel[:]...)
	for _, v := range pos {
		p.i32(math.Round(v * perMeter))
	}
	p.f32(f.Throttle, f.Brake, (f.Wheels[0].Steer+f.Wheels[1].Steer)/2, f.Clutch, f.Handbrake)
	p.u8(s.gearFromReverse())
	p.zeros(3)
	p.f32(f.RPM/perMin, math.Max(f.EngineTorque, 0))
	p.f32(f.Lap.Distance, f.Station)
	for _, i := range rearLeftFirst {
		appendOutSimWheel(p, s, i)
	}
	p.f32(f.Force.Column, 0)
}

func appendOutSimWheel(p *packet, s *Sample, i int) {
	w := &s.Frame.Wheels[i]
	p.f32(w.Travel, w.Steer, -w.LateralForce, w.LongitudinalForce, w.Load, w.Spin, 0)
	p.u8(w.TireTemperature)
	p.u8(255 * math.Min(w.NormalizedSlip, 1))
	p.flag(w.Load > 0)
	p.u8(0)
	p.f32(w.SlipRatio, math.Tan(w.SlipAngle))
}
