package telemetry

import "rig.example/rig/internal/core/frame"

// appendDirt appends the packet of DiRT Rally 2.0 with extradata=3, 66 numbers in 264 bytes ("DiRT Rally 2.0 UDP
// telemetry" in the forum of Codemasters; signs after recorded sessions of the game).
//
// The world has X to the right and Y up, and is right-handed, so that Z points back at a yaw of 0. Wheels are rear left,
// rear right, front left, front right. The suspension is in mm and mm/s, positive in compression. Lateral acceleration
// is positive to the left, longitudinal forward [g]; steering is positive to the right.
func appendDirt(p *packet, s *Sample) {
	f, a := s.Frame, s.axes()
	time := float64(f.Tick) / 1000
	p.f32(time, f.Lap.Time, f.Lap.Distance, share(f.Lap.Distance, s.Scene.LapLength))
	right := [3]float64{-a.left[0], -a.left[1], -a.left[2]}
	pos, vel, forward := rightUpBack(f.Pos), rightUpBack(f.Vel), rightUpBack(a.forward)
	right = rightUpBack(right)
	p.f32(pos[:]...)
	p.f32(abs(f.Speed))
	p.f32(vel[:]...)
	p.f32(right[:]...)
	p.f32(forward[:]...)
	appendDirtWheels(p, s)
	p.f32(f.Throttle, s.steer(), f.Brake, f.Clutch, float64(f.Gear))
	p.f32(f.Acc[1]/gravity, f.Acc[0]/gravity)
	p.f32(s.lapsBefore(), f.RPM/10, 0, 1, 0, 0, 0) // place 1; no SLI Pro, no KERS, no DRS
	p.f32(float64(f.Traction), float64(f.ABS), f.Fuel, s.Scene.TankCapacity)
	p.f32(number(s.has(frame.InPit)), float64(f.Lap.Sector), f.Lap.Splits[0], f.Lap.Splits[1])
	p.f32(s.wheels(rearLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.BrakeTemperature })...)
	p.f32(s.wheels(rearLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.TirePressure / 1e5 * psiOfBar })...)
	p.f32(float64(f.Lap.Count), 0, s.Scene.LapLength, f.Lap.Last, s.Scene.MaxRPM/10, s.Scene.IdleRPM/10, float64(s.Scene.ForwardGears))
}

// appendDirtWheels appends travel, its speed, and the speed of the wheels.
func appendDirtWheels(p *packet, s *Sample) {
	p.f32(s.wheels(rearLeftFirst, func(w *frame.Wheel, _ int) float64 { return 1000 * w.Travel })...)
	p.f32(s.wheels(rearLeftFirst, func(w *frame.Wheel, _ int) float64 { return 1000 * w.TravelSpeed })...)
	p.f32(s.wheels(rearLeftFirst, func(w *frame.Wheel, i int) float64 { return w.Spin * s.Scene.Radius[i/2] })...)
}

// rightUpBack returns a vector of x forward, y left, z up in DiRT's world.
func rightUpBack(v [3]float64) [3]float64 { return [3]float64{-v[1], v[2], -v[0]} }
