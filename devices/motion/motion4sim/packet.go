package motion4sim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"rig.example/rig/devices/motion/wire"
)

// A motion4sim controller takes positions of actuators (FF FF, eight numbers of
// 24 bits, 0A 0D), or poses (FC FC, sway, surge and heave in mm, yaw, roll and
// pitch in degrees, the belt, four bytes of nothing, 0A 0D), and commands (F9
// F9, command, value, 0A 0D), which it answers in the same form. See
// https://docs.motion4sim.com: Direct Motion Mode, Position Motion Mode, Serial
// Commands.
const (
	headDirect  = 0xff
	directLen   = 28
	headPose    = 0xfc
	poseLen     = 36
	headCommand = 0xf9
	commandLen  = 8

	full   = 0xffffff
	middle = 0x7fffff
)

// Commands, as their first two bytes.
const (
	commandStatus    = 0x0000
	commandFirmware  = 0x0200
	commandEmergency = 0x0500
	commandOnline    = 0x0600
	commandReboot    = 0x0900
	commandActuators = 0x1000
)

// Protocol is what motion.protocol calls such controllers.
const Protocol = "motion4sim"

// Config is what only a motion4sim controller has, TOML table
// [motion.motion4sim].
//
// With poses the legs are degrees of freedom: surge, sway, heave, roll, pitch,
// yaw and, seventh, the belt. A leg's 0..1 is the range given here, from minus
// to plus; a negative range turns the axis round.
type Config struct {
	Frames       string  `toml:"frames"`        // "direct": actuators, or "pose": degrees of freedom
	Actuators    int     `toml:"actuators"`     // how many there are with direct frames, 1..8
	LittleEndian bool    `toml:"little_endian"` // low byte first in the numbers of a pose
	GoOnline     bool    `toml:"go_online"`     // order it online at the start
	Surge        float64 `toml:"surge_mm"`      // forward
	Sway         float64 `toml:"sway_mm"`       // to the left
	Heave        float64 `toml:"heave_mm"`      // up
	Roll         float64 `toml:"roll_deg"`      // the right side down
	Pitch        float64 `toml:"pitch_deg"`     // the nose down
	Yaw          float64 `toml:"yaw_deg"`       // to the left
	Belt         float64 `toml:"belt_counts"`   // of the tightest belt
}

// What Config.Frames can be.
const (
	Direct = "direct"
	Pose   = "pose"
)

// DefaultConfig drives six actuators directly. Its poses are small enough
// for the common platforms; their numbers have the low byte first, as the
// programs on personal computers send them that the controller was made for.
func DefaultConfig() Config {
	return Config{
		Frames: Direct, Actuators: 6, LittleEndian: true, GoOnline: true,
		Surge: 50, Sway: 50, Heave: 50, Roll: 8, Pitch: 8, Yaw: 8, Belt: full,
	}
}

// Validate reports every field that cannot be used.
func (c Config) Validate() error {
	var frames error
	if c.Frames != Direct && c.Frames != Pose {
		frames = fmt.Errorf("motion: motion4sim.frames: %q; %q or %q", c.Frames, Direct, Pose)
	}
	return errors.Join(frames,
		wire.InRange("motion4sim.actuators", float64(c.Actuators), 1, wire.Axes),
		wire.InRange("motion4sim.surge_mm", c.Surge, -1000, 1000),
		wire.InRange("motion4sim.sway_mm", c.Sway, -1000, 1000),
		wire.InRange("motion4sim.heave_mm", c.Heave, -1000, 1000),
		wire.InRange("motion4sim.roll_deg", c.Roll, -45, 45),
		wire.InRange("motion4sim.pitch_deg", c.Pitch, -45, 45),
		wire.InRange("motion4sim.yaw_deg", c.Yaw, -180, 180),
		wire.InRange("motion4sim.belt_counts", c.Belt, 0, math.MaxUint32))
}

// order is how the numbers of a pose are written.
func (c Config) order() binary.AppendByteOrder {
	if c.LittleEndian {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// poseLegs is which leg each number of a pose comes from: sway, surge, heave,
// yaw, roll, pitch.
var poseLegs = [6]int{1, 0, 2, 5, 3, 4}

// ranges are those of the numbers of a pose, in their order.
func (c Config) ranges() [6]float64 {
	return [6]float64{c.Sway, c.Surge, c.Heave, c.Yaw, c.Roll, c.Pitch}
}

const beltLeg = 6 // the belt's leg

// appendDirect appends the positions of actuators. One that is not there
// stands in the middle.
func appendDirect(dst []byte, l *wire.Legs, actuators int) []byte {
	dst = append(dst, headDirect, headDirect)
	for i, share := range l {
		n := middle
		if i < actuators {
			n = counts(share)
		}
		dst = append(dst, byte(n>>16), byte(n>>8), byte(n))
	}
	return append(dst, wire.PacketTail1, wire.PacketTail2)
}

// counts returns the controller's number for a share of the stroke; what is
// no number is the middle.
func counts(share float64) int {
	if math.IsNaN(share) || share == 0.5 {
		return middle
	}
	return int(math.Round(min(max(share, 0), 1) * full))
}

// appendPose appends the pose that the legs stand for.
func appendPose(dst []byte, l *wire.Legs, cfg *Config) []byte {
	order := cfg.order()
	dst = append(dst, headPose, headPose)
	ranges := cfg.ranges()
	for i, leg := range poseLegs {
		v := (2*trueShare(l[leg]) - 1) * ranges[i]
		dst = order.AppendUint32(dst, math.Float32bits(float32(v)))
	}
	tight := max(0, 2*trueShare(l[beltLeg])-1) // half is snug
	dst = order.AppendUint32(dst, uint32(tight*cfg.Belt))
	return append(dst, 0, 0, 0, 0, wire.PacketTail1, wire.PacketTail2)
}

// trueShare is a share of 0..1; what is no number is the middle.
func trueShare(v float64) float64 {
	if math.IsNaN(v) {
		return 0.5
	}
	return min(max(v, 0), 1)
}

// appendCommand appends a command, or an answer to one.
func appendCommand(dst []byte, command, value uint16) []byte {
	return append(dst, headCommand, headCommand, byte(command>>8), byte(command), byte(value>>8), byte(value), wire.PacketTail1, wire.PacketTail2)
}

// either returns the number in two bytes of which one is 0, in whichever order:
// the answers in the documentation have them in both.
func either(b1, b2 byte) uint16 {
	if b2 == 0 {
		return uint16(b1)
	}
	return uint16(b1)<<8 | uint16(b2)
}
