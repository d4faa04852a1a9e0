package packets

// OutGauge is a packet of OutGauge, 92 bytes, as sent without an ID.
//
// Sources: OutGaugePack in docs/InSim.txt of Live for Speed (lfs.net); the page "Protocols" of BeamNG's documentation
// (documentation.beamng.com/modding/protocols), which has the same layout.
type OutGauge struct {
	Time        uint32   // [ms]
	Car         [4]byte  // short name of the car
	Flags       uint16   // bits, OutGaugeTurbo and the like
	Gear        uint8    // 0 reverse, 1 neutral, 2 first
	PLID        uint8    // player, 0 for none
	Speed       float32  // [m/s]
	RPM         float32  // [1/min]
	Turbo       float32  // [bar]
	EngTemp     float32  // [°C]
	Fuel        float32  // 0..1
	OilPressure float32  // [bar]
	OilTemp     float32  // [°C]
	DashLights  uint32   // lights that the car has, LightShift and the like
	ShowLights  uint32   // lights that are on
	Throttle    float32  // 0..1
	Brake       float32  // 0..1
	Clutch      float32  // 0..1
	Display1    [16]byte // text
	Display2    [16]byte // text
}

// Bits of OutGauge.Flags.
const (
	OutGaugeTurbo = 1 << 13 // a turbo gauge is shown
	OutGaugeKM    = 1 << 14 // kilometers instead of miles
	OutGaugeBar   = 1 << 15 // bar instead of psi
)

// Bits of OutGauge.DashLights and OutGauge.ShowLights.
const (
	LightShift     = 1 << 0
	LightFullBeam  = 1 << 1
	LightHandbrake = 1 << 2
	LightPitSpeed  = 1 << 3 // pit speed limiter
	LightTC        = 1 << 4 // traction control is active or switched off
	LightOil       = 1 << 8 // pressure
	LightBattery   = 1 << 9
	LightABS       = 1 << 10
)

// ParseOutGauge reads a packet of OutGauge.
func ParseOutGauge(b []byte) (p OutGauge, err error) {
	err = decode("outgauge", b, &p)
	return p, err
}

// Motion converts the packet. OutGauge has gear and speed only.
func (p *OutGauge) Motion() Motion {
	m := unknown()
	m.Gear, m.Speed = gearAboveReverse(int(p.Gear)), float64(p.Speed)
	return m
}
