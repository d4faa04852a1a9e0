package packets

import "math"

// Dirt is a packet of DiRT Rally 2.0 with extradata="3", 264 bytes.
//
// World axes: Y up, right-handed; X to the right and Z backward of a car that looks along −Z. Wheels are rear left,
// rear right, front left, front right.
//
// Sources: the order of the fields is that of include/dirt2data.h in github.com/Spacefreak18/simapi and of
// source/dirt_rally/udp_data.py in github.com/ErlerPhilipp/dr2_logger. Fields 11 to 13 are called right by the first
// and by the documents of Codemasters' F1 games, left_dir by the channels of DiRT 4. A recorded session of DiRT Rally
// 2.0 (the example of dr2_logger, 12 000 packets) decides: the wheels called left compress most while the car speeds up
// along Right (r = 0.95), so that Right points away from them; GLat is −1/g times the acceleration along Right
// (r = −0.99) and GLon 1/g times that along Forward (r = 0.96); Forward × Right points down. Suspension is in mm and
// positive in compression, wheel speeds are in m/s. Lap began with 0.
type Dirt struct {
	RunTime         float32    // [s]
	LapTime         float32    // [s]
	Distance        float32    // in this lap [m]
	Progress        float32    // 0..1
	Pos             [3]float32 // [m, world]
	Speed           float32    // [m/s]
	Vel             [3]float32 // [m/s, world]
	Right           [3]float32 // unit vector to the right of the car [world]
	Forward         [3]float32 // unit vector forward [world]
	Suspension      [4]float32 // compression [mm]
	SuspensionSpeed [4]float32 // [mm/s]
	WheelSpeed      [4]float32 // [m/s]
	Throttle        float32    // 0..1
	Steer           float32    // -1 left to 1 right
	Brake           float32    // 0..1
	Clutch          float32    // 0..1
	Gear            float32    // -1 reverse, 0 neutral, 1 first
	GLat            float32    // acceleration to the left [g]
	GLon            float32    // acceleration forward [g]
	Lap             float32    // from 0
	EngineRate      float32    // engine speed over 10 [1/min]
	SLIPro          float32
	RacePosition    float32
	KERS, KERSMax   float32
	DRS             float32
	TractionControl float32
	ABS             float32
	Fuel            float32 // [L]
	FuelCapacity    float32 // [L]
	InPits          float32
	Sector          float32 // from 0
	Sector1         float32 // [s]
	Sector2         float32 // [s]
	BrakeTemp       [4]float32
	TyrePressure    [4]float32
	LapsCompleted   float32
	TotalLaps       float32
	TrackLength     float32 // [m]
	LastLap         float32 // [s]
	MaxRate         float32 // highest engine speed over 10 [1/min]
	IdleRate        float32 // idle speed over 10 [1/min]
	MaxGears        float32
}

// ParseDirt reads a packet of DiRT Rally 2.0.
func ParseDirt(b []byte) (p Dirt, err error) {
	err = decode("dirt", b, &p)
	return p, err
}

// Motion converts the packet. It has no angular velocity, and no vertical acceleration.
func (p *Dirt) Motion() Motion {
	const g = 9.81 // [m/s²]
	m := unknown()
	m.Gear, m.Speed = gearName(int(math.Round(float64(p.Gear)))), float64(p.Speed)
	m.setAttitude(fromXRightYUpZBack(p.Forward), fromXRightYUpZBack(p.Right))
	m.Pos = fromXRightYUpZBack(p.Pos)
	m.setWorldVelocity(fromXRightYUpZBack(p.Vel))
	m.AccForward, m.AccLeft = g*float64(p.GLon), g*float64(p.GLat)
	m.SteerLeft = -float64(p.Steer)
	for i, k := range RearFirst {
		w := unknownWheel()
		w.Compression, w.Spin = float64(p.Suspension[i])/1000, float64(p.WheelSpeed[i])
		m.Wheels[k] = w
	}
	return m
}
