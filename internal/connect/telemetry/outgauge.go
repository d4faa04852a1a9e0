package telemetry

import "rig.example/rig/internal/core/frame"

// Bits of OutGauge: units that the driver prefers, and lights of the dashboard.
const (
	outGaugeTurbo = 0x2000 // a turbo gauge is shown
	outGaugeKM    = 0x4000
	outGaugeBar   = 0x8000

	lightShift     = 1 << 0
	lightFullBeam  = 1 << 1
	lightHandbrake = 1 << 2
	lightPitSpeed  = 1 << 3
	lightTraction  = 1 << 4
	lightOil       = 1 << 8
	lightBattery   = 1 << 9
	lightABS       = 1 << 10
)

// appendOutGauge appends the packet of Live for Speed's OutGauge, 92 bytes without an ID (docs/InSim.txt of LFS;
// BeamNG.drive sends the same). Speed is a magnitude; gear 0 is reverse, 1 neutral.
func appendOutGauge(p *packet, s *Sample) {
	f := s.Frame
	p.u32(s.milliseconds())
	p.text(s.Scene.CarName, 4)
	p.u16(float64(outGaugeKM | outGaugeBar | bit(f.Boost > 0, outGaugeTurbo)))
	p.u8(s.gearFromReverse())
	p.u8(0)                                          // player
	p.f32(abs(f.Speed), f.RPM, f.Boost, 0, f.Charge) // [m/s], [1/min], [bar]; no temperature; 0..1
	p.f32(0, 0)                                      // oil
	fitted, on := s.lights()
	p.u32(float64(fitted))
	p.u32(float64(on))
	p.f32(f.Throttle, f.Brake, f.Clutch)
	p.text("Fuel "+decimal(f.Fuel, 1)+" L", 16)
	p.text("Lap "+frame.FormatTime(f.Lap.Time, 1), 16)
}

// lights returns which lights the dashboard has, and which of them are on.
func (s *Sample) lights() (fitted, on uint32) {
	f := s.Frame
	stalled := !s.has(frame.EngineRunning)
	on = bit(s.Scene.ShiftUpRPM > 0 && f.RPM >= s.Scene.ShiftUpRPM, lightShift) |
		bit(s.has(frame.HeadlightFlash), lightFullBeam) | bit(f.Handbrake > 0.05, lightHandbrake) |
		bit(s.has(frame.PitLimiterOn), lightPitSpeed) | bit(s.has(frame.TractionActive|frame.StabilityActive), lightTraction) |
		bit(stalled, lightOil|lightBattery) | bit(s.has(frame.ABSActive), lightABS)
	fitted = lightShift | lightFullBeam | lightHandbrake | lightPitSpeed | lightTraction | lightOil | lightBattery | lightABS
	return fitted, on
}
