package motion

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
	m4sDirect     = 0xff
	m4sDirectLen  = 28
	m4sPose       = 0xfc
	m4sPoseLen    = 36
	m4sCommand    = 0xf9
	m4sCommandLen = 8

	m4sFull   = 0xffffff
	m4sMiddle = 0x7fffff
)

// Commands, as their first two bytes.
const (
	m4sStatus    = 0x0000
	m4sFirmware  = 0x0200
	m4sEmergency = 0x0500
	m4sOnline    = 0x0600
	m4sReboot    = 0x0900
	m4sActuators = 0x1000
)

// M4SConfig is what only a motion4sim controller has, TOML table
// [motion.motion4sim].
//
// With poses the legs are degrees of freedom: surge, sway, heave, roll, pitch,
// yaw and, seventh, the belt. A leg's 0..1 is the range given here, from minus
// to plus; a negative range turns the axis round.
type M4SConfig struct {
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

// What M4SConfig.Frames can be.
const (
	M4SDirect = "direct"
	M4SPose   = "pose"
)

// DefaultM4SConfig drives six actuators directly. Its poses are small enough
// for the common platforms; their numbers have the low byte first, as the
// programs on personal computers send them that the controller was made for.
func DefaultM4SConfig() M4SConfig {
	return M4SConfig{
		Frames: M4SDirect, Actuators: 6, LittleEndian: true, GoOnline: true,
		Surge: 50, Sway: 50, Heave: 50, Roll: 8, Pitch: 8, Yaw: 8, Belt: m4sFull,
	}
}

// Validate reports every field that cannot be used.
func (c M4SConfig) Validate() error {
	var frames error
	if c.Frames != M4SDirect && c.Frames != M4SPose {
		frames = fmt.Errorf("motion: motion4sim.frames: %q; %q or %q", c.Frames, M4SDirect, M4SPose)
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
func (c M4SConfig) order() binary.AppendByteOrder {
	if c.LittleEndian {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// m4sLegs is which leg each number of a pose comes from: sway, surge, heave,
// yaw, roll, pitch.
var m4sLegs = [6]int{1, 0, 2, 5, 3, 4}

// ranges are those of the numbers of a pose, in their order.
func (c M4SConfig) ranges() [6]float64 {
	return [6]float64{c.Sway, c.Surge, c.Heave, c.Yaw, c.Roll, c.Pitch}
}

const m4sBelt = 6 // the belt's leg

// appendM4SDirect appends the positions of actuators. One that is not there
// stands in the middle.
func appendM4SDirect(dst []byte, l *wire.Legs, actuators int) []byte {
	dst = append(dst, m4sDirect, m4sDirect)
	for i, share := range l {
		n := m4sMiddle
		if i < actuators {
			n = m4sCounts(share)
		}
		dst = append(dst, byte(n>>16), byte(n>>8), byte(n))
	}
	return append(dst, wire.PacketTail1, wire.PacketTail2)
}

// m4sCounts returns the controller's number for a share of the stroke; what is
// no number is the middle.
func m4sCounts(share float64) int {
	if math.IsNaN(share) || share == 0.5 {
		return m4sMiddle
	}
	return int(math.Round(min(max(share, 0), 1) * m4sFull))
}

// appendM4SPose appends the pose that the legs stand for.
func appendM4SPose(dst []byte, l *wire.Legs, cfg *M4SConfig) []byte {
	order := cfg.order()
	dst = append(dst, m4sPose, m4sPose)
	ranges := cfg.ranges()
	for i, leg := range m4sLegs {
		v := (2*trueShare(l[leg]) - 1) * ranges[i]
		dst = order.AppendUint32(dst, math.Float32bits(float32(v)))
	}
	tight := max(0, 2*trueShare(l[m4sBelt])-1) // half is snug
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

// appendM4SCommand appends a command, or an answer to one.
func appendM4SCommand(dst []byte, command, value uint16) []byte {
	return append(dst, m4sCommand, m4sCommand, byte(command>>8), byte(command), byte(value>>8), byte(value), wire.PacketTail1, wire.PacketTail2)
}

// either returns the number in two bytes of which one is 0, in whichever order:
// the answers in the documentation have them in both.
func either(b1, b2 byte) uint16 {
	if b2 == 0 {
		return uint16(b1)
	}
	return uint16(b1)<<8 | uint16(b2)
}
