package telemetry

// appendBeamNG appends the packet of BeamNG.drive's motion protocol, 88 bytes: BNG1 and 21 numbers
// (lua/vehicle/protocols/motionSim.lua of the game, as of version 0.32 and later).
//
// Position, velocity and the up vector are in the world: X right, Y ahead at a yaw of 0, Z up. Acceleration is in the
// car's axes, right, forward, down, without gravity: the game sends the negative of its sensor, whose axes are left, back
// and up as those of its vehicles. Roll is positive with the right side down, pitch with the nose up, yaw to the right;
// rates and angular accelerations likewise.
func appendBeamNG(p *packet, s *Sample) {
	f, a := s.Frame, s.axes()
	roll, pitch, yaw := a.angles()
	*p = append(*p, "BNG1"...)
	acc := [3]float64{-f.Acc[1], f.Acc[0], -f.Acc[2]}
	for _, v := range [][3]float64{rightAheadUp(f.Pos), rightAheadUp(f.Vel), acc, rightAheadUp(a.up)} {
		p.f32(v[:]...)
	}
	p.f32(roll, -pitch, -yaw)
	for _, v := range [][3]float64{f.Rate, s.AngularAcceleration} {
		p.f32(v[0], -v[1], -v[2])
	}
}
