package motion4sim

import (
	"encoding/binary"
	"fmt"
	"math"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/valid"
)

// A motion4sim controller accepts positions of actuators (FF FF, eight numbers of 24 bits,
// 0A 0D), or poses (FC FC, sway, surge and heave in mm, yaw, roll and pitch in degrees, the belt,
// four unused bytes, 0A 0D), and commands (F9 F9, command, value, 0A 0D), which it answers in the
// same form. See https://docs.motion4sim.com: Direct Motion Mode, Position Motion Mode, Serial
// Commands.
const (
	directHeadByte  = 0xff
	directFrameLen  = 28
	poseHeadByte    = 0xfc
	poseFrameLen    = 36
	commandHeadByte = 0xf9
	commandFrameLen = 8

	fullCounts   = 0xffffff
	middleCounts = 0x7fffff
)

// Commands, as their first two bytes.
const (
	commandStatus        = 0x0000 // query: state of the controller
	commandFirmware      = 0x0200 // query: version of the firmware
	commandEmergency     = 0x0500 // order: emergency stop on or off
	commandOnline        = 0x0600 // order: go on line
	commandReboot        = 0x0900 // order: restart
	commandActuatorState = 0x1000 // query: state of the actuators
)

// Protocol is the value of motion.protocol for such controllers.
const Protocol = "motion4sim"

// Config is what only a motion4sim controller has, TOML table
// [motion.motion4sim].
//
// With poses the legs are degrees of freedom: surge, sway, heave, roll, pitch, yaw and, seventh,
// the belt. A leg's 0..1 is the range given here, from minus to plus; a negative range reverses
// the axis.
type Config struct {
	// `"direct"` sends a position for each actuator and needs `[geometry]` to describe the
	// platform; `"pose"` sends degrees of freedom, from which the controller computes the actuators:
	// `[geometry]` then has no effect.
	Frames string `toml:"frames" oneof:"direct,pose"`
	// Number of actuators of the controller, for direct frames. The unused numbers of a frame are set
	// to the middle.
	Actuators int `toml:"actuators" range:"1..8"`
	// Send the low byte of a pose's numbers first. The documentation does not specify the order; the
	// programs that it names send the low byte first. If the platform shakes or does not move with
	// poses, try false, with the seat empty.
	LittleEndian bool `toml:"little_endian"`
	// Order the controller to go online at the start, and again each time it has become ready after
	// preparing. If false, use the controller's own switch.
	GoOnline bool `toml:"go_online"`
	// Largest surge that the platform can do, forward and backward. A negative number reverses the
	// axis.
	Surge float64 `toml:"surge_mm" range:"-1000..1000"`
	// Largest sway that the platform can do, to both sides. A negative number reverses the axis.
	Sway float64 `toml:"sway_mm" range:"-1000..1000"`
	// Largest heave that the platform can do, up and down. A negative number reverses the axis.
	Heave float64 `toml:"heave_mm" range:"-1000..1000"`
	// Largest roll that the platform can do, to both sides. A negative number reverses the axis.
	Roll float64 `toml:"roll_deg" range:"-45..45"`
	// Largest pitch that the platform can do, nose down and nose up. A negative number reverses the
	// axis.
	Pitch float64 `toml:"pitch_deg" range:"-45..45"`
	// Largest yaw that the platform can do, to both sides. A negative number reverses the axis.
	Yaw float64 `toml:"yaw_deg" range:"-180..180"`
	// Number that is sent for the tightest belt; the belt is the seventh actuator.
	BeltCounts float64 `toml:"belt_counts" range:"0..4294967295"`
}

// Values of Config.Frames.
const (
	Direct = "direct"
	Pose   = "pose"
)

// DefaultConfig sends direct frames for six actuators. The ranges of its poses are small enough for
// common platforms; numbers have the low byte first, as PC programs for this controller send them.
func DefaultConfig() Config {
	return Config{
		Frames: Direct, Actuators: 6, LittleEndian: true, GoOnline: true,
		Surge: 50, Sway: 50, Heave: 50, Roll: 8, Pitch: 8, Yaw: 8, BeltCounts: fullCounts,
	}
}

// Validate returns an error for every invalid field.
func (c Config) Validate() error {
	if err := valid.WithPrefix("motion4sim", valid.Struct(c)); err != nil {
		return fmt.Errorf("motion: %w", err)
	}
	return nil
}

// byteOrder returns the byte order of the numbers of a pose.
func (c Config) byteOrder() binary.AppendByteOrder {
	if c.LittleEndian {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// poseOrder has the index of the leg for each number of a pose packet: sway, surge, heave, yaw,
// roll, pitch.
var poseOrder = [6]int{1, 0, 2, 5, 3, 4}

// poseRanges returns the configured range of each number of a pose packet [mm, deg], in the
// packet's order.
func (c Config) poseRanges() [6]float64 {
	return [6]float64{c.Sway, c.Surge, c.Heave, c.Yaw, c.Roll, c.Pitch}
}

const beltLeg = 6 // index of the belt's leg

// appendDirectFrame appends a frame with the positions of actuators. Unused ones are in the middle.
func appendDirectFrame(dst []byte, l *wire.Legs, actuators int) []byte {
	dst = append(dst, directHeadByte, directHeadByte)
	for i, position := range l {
		n := middleCounts
		if i < actuators {
			n = counts(position)
		}
		dst = append(dst, byte(n>>16), byte(n>>8), byte(n))
	}
	return append(dst, wire.PacketTail1, wire.PacketTail2)
}

// counts returns the controller's counts for a fraction of the stroke; NaN gives the middle.
func counts(position float64) int {
	if math.IsNaN(position) || position == 0.5 {
		return middleCounts
	}
	return int(math.Round(min(max(position, 0), 1) * fullCounts))
}

// appendPoseFrame appends the pose for the legs.
func appendPoseFrame(dst []byte, l *wire.Legs, cfg *Config) []byte {
	byteOrder := cfg.byteOrder()
	dst = append(dst, poseHeadByte, poseHeadByte)
	ranges := cfg.poseRanges()
	for i, leg := range poseOrder {
		v := (2*clampFraction(l[leg]) - 1) * ranges[i]
		dst = byteOrder.AppendUint32(dst, math.Float32bits(float32(v)))
	}
	tension := max(0, 2*clampFraction(l[beltLeg])-1) // at 0.5 and below the belt is not tightened
	dst = byteOrder.AppendUint32(dst, uint32(tension*cfg.BeltCounts))
	return append(dst, 0, 0, 0, 0, wire.PacketTail1, wire.PacketTail2)
}

// clampFraction limits a fraction to 0..1; NaN gives the middle.
func clampFraction(v float64) float64 {
	if math.IsNaN(v) {
		return 0.5
	}
	return min(max(v, 0), 1)
}

// appendCommand appends a command, or an answer to one.
func appendCommand(dst []byte, command, value uint16) []byte {
	return append(dst, commandHeadByte, commandHeadByte, byte(command>>8), byte(command), byte(value>>8), byte(value), wire.PacketTail1, wire.PacketTail2)
}

// eitherByteOrder returns the number in two bytes of which one is 0: the documentation shows
// answers in both byte orders.
func eitherByteOrder(b1, b2 byte) uint16 {
	if b2 == 0 {
		return uint16(b1)
	}
	return uint16(b1)<<8 | uint16(b2)
}
