package packets

import (
	"fmt"
	"math"
)

// Forza is a packet of Forza Horizon's Data Out, 324 bytes: the fields of Forza Motorsport 7 with 12 bytes before
// Position and one at the end.
//
// The car's axes: X right, Y up, Z forward, left-handed. An angle or a rate about an axis is positive by the rule of
// the left hand, as in DirectX: to the right about Y, nose down about X, left side down about Z. A car of yaw 0 looks
// along the world's Z. Wheels are front left, front right, rear left, rear right.
//
// Sources: "Forza Horizon 6 Data Out Documentation" (support.forza.net, article 51744149102611) and its like for Forza
// Motorsport have layout, units and the axes of vectors. They do not say which way Yaw, Pitch and Roll turn: yaw is
// clockwise from Z as the map of github.com/Ritze03/ForzaTelemetryV3 draws it; pitch and roll are what DirectX's
// functions for left-handed axes make of it, and not proven by a packet.
type Forza struct {
	IsRaceOn               int32
	TimestampMS            uint32
	EngineMaxRPM           float32
	EngineIdleRPM          float32
	CurrentEngineRPM       float32
	Acceleration           [3]float32 // [m/s², car]
	Velocity               [3]float32 // [m/s, car]
	AngularVelocity        [3]float32 // pitch, yaw, roll [rad/s, car]
	Yaw, Pitch, Roll       float32    // [rad]
	NormalizedSuspension   [4]float32 // 0 stretched, 1 compressed
	TireSlipRatio          [4]float32 // normalized, beyond ±1 the grip is lost
	WheelRotationSpeed     [4]float32 // [rad/s]
	OnRumbleStrip          [4]int32
	InPuddle               [4]float32
	SurfaceRumble          [4]float32
	TireSlipAngle          [4]float32 // normalized
	TireCombinedSlip       [4]float32 // normalized
	SuspensionTravelMeters [4]float32
	CarOrdinal             int32
	CarClass               int32 // 0..7
	CarPerformanceIndex    int32 // 100..999
	DrivetrainType         int32 // ForzaFrontDrive and its like
	NumCylinders           int32
	CarGroup               uint32
	SmashableVelDiff       float32
	SmashableMass          float32
	Position               [3]float32 // [m, world]
	Speed                  float32    // [m/s]
	Power                  float32    // [W]
	Torque                 float32    // [N·m]
	TireTemp               [4]float32
	Boost                  float32 // [psi]
	Fuel                   float32 // 0..1
	DistanceTraveled       float32 // [m]
	BestLap                float32 // [s]
	LastLap                float32 // [s]
	CurrentLap             float32 // [s]
	CurrentRaceTime        float32 // [s]
	LapNumber              uint16  // from 0
	RacePosition           uint8
	Accel                  uint8 // 0..255
	Brake                  uint8 // 0..255
	Clutch                 uint8 // 0..255
	HandBrake              uint8 // 0..255
	Gear                   uint8 // 0 reverse, 1 first; 11 neutral
	Steer                  int8  // -127 left to 127 right
	NormalizedDrivingLine  int8
	AIBrakeDifference      int8
	End                    uint8 // 0
}

// Values of Forza.DrivetrainType.
const (
	ForzaFrontDrive = iota
	ForzaRearDrive
	ForzaAllDrive
)

// ForzaNeutral is Forza.Gear in neutral and during a gear change.
const ForzaNeutral = 11

// ParseForza reads a packet of Forza Horizon.
func ParseForza(b []byte) (p Forza, err error) {
	if err = decode("forza", b, &p); err != nil {
		return p, err
	}
	if p.IsRaceOn&^1 != 0 || p.End != 0 || p.Gear > ForzaNeutral {
		err = fmt.Errorf("packets: forza: IsRaceOn %d, last byte %d, gear %d: must be 0 or 1, 0, and 0 to 11", p.IsRaceOn, p.End, p.Gear)
	}
	return p, err
}

// Motion converts the packet.
func (p *Forza) Motion() Motion {
	m := unknown()
	m.Gear, m.Speed = forzaGear(p.Gear), float64(p.Speed)
	m.Heading, m.NoseUp, m.RightDown = -float64(p.Yaw), -float64(p.Pitch), -float64(p.Roll)
	m.Pos = fromXRightYUpZAhead(p.Position)
	v := fromXRightYUpZAhead(p.Velocity)
	axes := m.axes()
	m.Forward, m.Left, m.Vel = v[0], v[1], axes.ToWorld(v)
	a := fromXRightYUpZAhead(p.Acceleration)
	m.AccForward, m.AccLeft, m.AccUp = a[0], a[1], a[2]
	m.RightDownRate, m.NoseUpRate, m.LeftRate = -float64(p.AngularVelocity[2]), -float64(p.AngularVelocity[0]), -float64(p.AngularVelocity[1])
	m.SteerLeft = -float64(p.Steer)
	for i := range m.Wheels {
		m.Wheels[i] = Wheel{
			Slip: math.Abs(float64(p.TireCombinedSlip[i])), Load: math.NaN(),
			Compression: float64(p.SuspensionTravelMeters[i]), Spin: float64(p.WheelRotationSpeed[i]),
		}
	}
	return m
}

func forzaGear(gear uint8) string {
	switch gear {
	case 0:
		return gearName(-1)
	case ForzaNeutral:
		return gearName(0)
	}
	return gearName(int(gear))
}
