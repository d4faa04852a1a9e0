package telemetry

import (
	"math"

	"rig.example/rig/internal/core/frame"
)

// Drivetrains of Forza.
const (
	forzaFrontDrive = iota
	forzaRearDrive
	forzaAllDrive
)

const forzaNeutral = 11 // gear

// appendForza appends the packet of Forza Horizon's Data Out, 324 bytes: the sled of Forza Motorsport 7, 12 bytes of
// Horizon's own, and the dash ("Forza Horizon Data Out Documentation", support.forza.net).
//
// Vectors are X right, Y up, Z forward, left-handed: those of acceleration, velocity and angular velocity in the car's
// axes, the position in the world. About these axes angles are positive to the right (yaw), with the nose down (pitch) and
// with the left side down (roll). Slip is normalized: above 1 the grip is lost. Steering is positive to the right.
func appendForza(p *packet, s *Sample) {
	f, a := s.Frame, s.axes()
	roll, pitch, yaw := a.angles()
	p.i32(number(s.isDriving()))
	p.u32(s.milliseconds())
	p.f32(s.Scene.MaxRPM, s.Scene.IdleRPM, f.RPM)
	acc, vel, pos := rightUpAhead(f.Acc), rightUpAhead(a.toBody(f.Vel)), rightUpAhead(f.Pos)
	p.f32(acc[:]...)
	p.f32(vel[:]...)
	p.f32(f.Rate[1], -f.Rate[2], -f.Rate[0])
	p.f32(-yaw, pitch, -roll)
	appendForzaWheels(p, s)
	p.i32(0)                                                                                                      // car, its class and its index: those of no car of the game
	p.i32(0)                                                                                                      //
	p.i32(0)                                                                                                      //
	p.i32(float64(drivetrain(s.Scene)))                                                                           //
	p.i32(0)                                                                                                      // cylinders: not known
	p.zeros(12)                                                                                                   // group of cars; what was smashed
	p.f32(pos[:]...)                                                                                              //
	p.f32(abs(f.Speed))                                                                                           // [m/s]
	p.f32(f.EngineTorque*f.RPM/perMin, f.EngineTorque)                                                            // [W], [N·m]
	p.f32(s.wheels(frontLeftFirst, func(w *frame.Wheel, _ int) float64 { return w.TireTemperature*9/5 + 32 })...) // [°F]
	p.f32(f.Boost*psiOfBar, f.Charge, f.Distance, f.Lap.Best, f.Lap.Last, f.Lap.Time, float64(f.Tick)/1000)
	p.u16(s.lapsBefore())
	p.u8(1) // place
	for _, v := range [...]float64{f.Throttle, f.Brake, f.Clutch, f.Handbrake} {
		p.u8(math.Round(255 * v))
	}
	p.u8(forzaGear(f.Gear))
	p.i8(math.Round(127 * bounded(s.steer(), -1, 1)))
	p.zeros(3) // driving line, brake of the AI, end
}

func appendForzaWheels(p *packet, s *Sample) {
	w := &s.Frame.Wheels
	each := func(value func(w *frame.Wheel, i int) float64) { p.f32(s.wheels(frontLeftFirst, value)...) }
	each(func(w *frame.Wheel, i int) float64 { return bounded(share(w.Travel, s.Scene.Travel[i/2]), 0, 1) })
	each(func(w *frame.Wheel, _ int) float64 { along, _ := slip(w); return along })
	each(func(w *frame.Wheel, _ int) float64 { return w.Spin })
	for i := range w {
		p.i32(number(s.onRumble(&w[i])))
	}
	each(func(*frame.Wheel, int) float64 { return 0 }) // puddle
	each(func(w *frame.Wheel, _ int) float64 { return number(s.onRumble(w)) })
	each(func(w *frame.Wheel, _ int) float64 { _, across := slip(w); return across })
	each(func(w *frame.Wheel, _ int) float64 { return w.NormalizedSlip })
	each(func(w *frame.Wheel, _ int) float64 { return w.Travel })
}

// onRumble reports whether a wheel rolls on a kerb or a rumble strip.
func (s *Sample) onRumble(w *frame.Wheel) bool {
	return w.Material < uint64(len(s.Scene.Materials)) && w.Load > 0 && s.Scene.Materials[w.Material].Rumble == 1
}

func drivetrain(s *frame.Scene) int {
	switch s.FrontShare {
	case 0:
		return forzaRearDrive
	case 1:
		return forzaFrontDrive
	}
	return forzaAllDrive
}

func forzaGear(gear int64) float64 {
	switch {
	case gear < 0:
		return 0
	case gear == 0:
		return forzaNeutral
	}
	return float64(min(gear, forzaNeutral-1))
}
