package packets

import "fmt"

// BeamNG is a packet of the motion protocol of BeamNG.drive, 88 bytes.
//
// World axes: X and Y on the ground, Z up, right-handed; a car of yaw 0 looks along Y. Pos, Vel and Up are vectors of
// the world. Acc is a vector of the car: to the right, forward, down, without gravity. All angles and rates are
// positive with the right side down, the nose up, and to the right.
//
// Sources: the page "Protocols" of BeamNG's documentation (documentation.beamng.com/modding/protocols) and the comments
// in lua/vehicle/protocols/motionSim.lua of the game have the layout, but no signs. Those of angles, rates and level
// accelerations are those of six packets of the game that the builder of a motion platform published: parked on a slope
// with the nose up (Pitch 0.91) and with the left side down (Roll −0.48), braking straight ahead, and in a right turn
// (Acc.X 7.4, YawRate 0.60); all four agree with the vector Up, turned by yaw, then pitch, then roll. Acc is the
// negative of the game's sensor in the axes of its vehicles, left, back and up: its third part is therefore down, though
// no packet proves it.
type BeamNG struct {
	Magic                     [4]byte    // BeamNGMagic
	Pos                       [3]float32 // [m, world]
	Vel                       [3]float32 // [m/s, world]
	Acc                       [3]float32 // [m/s², car]
	Up                        [3]float32 // points up from the car [world]
	Roll, Pitch, Yaw          float32    // [rad]
	RollRate, PitchRate       float32    // [rad/s]
	YawRate                   float32    // [rad/s]
	RollAcc, PitchAcc, YawAcc float32    // [rad/s²]
}

// BeamNGMagic is BeamNG.Magic.
var BeamNGMagic = [4]byte{'B', 'N', 'G', '1'}

// ParseBeamNG reads a packet of BeamNG's motion protocol.
func ParseBeamNG(b []byte) (p BeamNG, err error) {
	if err = decode("beamng", b, &p); err == nil && p.Magic != BeamNGMagic {
		err = fmt.Errorf("packets: beamng: begins with %q, must be %q", p.Magic, BeamNGMagic)
	}
	return p, err
}

// Motion converts the packet.
func (p *BeamNG) Motion() Motion {
	m := unknown()
	m.Heading, m.NoseUp, m.RightDown = -float64(p.Yaw), float64(p.Pitch), float64(p.Roll)
	m.Pos = fromXRightYAhead(p.Pos)
	m.setWorldVelocity(fromXRightYAhead(p.Vel))
	m.AccForward, m.AccLeft, m.AccUp = float64(p.Acc[1]), -float64(p.Acc[0]), -float64(p.Acc[2])
	m.RightDownRate, m.NoseUpRate, m.LeftRate = float64(p.RollRate), float64(p.PitchRate), -float64(p.YawRate)
	return m
}

// UpWorld returns the vector Up in the axes of Motion.
func (p *BeamNG) UpWorld() [3]float64 { return fromXRightYAhead(p.Up) }
