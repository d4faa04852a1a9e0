package telemetry

import "rig.example/rig/internal/connect/packets"

// appendBeamNG appends the packet of BeamNG.drive's motion protocol, as of version 0.32 and later.
func appendBeamNG(b []byte, s *Sample) []byte {
	f, a := s.Frame, s.axes()
	roll, pitch, yaw := angles(&a)
	rate, acc := f.Rate, s.AngularAcceleration
	return packets.Append(b, &packets.BeamNG{
		Magic: packets.BeamNGMagic, Pos: vector32(rightAheadUp(f.Pos)), Vel: vector32(rightAheadUp(f.Vel)),
		Acc: vector32([3]float64{-f.Acc[1], f.Acc[0], -f.Acc[2]}), Up: vector32(rightAheadUp(a.Up)),
		Roll: f32(roll), Pitch: f32(-pitch), Yaw: f32(-yaw),
		RollRate: f32(rate[0]), PitchRate: f32(-rate[1]), YawRate: f32(-rate[2]),
		RollAcc: f32(acc[0]), PitchAcc: f32(-acc[1]), YawAcc: f32(-acc[2]),
	})
}
