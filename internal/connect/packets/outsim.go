package packets

import (
	"fmt"
	"math"
)

// OutSim is a packet of OutSim with all options (OutSim Opts 1ff), 280 bytes.
//
// World axes: X and Y on the ground, Z up, right-handed; a car of heading 0 looks along Y. AngVel, Accel and Vel are
// vectors of the world. Accel has no gravity in it.
//
// Sources: docs/OutSimPack.txt and docs/InSim.txt of Live for Speed (lfs.net). They leave open the axes of Accel, the
// order of the wheels and the signs of steering and slip; the author of this package found them in two packets of
// the game that the tests of github.com/Cykyrios/GodotInSim hold: in a right turn at 29 m/s and 0.39 rad/s, Accel
// points 11.7 m/s² to the right if and only if it is taken in world axes, InputSteer and Wheels.Steer are negative,
// SteerTorque and TanSlipAngle are positive, and wheels 0 and 2 carry the load. The axes of AngVel.X and AngVel.Y are
// not proven by them.
type OutSim struct {
	Magic           [4]byte // OutSimMagic
	ID              int32
	Time            uint32     // [ms]
	AngVel          [3]float32 // [rad/s, world]
	Heading         float32    // anticlockwise seen from above [rad]
	Pitch           float32    // anticlockwise seen from the right, nose up [rad]
	Roll            float32    // anticlockwise seen from the front, right side down [rad]
	Accel           [3]float32 // [m/s², world]
	Vel             [3]float32 // [m/s, world]
	Pos             [3]int32   // [1/65536 m, world]
	Throttle        float32    // 0..1
	Brake           float32    // 0..1
	InputSteer      float32    // of the road wheels, positive left [rad]
	Clutch          float32    // 0..1
	Handbrake       float32    // 0..1
	Gear            uint8      // 0 reverse, 1 neutral, 2 first
	Spare           [3]uint8
	EngineAngVel    float32        // [rad/s]
	MaxTorqueAtVel  float32        // torque at full throttle [N·m]
	CurrentLapDist  float32        // driven in this lap [m]
	IndexedDistance float32        // along the track [m]
	Wheels          [4]OutSimWheel // rear left, rear right, front left, front right
	SteerTorque     float32        // on the front wheels, positive left [N·m]
	Spare2          float32
}

// OutSimWheel is one wheel of an OutSim packet, 40 bytes.
type OutSimWheel struct {
	SuspDeflect   float32 // compression [m]
	Steer         float32 // positive left [rad]
	XForce        float32 // to the right [N]
	YForce        float32 // forward [N]
	VerticalLoad  float32 // [N]
	AngVel        float32 // positive forward [rad/s]
	LeanRelToRoad float32 // anticlockwise seen from the rear [rad]
	AirTemp       uint8   // [°C]
	SlipFraction  uint8   // 0..255
	Touching      uint8   // 1 on the ground
	Spare         uint8
	SlipRatio     float32 // negative while braking, -1 locked
	TanSlipAngle  float32 // positive if the force is to the right
}

// OutSimMagic is OutSim.Magic.
var OutSimMagic = [4]byte{'L', 'F', 'S', 'T'}

// ParseOutSim reads a packet of OutSim with all options.
func ParseOutSim(b []byte) (p OutSim, err error) {
	if err = decode("outsim", b, &p); err == nil && p.Magic != OutSimMagic {
		err = fmt.Errorf("packets: outsim: begins with %q, must be %q", p.Magic, OutSimMagic)
	}
	return p, err
}

// Motion converts the packet.
func (p *OutSim) Motion() Motion {
	m := unknown()
	m.Gear = gearAboveReverse(int(p.Gear))
	m.Heading, m.NoseUp, m.RightDown = float64(p.Heading), float64(p.Pitch), float64(p.Roll)
	for i, v := range fromXRightYAhead(p.Pos) {
		m.Pos[i] = v / 65536
	}
	m.setWorldVelocity(fromXRightYAhead(p.Vel))
	m.setWorldAcceleration(fromXRightYAhead(p.Accel))
	m.setWorldRate(fromXRightYAhead(p.AngVel))
	m.SteerLeft = float64(p.InputSteer)
	for i, k := range RearFirst {
		w := &p.Wheels[i]
		m.Wheels[k] = Wheel{
			Slip: math.Hypot(float64(w.SlipRatio), float64(w.TanSlipAngle)), Load: float64(w.VerticalLoad),
			Compression: float64(w.SuspDeflect), Spin: float64(w.AngVel),
		}
	}
	return m
}
