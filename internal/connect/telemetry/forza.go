package telemetry

import (
	"math"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/core/frame"
)

// appendForza appends the packet of Forza Horizon's Data Out. The car, its class and its index are those of no car of the
// game; the number of cylinders is not known.
func appendForza(b []byte, s *Sample) []byte {
	f, a := s.Frame, s.axes()
	roll, pitch, yaw := angles(&a)
	p := packets.Forza{
		IsRaceOn: i32(number(s.isDriving())), TimestampMS: u32(s.milliseconds()),
		EngineMaxRPM: f32(s.Scene.MaxRPM), EngineIdleRPM: f32(s.Scene.IdleRPM), CurrentEngineRPM: f32(f.RPM),
		Acceleration: vector32(rightUpAhead(f.Acc)), Velocity: vector32(rightUpAhead(a.ToBody(f.Vel))),
		AngularVelocity: vector32([3]float64{f.Rate[1], -f.Rate[2], -f.Rate[0]}), Yaw: f32(-yaw), Pitch: f32(pitch), Roll: f32(-roll),
		DrivetrainType: drivetrain(s.Scene), Position: vector32(rightUpAhead(f.Pos)), Speed: f32(abs(f.Speed)),
		Power: f32(f.EngineTorque * f.RPM / perMin), Torque: f32(f.EngineTorque), Boost: f32(f.Boost * psiOfBar), Fuel: f32(f.Charge),
		DistanceTraveled: f32(f.Distance), BestLap: f32(f.Lap.Best), LastLap: f32(f.Lap.Last), CurrentLap: f32(f.Lap.Time),
		CurrentRaceTime: f32(float64(f.Tick) / 1000), LapNumber: u16(s.lapsBefore()), RacePosition: 1,
		Accel: ofByte(f.Throttle), Brake: ofByte(f.Brake), Clutch: ofByte(f.Clutch), HandBrake: ofByte(f.Handbrake),
		Gear: forzaGear(f.Gear), Steer: i8(math.Round(127 * bounded(s.steer(), -1, 1))),
	}
	setForzaWheels(&p, s)
	return packets.Append(b, &p)
}

// ofByte returns a share of 1 as one of 255.
func ofByte(share float64) uint8 { return u8(math.Round(255 * share)) }

func setForzaWheels(p *packets.Forza, s *Sample) {
	for i := range s.Frame.Wheels {
		w := &s.Frame.Wheels[i]
		along, across := slip(w)
		p.NormalizedSuspension[i] = f32(bounded(share(w.Travel, s.Scene.Travel[i/2]), 0, 1))
		p.TireSlipRatio[i], p.TireSlipAngle[i], p.TireCombinedSlip[i] = f32(along), f32(across), f32(w.NormalizedSlip)
		p.WheelRotationSpeed[i], p.SuspensionTravelMeters[i] = f32(w.Spin), f32(w.Travel)
		p.OnRumbleStrip[i], p.SurfaceRumble[i] = i32(number(s.onRumble(w))), f32(number(s.onRumble(w)))
		p.TireTemp[i] = f32(w.TireTemperature*9/5 + 32) // [°F]
	}
}

// onRumble reports whether a wheel rolls on a kerb or a rumble strip.
func (s *Sample) onRumble(w *frame.Wheel) bool {
	return w.Material < uint64(len(s.Scene.Materials)) && w.Load > 0 && s.Scene.Materials[w.Material].Rumble == 1
}

func drivetrain(s *frame.Scene) int32 {
	switch s.FrontShare {
	case 0:
		return packets.ForzaRearDrive
	case 1:
		return packets.ForzaFrontDrive
	}
	return packets.ForzaAllDrive
}

func forzaGear(gear int64) uint8 {
	switch {
	case gear < 0:
		return 0
	case gear == 0:
		return packets.ForzaNeutral
	}
	return uint8(min(gear, packets.ForzaNeutral-1))
}
