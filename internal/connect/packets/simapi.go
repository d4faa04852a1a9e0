package packets

import (
	"fmt"
	"math"
)

// SimData is the content of the shared memory SIMAPI.DAT, version 1, 46 044 bytes on a machine of little-endian words.
//
// Axes, as simapi converts those of Assetto Corsa and rFactor 2: X to the right, Y forward, Z up; the world likewise.
// Heading, Pitch and Roll are in degrees: clockwise from the world's Y, nose up, right side down. Wheels are front
// left, front right, rear left, rear right.
//
// Source: struct SimData in simapi/simdata.h of github.com/Spacefreak18/simapi, with #pragma pack(4). It says
// nothing of axes. What stands above is from the functions in simapi/mapping; those of games differ from each other:
// degrees and signs of the angles are those of DiRT Rally 2.0, which alone has comments on them.
type SimData struct {
	MTick, PrevMTick     uint64
	SimStatus            uint32 // SimMenu and its like
	Velocity             uint32 // [km/h]
	RPMs                 uint32
	Gear                 uint32 // 0 reverse, 1 neutral, 2 first
	Pulses               uint32
	MaxRPM, IdleRPM      uint32
	MaxGears             uint32
	Altitude             uint32
	Lap, Position        uint32
	NumLaps, PlayerLaps  uint32
	NumCars              uint32
	GearC                [3]byte    // the gear as text
	_                    [1]byte    // as a C compiler aligns the next one with #pragma pack(4), here and below
	LocalVelocity        [3]float64 // Xvelocity, Yvelocity, Zvelocity [m/s, car]
	WorldVelocity        [3]float64 // [m/s, world]
	Gas, Brake           float64    // 0..1
	Fuel, FuelCapacity   float64    // [L]
	Clutch               float64    // 0..1
	Steer                float64    // -1 left to 1 right
	Handbrake            float64    // 0..1
	TurboBoost           float64
	TurboBoostPercent    float64
	MaxTurbo             float64
	ABS, BrakeBias       float64
	TyreRPS              [4]float64 // [rad/s], positive forward
	TyreDiameter         [4]float64 // [m]
	TyreSlipRatio        [4]float64 // positive locks, negative spins
	TyreSlipAngle        [4]float64
	Distance             float64
	Heading, Pitch, Roll float64    // [°]
	WorldPos             [3]float64 // [m, world]
	BrakeTemp            [4]float64 // [°C]
	TyreWear             [4]float64
	TyreTemp             [4]float64 // [°C]
	TyrePressure         [4]float64
	TyreContact          [3][4]float64
	AirDensity, AirTemp  float64
	TrackTemp            float64
	Suspension           [4]float64 // compression [m]
	SuspVelocity         [4]float64
	TrackDistanceAround  float64
	PlayerSpline         float64
	TrackSpline          float64
	PlayerTrackPos       uint32
	TrackSamples         uint32
	LastLap, BestLap     LapTime
	CurrentLap           LapTime
	CurrentLapInSeconds  uint32
	LastLapInSeconds     uint32
	Time                 uint32
	SessionTime          LapTime
	Session              uint8
	SectorIndex          uint8
	_                    [2]byte
	Sector1Time          float64
	Sector2Time          float64
	LastSectorInMS       uint32
	CourseFlag           uint8
	PlayerFlag           uint8
	LapIsValid           bool
	Car, Track           [128]byte
	Driver, TyreCompound [128]byte
	_                    [1]byte
	Cars                 [128][348]byte // struct CarData, and ProximityData below; rig has one car
	Proximity            [6][20]byte
	SimAPI               uint8
	_                    [3]byte
	SimEXE               uint64
	SimOn                bool
	SimAPIVersion        uint8
	_                    [2]byte
}

// LapTime is a time of SimData.
type LapTime struct {
	Hours, Minutes, Seconds uint32
	Fraction                uint32 // [ms]
}

// Values of SimData.SimStatus, and the version.
const (
	SimMenu       = 1
	SimActivePlay = 2

	SimVersion = 1
)

// ParseSimAPI reads the content of SIMAPI.DAT.
func ParseSimAPI(b []byte) (p SimData, err error) {
	if err = decode("simapi", b, &p); err == nil && p.SimAPIVersion != SimVersion {
		err = fmt.Errorf("packets: simapi: version %d, must be %d", p.SimAPIVersion, SimVersion)
	}
	return p, err
}

// InSeconds returns the time in seconds.
func (t LapTime) InSeconds() float64 {
	return 3600*float64(t.Hours) + 60*float64(t.Minutes) + float64(t.Seconds) + float64(t.Fraction)/1000
}

// Motion converts the packet. It has no acceleration and no angular velocity.
func (p *SimData) Motion() Motion {
	const degree = math.Pi / 180
	m := unknown()
	m.Gear, m.Speed = gearAboveReverse(int(p.Gear)), float64(p.Velocity)/3.6
	m.Heading, m.NoseUp, m.RightDown = -p.Heading*degree, p.Pitch*degree, p.Roll*degree
	m.Pos = fromXRightYAhead(p.WorldPos)
	m.setWorldVelocity(fromXRightYAhead(p.WorldVelocity))
	m.Forward, m.Left = p.LocalVelocity[1], -p.LocalVelocity[0]
	m.SteerLeft = -p.Steer
	for i := range m.Wheels {
		m.Wheels[i] = Wheel{
			Slip: math.Hypot(p.TyreSlipRatio[i], math.Tan(p.TyreSlipAngle[i])), Load: math.NaN(),
			Compression: p.Suspension[i], Spin: p.TyreRPS[i],
		}
	}
	return m
}
