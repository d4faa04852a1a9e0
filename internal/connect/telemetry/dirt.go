package telemetry

import (
	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/core/frame"
)

// appendDirt appends the packet of DiRT Rally 2.0 with extradata=3.
func appendDirt(b []byte, s *Sample) []byte {
	f, a, scene := s.Frame, s.axes(), s.Scene
	right := [3]float64{-a.Left[0], -a.Left[1], -a.Left[2]}
	wheels := func(value func(w *frame.Wheel, i int) float64) [4]float32 {
		return s.wheels32(packets.RearFirst, value)
	}
	return packets.Append(b, &packets.Dirt{
		RunTime: f32(float64(f.Tick) / 1000), LapTime: f32(f.Lap.Time), Distance: f32(f.Lap.Distance),
		Progress: f32(share(f.Lap.Distance, scene.LapLength)), Pos: vector32(rightUpBack(f.Pos)), Speed: f32(abs(f.Speed)),
		Vel: vector32(rightUpBack(f.Vel)), Right: vector32(rightUpBack(right)), Forward: vector32(rightUpBack(a.Ahead)),
		Suspension:      wheels(func(w *frame.Wheel, _ int) float64 { return 1000 * w.Travel }),
		SuspensionSpeed: wheels(func(w *frame.Wheel, _ int) float64 { return 1000 * w.TravelSpeed }),
		WheelSpeed:      wheels(func(w *frame.Wheel, i int) float64 { return w.Spin * scene.Radius[i/2] }),
		Throttle:        f32(f.Throttle), Steer: f32(s.steer()), Brake: f32(f.Brake), Clutch: f32(f.Clutch), Gear: f32(float64(f.Gear)),
		GLat: f32(f.Acc[1] / gravity), GLon: f32(f.Acc[0] / gravity), Lap: f32(s.lapsBefore()), EngineRate: f32(f.RPM / 10),
		RacePosition: 1, TractionControl: f32(float64(f.Traction)), ABS: f32(float64(f.ABS)), Fuel: f32(f.Fuel),
		FuelCapacity: f32(scene.TankCapacity), InPits: f32(number(s.has(frame.InPit))), Sector: f32(float64(f.Lap.Sector)),
		Sector1: f32(f.Lap.Splits[0]), Sector2: f32(f.Lap.Splits[1]),
		BrakeTemp:     wheels(func(w *frame.Wheel, _ int) float64 { return w.BrakeTemperature }),
		TyrePressure:  wheels(func(w *frame.Wheel, _ int) float64 { return w.TirePressure / 1e5 * psiOfBar }),
		LapsCompleted: f32(float64(f.Lap.Count)), TrackLength: f32(scene.LapLength), LastLap: f32(f.Lap.Last),
		MaxRate: f32(scene.MaxRPM / 10), IdleRate: f32(scene.IdleRPM / 10), MaxGears: f32(float64(scene.ForwardGears)),
	})
}

// rightUpBack returns a vector of x forward, y left, z up in DiRT's world.
func rightUpBack(v [3]float64) [3]float64 { return [3]float64{-v[1], v[2], -v[0]} }
