package telemetry

import (
	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/core/frame"
)

// appendOutGauge appends the packet of Live for Speed's OutGauge; BeamNG.drive sends the same. It has no temperature and no
// pressure of oil.
func appendOutGauge(b []byte, s *Sample) []byte {
	f := s.Frame
	p := packets.OutGauge{
		Time: u32(s.milliseconds()), Flags: uint16(packets.OutGaugeKM | packets.OutGaugeBar | bit(f.Boost > 0, packets.OutGaugeTurbo)),
		Gear: u8(s.gearFromReverse()), Speed: f32(abs(f.Speed)), RPM: f32(f.RPM), Turbo: f32(f.Boost), Fuel: f32(f.Charge),
		Throttle: f32(f.Throttle), Brake: f32(f.Brake), Clutch: f32(f.Clutch),
	}
	p.DashLights, p.ShowLights = s.lights()
	setText(p.Car[:], s.Scene.CarName)
	setText(p.Display1[:], "Fuel "+decimal(f.Fuel, 1)+" L")
	setText(p.Display2[:], "Lap "+frame.FormatTime(f.Lap.Time, 1))
	return packets.Append(b, &p)
}

// lights returns which lights the dashboard has, and which of them are on.
func (s *Sample) lights() (fitted, on uint32) {
	f := s.Frame
	stalled := !s.has(frame.EngineRunning)
	on = bit(s.Scene.ShiftUpRPM > 0 && f.RPM >= s.Scene.ShiftUpRPM, packets.LightShift) |
		bit(s.has(frame.HeadlightFlash), packets.LightFullBeam) | bit(f.Handbrake > 0.05, packets.LightHandbrake) |
		bit(s.has(frame.PitLimiterOn), packets.LightPitSpeed) | bit(s.has(frame.TractionActive|frame.StabilityActive), packets.LightTC) |
		bit(stalled, packets.LightOil|packets.LightBattery) | bit(s.has(frame.ABSActive), packets.LightABS)
	return packets.LightShift | packets.LightFullBeam | packets.LightHandbrake | packets.LightPitSpeed | packets.LightTC |
		packets.LightOil | packets.LightBattery | packets.LightABS, on
}
